"""The live line on stderr: speed and acceptance while the answer is being written. Only on a terminal.

Where the answer streams to the same terminal, the line lives in the bottom row, outside the scroll region, so that it
never mixes with the text; otherwise it is a single line that is rewritten in place. Both vanish at the end.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from enum import Enum
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from specgen.ui.columns import inside_row
from specgen.ui.footer import fit, speed_and_acceptance

if TYPE_CHECKING:
    from specgen.profiles import GenerationSettings
    from specgen.stats import GenerationStats
    from specgen.ui.console import Console

_INTERVAL_S = 0.1
_LEAST_ROWS = 5
_SAVE, _RESTORE, _CLEAR, _CLEAR_BELOW, _WHOLE_SCREEN = "\x1b7", "\x1b8", "\x1b[2K", "\x1b[J", "\x1b[r"
_KEEP_OFF_LAST_ROW = "\x1bD\x1b[A"  # index, then up: unlike a newline, both leave the column as it is


class Place(Enum):
    """Where the live line can be without touching the answer."""

    NOWHERE = "nowhere"
    IN_PLACE = "in place"
    BOTTOM_ROW = "bottom row"


def place_for(console: Console, *, streams: bool) -> Place:
    """Choose by what stdout is. A reader of a pipe may write to our terminal (`| tee`), so there is no line then."""
    if not console.animates:
        return Place.NOWHERE
    try:
        out, err = os.fstat(sys.stdout.fileno()), os.fstat(sys.stderr.fileno())
        to_terminal = os.isatty(sys.stdout.fileno())
    except (OSError, ValueError):
        return Place.NOWHERE
    if stat.S_ISFIFO(out.st_mode) or stat.S_ISSOCK(out.st_mode):
        return Place.NOWHERE
    if not (streams and to_terminal and out.st_rdev == err.st_rdev):
        return Place.IN_PLACE
    return Place.BOTTOM_ROW if console.size.lines >= _LEAST_ROWS else Place.NOWHERE


class StatusLine:
    """A context manager that leaves the terminal as it found it, also on Ctrl-Z, an interrupt or an error."""

    def __init__(self, console: Console, place: Place) -> None:
        self._console = console
        self._place = place
        self._size = console.size
        self._due = 0.0
        self._shown = False
        self._on_suspend: Any = None
        """What handled SIGTSTP before."""

    def __enter__(self) -> StatusLine:
        if self._place is Place.BOTTOM_ROW and signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL:
            self._on_suspend = signal.signal(signal.SIGTSTP, self._suspend)
        return self

    def show(self, stats: GenerationStats, settings: GenerationSettings, *, beside: str = "") -> None:
        """Redraw, a few times a second at most and only while that leaves the text alone.

        Args:
            beside: the line of the answer in which the terminal's cursor stands.
        """
        now = time.monotonic()
        size = self._console.size
        if self._place is Place.NOWHERE or now < self._due or not inside_row(beside, size.columns):
            return
        self._due = now + _INTERVAL_S
        parts = [f"{stats.new_tokens} tok", *speed_and_acceptance(stats, settings)]
        line = fit(parts, size.columns - 1)
        if self._console.styles:
            line = f"\x1b[2m{line}\x1b[0m"
        resized, reserved = size != self._size, self._shown and size == self._size
        self._shown, self._size = True, size  # before it is drawn: an interrupt may come in between
        if self._place is Place.IN_PLACE:
            self._console.control(f"\r{_CLEAR}{line}")
        else:
            # a line of the old size is somewhere below the cursor, and nothing else is
            reserve = "" if reserved else (_CLEAR_BELOW if resized else "") + _reserve(size.lines)
            self._console.control(f"{reserve}{_SAVE}\x1b[{size.lines};1H{_CLEAR}{line}{_RESTORE}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._vanish()
        if self._on_suspend is not None:
            signal.signal(signal.SIGTSTP, self._on_suspend)

    def _vanish(self) -> None:
        if not self._shown:
            return
        self._shown = False
        if self._place is Place.IN_PLACE:
            self._console.control(f"\r{_CLEAR}")
            return
        size = self._console.size
        # after a change of size the last row may hold text by now
        clear = f"\x1b[{size.lines};1H{_CLEAR}" if size == self._size else ""
        self._console.control(f"{_SAVE}{clear}{_WHOLE_SCREEN}{_RESTORE}")

    def _suspend(self, signum: int, frame: FrameType | None) -> None:
        """Ctrl-Z: hand the whole screen back to the shell, stop, and go on with `fg`."""
        self._vanish()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._suspend)


def _reserve(rows: int) -> str:
    """Keep the text off the bottom row. Setting the region moves the cursor, so it is saved around it."""
    return f"{_KEEP_OFF_LAST_ROW}{_SAVE}\x1b[1;{rows - 1}r{_RESTORE}"
