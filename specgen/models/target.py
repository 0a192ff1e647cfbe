"""The target: a language model that verifies proposals. Implements the `Target` protocol of the loop."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from specgen.decode.types import Acceptance, Proposal, Verification
from specgen.models.hf import CausalLM, SteppingLM


class LanguageModelTarget:
    """Verifies on one language model: the anchor and the drafts in one forward."""

    def __init__(self, model: CausalLM | SteppingLM) -> None:
        self.model = model
        self.vocab_size = model.vocab_size
        self.max_draft = model.max_draft
        self.trees = model.trees

    @property
    def length(self) -> int:
        return self.model.length

    def prefill(self, ids: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor | None]:
        self.model.truncate(0)
        return self.model.prefill(ids)

    def verify(self, anchor: int, proposal: Proposal) -> Verification:
        logits, taps = self.model.forward((anchor, *proposal.tokens), parents=proposal.parents)
        if logits.is_cuda:
            # accept() waits for the device anyway; waiting here books the time where it belongs
            torch.cuda.synchronize(logits.device)
        return Verification(logits, taps)

    def commit(self, acceptance: Acceptance) -> None:
        self.model.keep(acceptance.rows)
