"""A bounded part of a text: beginning, middle and end. Everything that task detection reads passes through here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

HEAD = 5000
MIDDLE = 1000
TAIL = 2500


@dataclass(frozen=True, slots=True)
class Sample:
    """`head` alone where the text is short; lengths in characters."""

    head: str
    middle: str
    tail: str
    length: int

    @property
    def whole(self) -> bool:
        """Whether nothing was left out."""
        return self.length == len(self.head)

    @property
    def blank(self) -> bool:
        """Whether only white space was seen."""
        return not any(part and not part.isspace() for part in (self.head, self.middle, self.tail))

    def lines(self) -> Iterator[str]:
        """Lines of all three parts, at most 60, 10 and 10."""
        for part, most in ((self.head, 60), (self.middle, 10), (self.tail, 10)):
            yield from part.split("\n", most)[:most]


def take(text: str) -> Sample:
    """Sample a text of any length in constant time."""
    text_length = len(text)
    if text_length <= HEAD + MIDDLE + TAIL:
        return Sample(text, "", "", text_length)
    middle = text_length // 2
    return Sample(text[:HEAD], text[middle : middle + MIDDLE], text[-TAIL:], text_length)
