"""What each sampling option means: against its definition in plain Python and against transformers' own processors."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import NEVER, shaped_law
from transformers import LogitsProcessorList
from transformers.generation import logits_process as theirs

from specgen.decode.sampling import Sampler
from specgen.decode.types import SamplingParams
from specgen.errors import SpecgenError, UsageError

VOCAB = 6


def law_after(
    logits: Sequence[float],
    params: SamplingParams,
    *,
    prompt: Sequence[int] = (0,),
    text: Sequence[int] = (),
    path: Sequence[int] = (),
    end_ids: frozenset[int] = frozenset(),
) -> list[float]:
    """Probabilities after the prompt, the committed text and the drafts of a path."""
    sampler = Sampler(params, vocab_size=len(logits), prompt=prompt, end_ids=end_ids)
    sampler.commit(text)
    law = sampler.law(torch.tensor(logits), path)
    return [law.prob(token) for token in range(len(logits))]


def support(masses: Sequence[float]) -> list[int]:
    return [token for token, mass in enumerate(masses) if mass > 0]


def any_params(temperature: st.SearchStrategy[float]) -> st.SearchStrategy[SamplingParams]:
    return st.builds(
        SamplingParams,
        logit_bias=st.dictionaries(st.integers(0, VOCAB - 1), st.sampled_from([NEVER, -2.0, 0.5, 3.0]), max_size=2),
        repetition_penalty=st.sampled_from([1.0, 0.8, 1.3, 2.0]),
        presence_penalty=st.sampled_from([0.0, 0.6, -0.6]),
        frequency_penalty=st.sampled_from([0.0, 0.4, -1.1]),
        no_repeat_ngram=st.integers(0, 4),
        min_tokens=st.integers(0, 4),
        temperature=temperature,
        top_k=st.integers(0, 7),
        top_p=st.sampled_from([1.0, 0.9, 0.5, 1e-6]),
        min_p=st.sampled_from([0.0, 0.05, 0.4, 1.0]),
    )


def ids(max_size: int, min_size: int = 0) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, VOCAB - 1), min_size=min_size, max_size=max_size)


logit_rows = st.permutations([3.1, 1.7, 0.9, 0.35, -0.6, -2.2])
temperatures = st.sampled_from([0.3, 1.0, 2.0])


@settings(max_examples=150)
@given(logit_rows, any_params(st.just(0.0) | temperatures), ids(8, 1), ids(6), ids(4))
def test_every_combination_means_what_its_parts_say(
    logits: list[float], params: SamplingParams, prompt: list[int], text: list[int], path: list[int]
) -> None:
    ends = frozenset({1, 4})
    expected = shaped_law(logits, params, prompt=prompt, text=[*text, *path], end_ids=ends)
    if not expected:
        with pytest.raises(SpecgenError, match="every token is banned here"):
            law_after(logits, params, prompt=prompt, text=text, path=path, end_ids=ends)
    else:
        found = law_after(logits, params, prompt=prompt, text=text, path=path, end_ids=ends)
        assert found == pytest.approx(expected, abs=1e-5)


@settings(max_examples=80)
@given(logit_rows, any_params(temperatures), ids(6, 1), ids(9), st.integers(0, 9))
def test_a_draft_on_the_path_counts_like_a_committed_token(
    logits: list[float], params: SamplingParams, prompt: list[int], text: list[int], committed: int
) -> None:
    def law(known: Sequence[int], path: Sequence[int]) -> list[float] | str:
        try:
            return law_after(logits, params, prompt=prompt, text=known, path=path, end_ids=frozenset({2}))
        except SpecgenError as error:
            return error.message

    assert law(text[:committed], text[committed:]) == law(text, ())


# --- the documented order ---------------------------------------------------------------------------------------------


def test_temperature_comes_before_top_p() -> None:
    """At temperature 1 the first two would be needed for 80 %; at 0.5 the first has 87 %."""
    assert support(law_after([3.0, 2.0, 1.0], SamplingParams(top_p=0.8, temperature=0.5))) == [0]
    assert support(law_after([3.0, 2.0, 1.0], SamplingParams(top_p=0.8, temperature=1.0))) == [0, 1]


def test_top_k_comes_before_top_p() -> None:
    """Of the best two of [3, 2, 2, 2] the first has 73 %; of all four only 48 %, and needs two more."""
    params = SamplingParams(temperature=1.0, top_p=0.7, top_k=2)
    assert support(law_after([3.0, 2.0, 1.99, 1.98], params)) == [0]
    assert support(law_after([3.0, 2.0, 1.99, 1.98], SamplingParams(temperature=1.0, top_p=0.7))) == [0, 1, 2]


def test_the_bias_comes_before_the_penalty() -> None:
    """(1 + 2) / 2 = 1.5 beats 1.4; 1 / 2 + 2 = 2.5 would beat 2 as well."""
    params = SamplingParams(logit_bias={0: 2.0}, repetition_penalty=2.0)
    assert support(law_after([1.0, 1.4, 0.0], params, prompt=[0])) == [0]
    assert support(law_after([1.0, 2.0, 0.0], params, prompt=[0])) == [1]


def test_greedy_takes_the_lowest_id_among_equals() -> None:
    assert support(law_after([1.0, 2.0, 2.0, 2.0], SamplingParams())) == [1]


@pytest.mark.parametrize("options", [{"top_k": 1, "temperature": 2.0}, {"top_p": 1e-6, "temperature": 1.0}])
@pytest.mark.parametrize("seed", [None, 5])
def test_the_narrowest_truncation_is_greedy(options: dict[str, float], seed: int | None) -> None:
    for row in torch.randn(20, 50, generator=torch.Generator().manual_seed(0)):
        found = law_after(row.tolist(), SamplingParams(**options, seed=seed))
        assert found[int(row.argmax())] == 1.0


# --- against transformers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "processors"),
    [
        (SamplingParams(temperature=0.7), [theirs.TemperatureLogitsWarper(0.7)]),
        (SamplingParams(temperature=1.0, top_k=5), [theirs.TopKLogitsWarper(5)]),
        (SamplingParams(temperature=1.0, top_p=0.6), [theirs.TopPLogitsWarper(0.6)]),
        (SamplingParams(temperature=1.0, min_p=0.2), [theirs.MinPLogitsWarper(0.2)]),
        (SamplingParams(temperature=1.0, repetition_penalty=1.7), [theirs.RepetitionPenaltyLogitsProcessor(1.7)]),
        (SamplingParams(temperature=1.0, no_repeat_ngram=1), [theirs.NoRepeatNGramLogitsProcessor(1)]),
        (SamplingParams(temperature=1.0, no_repeat_ngram=3), [theirs.NoRepeatNGramLogitsProcessor(3)]),
        (SamplingParams(temperature=1.0, logit_bias={3: 2.5}), [theirs.SequenceBiasLogitsProcessor({(3,): 2.5})]),
        (
            SamplingParams(temperature=1.5, top_k=12, top_p=0.9, min_p=0.05, repetition_penalty=1.2, no_repeat_ngram=2),
            [
                theirs.RepetitionPenaltyLogitsProcessor(1.2),
                theirs.NoRepeatNGramLogitsProcessor(2),
                theirs.TemperatureLogitsWarper(1.5),
                theirs.TopKLogitsWarper(12),
                theirs.TopPLogitsWarper(0.9),
                theirs.MinPLogitsWarper(0.05),
            ],
        ),
    ],
    ids=["temperature", "top-k", "top-p", "min-p", "repetition", "1-gram", "3-gram", "bias", "all"],
)
def test_agrees_with_transformers(params: SamplingParams, processors: list[theirs.LogitsProcessor]) -> None:
    generator = torch.Generator().manual_seed(1)
    for _ in range(20):
        context = torch.randint(0, 40, (1, 30), generator=generator)
        logits = 2 * torch.randn(1, 40, generator=generator)
        scores = LogitsProcessorList(processors)(context, logits.clone())
        found = law_after(logits[0].tolist(), params, prompt=context[0, :20].tolist(), text=context[0, 20:].tolist())
        assert found == pytest.approx(torch.softmax(scores[0], 0).tolist(), abs=1e-5)


# --- wide vocabularies ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spread", [0.0, 0.01, 1.0, 5.0])
@pytest.mark.parametrize("top_p", [0.1, 0.5, 0.99])
def test_top_p_on_a_wide_vocabulary_is_that_of_a_full_sort(spread: float, top_p: float) -> None:
    logits = spread * torch.randn(5000, generator=torch.Generator().manual_seed(2))
    law = Sampler(SamplingParams(temperature=1.0, top_p=top_p), vocab_size=5000, prompt=[0]).law(logits)
    assert law.probs is not None
    plain = torch.softmax(logits.double(), 0).sort(descending=True)
    needed = int((plain.values.cumsum(0) - plain.values < top_p).sum())
    assert abs(int((law.probs > 0).sum()) - needed) <= 1
    assert law.probs.sum().item() == pytest.approx(1.0, abs=1e-5)
    # one candidate in 500 may fall on either side of the border, in float32
    assert float(law.probs.max()) == pytest.approx(float(plain.values[0] / plain.values[:needed].sum()), rel=3e-3)


# --- numbers that are none --------------------------------------------------------------------------------------------

EVERY_MODE = [
    SamplingParams(),
    SamplingParams(temperature=1.0),
    SamplingParams(temperature=1.0, seed=1),
    SamplingParams(temperature=1.0, top_k=2),
    SamplingParams(temperature=1.0, top_p=0.5),
    SamplingParams(temperature=1.0, min_p=0.1),
    SamplingParams(temperature=1.0, min_p=0.1, seed=1),
    SamplingParams(temperature=1.0, top_k=3, top_p=0.9, min_p=0.1, seed=1),
    SamplingParams(repetition_penalty=1.5),
]


@pytest.mark.parametrize("params", EVERY_MODE)
@pytest.mark.parametrize(
    ("logits", "message"),
    [
        ([math.nan] * 4, "not finite"),
        ([1.0, math.nan, 0.0, 2.0], "not finite"),
        ([1.0, 2.0, math.inf, 0.0], "not finite"),
        ([NEVER] * 4, "every token is banned"),
    ],
    ids=["all nan", "one nan", "infinite", "nothing"],
)
def test_what_cannot_be_chosen_from_is_one_clear_error(
    params: SamplingParams, logits: list[float], message: str
) -> None:
    sampler = Sampler(params, vocab_size=4, prompt=[3])
    with pytest.raises(SpecgenError, match=message) as caught:
        sampler.law(torch.tensor(logits))
    assert caught.value.hint
    with pytest.raises(SpecgenError, match=message):
        sampler.rows(torch.tensor([logits])).law(0, ())


@pytest.mark.parametrize("temperature", [1e-50, 1e-38, 1e-12, 1e-3])
@pytest.mark.parametrize("seed", [None, 3])
def test_the_coldest_temperatures_are_greedy(temperature: float, seed: int | None) -> None:
    params = SamplingParams(temperature=temperature, seed=seed)
    assert law_after([1.0, 30.0, -400.0, 29.0], params) == [0.0, 1.0, 0.0, 0.0]


def test_an_enormous_temperature_is_nearly_uniform() -> None:
    assert law_after([1.0, 30.0, -400.0], SamplingParams(temperature=1e30)) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("token", [-1, 4, 99999])
def test_a_bias_on_an_unknown_token_is_refused(token: int) -> None:
    with pytest.raises(UsageError, match=f"token {token}"):
        Sampler(SamplingParams(logit_bias={token: 1.0}), vocab_size=4, prompt=[0])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("params", EVERY_MODE)
def test_any_float_goes_in_and_is_left_as_it_was(params: SamplingParams, dtype: torch.dtype) -> None:
    logits = torch.tensor([0.5, 2.0, 1.0, -3.0], dtype=dtype)
    given_logits = logits.clone()
    law = Sampler(params, vocab_size=4, prompt=[3]).law(logits, [1, 1])
    assert torch.equal(logits, given_logits)
    assert sum(law.prob(token) for token in range(4)) == pytest.approx(1.0)
    assert law.probs is None or law.probs.dtype == torch.float32


def test_end_ids_beyond_the_vocabulary_are_no_concern() -> None:
    params = SamplingParams(min_tokens=1)
    assert law_after([1.0, 2.0, 3.0], params, end_ids=frozenset({2, 3, 700})) == [0.0, 1.0, 0.0]
