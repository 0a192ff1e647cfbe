"""stderr: notes, footers and errors as plain lines. Colour and bold only on a terminal that wants them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable

from specgen.text import neutralise

_DIM, _RESET = "\x1b[2m", "\x1b[0m"


class Console:
    """Where everything but the answer goes. Text is written as it is: nothing passes through markup."""

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self.animates = self.is_terminal and not quiet and os.environ.get("TERM", "") not in {"", "dumb"}
        self.styles = (self.animates or bool(os.environ.get("FORCE_COLOR"))) and not os.environ.get("NO_COLOR")

    @property
    def width(self) -> int:
        """Columns of the terminal; unlimited where there is none."""
        return shutil.get_terminal_size().columns if self.is_terminal else sys.maxsize

    def note(self, text: str) -> None:
        """A remark: one line."""
        self._line(f"specgen: {text}")

    def dim(self, text: str) -> None:
        """A line that stays in the background."""
        self._line(text, style=_DIM)

    def lines(self, texts: Iterable[str]) -> None:
        """Several lines."""
        for text in texts:
            self._line(text)

    def write(self, text: str) -> None:
        """Raw text, control sequences included; for what animates only."""
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError, UnicodeError):
            self.animates = False  # nobody is looking any more

    def _line(self, text: str, *, style: str = "") -> None:
        if self.quiet or sys.stderr is None:
            return
        text = neutralise(text)
        self.write(f"{style}{text}{_RESET}\n" if style and self.styles else f"{text}\n")
