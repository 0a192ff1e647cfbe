"""Counts the bytes of a download for a progress display: never backwards, closed once."""

from __future__ import annotations

from specgen.progress import Progress, Report


class Meter:
    """Adds up what has arrived and reports it; `total` in bytes where it is known beforehand."""

    def __init__(self, report: Report, what: str, *, total: int | None) -> None:
        self._report = report
        self._what = what
        self._total = total
        self._done = 0
        self._shown = 0
        report(Progress(what, 0, total))

    def arriving(self, size: int) -> None:
        """So many bytes of the next piece are there, but not yet checked and counted."""
        self._show(self._done + size)

    def add(self, size: int) -> None:
        """A piece of so many bytes is done."""
        self._done += size
        self._show(self._done)

    def close(self) -> None:
        self._report(Progress(self._what, self._done, self._done))

    def _show(self, done: int) -> None:
        # Short of the total until `close`: a display takes the total for the end.
        limit = done if self._total is None else max(self._total - 1, 0)
        done = min(done, limit)
        if done > self._shown:
            self._shown = done
            self._report(Progress(self._what, done, self._total))
