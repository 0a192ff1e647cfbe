"""A small language model with the target's vocabulary drafts token by token (Leviathan et al.; Chen et al., 2023).

It feeds `context[cache.length:]`: one token after a rejection, two after full acceptance, without a special case.
Its draws go through the same sampling options as the target's, each draft under its own prefix; with a seed it shares
the target's noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F

from specgen.decode.sampling import Law
from specgen.decode.types import Acceptance, Proposal, Verification
from specgen.drafters.setup import DrafterSetup
from specgen.errors import SpecgenError

if TYPE_CHECKING:
    from specgen.decode.sampling import Sampler
    from specgen.models.hf import CausalLM


class DraftModelDrafter:
    """Drafts a chain with an independent language model and its own KV cache."""

    name = "draft_model"
    taps: tuple[int, ...] = ()

    def __init__(self, model: CausalLM, *, vocab_size: int, end_ids: frozenset[int] = frozenset()) -> None:
        self._model = model
        self._vocab_size = vocab_size
        self._end_ids = end_ids
        self._sampler: Sampler | None = None
        self._anchored: int | None = None
        self._silent = False

    @classmethod
    def build(cls, setup: DrafterSetup) -> DraftModelDrafter:
        return cls(setup.draft_model(), vocab_size=setup.vocab_size, end_ids=setup.end_ids)

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Sampler) -> None:
        self._model.truncate(0)
        self._sampler = sampler
        self._anchored = None
        self._silent = False

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        if self._silent:
            return Proposal()
        if self._model.max_positions is not None:
            room = self._model.max_positions - len(context) + 1
            if room <= 0:
                return self._give_up(f"the draft model's context of {self._model.max_positions:,} tokens is full")
            limit = min(limit, room)
        self._anchored = len(context)
        logits, _ = self._model.prefill(self._known(context[self._model.length :]))
        tokens: list[int] = []
        laws: list[Law] = []
        try:
            while True:
                law = self._law(logits, tokens)
                tokens.append(law.draw(self._uniform()))
                laws.append(law)
                if len(tokens) == limit or tokens[-1] in self._end_ids:
                    break
                logits, _ = self._model.prefill(tokens[-1:])
        except SpecgenError as error:
            return self._give_up(f"the draft model failed ({error.message})")
        probs = [law.probs for law in laws if law.probs is not None]
        return Proposal(tuple(tokens), torch.stack(probs) if probs else None, drafter=self.name)

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        if self._anchored is not None:
            self._model.truncate(min(self._model.length, self._anchored + acceptance.accepted))
        self._anchored = None

    def _give_up(self, reason: str) -> Proposal:
        self._silent = True
        return Proposal(note=f"{reason}; it no longer drafts in this answer")

    def _known(self, ids: Sequence[int]) -> list[int]:
        """`ids` with a stand-in for those that only the target has: drafts may suffer, never the text."""
        return [min(token, self._model.vocab_size - 1) for token in ids]

    def _law(self, logits: torch.Tensor, tokens: Sequence[int]) -> Law:
        assert self._sampler is not None
        # A smaller head knows fewer padding ids; those that are missing are never drafted.
        missing = self._vocab_size - logits.shape[0]
        logits = F.pad(logits, (0, missing), value=float("-inf")) if missing > 0 else logits[: self._vocab_size]
        return self._sampler.law(logits, tokens)

    def _uniform(self) -> float:
        assert self._sampler is not None
        return self._sampler.uniform()
