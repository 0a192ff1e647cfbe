"""How far a batch is: a line that is rewritten in place on a terminal, elsewhere one now and then."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING

from specgen.ui.footer import fit

if TYPE_CHECKING:
    from specgen.batch import BatchSummary
    from specgen.ui.console import Console

_LIVE_S, _PLAIN_S = 0.1, 10.0
_CLEAR = "\r\x1b[2K"


class BatchView:
    """Takes the summary after each row; use as a context manager. `live`: nothing else moves on this terminal."""

    def __init__(self, console: Console, *, live: bool) -> None:
        self._console = console
        self._live = live and console.animates
        self._interval = _LIVE_S if self._live else _PLAIN_S
        self._due = time.monotonic() + self._interval
        self._shown = False

    def __enter__(self) -> BatchView:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def __call__(self, summary: BatchSummary) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + self._interval
        line = summary.progress_line()
        if self._live:
            self._console.control(_CLEAR + fit(line.split("  "), self._console.width - 1))
            self._shown = True
        else:
            self._console.note(line)

    def note(self, text: str) -> None:
        """A remark, on a line of its own."""
        self._clear()
        self._console.note(text)

    def _clear(self) -> None:
        if self._shown:
            self._console.control(_CLEAR)
            self._shown = False
