"""The live line on stderr: speed and acceptance while the answer is being written. Only on a terminal.

Where the answer streams to the same terminal, the line lives in the bottom row, outside the scroll region, so that it
never mixes with the text; otherwise it is a single line that is rewritten in place. Both vanish at the end.
"""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from specgen.ui.footer import fit, speed_and_acceptance

if TYPE_CHECKING:
    from specgen.profiles import GenerationSettings
    from specgen.stats import GenerationStats
    from specgen.ui.console import Console

_INTERVAL_S = 0.1
_LEAST_ROWS = 5
_SAVE, _RESTORE, _CLEAR = "\x1b7", "\x1b8", "\x1b[2K"


class StatusLine:
    """A context manager; outside a terminal it does nothing."""

    def __init__(self, console: Console, *, shares_terminal: bool) -> None:
        self._console = console
        self._shares = shares_terminal
        self._size = shutil.get_terminal_size()
        self._on = console.animates and (not shares_terminal or self._size.lines >= _LEAST_ROWS)
        self._due = 0.0
        self._shown = False

    def __enter__(self) -> StatusLine:
        return self

    def show(self, stats: GenerationStats, settings: GenerationSettings) -> None:
        """Redraw, a few times a second at most."""
        now = time.monotonic()
        if not self._on or now < self._due:
            return
        self._due = now + _INTERVAL_S
        size = shutil.get_terminal_size()
        parts = [f"{stats.new_tokens} tok", *speed_and_acceptance(stats, settings)]
        line = fit(parts, size.columns - 1)
        if self._console.styles:
            line = f"\x1b[2m{line}\x1b[0m"
        self._draw(line, size.lines, resized=size != self._size)
        self._size = size

    def _draw(self, line: str, rows: int, *, resized: bool) -> None:
        if not self._shares:
            self._console.write(f"\r{_CLEAR}{line}")
        else:
            sys.stdout.flush()
            reserve = "" if self._shown and not resized else self._reserve(rows)
            self._console.write(f"{reserve}{_SAVE}\x1b[{rows};1H{_CLEAR}{line}{_RESTORE}")
        self._shown = True

    @staticmethod
    def _reserve(rows: int) -> str:
        """Keep the text off the bottom row; the newline makes room if the cursor stands there."""
        return f"\n\x1b[A{_SAVE}\x1b[1;{rows - 1}r{_RESTORE}"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._shown:
            return
        if not self._shares:
            self._console.write(f"\r{_CLEAR}")
        else:
            rows = shutil.get_terminal_size().lines
            self._console.write(f"{_SAVE}\x1b[{rows};1H{_CLEAR}\x1b[r{_RESTORE}")
        self._shown = False
