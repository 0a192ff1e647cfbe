"""A terminal: a process on a pseudo-terminal, and the screen that its output makes."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

_SEQUENCE = re.compile(r"\x1b(?:\[(?P<args>[?0-9;]*)(?P<final>[A-Za-z])|(?P<short>[78DM]))")


@dataclass
class Screen:
    """What a plain VT100 shows. Restoring the cursor forgets a pending wrap, as it does in tmux."""

    columns: int
    rows: int
    cells: list[list[str]] = field(default_factory=list)
    row: int = 0
    column: int = 0
    """Equal to `columns` while a wrap is pending."""
    region: tuple[int, int] = (0, 0)
    saved: tuple[int, int] = (0, 0)
    scrolled: list[str] = field(default_factory=list)
    """Lines that left the screen at the top."""
    widest: int = 0
    """Longest text drawn in the bottom row from its first column."""

    def __post_init__(self) -> None:
        self.cells = [self._blank() for _ in range(self.rows)]
        self.region = (0, self.rows - 1)

    def feed(self, text: str) -> None:
        place = 0
        while place < len(text):
            found = _SEQUENCE.match(text, place)
            if found:
                self._obey(found)
                place = found.end()
            else:
                self._put(text[place])
                place += 1

    @property
    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.cells]

    @property
    def whole(self) -> bool:
        """Whether the scroll region is the screen."""
        return self.region == (0, self.rows - 1)

    @property
    def text(self) -> str:
        """Everything above the cursor, scrolled off or not, without line ends (a full row may be a wrapped one)."""
        return "".join([*self.scrolled, *("".join(row) for row in self.cells[: self.row])])

    def _blank(self) -> list[str]:
        return [" "] * self.columns

    def _put(self, char: str) -> None:
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self._down()
        elif char >= " ":
            if self.column == self.columns:
                self.column = 0
                self._down()
            self.cells[self.row][self.column] = char
            self.column += 1
            if self.row == self.rows - 1:
                self.widest = max(self.widest, self.column)

    def _down(self) -> None:
        top, bottom = self.region
        if self.row == bottom:
            row = self.cells.pop(top)
            if top == 0:
                self.scrolled.append("".join(row))
            self.cells.insert(bottom, self._blank())
        elif self.row < self.rows - 1:
            self.row += 1

    def _obey(self, found: re.Match[str]) -> None:
        inside = min(self.column, self.columns - 1)
        numbers = [int(number) for number in (found["args"] or "").strip("?").split(";") if number]
        match found["short"] or found["final"]:
            case "7":
                self.saved = (self.row, inside)
            case "8":
                self.row, self.column = self.saved
            case "D":
                column = self.column
                self._down()
                self.column = column
            case "A":
                self.row, self.column = max(0, self.row - (numbers or [1])[0]), inside
            case "H":
                self.row, self.column = (number - 1 for number in (numbers or [1, 1]))
            case "r":
                first, last = numbers or [1, self.rows]
                self.region, self.row, self.column = (first - 1, last - 1), 0, 0
            case "K":
                self.cells[self.row] = self._blank()
            case "J":
                self.cells[self.row][inside:] = self._blank()[inside:]
                self.cells[self.row + 1 :] = [self._blank() for _ in self.cells[self.row + 1 :]]
            case "m" | "h" | "l":
                pass
            case other:
                raise AssertionError(f"a sequence that this terminal does not know: {found[0]!r} ({other})")


Act = Callable[["Terminal"], None]


@dataclass
class Terminal:
    """A process whose stdin, stdout and stderr are one terminal, unless `redirect` says otherwise."""

    process: subprocess.Popen[bytes]
    descriptor: int
    output: bytes = b""

    @classmethod
    def start(
        cls, command: Sequence[str], *, columns: int, rows: int, env: Mapping[str, str], redirect: str = ""
    ) -> Terminal:
        ours, theirs = pty.openpty()
        _set_size(theirs, columns, rows)
        if redirect:
            command = ["sh", "-c", f'exec "$@" {redirect}', "sh", *command]
        process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=dict(env), start_new_session=True
        )
        os.close(theirs)
        return cls(process, ours)

    def read_until(self, wanted: bytes, *, seconds: float = 15.0) -> None:
        deadline = time.monotonic() + seconds
        while wanted not in self.output:
            assert time.monotonic() < deadline, self.output
            if not self._read():
                break
        assert wanted in self.output, self.output

    def resize(self, columns: int, rows: int) -> None:
        _set_size(self.descriptor, columns, rows)

    def finish(self) -> int:
        """Read to the end; returns the exit code."""
        while self._read():
            pass
        os.close(self.descriptor)
        return self.process.wait(10)

    def stop_and_continue(self) -> None:
        """Ctrl-Z, and `fg` once the process has stopped."""
        self.process.send_signal(signal.SIGTSTP)
        os.waitpid(self.process.pid, os.WUNTRACED)
        self.process.send_signal(signal.SIGCONT)

    def _read(self) -> bool:
        try:
            data = os.read(self.descriptor, 1 << 16)
        except OSError:  # Linux: the last process has gone
            return False
        self.output += data
        return bool(data)


def _set_size(descriptor: int, columns: int, rows: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
