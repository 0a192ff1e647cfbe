"""Several drafters in order: who speaks, and what each of them hears."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from specgen.decode.types import Acceptance, Proposal, Verification
from specgen.drafters.cascade import CascadeDrafter


@dataclass
class Member:
    """Answers with what it was given, in turn, and remembers all it hears."""

    name: str
    answers: list[Proposal] = field(default_factory=list)
    taps: tuple[int, ...] = ()
    heard: list[Any] = field(default_factory=list)
    asked: int = 0

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Any) -> None:
        self.heard.append(taps)

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        self.asked += 1
        return self.answers.pop(0) if self.answers else Proposal()

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        self.heard.append(verification.taps)


def test_the_first_with_a_proposal_drafts() -> None:
    first = Member("first", [Proposal((1,), drafter="first"), Proposal()])
    second = Member("second", [Proposal((2,), drafter="second"), Proposal()])
    cascade = CascadeDrafter([first, second])
    assert cascade.name == "first,second"
    found = [cascade.propose([0], 4) for _ in range(3)]
    assert [(proposal.tokens, proposal.drafter) for proposal in found] == [((1,), "first"), ((2,), "second"), ((), "")]
    assert (first.asked, second.asked) == (3, 2)


def test_a_note_is_passed_on() -> None:
    cascade = CascadeDrafter([Member("first", [Proposal(note="broken")]), Member("second", [Proposal((2,))] * 2)])
    assert cascade.propose([0], 4).note == "broken"
    assert cascade.propose([0], 4).tokens == (2,)


def test_all_observe_whoever_drafted() -> None:
    members = [Member("first", [Proposal((1,))]), Member("second")]
    cascade = CascadeDrafter(members)
    cascade.propose([0], 4)
    cascade.observe(Acceptance((0,), (1, 2)), Verification(torch.zeros(2, 3)))
    assert [member.heard for member in members] == [[None], [None]]


def test_taps_are_shared_without_overlap() -> None:
    members = [Member("a", taps=(9, 3)), Member("b"), Member("c", taps=(3, 5))]
    cascade = CascadeDrafter(members)
    assert cascade.taps == (3, 5, 9)
    states = torch.arange(4 * 3 * 2.0).reshape(4, 3, 2)
    cascade.begin([0, 1], states, None)  # type: ignore[arg-type]
    cascade.observe(Acceptance((), (1,)), Verification(torch.zeros(4, 3), states))
    for heard in range(2):
        assert torch.equal(members[0].heard[heard], states[:, [2, 0]])
        assert members[1].heard[heard] is None
        assert torch.equal(members[2].heard[heard], states[:, [0, 1]])
