"""Ids to text while they arrive: exact, without half characters, at a cost per new id.

Joined pieces equal what the tokenizer backend decodes from all ids at once. It knows the decoders of the `tokenizers`
library; it must not know models, templates or stop rules.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import tokenizers

_SENTENCEPIECE = re.compile(r"(Replace )*(ByteFallback )?(Fuse (Strip )?)?")
_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_REPLACEMENT = "\ufffd"


class Detokenizer:
    """Streams the text of one sequence of ids.

    `special_ids` have no text, like ids that the vocabulary lacks (padding rows of a model's head). With the backend's
    own special ids, pushes and `finish` joined are `backend.decode(ids, skip_special_tokens=True)`, for any ids in any
    blocks. Text is returned as soon as no later id can change it; with byte-level and SentencePiece decoders that is
    at once, except for the bytes of an unfinished character or an unfinished run of byte tokens. Rare decoders whose
    text may change to the very end give all of it in `finish`.
    """

    def __init__(self, backend: tokenizers.Tokenizer, *, special_ids: Container[int]) -> None:
        self._token_of = backend.id_to_token
        self._special_ids = special_ids
        self._stream = _stream_for(backend.decoder)

    def push(self, ids: Sequence[int]) -> str:
        """Add ids; returns the text that is certain now."""
        tokens = (self._token_of(id_) for id_ in ids if id_ not in self._special_ids)
        return self._stream.push([token for token in tokens if token is not None])

    def finish(self) -> str:
        """End of the sequence: the rest, where bytes that never became a character are U+FFFD."""
        return self._stream.finish()


class _Stream(Protocol):
    """A decoder that takes its tokens bit by bit."""

    def push(self, tokens: list[str]) -> str: ...

    def finish(self) -> str: ...


def _stream_for(decoder: Any) -> _Stream:
    if decoder is None:
        return _Neighbours(" ".join)
    state = json.loads(decoder.__getstate__())
    stages = state["decoders"] if state["type"] == "Sequence" else [state]
    kinds = [stage["type"] for stage in stages]
    if kinds in (["ByteLevel"], ["ByteLevel", "Fuse"]):
        return _ByteLevel()
    if _SENTENCEPIECE.fullmatch("".join(f"{kind} " for kind in kinds)) and all(map(_is_plain, stages)):
        return _SentencePiece(stages)
    if kinds in (["Metaspace"], ["WordPiece"]):
        return _Neighbours(decoder.decode)
    return _AtTheEnd(decoder.decode)


class _Decode(Protocol):
    def __call__(self, tokens: list[str], /) -> str: ...


class _ByteLevel:
    """Tokens spell bytes (GPT-2); a token with any other character is its own text."""

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, tokens: list[str]) -> str:
        return self._utf8.decode(b"".join(map(_spelled_bytes, tokens)))

    def finish(self) -> str:
        return self._utf8.decode(b"", True)


def _byte_alphabet() -> dict[str, int]:
    """GPT-2's spelling: printable Latin-1 stands for itself, the other bytes follow from U+0100 in order."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = sorted(set(range(0x100)) - set(printable))
    return {chr(byte): byte for byte in printable} | {chr(0x100 + n): byte for n, byte in enumerate(others)}


_BYTE_OF = _byte_alphabet()


def _spelled_bytes(token: str) -> bytes:
    try:
        return bytes([_BYTE_OF[char] for char in token])
    except KeyError:
        return token.encode()


class _SentencePiece:
    """Text replaced within each token, then byte tokens, then a strip at the very start; all stages are optional.

    A run of byte tokens that is not valid UTF-8 *as a whole* becomes one U+FFFD per byte, so its text is certain only
    when the run ends, or once it is broken.
    """

    def __init__(self, stages: list[dict[str, Any]]) -> None:
        by_kind = {stage["type"]: stage for stage in stages}
        self._replacements = [(s["pattern"]["String"], s["content"]) for s in stages if s["type"] == "Replace"]
        self._has_byte_tokens = "ByteFallback" in by_kind
        strip = by_kind.get("Strip", {"content": " ", "start": 0})
        self._stripped: str = strip["content"]
        self._to_strip: int = strip["start"]
        self._run = _ByteRun()

    def push(self, tokens: list[str]) -> str:
        return self._strip("".join(map(self._piece, tokens)))

    def finish(self) -> str:
        return self._strip(self._run.end())

    def _piece(self, token: str) -> str:
        for old, new in self._replacements:
            token = token.replace(old, new)
        byte = _BYTE_TOKEN.fullmatch(token) if self._has_byte_tokens else None
        return self._run.add(int(byte[1], 16)) if byte else self._run.end() + token

    def _strip(self, text: str) -> str:
        while text and self._to_strip:
            if not text.startswith(self._stripped):
                self._to_strip = 0
                break
            text = text[1:]
            self._to_strip -= 1
        return text


class _ByteRun:
    """Consecutive byte tokens: their text if all of them are valid UTF-8, else one U+FFFD for each."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("strict")
        self._text: list[str] = []
        self._length = 0
        self._broken = False

    def add(self, byte: int) -> str:
        """Returns what is certain: nothing, or U+FFFD for all bytes so far once the run is broken."""
        if self._broken:
            return _REPLACEMENT
        self._length += 1
        try:
            self._text.append(self._utf8.decode(bytes([byte])))
        except UnicodeDecodeError:
            self._broken = True
            return _REPLACEMENT * self._length
        return ""

    def end(self) -> str:
        """Returns the text that was held back and makes ready for the next run."""
        if not self._length:
            return ""
        try:
            self._utf8.decode(b"", True)
            text = "".join(self._text)
        except UnicodeDecodeError:
            text = _REPLACEMENT * self._length
        text = "" if self._broken else text
        self._start()
        return text


def _is_plain(stage: dict[str, Any]) -> bool:
    """Whether a stage can work on one token after the other."""
    if stage["type"] == "Replace":
        return bool(stage["pattern"].get("String"))
    return stage["type"] != "Strip" or not stage["stop"]


class _Neighbours:
    """Decoders for which a token's text depends on whether another one stands before it, and on nothing else."""

    def __init__(self, decode: _Decode) -> None:
        self._decode = decode
        self._last: list[str] = []

    def push(self, tokens: list[str]) -> str:
        if not tokens:
            return ""
        text = self._decode(self._last + tokens)[len(self._decode(self._last)) :]
        self._last = tokens[-1:]
        return text

    def finish(self) -> str:
        return ""


class _AtTheEnd:
    """Any other decoder: what it makes of a beginning need not be the beginning of what it makes of the whole."""

    def __init__(self, decode: _Decode) -> None:
        self._decode = decode
        self._tokens: list[str] = []

    def push(self, tokens: list[str]) -> str:
        self._tokens += tokens
        return ""

    def finish(self) -> str:
        return self._decode(self._tokens)
