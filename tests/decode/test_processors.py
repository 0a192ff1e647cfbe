"""Penalties and bans under drafting: every position is shaped under the prefix it is verified under."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import tiny

from specgen.decode.types import Drafter, SamplingParams

PROMPT = tiny.prompt_ids(24)
LENGTH = 40
ENDS = frozenset({16, 23, 52})
"""Ids that the unhindered text holds early: at 5, 11 and 13. They end it where there is a minimum to test."""

DRAFTERS: dict[str, Callable[[Sequence[int]], Drafter]] = {
    "lookup": lambda truth: tiny.registered("lookup", ngram_min=1),
    "the target itself": lambda truth: tiny.registered("draft_model", "llama", 0),
    "cascade": lambda truth: tiny.registered("lookup,draft_model"),
    "often right": lambda truth: tiny.ScriptedDrafter(truth, len(PROMPT), wrong_at=range(5, 99, 6)),
    "tree": lambda truth: tiny.ScriptedDrafter(truth, len(PROMPT), width=3, wrong_at=range(5, 99, 6)),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "bias": {"logit_bias": {9: 4.0, 30: -100.0, 2: 1.5}},
    "strong bias": {"logit_bias": {9: 1000.0}},
    "repetition": {"repetition_penalty": 1.3},
    "reward": {"repetition_penalty": 0.7},
    "presence": {"presence_penalty": 1.5},
    "negative presence": {"presence_penalty": -1.5},
    "frequency": {"frequency_penalty": 2.0},
    "negative frequency": {"frequency_penalty": -2.0},
    "1-gram": {"no_repeat_ngram": 1},
    "2-gram": {"no_repeat_ngram": 2},
    "3-gram in a loop": {"no_repeat_ngram": 3, "frequency_penalty": -2.0},
    "late end": {"min_tokens": 20},
    "no end at all": {"min_tokens": LENGTH},
    "all": {
        "logit_bias": {9: 3.0, 30: -3.0},
        "repetition_penalty": 1.2,
        "presence_penalty": 0.4,
        "frequency_penalty": -0.2,
        "no_repeat_ngram": 2,
        "min_tokens": 15,
    },
}


def length_for(options: str) -> int:
    """Each id at most once: prompt and text must fit into the vocabulary."""
    return 30 if options == "1-gram" else LENGTH


def write(drafter: Drafter, params: SamplingParams, length: int, num_draft_tokens: int = 5) -> list[int]:
    ids, _ = tiny.run(
        tiny.target_of("llama"),
        drafter,
        PROMPT,
        length=length,
        params=params,
        num_draft_tokens=num_draft_tokens,
        end_ids=ENDS if params.min_tokens else frozenset(),
    )
    return ids


@pytest.mark.parametrize("options", OPTIONS)
def test_the_same_ids_as_plain(options: str) -> None:
    params, length = SamplingParams(**OPTIONS[options]), length_for(options)
    plain = write(tiny.registered("none"), params, length)
    for name, recipe in DRAFTERS.items():
        for num_draft_tokens in (2, 8):
            assert write(recipe(plain), params, length, num_draft_tokens) == plain, (name, num_draft_tokens)


@pytest.mark.parametrize("options", OPTIONS)
def test_options_do_something(options: str) -> None:
    params, length = SamplingParams(**OPTIONS[options]), length_for(options)
    assert write(tiny.registered("none"), params, length) != write(tiny.registered("none"), SamplingParams(), length)


@pytest.mark.parametrize(
    ("params", "options"),
    [
        (SamplingParams(repetition_penalty=1.3), {"repetition_penalty": 1.3}),
        (SamplingParams(repetition_penalty=0.7), {"repetition_penalty": 0.7}),
        (SamplingParams(no_repeat_ngram=2), {"no_repeat_ngram_size": 2}),
        (
            SamplingParams(no_repeat_ngram=3, repetition_penalty=0.5),
            {"no_repeat_ngram_size": 3, "repetition_penalty": 0.5},
        ),
        (SamplingParams(min_tokens=20), {"min_new_tokens": 20}),
        (SamplingParams(logit_bias={9: 4.0, 30: -100.0}), {"sequence_bias": {(9,): 4.0, (30,): -100.0}}),
        (
            SamplingParams(repetition_penalty=1.1, no_repeat_ngram=3, min_tokens=9, logit_bias={9: 2.0}),
            {
                "repetition_penalty": 1.1,
                "no_repeat_ngram_size": 3,
                "min_new_tokens": 9,
                "sequence_bias": {(9,): 2.0},
            },
        ),
    ],
    ids=["repetition", "reward", "2-gram", "3-gram", "late end", "bias", "all"],
)
def test_the_same_ids_as_generate(params: SamplingParams, options: dict[str, Any]) -> None:
    ends = ENDS if params.min_tokens else frozenset()
    expected = tiny.generate(tiny.build(tiny.configs()["llama"]), PROMPT, LENGTH, end_ids=ends, **options)
    for recipe in DRAFTERS.values():
        assert write(recipe(expected), params, LENGTH) == expected


def test_the_sign_of_the_frequency_penalty() -> None:
    repeats = [
        max(Counter(write(DRAFTERS["cascade"]([]), SamplingParams(frequency_penalty=penalty), LENGTH)).values())
        for penalty in (2.0, 0.0, -2.0)
    ]
    assert repeats[0] < repeats[1] < repeats[2]


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("name", DRAFTERS)
def test_no_n_gram_comes_twice(name: str, size: int) -> None:
    length = 30 if size == 1 else LENGTH
    params = SamplingParams(no_repeat_ngram=size, min_tokens=length)
    plain = write(tiny.registered("none"), params, length)
    ids = write(DRAFTERS[name](plain), params, length)
    text = [*PROMPT, *ids]
    new = range(len(PROMPT) - size + 1, len(text) - size + 1)
    grams = Counter(tuple(text[i : i + size]) for i in range(len(text) - size + 1))
    assert len(ids) == length
    assert all(grams[tuple(text[i : i + size])] == 1 for i in new if i >= 0)


@pytest.mark.parametrize("name", DRAFTERS)
@pytest.mark.parametrize("min_tokens", [1, 5, 6, 7, 13])
def test_the_first_end_after_the_minimum(name: str, min_tokens: int) -> None:
    """The end ids are biased up, so that they come as soon as they may."""
    params = SamplingParams(min_tokens=min_tokens, logit_bias=dict.fromkeys(ENDS, 500.0))
    ids = write(DRAFTERS[name](tiny.reference("llama", PROMPT, LENGTH)), params, LENGTH)
    assert len(ids) == min_tokens + 1
    assert ids[-1] in ENDS
    assert not ENDS & set(ids[:-1])


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("name", DRAFTERS)
def test_a_bias_reaches_every_position(name: str, temperature: float) -> None:
    params = SamplingParams(logit_bias={17: 100.0}, min_p=0.5, temperature=temperature)
    assert write(DRAFTERS[name]([17] * LENGTH), params, LENGTH) == [17] * LENGTH


def test_plain_text_comes_back_when_the_minimum_is_passed() -> None:
    """Once no position depends on its prefix any more, a block's points are found at once: with the same result."""
    params = SamplingParams(min_tokens=3)
    free = write(tiny.registered("none"), SamplingParams(), 20)
    assert next(index for index, token in enumerate(free) if token in ENDS) == 5
    for recipe in DRAFTERS.values():
        assert write(recipe(free), params, 20) == free[:6]
        assert write(recipe(free), replace(params, repetition_penalty=1.0001), 20) == free[:6]
