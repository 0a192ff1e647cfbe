"""The lines of the input files, one after the other: never more than one in memory, split at the byte 0x0A alone.

It must not know what a line holds.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, cast

from specgen.errors import SpecgenError, UsageError

MAX_LINE = 64 << 20
"""Longest line that is kept, in bytes. A longer one is read to its end and given without its data."""
STDIN = "-"
_BLANKS = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_FOREIGN = {
    b"\xff\xfe": ("UTF-16", "convert it: iconv -f utf-16 -t utf-8"),
    b"\xfe\xff": ("UTF-16", "convert it: iconv -f utf-16 -t utf-8"),
    b"\x1f\x8b": ("gzip", "gzip files are recognised by a name that ends in .gz"),
    b"PK": ("a zip archive", "unpack it first"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank, without its line end and the blanks around it."""

    file: str | None
    """The file it is in; `None` when there is only one input."""
    number: int
    """In its file, from 1; blank lines count."""
    position: int
    """The same over all inputs, as if they were one file."""
    data: bytes | None
    """`None`: longer than `MAX_LINE`."""
    digest: str
    """First 16 hex digits of the SHA-256 of the data."""


class Inputs:
    """Several files, or standard input where a name is `-`, read as one."""

    def __init__(self, names: Sequence[str], *, stdin: BinaryIO) -> None:
        """Raises `UsageError` for a name that cannot be read, before anything is done."""
        if names.count(STDIN) > 1:
            raise UsageError("standard input is given twice")
        for name in names:
            if name != STDIN:
                _check_readable(name)
        self.names = tuple(names)
        self._stdin = stdin

    @property
    def rereadable(self) -> bool:
        """Whether the lines can be had a second time: plain files only, no pipes."""
        return all(name != STDIN and os.path.isfile(name) for name in self.names)

    def __iter__(self) -> Iterator[Line]:
        """All lines that are not blank. Raises `UsageError` for what is no UTF-8 file, `SpecgenError` for damage."""
        position = 0
        for name in self.names:
            with self._open(name) as stream:
                for number, (data, digest) in enumerate(_raw_lines(stream), start=1):
                    position += 1
                    if number == 1 and data is not None:
                        _refuse_foreign(name, data)
                    if data != b"":
                        yield Line(name if len(self.names) > 1 else None, number, position, data, digest)

    @contextmanager
    def _open(self, name: str) -> Iterator[BinaryIO]:
        try:
            if name == STDIN:
                yield self._stdin
            else:
                with cast(BinaryIO, gzip.open(name) if name.endswith(".gz") else open(name, "rb")) as stream:
                    yield stream
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise SpecgenError(f"{name} is a damaged gzip file: {error}") from error


def count_and_find(lines: Inputs, pattern: re.Pattern[bytes]) -> tuple[int, frozenset[str]]:
    """How many lines there are, and every match of `pattern` (ASCII) in them: one quick pass that parses nothing."""
    count = 0
    found: set[str] = set()
    for line in lines:
        count += 1
        found.update(match.decode("ascii") for match in pattern.findall(line.data or b""))
    return count, frozenset(found)


def _check_readable(name: str) -> None:
    if os.path.isdir(name):
        raise UsageError(f"{name} is a folder", hint="give the files in it")
    if not os.path.exists(name):
        raise UsageError(f"{name} does not exist")
    if not os.access(name, os.R_OK):
        raise UsageError(f"{name} cannot be read: {os.strerror(errno.EACCES).lower()}")


def _raw_lines(stream: BinaryIO) -> Iterator[tuple[bytes | None, str]]:
    while line := stream.readline(MAX_LINE):
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            yield _skip_rest(stream, line)
            continue
        data = line.removeprefix(_BYTE_ORDER_MARK).strip(_BLANKS)
        yield data, hashlib.sha256(data).hexdigest()[:16]


def _skip_rest(stream: BinaryIO, line: bytes) -> tuple[None, str]:
    """Read on to the end of a line that is too long, keeping only its digest."""
    digest = hashlib.sha256()
    while line:
        digest.update(line)
        line = b"" if line.endswith(b"\n") else stream.readline(1 << 20)
    return None, digest.hexdigest()[:16]


def _refuse_foreign(name: str, data: bytes) -> None:
    for mark, (kind, hint) in _FOREIGN.items():
        if data.startswith(mark):
            raise UsageError(f"{name} is {kind}, not UTF-8 text", hint=hint)
