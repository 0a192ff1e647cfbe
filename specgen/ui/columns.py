"""Where a terminal's cursor stands after a line of text. It must not know who wrote the line."""

from __future__ import annotations

import unicodedata

_TAB = 8


def inside_row(line: str, columns: int) -> bool:
    """Whether the cursor certainly stands inside a row after `line`, which began in the first column.

    After a character in the last column a terminal waits with the wrap for the next one; saving and restoring the
    cursor then makes many of them forget it, so that the next character replaces the last. False also where terminals
    disagree on widths (joined emoji, flags, invisible format characters).
    """
    if line.isascii() and "\t" not in line:
        return not line or len(line) % columns != 0
    column = 0
    for char in line:
        if char == "\t":
            column = min((column // _TAB + 1) * _TAB, columns - 1)
            continue
        width = _width(char)
        if width is None:
            return False
        column = width if column + width > columns else column + width
    return column < columns


def _width(char: str) -> int | None:
    """Cells of a character; `None` where terminals disagree."""
    if unicodedata.category(char) in {"Mn", "Me"} and not "\ufe00" <= char <= "\ufe0f":
        return 0
    joins = unicodedata.category(char) in {"Cf", "Mn"}  # the latter: variation selectors
    if joins or "\U0001f1e6" <= char <= "\U0001f1ff" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return None
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
