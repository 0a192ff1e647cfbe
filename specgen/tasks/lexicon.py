"""Finds request words of many languages in one clause. Knows words and positions, not tasks or inputs.

Pattern syntax of the word tables, comma separated:
    word        exactly this word              stem*     any word with this beginning
    two words   one after the other            a ~ b     b at most `GAP` words after a
    ^word       only where a clause begins, after words of politeness
Words of scripts without spaces match inside the text. Case and Latin accents are ignored on both sides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import NamedTuple

GAP = 6
"""Most words that `~` skips."""
WIDE_GAP = 12
"""Most characters that `~` skips in a script without spaces."""


class Ask(Enum):
    """What a word says about the request. The value is shown to people."""

    SUMMARY = "summary"
    SHORTEN = "shortening"
    PROOFREAD = "proofreading"
    CONVERT = "conversion"
    EXTRACT = "extraction"
    ARRANGE = "tidying"
    EDIT = "edit"
    WEAK = "change"
    REWORK = "rewording"
    TRANSLATE = "translation"
    ANSWER = "explanation"
    CHECK = "review"
    ASK = "question"
    NEW = "new text"
    CREATE = "writing"
    ABOUT = "something for it"
    ARTEFACT = "new code"
    GET = "listing"
    ITEM = "items"
    FORMAT = "format"
    CODEWORD = "part of code"
    INTO = "into"
    PRESERVE = "keep the rest"
    WHOLE = "whole file"
    NEGATE = "not"
    NOTHING = "nothing"
    POLITE = "please"
    REFER = "reference"
    TONGUE = "language"

    __hash__ = object.__hash__
    """Members are compared by identity; the hash of `Enum` is slow and this is the inner loop."""


class Token(NamedTuple):
    """A word of a normalised clause and where it begins."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Hit(NamedTuple):
    """A pattern found in a clause. `head`: it stands where the clause begins (or order does not matter there)."""

    ask: Ask
    start: int
    end: int
    head: bool
    weight: int
    """Length of the pattern: of two hits at one place the longer wins."""


class Part(NamedTuple):
    """One word of a pattern."""

    word: str
    prefix: bool
    gap: bool
    """Words may stand between this part and the one before."""

    def matches(self, token: str) -> bool:
        return token.startswith(self.word) if self.prefix else token == self.word


class Pattern(NamedTuple):
    """A compiled pattern of a spaced language."""

    ask: Ask
    parts: tuple[Part, ...]
    at_head: bool
    weight: int


_FOLDED = {
    "ł": "l", "ø": "o", "\u0131": "i", "æ": "ae", "œ": "oe", "đ": "d", "\u0451": "\u0435", "\u2019": "'", "\u2018": "'",
    "`": " ",
}  # fmt: skip
"""Letters that do not decompose (the Turkish i without dot, the Russian yo) and quotation marks."""
_ACCENTS: dict[int, str | None] = {
    **{code: unicodedata.normalize("NFD", chr(code))[0] for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))},
    **{ord(letter): plain for letter, plain in _FOLDED.items()},
    **dict.fromkeys(range(0x300, 0x370), None),
}
_ELISION = re.compile(r"\b(l|d|j|n|qu|m|t|s|c|un|dell|all|nell|dall|sull|quest|jusqu|lorsqu|dov|cos)'(?=\w)")
_SPELLINGS = (("tl;dr", "tldr"), ("tl; dr", "tldr"), ("c++", "cpp"), ("c#", "csharp"), ("f#", "fsharp"))
_WORD = re.compile(r"\w+(?:[-'.]\w+)*")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def normalise(text: str) -> str:
    """Lower case, no Latin accents, one spelling for a few symbols; both patterns and requests pass through here."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_ACCENTS)
    for spelling, word in _SPELLINGS:
        folded = folded.replace(spelling, word)
    return _ELISION.sub(r"\1 ", folded)


def tokenize(clause: str) -> list[Token]:
    """The words of a normalised clause."""
    return [Token(match.group(), match.start()) for match in _WORD.finditer(clause)]


def has_unspaced_script(text: str) -> bool:
    """Whether the text holds Chinese, Japanese, Korean or Thai characters."""
    return _UNSPACED.search(text) is not None


class Lexicon:
    """Word tables, indexed by first word. `find` is linear in the clause: every word starts few and bounded matches."""

    def __init__(self, tables: tuple[dict[str, str], ...]) -> None:
        self._exact: dict[str, list[tuple[Ask, str]]] = {}
        self._prefixes: dict[str, list[tuple[Ask, str]]] = {}
        self._unspaced: dict[tuple[str, ...], Ask] = {}
        for table in tables:
            for name, words in table.items():
                ask = Ask[name.upper()]
                for pattern in normalise(words).split(","):
                    self._add(ask, pattern.strip())
        self._prefix_lengths = sorted({len(stem) for stem in self._prefixes})
        self._first_characters = frozenset(pieces[0][0] for pieces in self._unspaced)

    def _add(self, ask: Ask, pattern: str) -> None:
        if not pattern:
            return
        if not pattern.isascii() and has_unspaced_script(pattern):
            self._unspaced.setdefault(tuple(piece.strip() for piece in pattern.split("~")), ask)
            return
        first = pattern.removeprefix("^").partition(" ")[0]
        index = self._prefixes if first.endswith("*") else self._exact
        index.setdefault(first.removesuffix("*"), []).append((ask, pattern))

    def _starting_with(self, token: str) -> Iterator[Pattern]:
        for ask, pattern in self._exact.get(token, ()):
            yield _compiled(ask, pattern)
        for length in self._prefix_lengths:
            if length > len(token):
                return
            for ask, pattern in self._prefixes.get(token[:length], ()):
                yield _compiled(ask, pattern)

    def find(self, clause: str, tokens: list[Token]) -> list[Hit]:
        """All hits in a normalised clause, by place; of one kind at one place only the longest."""
        heads = self._head_length(tokens)
        best: dict[tuple[int, Ask], Hit] = {}
        for index, token in enumerate(tokens):
            for pattern in self._starting_with(token.text):
                last = _match(pattern, tokens, index) if index <= heads or not pattern.at_head else None
                if last is not None:
                    _keep(best, Hit(pattern.ask, token.start, tokens[last].end, index <= heads, pattern.weight))
        if has_unspaced_script(clause):
            for hit in self._find_unspaced(clause):
                _keep(best, hit)
        return sorted(best.values(), key=lambda hit: (hit.start, -hit.weight))

    def _head_length(self, tokens: list[Token]) -> int:
        """How many words of politeness a clause begins with."""
        index = 0
        while index < len(tokens):
            found = self._exact.get(tokens[index].text, ())
            ends = [_match(_compiled(ask, words), tokens, index) for ask, words in found if ask is Ask.POLITE]
            last = max((end for end in ends if end is not None), default=None)
            if last is None:
                break
            index = last + 1
        return index

    def _find_unspaced(self, clause: str) -> Iterator[Hit]:
        present = self._first_characters.intersection(clause)
        for pieces, ask in self._unspaced.items():
            if pieces[0][0] not in present:
                continue
            start = clause.find(pieces[0])
            end = start + len(pieces[0])
            for piece in pieces[1:]:
                if start < 0:
                    break
                place = clause.find(piece, end, end + WIDE_GAP + len(piece))
                start, end = (start, place + len(piece)) if place >= 0 else (-1, 0)
            if start >= 0:
                yield Hit(ask, start, end, True, sum(map(len, pieces)))


@cache
def _compiled(ask: Ask, pattern: str) -> Pattern:
    """Parsed when a request first holds its first word: most patterns of most languages never are."""
    parts: list[Part] = []
    gap = False
    for word in pattern.removeprefix("^").split():
        if word != "~":
            parts.append(Part(word.removesuffix("*"), word.endswith("*"), gap))
        gap = word == "~"
    return Pattern(ask, tuple(parts), pattern.startswith("^"), len(parts) * 100 + sum(len(part.word) for part in parts))


def _match(pattern: Pattern, tokens: list[Token], first: int) -> int | None:
    """Index of the last matching word, or None. The first part is known to match."""
    at = first
    for part in pattern.parts[1:]:
        for index in range(at + 1, min(len(tokens), at + 2 + (GAP if part.gap else 0))):
            if part.matches(tokens[index].text):
                at = index
                break
        else:
            return None
    return at


def _keep(best: dict[tuple[int, Ask], Hit], hit: Hit) -> None:
    old = best.get((hit.start, hit.ask))
    if old is None or hit.weight > old.weight:
        best[hit.start, hit.ask] = hit


@cache
def lexicon() -> Lexicon:
    """The word tables of all languages, compiled on first use."""
    from specgen.tasks import (
        words_asian,
        words_english,
        words_germanic,
        words_other,
        words_romance,
        words_shared,
        words_slavic,
    )

    modules = (words_shared, words_english, words_germanic, words_romance, words_slavic, words_other, words_asian)
    return Lexicon(tuple(table for module in modules for name, table in vars(module).items() if name.isupper()))
