"""stdout: the model's text as UTF-8 bytes, written as it comes, with exactly one newline at its end."""

from __future__ import annotations

import json
import os
import re
import select
import stat
import sys
import time
from typing import Any

from specgen.errors import SpecgenError
from specgen.text import neutralise

_READER_S = 0.1
_LEFT_RAW = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class AnswerWriter:
    """Writes an answer. On a terminal control characters are shown instead of obeyed.

    Newlines at the end of the text are held back, so that the answer ends with one of them; an empty answer has none.
    Raises BrokenPipeError when the reader has gone, SpecgenError when nothing can be written.
    """

    def __init__(self, *, whole: bool = False) -> None:
        if sys.stdout is None:
            raise SpecgenError("stdout is closed")
        # not through Python's buffer: after a failure it would try again when the interpreter ends, and fail again
        self._descriptor = sys.stdout.fileno()
        self._is_terminal = sys.stdout.isatty()
        self._whole = whole
        self._pending: list[str] = []
        self._line: list[str] = []
        self._newlines = ""
        self._empty = True

    @property
    def line(self) -> str:
        """What a terminal shows behind the last newline; empty where there is none."""
        return "".join(self._line)

    def write(self, text: str) -> None:
        """Add text; shown at once unless the answer is wanted whole."""
        if self._whole:
            self._pending.append(text)
        else:
            self._show(text)

    def finish(self) -> None:
        """The text is complete."""
        self._show("".join(self._pending))
        self._pending.clear()
        if not self._empty:
            self._put("\n")
            self._empty = True

    def wait_for_reader(self) -> None:
        """Let the reader of a pipe take the rest, for a moment: it may write to the terminal that gets the footer."""
        deadline = time.monotonic() + _READER_S
        while time.monotonic() < deadline and _unread(self._descriptor):
            time.sleep(_READER_S / 20)

    def _show(self, text: str) -> None:
        body = text.rstrip("\n")
        if not body:
            self._newlines += text
            return
        text, self._newlines, self._empty = self._newlines + body, text[len(body) :], False
        self._put(text)  # last: an interrupt may come as soon as the text is out

    def _put(self, text: str) -> None:
        if self._is_terminal:
            text = neutralise(text)
            if "\n" in text:
                self._line.clear()
            self._line.append(text.rpartition("\n")[2])
        data = memoryview(text.encode("utf-8", "replace"))
        while data:
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:  # somebody made our terminal or pipe non-blocking
                select.select([], [self._descriptor], [])
            except BrokenPipeError:
                raise
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise SpecgenError(f"cannot write to stdout: {reason}") from error


def _unread(descriptor: int) -> bool:
    """Whether bytes lie in the pipe behind `descriptor`."""
    try:
        import fcntl
        import termios

        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return False
        return any(fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))
    except (OSError, ImportError):
        return False


def print_text(text: str) -> None:
    """Write a listing to stdout. Raises like `AnswerWriter`."""
    writer = AnswerWriter(whole=True)
    writer.write(text)
    writer.finish()


def print_json(document: Any) -> None:
    """Write one JSON document as one line that no terminal obeys. Raises like `AnswerWriter`."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    print_text(_LEFT_RAW.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
