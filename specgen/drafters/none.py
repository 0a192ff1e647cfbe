"""No drafting: every round is a plain step. The baseline of every speed-up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from specgen.decode.types import Acceptance, Proposal, Verification
from specgen.drafters.setup import DrafterSetup

if TYPE_CHECKING:
    import torch

    from specgen.decode.sampling import Sampler


class NoneDrafter:
    """Proposes nothing."""

    name = "none"
    taps: tuple[int, ...] = ()

    @classmethod
    def build(cls, setup: DrafterSetup) -> NoneDrafter:
        return cls()

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Sampler) -> None:
        """Nothing to prepare."""

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        return Proposal()

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        """Nothing to learn."""
