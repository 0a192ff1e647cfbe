"""The promise: whatever drafts, however many, the ids are those of plain decoding and of transformers' `generate`.

Every registered drafter is in the matrix by its registration; the others are the hardest proposals that we can think
of: perfect ones, wrong ones, trees full of wrong branches and samplers that draw from unrelated laws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import tiny

from specgen import drafters
from specgen.decode.governor import FixedGovernor
from specgen.decode.loop import decode
from specgen.decode.sampling import Sampler
from specgen.decode.types import Drafter, Round, SamplingParams
from specgen.models import hf

pytestmark = pytest.mark.usefixtures("one_thread")

Recipe = Callable[[str, Sequence[int], int], Drafter]
"""From the target's kind, the true continuation and the prompt's length to a drafter."""

REGISTERED: dict[str, Recipe] = {
    name: lambda kind, truth, start, name=name: tiny.registered(name) for name in drafters.names()
}
EXTREME: dict[str, Recipe] = {
    "lookup,draft_model": lambda kind, truth, start: tiny.registered("lookup,draft_model"),
    "the target itself": lambda kind, truth, start: tiny.registered("draft_model", kind, 0),
    "often right": lambda kind, truth, start: tiny.ScriptedDrafter(truth, start, wrong_at=range(4, 999, 7)),
    "always wrong": lambda kind, truth, start: tiny.ScriptedDrafter(truth, start, noise=True),
    "tree of twos": lambda kind, truth, start: tiny.ScriptedDrafter(truth, start, width=2, wrong_at=range(4, 999, 5)),
    "tree of threes": lambda kind, truth, start: tiny.ScriptedDrafter(truth, start, width=3),
    "unrelated laws": lambda kind, truth, start: tiny.SamplingGarbageDrafter(),
}
DRAFTERS = {**REGISTERED, **EXTREME}
LIVING = (*REGISTERED, "lookup,draft_model", "the target itself")
PROMPT = tiny.prompt_ids(60)
LENGTH = 205  # with the prompt it outgrows the first buffer of the cache, and every window many times


def text(name: str, kind: str, prompt: Sequence[int], length: int, **options: Any) -> list[int]:
    """The ids that `kind` writes while `name` drafts, on objects that nothing has used before."""
    truth = tiny.reference(kind, prompt, length)
    ids, _ = tiny.run(tiny.target_of(kind), DRAFTERS[name](kind, truth, len(prompt)), prompt, length=length, **options)
    return ids


@pytest.mark.parametrize("kind", tiny.KINDS)
def test_the_reference_says_something(kind: str) -> None:
    assert len(set(tiny.reference(kind, PROMPT, LENGTH)[-100:])) > 10


@pytest.mark.parametrize("kind", tiny.KINDS)
@pytest.mark.parametrize("name", DRAFTERS)
def test_same_ids_as_generate(kind: str, name: str) -> None:
    assert text(name, kind, PROMPT, LENGTH, num_draft_tokens=3) == tiny.reference(kind, PROMPT, LENGTH)


@pytest.mark.parametrize("num_draft_tokens", [1, 2, 3, 5, 8, 16])
@pytest.mark.parametrize("name", [name for name in DRAFTERS if name != "none"])
def test_any_number_of_drafts(name: str, num_draft_tokens: int) -> None:
    ids = text(name, "gemma3", PROMPT[:20], 40, num_draft_tokens=num_draft_tokens)
    assert ids == tiny.reference("gemma3", PROMPT[:20], 40)


@pytest.mark.parametrize("num_draft_tokens", [1, 2, 3, 5, 8, 16])
@pytest.mark.parametrize("kind", tiny.KINDS)
def test_the_target_agrees_with_itself(kind: str, num_draft_tokens: int) -> None:
    length = 36
    drafter = tiny.registered("draft_model", kind, 0)
    ids, rounds = tiny.run(tiny.target_of(kind), drafter, PROMPT, length=length, num_draft_tokens=num_draft_tokens)
    assert ids == tiny.reference(kind, PROMPT, LENGTH)[:length]
    drafted = sum(outcome.drafted for outcome in rounds)
    assert drafted > 0
    assert drafted == sum(outcome.accepted for outcome in rounds)
    assert len(rounds) - 1 == math.ceil((length - 1) / (num_draft_tokens + 1))


# --- ends and limits --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [0, 1, 7, 8, 9, 25])
@pytest.mark.parametrize("name", DRAFTERS)
def test_ends_within_a_block(name: str, end: int) -> None:
    """Block borders lie at 1, 10, 19, ... for a perfect drafter: ends come first, in the middle and last."""
    full = tiny.reference("qwen2", PROMPT, LENGTH)
    later = next(token for token in full[end + 1 :] if token not in full[: end + 1])
    ends = frozenset({full[end], later})
    expected = tiny.reference("qwen2", PROMPT, 40, end_ids=ends)
    assert text(name, "qwen2", PROMPT, 40, num_draft_tokens=8, end_ids=ends) == expected
    assert expected[-1] in ends


def test_counts_what_lies_behind_an_end() -> None:
    full = tiny.reference("llama", PROMPT, LENGTH)
    drafter = tiny.ScriptedDrafter(full, len(PROMPT))
    assert full[4] not in full[:4]
    _, rounds = tiny.run(
        tiny.target_of("llama"),
        drafter,
        PROMPT,
        length=40,
        num_draft_tokens=8,
        end_ids=frozenset({full[4]}),
    )
    last = rounds[-1]
    assert (last.drafted, last.accepted, last.rejected, last.discarded) == (8, 4, 0, 4)
    assert last.finish == "stop"


@pytest.mark.parametrize("length", [0, 1, 2, 3, 10])
@pytest.mark.parametrize("name", DRAFTERS)
def test_limits_are_exact(name: str, length: int) -> None:
    target = tiny.target_of("qwen3")
    truth = tiny.reference("qwen3", PROMPT, LENGTH)
    drafter = DRAFTERS[name]("qwen3", truth, len(PROMPT))
    ids, rounds = tiny.run(target, drafter, PROMPT, length=length, num_draft_tokens=8)
    assert ids == truth[:length]
    assert [outcome.finish for outcome in rounds[-1:]] == (["length"] if length else [])


def test_a_token_that_ends_twice_stops() -> None:
    """The last allowed token is an end id: it ended by itself."""
    full = tiny.reference("llama", PROMPT, LENGTH)
    drafter = tiny.ScriptedDrafter(full, len(PROMPT))
    ends = frozenset({full[4]})
    _, rounds = tiny.run(tiny.target_of("llama"), drafter, PROMPT, length=5, end_ids=ends)
    assert rounds[-1].finish == "stop"


# --- prompts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["llama", "gemma2"])
@pytest.mark.parametrize("name", DRAFTERS)
def test_a_prompt_of_one_token(kind: str, name: str) -> None:
    assert text(name, kind, [5], 24) == tiny.reference(kind, [5], 24)


@pytest.mark.parametrize("kind", tiny.KINDS)
@pytest.mark.parametrize("block", [1, 7, 59])
def test_prompts_are_read_in_blocks(kind: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hf, "_PREFILL_BLOCK", block)
    for name in ("the target itself", "tree of twos"):
        assert text(name, kind, PROMPT, 16) == tiny.reference(kind, PROMPT, LENGTH)[:16]


@pytest.mark.parametrize("kind", ["llama", "gemma3"])
def test_a_prompt_longer_than_the_real_block(kind: str) -> None:
    prompt = tiny.prompt_ids(700)
    for name in ("lookup", "often right"):
        assert text(name, kind, prompt, 24) == tiny.reference(kind, prompt, 24)


@pytest.mark.parametrize("kind", tiny.WINDOWED_KINDS)
@pytest.mark.parametrize("before", [1, 5, 9, 14, 15, 16, 17])
def test_windows_crossed_within_a_block(kind: str, before: int) -> None:
    prompt = tiny.prompt_ids(before, seed=before)
    for name in ("often right", "tree of threes", "always wrong"):
        assert text(name, kind, prompt, 24, num_draft_tokens=16) == tiny.reference(kind, prompt, 24)


@pytest.mark.parametrize("params", [SamplingParams(temperature=1.0), SamplingParams(temperature=0.8, top_p=0.9)])
@pytest.mark.parametrize("name", DRAFTERS)
def test_any_drafter_may_sample(name: str, params: SamplingParams) -> None:
    """The laws have tests of their own: here every drafter meets a real model without a seed."""
    ids = text(name, "qwen3", PROMPT, 16, params=params)
    assert len(ids) == 16
    assert all(0 <= token < tiny.VOCAB for token in ids)


# --- objects that live on ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LIVING)
def test_nothing_leaks_into_the_next_generation(name: str) -> None:
    target, drafter = tiny.target_of("gemma3"), DRAFTERS[name]("gemma3", (), 0)
    for prompt, length in ((PROMPT, 30), (tiny.prompt_ids(9, seed=4), 12), (PROMPT[:30], 1), (PROMPT, 30)):
        ids, rounds = tiny.run(target, drafter, prompt, length=length)
        fresh, fresh_rounds = tiny.run(tiny.target_of("gemma3"), DRAFTERS[name]("gemma3", (), 0), prompt, length=length)
        assert ids == fresh == tiny.reference("gemma3", prompt, length)
        assert [outcome.drafted for outcome in rounds] == [outcome.drafted for outcome in fresh_rounds]


@pytest.mark.parametrize("rounds_taken", [1, 2, 5])
@pytest.mark.parametrize("name", LIVING)
def test_a_reader_that_leaves_and_comes_back(name: str, rounds_taken: int) -> None:
    target, drafter = tiny.target_of("mistral"), DRAFTERS[name]("mistral", (), 0)
    for prompt in (tiny.prompt_ids(33, seed=2), PROMPT):
        context = list(prompt)
        rounds = decode(
            context,
            target=target,
            drafter=drafter,
            sampler=Sampler(SamplingParams(), vocab_size=tiny.VOCAB, prompt=prompt),
            stop=tiny.TokenStop(40),
            governor=FixedGovernor(4),
        )
        read: list[Round] = [next(rounds) for _ in range(rounds_taken)]
        written = [token for outcome in read for token in outcome.tokens]
        assert context == prompt + written, "every yield is a consistent state"
        assert written == tiny.reference("mistral", prompt, 40)[: len(written)]
    ids, _ = tiny.run(target, drafter, PROMPT, length=30)
    assert ids == tiny.reference("mistral", PROMPT, LENGTH)[:30]
    del rounds
