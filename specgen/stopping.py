"""When a generation ends, and which of its text may be shown.

Rules act on one token after the other, so the result is the same however the tokens were grouped into blocks. It knows
ids and text only; it must not know models, drafters or terminals.
"""

from __future__ import annotations

from collections.abc import Sequence

from specgen.decode.types import Acceptance, Finish
from specgen.errors import UsageError
from specgen.text import Detokenizer, Finder


class StopRules:
    """The `Stop` of one generation; takes its accepted tokens, gives its text.

    - An id of `end_ids` is committed, has no text and ends with finish "stop".
    - A stop string ends with finish "stop"; the token that completed it is the last one committed. The text ends
      before it: of several that one token completes, before the one that starts first, or the shorter one.
    - Token number `max_tokens` ends with finish "length", unless it already ends for one of the reasons above.
    - The first `min_tokens` tokens end nothing but by `max_tokens`; a stop string counts if a later token completes it.

    Stop strings are matched on decoded text, never on the prompt. A character counts with the token that made it
    certain (see `Detokenizer`), at the latest when the generation ends: a stop string that shows only then, cuts the
    text all the same. Stop strings are neither shown nor begun: a tail that could become one is held back.

    Raises `UsageError` for an empty stop string or a negative limit.
    """

    def __init__(
        self,
        *,
        end_ids: frozenset[int],
        max_tokens: int,
        strings: Sequence[str],
        detokenizer: Detokenizer,
        min_tokens: int = 0,
    ) -> None:
        _check(max_tokens, min_tokens, strings)
        self._end_ids = end_ids
        self._max_tokens = max_tokens
        self._min_tokens = min_tokens
        self._detokenizer = detokenizer
        self._finders = [Finder(string) for string in sorted(set(strings), key=len)]
        self._tokens = 0
        self._held = ""
        self._ready: list[str] = []
        self._closed = False
        self.finish: Finish | None = None
        self.matched: str | None = None
        """The stop string that cut the text."""
        self.end_id: int | None = None
        """The end id that was met."""
        if max_tokens == 0:
            self._close("length")

    @property
    def room(self) -> int:
        """Tokens that may still be committed."""
        return 0 if self._closed else self._max_tokens - self._tokens

    def apply(self, acceptance: Acceptance) -> Acceptance:
        """Cut at the first token that ends the generation; nothing may follow that one."""
        assert not self._closed, "a finished generation accepts no more tokens"
        for length, token in enumerate(acceptance.tokens, start=1):
            self._add(token)
            if self._closed:
                return acceptance.cut(length)
        return acceptance

    def take_text(self) -> str:
        """Text that became certain to be shown since the last call."""
        text = "".join(self._ready)
        self._ready.clear()
        return text

    def interrupt(self) -> None:
        """End from outside, without a finish: the text that was held back becomes ready."""
        if not self._closed:
            self._close(None)

    def _add(self, token: int) -> None:
        self._tokens += 1
        if token in self._end_ids and self._may_stop:
            self.end_id = token
            self._close("stop")
            return
        self._read(self._detokenizer.push([token]))
        if self.matched is not None:
            self._close("stop")
        elif self._tokens == self._max_tokens:
            self._close("length")

    @property
    def _may_stop(self) -> bool:
        return self._tokens > self._min_tokens

    def _close(self, finish: Finish | None) -> None:
        self._closed = True
        if self.matched is None:
            self._read(self._detokenizer.finish())
        if self.matched is None:
            self._release(len(self._held))
        self.finish = finish if self.matched is None else "stop"

    def _read(self, text: str) -> None:
        """Look for stop strings in new text and release what can no longer belong to one."""
        ends = [(finder, finder.feed(text)) for finder in self._finders]
        before = len(self._held)
        self._held += text
        starts = [(before + end - len(f.string), f.string) for f, end in ends if end is not None]
        if starts and self._may_stop:
            start, self.matched = min(starts, key=lambda found: found[0])
            self._release(start)
        else:
            self._release(len(self._held) - max((finder.partial for finder in self._finders), default=0))

    def _release(self, length: int) -> None:
        if length:
            self._ready.append(self._held[:length])
            self._held = self._held[length:]


def _check(max_tokens: int, min_tokens: int, strings: Sequence[str]) -> None:
    if max_tokens < 0:
        raise UsageError(f"max tokens is {max_tokens}", hint="give 0 or more")
    if min_tokens < 0:
        raise UsageError(f"min tokens is {min_tokens}", hint="give 0 or more")
    if "" in strings:
        raise UsageError("a stop string is empty", hint="leave it out: an empty string would stop at once")
