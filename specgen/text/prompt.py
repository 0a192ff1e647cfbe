"""From what a user gives (bytes on stdin, files, a command-line argument) to one prompt.

The locale plays no part. It must not know where the bytes came from, nor what a model makes of the text.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Sequence

from specgen.errors import UsageError

_BYTE_ORDER_MARKS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_TEXTUAL_CONTROLS = b"\a\b\t\n\f\r\x1b"  # found in logs, manual pages and source files
_BINARY_CONTROLS = bytes(sorted({*range(0x20), 0x7F} - set(_TEXTUAL_CONTROLS)))
_SAMPLE = 1 << 16
_FEW_CONTROLS = 3
_BINARY_SHARE = 1 / 32  # random or compressed bytes: about 1/10
_REPLACEMENT = "\ufffd"


def read_bytes(data: bytes, *, name: str) -> tuple[str, list[str]]:
    """Decode input bytes; returns the text and remarks for the user, each one line that begins with `name`.

    - The encoding is UTF-8, or what a byte order mark says (UTF-16 and UTF-32, with a remark). The mark is dropped.
    - Every invalid sequence becomes one U+FFFD, and one remark says how many and at which byte the first.
    - CRLF becomes LF. A lone CR, NUL and every other character stays.
    - Bytes that are clearly no text raise `UsageError`: in the first 64 KiB, more than one in 32 (and more than three)
      are control characters that text does not have.

    The text never holds a lone surrogate.
    """
    mark, codec, encoding = _encoding(data)
    if codec == "utf-8":
        _refuse_binary(data, name)
    remarks = [] if codec == "utf-8" else [f"{name}: read as {encoding}"]
    body = data[len(mark) :]
    try:
        text = body.decode(codec)
    except UnicodeDecodeError as error:
        text = body.decode(codec, "replace")
        # "ignore" leaves the U+FFFD that the input itself holds
        invalid = text.count(_REPLACEMENT) - body.decode(codec, "ignore").count(_REPLACEMENT)
        places = "1 invalid sequence" if invalid == 1 else f"{invalid} invalid sequences"
        remarks.append(f"{name}: {places} replaced by U+FFFD (not {encoding}; first at byte {len(mark) + error.start})")
    return _unix_lines(text), remarks


def argument_text(text: str) -> str:
    """A command-line argument as the user typed it: its bytes read as UTF-8, whatever the locale made of them.

    Same policy as `read_bytes`, without remarks and without a refusal.
    """
    try:
        data = os.fsencode(text)
    except UnicodeEncodeError:  # cannot come from the command line: the locale has no bytes for it
        data = text.encode("utf-8", "surrogatepass")
    return _unix_lines(data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace"))


def join_prompt(argument: str, piped: str, files: Sequence[tuple[str, str]]) -> str:
    """One prompt from `files` (name, text), then piped text, then the argument, with a blank line between parts.

    Piped text and files lose their trailing newlines, as in a shell's `$(...)`; nothing else inside a part changes,
    and the argument stays as it is. Blank parts are left out. With several files, or a file beside piped text, each
    file gets the header line `=== name ===`, even an empty one.
    """
    piped = piped.rstrip("\n")
    named = len(files) > 1 or (len(files) == 1 and not _blank(piped))
    parts = [_file_part(name, text.rstrip("\n"), named=named) for name, text in files]
    return "\n\n".join(part for part in (*parts, piped, argument) if not _blank(part))


def _file_part(name: str, text: str, *, named: bool) -> str:
    header = f"=== {name} ===" if named else ""
    return "\n".join(part for part in (header, text) if part)


def _blank(text: str) -> bool:
    return not text or text.isspace()


def _unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _encoding(data: bytes) -> tuple[bytes, str, str]:
    """Byte order mark, codec and the encoding's name for people."""
    for mark, codec, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return mark, codec, encoding
    return b"", "utf-8", "UTF-8"


def _refuse_binary(data: bytes, name: str) -> None:
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _BINARY_CONTROLS))
    if controls > _FEW_CONTROLS and controls > _BINARY_SHARE * len(sample):
        raise UsageError(
            f"{name} is not text ({controls / len(sample):.0%} of its first bytes are control characters)",
            hint="give plain UTF-8 text; convert other formats first, for UTF-16 without a mark: iconv -f utf-16",
        )
