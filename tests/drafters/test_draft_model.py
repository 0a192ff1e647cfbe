"""The draft model: what it is fed, which laws it draws from, and how it fails without touching the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import tiny
import torch
from table_lm import TableLM, counting_up

from specgen.decode.sampling import Sampler
from specgen.decode.types import Acceptance, Drafter, Proposal, Round, SamplingParams, Verification
from specgen.drafters.draft_model import DraftModelDrafter
from specgen.models.hf import CausalLM

PROMPT = tiny.prompt_ids(20)
NOTHING: Any = None


def drafter_on(lm: Any, vocab: int, **options: Any) -> DraftModelDrafter:
    return DraftModelDrafter(lm, vocab_size=vocab, **options)


def begun(drafter: Drafter, context: Sequence[int], params: SamplingParams | None = None, vocab: int = 10) -> Sampler:
    sampler = Sampler(params or SamplingParams(), vocab_size=vocab, prompt=context)
    drafter.begin(context, None, sampler)
    return sampler


def notes(rounds: Sequence[Round]) -> list[str]:
    return [outcome.note for outcome in rounds if outcome.note]


# --- what it is fed ---------------------------------------------------------------------------------------------------


def round_of(drafter: DraftModelDrafter, context: list[int], limit: int, accepted: int) -> None:
    """Propose, accept that many drafts, and go on with the target's own token 9."""
    tokens = drafter.propose(context, limit).tokens
    acceptance = Acceptance(tuple(range(accepted)), (*tokens[:accepted], 9))
    context += acceptance.tokens
    drafter.observe(acceptance, Verification(NOTHING))


def test_only_what_is_new_is_fed() -> None:
    lm = TableLM(counting_up(10))
    drafter, context = drafter_on(lm, 10), [4, 2, 0]
    begun(drafter, context)
    round_of(drafter, context, 3, accepted=1)
    assert lm.fed == [[4, 2, 0], [1], [2]]
    assert lm.cached == [4, 2, 0, 1], "the accepted draft stays, the rejected one goes"
    lm.fed.clear()
    round_of(drafter, context, 2, accepted=2)
    assert lm.fed == [[9], [0]], "one token after a rejection"
    lm.fed.clear()
    round_of(drafter, context, 2, accepted=0)
    assert lm.fed == [[1, 9], [0]], "two after full acceptance"
    assert lm.cached == context[:-1]


def test_rounds_of_others_are_caught_up_with() -> None:
    """In a cascade the context grows while another drafter proposes."""
    lm = TableLM(counting_up(10))
    drafter, context = drafter_on(lm, 10), [4, 2, 0]
    begun(drafter, context)
    round_of(drafter, context, 2, accepted=0)
    context += [5, 6, 7]
    drafter.observe(Acceptance((0, 1), (5, 6, 7)), Verification(NOTHING))
    lm.fed.clear()
    drafter.propose(context, 1)
    assert lm.fed == [[9, 5, 6, 7]]


def test_it_stops_at_an_end() -> None:
    drafter = drafter_on(TableLM(counting_up(10)), 10, end_ids=frozenset({5}))
    begun(drafter, [1, 2])
    assert drafter.propose([1, 2], 8).tokens == (3, 4, 5)


def test_without_a_limit_of_its_own_it_drafts_what_is_asked() -> None:
    drafter = drafter_on(TableLM(counting_up(10)), 10)
    begun(drafter, [0])
    assert drafter.propose([0], 6).tokens == (1, 2, 3, 4, 5, 6)


# --- the laws ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "params",
    [
        SamplingParams(temperature=1.0),
        SamplingParams(temperature=1.4, top_k=3),
        SamplingParams(temperature=0.8, top_p=0.8, min_p=0.01),
        SamplingParams(temperature=1.0, repetition_penalty=1.5, presence_penalty=0.5, no_repeat_ngram=2),
        SamplingParams(temperature=1.0, logit_bias={3: 2.0, 4: -50.0}),
    ],
)
def test_probs_are_the_laws_that_were_drawn_from(params: SamplingParams) -> None:
    """Each draft's law is shaped like the target's would be there; over many proposals it is what comes."""
    table = torch.randn(5, 5, generator=torch.Generator().manual_seed(3))
    drafter = drafter_on(TableLM(table), 5)
    context = [0, 1, 2, 1]
    sampler = begun(drafter, context, params, vocab=5)
    seen = torch.zeros(5)
    for _ in range(1500):
        proposal = drafter.propose(context, 2)
        drafter.observe(Acceptance((), (0,)), Verification(NOTHING))
        assert proposal.probs is not None
        first = proposal.tokens[0]
        for row, (last, path) in enumerate([(context[-1], []), (first, [first])]):
            expected = sampler.law(table[last], path).probs
            assert expected is not None
            assert torch.equal(proposal.probs[row], expected)
            assert proposal.probs[row][proposal.tokens[row]] > 0
        seen[first] += 1
    law = sampler.law(table[context[-1]]).probs
    assert law is not None
    # five standard deviations
    assert ((seen / 1500 - law).abs() <= 5 * (law * (1 - law) / 1500).sqrt() + 1e-6).all()


@pytest.mark.parametrize("params", [SamplingParams(), SamplingParams(temperature=1.0, seed=4)])
def test_certain_drafts_claim_no_law(params: SamplingParams) -> None:
    drafter = drafter_on(TableLM(counting_up(10)), 10)
    begun(drafter, [1], params)
    assert drafter.propose([1], 3).probs is None


# --- vocabularies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_smaller_head_never_drafts_what_it_lacks(temperature: float) -> None:
    drafter = drafter_on(TableLM(torch.zeros(6, 6)), 10)
    begun(drafter, [1], SamplingParams(temperature=temperature, logit_bias={8: 30.0}))
    for _ in range(30):
        proposal = drafter.propose([1], 4)
        drafter.observe(Acceptance((), (1,)), Verification(NOTHING))
        assert max(proposal.tokens) < 6
        assert proposal.probs is None or proposal.probs.shape == (4, 10)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_larger_head_never_drafts_what_the_target_lacks(temperature: float) -> None:
    table = torch.zeros(14, 14)
    table[:, 10:] = 50.0
    drafter = drafter_on(TableLM(table), 10)
    begun(drafter, [1], SamplingParams(temperature=temperature))
    proposal = drafter.propose([1], 6)
    assert max(proposal.tokens) < 10
    assert proposal.probs is None or proposal.probs.shape == (6, 10)


@pytest.mark.parametrize("rows", [20, tiny.VOCAB - 1, tiny.VOCAB + 9])
def test_heads_of_any_size_write_the_same_text(rows: int) -> None:
    """The target also writes ids that a smaller draft model cannot even be fed."""
    config = tiny.draft_config()
    config.vocab_size = rows
    drafter = drafter_on(CausalLM(tiny.build(config), vocab_size=rows), tiny.VOCAB)
    ids, rounds = tiny.run(tiny.target_of("llama"), drafter, PROMPT, length=80)
    assert ids == tiny.reference("llama", PROMPT, 80)
    assert notes(rounds) == []
    assert max([*PROMPT, *ids]) >= 20


# --- failures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("positions", [1, 19, 20, 21, 22, 30, 36])
def test_a_full_context_ends_the_drafting_once(positions: int) -> None:
    """It drafts to the last position, then says so and is silent."""
    config = tiny.draft_config()
    config.max_position_embeddings = positions
    drafter = drafter_on(CausalLM(tiny.build(config), vocab_size=tiny.VOCAB), tiny.VOCAB)
    for _ in range(2):
        ids, rounds = tiny.run(tiny.target_of("llama"), drafter, PROMPT, length=40)
        assert ids == tiny.reference("llama", PROMPT, 40)
        (note,) = notes(rounds)
        assert f"{positions} tokens is full" in note
        assert (sum(outcome.drafted for outcome in rounds) > 0) == (positions > 20)


def test_the_last_position_is_used() -> None:
    drafter = drafter_on(TableLM(counting_up(10), max_positions=5), 10)
    begun(drafter, [0, 1, 2])
    assert drafter.propose([0, 1, 2], 8).tokens == (3, 4, 5)


def broken(where: str) -> CausalLM:
    """A draft model that writes no numbers: always, or once it has read token 41."""
    model = tiny.build(tiny.draft_config())
    with torch.no_grad():
        if where == "everywhere":
            model.get_output_embeddings().weight.fill_(torch.nan)
        else:
            model.get_input_embeddings().weight[41] = torch.nan
    return CausalLM(model, vocab_size=tiny.VOCAB)


@pytest.mark.parametrize("where", ["everywhere", "after one token"])
@pytest.mark.parametrize(
    "params",
    [
        SamplingParams(),
        SamplingParams(repetition_penalty=1.2),
        SamplingParams(temperature=1.0, seed=1),
        SamplingParams(temperature=1.0, seed=1, top_k=9, top_p=0.9, min_p=0.01),
        SamplingParams(temperature=1.0, seed=1, min_p=0.05),
    ],
)
def test_weights_that_are_no_numbers_cost_a_note(params: SamplingParams, where: str) -> None:
    target = tiny.target_of("llama")
    prompt = [token for token in PROMPT if token != 41]
    plain, _ = tiny.run(target, tiny.registered("none"), prompt, length=60, params=params)
    drafter = drafter_on(broken(where), tiny.VOCAB)
    for _ in range(2):
        ids, rounds = tiny.run(target, drafter, prompt, length=60, params=params)
        assert ids == plain
        if where == "everywhere" or 41 in plain[:-1]:
            (note,) = notes(rounds)
            assert "not finite" in note
        assert where != "everywhere" or sum(outcome.drafted for outcome in rounds) == 0


@pytest.mark.parametrize("params", [SamplingParams(temperature=1.0), SamplingParams(temperature=1.0, min_p=0.1)])
def test_a_broken_draft_model_may_also_sample(params: SamplingParams) -> None:
    drafter = drafter_on(broken("everywhere"), tiny.VOCAB)
    ids, rounds = tiny.run(tiny.target_of("llama"), drafter, PROMPT, length=12, params=params)
    assert len(ids) == 12
    assert len(notes(rounds)) == 1


def test_a_cascade_goes_on_without_it() -> None:
    """The note's round is a plain one; afterwards the other members have their say."""

    class Fails(TableLM):
        def prefill(self, ids: Sequence[int]) -> tuple[torch.Tensor, None]:
            super().prefill(ids)
            return torch.full((10,), torch.nan), None

    drafter = drafter_on(Fails(counting_up(10)), 10)
    begun(drafter, [1, 2])
    first = drafter.propose([1, 2], 4)
    assert first == Proposal(note=first.note)
    assert first.note
    assert drafter.propose([1, 2], 4) == Proposal()
