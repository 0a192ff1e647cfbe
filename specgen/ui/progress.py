"""Bars for downloads and loading, on a terminal; a line per download elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from specgen.progress import Progress
from specgen.text import neutralise

if TYPE_CHECKING:
    import rich.progress

    from specgen.ui.console import Console


_WIDE = 72


class ProgressView:
    """Takes `Progress` reports; use as a context manager. `close` clears the bars."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bars: rich.progress.Progress | None = None
        self._tasks: dict[str, rich.progress.TaskID] = {}
        self._told: set[str] = set()

    def __enter__(self) -> ProgressView:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __call__(self, progress: Progress) -> None:
        if self._console.animates:
            self._draw(progress)
        elif not progress.what.startswith("loading") and progress.what not in self._told:
            self._told.add(progress.what)
            size = f" ({progress.total / 1e6:.0f} MB)" if progress.total and progress.unit == "B" else ""
            self._console.note(f"{progress.what}{size}")

    def close(self) -> None:
        """Remove the bars."""
        if self._bars is not None:
            self._bars.stop()
            self._bars = None
            self._tasks.clear()

    def _draw(self, progress: Progress) -> None:
        if self._bars is None:
            self._bars = self._start()
        if progress.what not in self._tasks:
            self._tasks[progress.what] = self._bars.add_task(neutralise(progress.what), total=progress.total)
        task = self._tasks[progress.what]
        self._bars.update(task, completed=progress.done, total=progress.total)
        if progress.total is not None and progress.done >= progress.total:
            self._bars.remove_task(task)
            del self._tasks[progress.what]

    def _start(self) -> rich.progress.Progress:
        from rich.console import Console as RichConsole
        from rich.progress import BarColumn, DownloadColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bars
        from rich.table import Column

        # without a colour system there is no style at all; rich's own `no_color` keeps bold
        # and whether there is a terminal has been decided already: rich takes an empty FORCE_COLOR for a no
        console = RichConsole(
            stderr=True, force_terminal=True, color_system="auto" if self._console.styles else None, highlight=False
        )
        what = TextColumn(
            "{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
        )
        details = (BarColumn(20), DownloadColumn(), TimeRemainingColumn())
        columns = (what, *details) if self._console.width >= _WIDE else (what, TaskProgressColumn())
        bars = Bars(*columns, expand=True, console=console, transient=True, redirect_stdout=False)
        bars.start()
        return bars
