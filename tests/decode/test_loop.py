"""What the loop promises its drafter, its target and its reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import tiny
import torch
from tables import TableDrafter, TableTarget, random_table

from specgen.decode.governor import FixedGovernor
from specgen.decode.loop import decode
from specgen.decode.sampling import Sampler
from specgen.decode.types import Acceptance, Proposal, Round, SamplingParams, Verification
from specgen.errors import SpecgenError
from specgen.models.hf import CausalLM
from specgen.models.target import LanguageModelTarget
from specgen.stats import GenerationStats

PROMPT = tiny.prompt_ids(20)


class Diary(TableDrafter):
    """Writes down what it is told."""

    def __init__(self, truth: Sequence[int], *, taps: tuple[int, ...] = ()) -> None:
        super().__init__(random_table(tiny.VOCAB, 0))
        self.inner = tiny.ScriptedDrafter(truth, len(PROMPT), wrong_at=range(3, 99, 5))
        self.taps = taps
        self.calls: list[tuple[str, Any]] = []

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Sampler) -> None:
        self.calls.append(("begin", (list(context), taps)))

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        proposal = self.inner.propose(context, limit)
        self.calls.append(("propose", (list(context), limit, proposal)))
        return proposal

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        self.calls.append(("observe", (acceptance, verification)))


def decoded(
    drafter: Any, target: Any, length: int, *, wanted: int = 4, params: SamplingParams | None = None
) -> list[Round]:
    context = list(PROMPT)
    return list(
        decode(
            context,
            target=target,
            drafter=drafter,
            sampler=Sampler(params or SamplingParams(), vocab_size=target.vocab_size, prompt=PROMPT),
            stop=tiny.TokenStop(length),
            governor=FixedGovernor(wanted),
        )
    )


def test_the_drafter_hears_everything_in_order() -> None:
    truth = tiny.reference("llama", PROMPT, 40)
    diary = Diary(truth)
    rounds = decoded(diary, tiny.target_of("llama"), 20)
    kinds = [kind for kind, _ in diary.calls]
    assert kinds[0] == "begin"
    assert kinds[1:3] == ["propose", "observe"]
    assert kinds.count("observe") == len(rounds) - 1
    known = [*PROMPT, truth[0]]
    assert diary.calls[0][1][0] == known
    for kind, told in diary.calls[1:]:
        if kind == "propose":
            assert told[0] == known
            assert 0 < told[1] <= 4
        else:
            known += told[0].tokens


def test_no_more_is_asked_for_than_fits() -> None:
    """One place is always the target's own: the last rounds ask for less, then for nothing."""
    truth = tiny.reference("llama", PROMPT, 40)
    diary = Diary(truth)
    decoded(diary, tiny.target_of("llama"), 20, wanted=64)
    for kind, told in diary.calls:
        if kind == "propose":
            assert told[1] == 20 - (len(told[0]) - len(PROMPT)) - 1
    assert decoded(silent := Diary(truth), tiny.target_of("llama"), 2, wanted=64)[-1].drafted == 0
    assert [kind for kind, _ in silent.calls] == ["begin", "observe"]


def test_a_target_bounds_the_drafts() -> None:
    class Narrow(TableTarget):
        max_draft = 2

    class Stiff(TableTarget):
        max_draft = 0

    table = random_table(tiny.VOCAB, 0)
    assert {outcome.drafted for outcome in decoded(TableDrafter(table), Narrow(table), 20)[1:-1]} == {2}
    assert {outcome.drafted for outcome in decoded(TableDrafter(table), Stiff(table), 20)} == {0}


@pytest.mark.parametrize("wanted", [0, 4])
def test_taps_reach_the_drafter(wanted: int) -> None:
    """Hidden states of every committed position, once each, and equal to those of one pass over the text."""
    chosen = (1, 3)
    lm = CausalLM(tiny.model("llama"), vocab_size=tiny.VOCAB, taps=chosen)
    diary = Diary(tiny.reference("llama", PROMPT, 40), taps=chosen)
    rounds = decoded(diary, LanguageModelTarget(lm), 20, wanted=wanted)
    text = [*PROMPT, *(token for outcome in rounds for token in outcome.tokens)]
    collected = [diary.calls[0][1][1]]
    for kind, told in diary.calls[1:]:
        if kind == "observe":
            acceptance, verification = told
            assert verification.taps.shape == (len(verification.logits), 2, 48)
            collected.append(verification.taps[list(acceptance.rows)])
    found = torch.cat(collected)
    untouched = tiny.build(tiny.configs()["llama"])
    with torch.inference_mode():
        states = untouched(torch.tensor([text[:-1]]), output_hidden_states=True).hidden_states
    expected = torch.stack([states[tap][0] for tap in chosen], 1)
    assert found.shape == expected.shape
    assert torch.allclose(found, expected, atol=1e-5 * float(expected.abs().max()))


def test_rounds_add_up() -> None:
    truth = tiny.reference("llama", PROMPT, 60)
    for length in (1, 2, 17, 50):
        for drafter in (
            tiny.ScriptedDrafter(truth, len(PROMPT), wrong_at=range(2, 99, 4)),
            tiny.ScriptedDrafter(truth, len(PROMPT), width=3),
            tiny.registered("none"),
        ):
            stats = GenerationStats(prompt_tokens=len(PROMPT))
            rounds = decoded(drafter, tiny.target_of("llama"), length)
            for outcome in rounds:
                stats.add(outcome)
                assert outcome.drafted == outcome.accepted + outcome.rejected + outcome.discarded
                assert len(outcome.tokens) in {outcome.accepted, outcome.accepted + 1}
                assert min(outcome.draft_s, outcome.verify_s, outcome.other_s) >= 0
            assert stats.new_tokens == length == 1 + stats.accepted + stats.rounds
            assert sum(stats.histogram) == stats.rounds
            assert stats.finish == "length"


def test_an_error_of_the_target_leaves_a_state_to_start_from() -> None:
    target = tiny.target_of("llama")
    params = SamplingParams(no_repeat_ngram=1)
    with pytest.raises(SpecgenError, match="every token is banned here"):
        decoded(tiny.registered("none"), target, 999, params=params)
    ids, _ = tiny.run(target, tiny.registered("lookup"), PROMPT, length=20)
    assert ids == tiny.reference("llama", PROMPT, 20)


def test_the_governor_learns_from_every_draft_round() -> None:
    class Learning(FixedGovernor):
        def __init__(self) -> None:
            super().__init__(3)
            self.seen: list[Round] = []

        def update(self, outcome: Round) -> None:
            self.seen.append(outcome)

    governor = Learning()
    context = list(PROMPT)
    target = tiny.target_of("llama")
    rounds = list(
        decode(
            context,
            target=target,
            drafter=tiny.registered("lookup"),
            sampler=Sampler(SamplingParams(), vocab_size=tiny.VOCAB, prompt=PROMPT),
            stop=tiny.TokenStop(20),
            governor=governor,
        )
    )
    assert governor.seen == rounds[1:]
