"""Finding a string in a text that arrives in pieces.

It must not know what the string means: stop strings and tags use it alike.
"""

from __future__ import annotations


class Finder:
    """Finds every occurrence of one string across pieces, in time linear in the text.

    Knuth, Morris and Pratt (1977): after each character it knows the longest tail of the text that begins the string,
    which is both how a match is seen and how much must be held back.
    """

    def __init__(self, string: str) -> None:
        if not string:
            raise ValueError("an empty string is everywhere")
        self.string = string
        self._borders = _borders(string)
        self._length = 0

    @property
    def partial(self) -> int:
        """Characters at the end of the text that could still become the string (never the whole of it)."""
        return self._length

    def feed(self, text: str) -> int | None:
        """Read on; returns where in `text` the first occurrence to be completed ends, else `None`."""
        found = None
        string, length = self.string, self._length
        for position, char in enumerate(text, start=1):
            while length and string[length] != char:
                length = self._borders[length]
            length += string[length] == char
            if length == len(string):
                found = position if found is None else found
                length = self._borders[length]
        self._length = length
        return found


def _borders(string: str) -> list[int]:
    """Entry n: length of the longest proper prefix of string[:n] that is also its suffix."""
    borders = [0, 0]
    for char in string[1:]:
        length = borders[-1]
        while length and string[length] != char:
            length = borders[length]
        borders.append(length + (string[length] == char))
    return borders
