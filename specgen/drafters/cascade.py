"""Several drafters in order: the first one with a proposal drafts, all of them observe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from specgen.decode.types import Acceptance, Drafter, Proposal, Verification

if TYPE_CHECKING:
    import torch

    from specgen.decode.sampling import Sampler


class CascadeDrafter:
    """Cheap drafters first: `lookup,draft_model` copies where it can and thinks where it must."""

    def __init__(self, members: Sequence[Drafter]) -> None:
        self._members = tuple(members)
        self.name = ",".join(member.name for member in members)
        self.taps = tuple(sorted({tap for member in members for tap in member.taps}))

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Sampler) -> None:
        for member in self._members:
            member.begin(context, self._share(member, taps), sampler)

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        for member in self._members:
            proposal = member.propose(context, limit)
            if proposal.tokens or proposal.note:
                return proposal
        return Proposal()

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        for member in self._members:
            shared = Verification(verification.logits, self._share(member, verification.taps))
            member.observe(acceptance, shared)

    def _share(self, member: Drafter, taps: torch.Tensor | None) -> torch.Tensor | None:
        """Of the union of all taps, those that `member` asked for."""
        if taps is None or not member.taps:
            return None
        return taps[:, [self.taps.index(tap) for tap in member.taps]]
