"""Prompt lookup: what followed the same words before is what may follow now (Saxena, 2023; Yang et al., LLMA, 2023).

The longest matching suffix of the context wins, then its most recent earlier occurrence. The index holds, for every
n-gram of the context, where its latest occurrence ended, and grows with the context: a proposal costs a few
dictionary look-ups however long the context is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from specgen.decode.types import Acceptance, Proposal, Verification
from specgen.drafters.setup import DrafterSetup

if TYPE_CHECKING:
    import torch

    from specgen.decode.sampling import Sampler


class LookupDrafter:
    """Copies the continuation of an earlier occurrence of the last `ngram_min` to `ngram_max` tokens."""

    name = "lookup"
    taps: tuple[int, ...] = ()

    def __init__(self, *, ngram_min: int, ngram_max: int, special_ids: frozenset[int] = frozenset()) -> None:
        self._sizes = range(ngram_min, ngram_max + 1)
        self._special_ids = special_ids
        self._ends: dict[tuple[int, ...], int] = {}
        self._indexed = 0
        self._run_start = 0

    @classmethod
    def build(cls, setup: DrafterSetup) -> LookupDrafter:
        return cls(ngram_min=setup.ngram_min, ngram_max=setup.ngram_max, special_ids=setup.special_ids)

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Sampler) -> None:
        self._ends.clear()
        self._indexed = self._run_start = 0
        self._index(context)

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        self._index(context)
        length = len(context)
        for size in reversed(self._sizes):
            if length - size < self._run_start:
                continue
            end = self._ends.get(tuple(context[length - size :]))
            if end is not None:
                return Proposal(self._continuation(context, end, limit), drafter=self.name)
        return Proposal()

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        """Nothing to learn: the context says it all."""

    def _continuation(self, context: Sequence[int], end: int, limit: int) -> tuple[int, ...]:
        """The ids after `end`, up to a special one. A match that touches the end repeats with its period."""
        period = len(context) - end
        drafts: list[int] = []
        for step in range(limit):
            token = context[end + step % period]
            if token in self._special_ids:
                break
            drafts.append(token)
        return tuple(drafts)

    def _index(self, context: Sequence[int]) -> None:
        """Index the n-grams that end before the last token: the suffix must not find itself.

        N-grams across a special token are left out: what follows a turn's end says nothing about the text.
        """
        for position in range(self._indexed, len(context)):
            if position and position - 1 >= self._run_start:
                self._insert(context, position)
            if context[position] in self._special_ids:
                self._run_start = position + 1
        self._indexed = len(context)

    def _insert(self, context: Sequence[int], end: int) -> None:
        for size in self._sizes:
            if end - size < self._run_start:
                break
            self._ends[tuple(context[end - size : end])] = end
