"""Splitting a stream of text into a leading thinking block and the answer.

It sees decoded text only. A model whose tags are special tokens decodes them to nothing:
there is then nothing to split.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from specgen.text.search import Finder

_State = Literal["start", "thinking", "gap", "answer"]


class Split(NamedTuple):
    """Text that has become certain, by where it belongs."""

    thinking: str = ""
    answer: str = ""


class ThinkingSplitter:
    """Tells thinking from answer while the text streams; tags may arrive in pieces and belong to neither.

    A thinking block begins with `open_tag` as the first text (white space before it is dropped), or has begun already
    in the prompt (`starts_open`). It ends with the first `close_tag`, or with the text. Newlines between the block and
    the answer are dropped. Everything else is answer, later tags included.
    """

    def __init__(self, open_tag: str = "<think>", close_tag: str = "</think>", *, starts_open: bool) -> None:
        self._open_tag = open_tag
        self._close = Finder(close_tag)
        self._state: _State = "thinking" if starts_open else "start"
        self._held = ""

    def push(self, text: str) -> Split:
        """Add text; returns what is certain now."""
        thinking = ""
        if self._state == "start":
            text = self._start(text)
        if self._state == "thinking":
            thinking, text = self._think(text)
        if self._state == "gap":
            text = text.lstrip("\r\n")
            self._state = "answer" if text else "gap"
        return Split(thinking, text)

    def finish(self) -> Split:
        """End of the text: what was held back for a tag that never came."""
        held, self._held = self._held, ""
        return Split(thinking=held) if self._state == "thinking" else Split(answer=held)

    def _start(self, text: str) -> str:
        """Decide whether the text opens a block; returns what follows the decision, "" while it is open."""
        text = self._held + text
        head = text.lstrip()
        if head.startswith(self._open_tag):
            self._state, self._held = "thinking", ""
            return head.removeprefix(self._open_tag)
        if self._open_tag.startswith(head):
            self._held = text
            return ""
        self._state, self._held = "answer", ""
        return text

    def _think(self, text: str) -> tuple[str, str]:
        """Thinking that is certain, and what lies behind the closing tag."""
        end = self._close.feed(text)
        text = self._held + text
        if end is None:
            certain = len(text) - self._close.partial
            self._held = text[certain:]
            return text[:certain], ""
        end += len(self._held)
        self._state, self._held = "gap", ""
        return text[: end - len(self._close.string)], text[end:]
