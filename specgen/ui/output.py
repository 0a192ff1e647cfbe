"""stdout: the model's text as UTF-8 bytes, flushed as it comes, with exactly one newline at its end."""

from __future__ import annotations

import sys
from typing import BinaryIO

from specgen.errors import SpecgenError
from specgen.text import neutralise


class AnswerWriter:
    """Writes an answer. On a terminal control characters are shown instead of obeyed.

    Newlines at the end of the text are held back, so that the answer ends with one of them; an empty answer has none.
    Raises BrokenPipeError when the reader has gone, SpecgenError when nothing can be written.
    """

    def __init__(self, *, whole: bool = False, raw: bool = False) -> None:
        if sys.stdout is None:
            raise SpecgenError("stdout is closed")
        self._out: BinaryIO = sys.stdout.buffer
        self.is_terminal = sys.stdout.isatty()
        self._whole = whole
        self._raw = raw
        self._pending = ""
        self._newlines = ""
        self._empty = True

    def write(self, text: str) -> None:
        """Add text; shown at once unless the answer is wanted whole."""
        if self._whole:
            self._pending += text
        else:
            self._show(text)

    def finish(self) -> None:
        """The text is complete."""
        self._show(self._pending)
        self._pending = ""
        if not self._empty:
            self._put("\n")
            self._empty = True

    close = finish

    def _show(self, text: str) -> None:
        body = text.rstrip("\n")
        if not body:
            self._newlines += text
            return
        self._put(self._newlines + body)
        self._newlines = text[len(body) :]
        self._empty = False

    def _put(self, text: str) -> None:
        if self.is_terminal and not self._raw:
            text = neutralise(text)
        try:
            self._out.write(text.encode("utf-8", "replace"))
            self._out.flush()
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise SpecgenError(f"cannot write the answer: {reason.lower()}") from error
