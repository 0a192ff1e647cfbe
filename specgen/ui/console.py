"""stderr: notes, footers and what animates. Styles only on a terminal that wants them, never in a file or a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress

from specgen.text import neutralise

_DIM, _RESET = "\x1b[2m", "\x1b[0m"
_USUAL_SIZE = os.terminal_size((80, 24))


class Console:
    """Where everything but the answer goes. Text is written as it is: nothing passes through markup.

    `NO_COLOR` (not empty) takes all styles away, bold and dim too. `TERM=dumb` takes them and everything that moves;
    `FORCE_COLOR` gives the styles back. Without a terminal there is not one escape sequence, whatever they say.
    """

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.is_terminal = sys.stderr is not None and sys.stderr.isatty()
        able = os.environ.get("TERM", "") not in {"", "dumb"}
        self.animates = self.is_terminal and able and not quiet
        wanted = (able or bool(os.environ.get("FORCE_COLOR"))) and not os.environ.get("NO_COLOR")
        self.styles = self.is_terminal and wanted

    @property
    def size(self) -> os.terminal_size:
        """Of the terminal behind stderr: stdout may be another one, or a file. 80 x 24 where it does not say."""
        if self.is_terminal:
            with suppress(OSError, ValueError):
                size = os.get_terminal_size(sys.stderr.fileno())
                return size if size.columns and size.lines else _USUAL_SIZE
        return _USUAL_SIZE

    @property
    def width(self) -> int:
        """Columns of the terminal; unlimited where there is none."""
        return self.size.columns if self.is_terminal else sys.maxsize

    def note(self, text: str) -> None:
        """A remark: one line."""
        self._line("specgen: " + text.replace("\n", " "))

    def dim(self, text: str) -> None:
        """A line that stays in the background."""
        self._line(text, style=_DIM)

    def lines(self, texts: Iterable[str]) -> None:
        """Several lines."""
        for text in texts:
            self._line(text)

    def control(self, sequence: str) -> None:
        """Raw text with control sequences, for what animates. Unbuffered: signal handlers may call it."""
        try:
            os.write(sys.stderr.fileno(), sequence.encode())
        except (OSError, ValueError):
            self.animates = False  # nobody is looking any more

    def _line(self, text: str, *, style: str = "") -> None:
        if self.quiet or sys.stderr is None:
            return
        text = neutralise(text)
        try:
            sys.stderr.write(f"{style}{text}{_RESET}\n" if style and self.styles else f"{text}\n")
            sys.stderr.flush()
        except BlockingIOError:
            pass
        except (OSError, ValueError):  # a closed or full stderr must not cost the answer, nor the exit code
            self._give_up()

    def _give_up(self) -> None:
        """Let what Python has buffered go nowhere when the interpreter ends."""
        self.quiet, self.animates = True, False
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
