"""Where the cursor stands after a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specgen.ui.columns import inside_row


@pytest.mark.parametrize(
    ("line", "columns", "inside"),
    [
        ("", 10, True),
        ("x" * 9, 10, True),
        ("x" * 10, 10, False),
        ("x" * 11, 10, True),
        ("x" * 20, 10, False),
        ("日本日本日", 10, False),
        ("日本日本", 10, True),
        ("x日本日本日", 10, True),  # the last one does not fit any more and begins a row
        ("xxxxxxxxx日xxxxxxxx", 10, False),
        ("e\u0301" * 10, 10, False),
        ("e\u0301" * 9, 10, True),
        ("\t", 10, True),
        ("x\t\t\t", 10, True),
        ("x\t" + "x" * 2, 10, False),
        ("👩‍👧", 10, False),
        ("🇩🇪", 10, False),
        ("❤️", 10, False),
        ("a\u00adb", 10, False),
    ],
)
def test_inside_row(line: str, columns: int, *, inside: bool) -> None:
    assert inside_row(line, columns) is inside


@given(st.text("ab日", max_size=60), st.integers(2, 20))
def test_as_a_terminal_counts(line: str, columns: int) -> None:
    column = 0
    for char in line:
        width = 2 if char == "日" else 1
        if column + width > columns:
            column = 0
        column += width
    assert inside_row(line, columns) is (column < columns)
