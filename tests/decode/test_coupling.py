"""With a seed the text depends on model, prompt and seed alone, and over seeds it follows the model's law."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pytest
import tiny
import torch
from hypothesis import given
from hypothesis import strategies as st
from tables import TableDrafter, TableTarget, random_table, shaped_law

from specgen.decode.sampling import Sampler, gumbel_noise
from specgen.decode.types import Drafter, SamplingParams

# --- the noise --------------------------------------------------------------------------------------------------------

WIDE = torch.arange(100_000)


def uniform(seed: int, position: int, ids: torch.Tensor = WIDE) -> torch.Tensor:
    """The uniform numbers under the noise."""
    return torch.exp(-torch.exp(-gumbel_noise(seed, position, ids)))


def test_noise_is_a_function_of_its_arguments() -> None:
    once = gumbel_noise(7, 3, WIDE)
    torch.manual_seed(5)
    assert torch.equal(once, gumbel_noise(7, 3, WIDE))
    chosen = torch.tensor([99_999, 0, 17, 17, 31_000])
    assert torch.equal(once[chosen], gumbel_noise(7, 3, chosen))


MASK = (1 << 64) - 1
STEP, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def scrambled(state: int) -> int:
    """The output function of splitmix64 (Steele, Lea and Flood, 2014)."""
    state = (state ^ state >> 30) * FIRST & MASK
    state = (state ^ state >> 27) * SECOND & MASK
    return state ^ state >> 31


def unscrambled(state: int) -> int:
    """Its inverse."""
    state ^= state >> 31 ^ state >> 62
    state = state * pow(SECOND, -1, 1 << 64) & MASK
    state ^= state >> 27 ^ state >> 54
    state = state * pow(FIRST, -1, 1 << 64) & MASK
    return state ^ state >> 30 ^ state >> 60


def start(seed: int, position: int) -> int:
    def mix(value: int) -> int:
        return scrambled((value + STEP) & MASK)

    return mix(mix(seed) ^ mix(position + 0x5851F42D4C957F2D))


@given(st.integers(-(2**70), 2**70), st.integers(0, 2**40), st.integers(0, 300_000))
def test_noise_is_that_of_the_documented_hash(seed: int, position: int, token: int) -> None:
    bits = scrambled((token * STEP + start(seed, position)) & MASK) >> 12
    expected = -math.log(-math.log((bits + 0.5) / 2**52))
    assert gumbel_noise(seed, position, torch.tensor([token])).item() == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_noise_is_the_same_in_every_release() -> None:
    """Texts that people repeat with --seed hang on these numbers."""
    found = gumbel_noise(0, 0, torch.tensor([0, 1, 151_000])).tolist()
    assert found == pytest.approx([0.3631496, -0.1253287, 0.8336504], abs=1e-6)


@pytest.mark.parametrize(("state", "expected"), [(0, -3.604), (MASK, 36.737)])
def test_noise_is_finite_at_both_ends_of_the_hash(state: int, expected: float) -> None:
    assert scrambled(unscrambled(state)) == state
    token = (unscrambled(state) - start(5, 6)) * pow(STEP, -1, 1 << 64) & MASK
    signed = token - (1 << 64) if token >> 63 else token
    assert gumbel_noise(5, 6, torch.tensor([signed])).item() == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(("seed", "position"), [(0, 0), (1, 0), (0, 1), (-1, 5), (2**63, 9), (2**64 - 1, 10**6)])
def test_noise_is_gumbel(seed: int, position: int) -> None:
    """Kolmogorov-Smirnov: a true Gumbel law is further off once in a million seeds."""
    ordered = uniform(seed, position).sort().values
    steps = torch.arange(1, len(WIDE) + 1, dtype=torch.float64) / len(WIDE)
    furthest = torch.maximum(steps - ordered, ordered - steps + 1 / len(WIDE)).max().item()
    assert furthest * math.sqrt(len(WIDE)) < math.sqrt(math.log(2 / 1e-6) / 2)


def correlation(a: torch.Tensor, b: torch.Tensor) -> float:
    return float(torch.corrcoef(torch.stack([a, b]))[0, 1])


@pytest.mark.parametrize(
    "other",
    [
        uniform(0, 1),
        uniform(0, 2),
        uniform(0, 256),
        uniform(1, 0),
        uniform(2, 0),
        uniform(1 << 32, 0),
        uniform(-1, 0),
        uniform(0, 0, WIDE + 1),
        uniform(0, 0, WIDE + 65_536),
    ],
)
def test_noise_is_independent_of_its_neighbours(other: torch.Tensor) -> None:
    bound = 5 / math.sqrt(len(WIDE))
    here = uniform(0, 0)
    assert abs(correlation(here, other)) < bound
    assert abs(correlation((here - 0.5).abs(), (other - 0.5).abs())) < bound


def test_seeds_and_positions_do_not_trade_places() -> None:
    distinct = {uniform(seed, position, WIDE[:1]).item() for seed in range(40) for position in range(40)}
    assert len(distinct) == 1600


# --- the law over seeds -----------------------------------------------------------------------------------------------


def chi_square_p(counts: Sequence[float], law: Sequence[float]) -> float:
    total = sum(counts)
    statistic = sum((c - total * p) ** 2 / (total * p) for c, p in zip(counts, law, strict=True) if p > 0)
    freedom = sum(p > 0 for p in law) - 1
    return float(torch.special.gammaincc(torch.tensor(freedom / 2.0), torch.tensor(statistic / 2.0)))


@pytest.mark.parametrize(
    "options",
    [{}, {"top_k": 3}, {"top_p": 0.8}, {"min_p": 0.1}, {"repetition_penalty": 1.5}, {"top_k": 5, "top_p": 0.9}],
    ids=str,
)
def test_over_seeds_the_token_follows_the_law(options: dict[str, float]) -> None:
    """3,000 seeds; a right implementation fails for one set of seeds in 100,000."""
    logits = [2.0, 1.5, 0.7, 0.0, -0.5, -2.0]
    counts = [0.0] * 6
    row, path = torch.tensor(logits), (2, 0)
    for seed in range(3000):
        params = SamplingParams(temperature=1.2, seed=seed, **options)
        point = Sampler(params, vocab_size=6, prompt=[1, 3]).law(row, path).point
        assert point is not None
        counts[point] += 1
    law = shaped_law(logits, SamplingParams(temperature=1.2, **options), prompt=[1, 3], text=path)
    assert [count > 0 for count in counts] == [mass > 0 for mass in law]
    assert chi_square_p(counts, law) > 1e-5


def test_successive_tokens_of_one_seed_are_independent() -> None:
    """Pairs of tokens from a model without memory: the joint law is the product."""
    row = torch.tensor([1.0, 0.0, -1.0])
    law = torch.softmax(row, 0)
    pairs = [0.0] * 9
    for seed in range(3000):
        sampler = Sampler(SamplingParams(temperature=1.0, seed=seed), vocab_size=3, prompt=[0])
        first = sampler.law(row).point
        assert first is not None
        second = sampler.law(row, [first]).point
        assert second is not None
        pairs[3 * first + second] += 1
    assert chi_square_p(pairs, torch.outer(law, law).flatten().tolist()) > 1e-5


def test_sampling_is_not_argmax() -> None:
    firsts = set()
    prompt = tiny.prompt_ids(12)
    target = tiny.target_of("llama")
    with torch.inference_mode():
        logits, _ = target.prefill(prompt)
    for seed in range(300):
        params = SamplingParams(temperature=1.5, seed=seed)
        firsts.add(Sampler(params, vocab_size=tiny.VOCAB, prompt=prompt).law(logits).point)
    assert len(firsts) > 1


# --- one text for all drafters ----------------------------------------------------------------------------------------

DRAFTERS: dict[str, Callable[[Sequence[int], int], Drafter]] = {
    "lookup": lambda truth, start: tiny.registered("lookup"),
    "draft_model": lambda truth, start: tiny.registered("draft_model"),
    "the target itself": lambda truth, start: tiny.registered("draft_model", "llama", 0),
    "cascade": lambda truth, start: tiny.registered("lookup,draft_model"),
    "tree": lambda truth, start: tiny.ScriptedDrafter(truth, start, width=3, wrong_at=range(3, 99, 5)),
    "unrelated laws": lambda truth, start: tiny.SamplingGarbageDrafter(),
}
OPTIONS: dict[str, dict[str, float]] = {
    "nothing": {},
    "top-k": {"top_k": 4},
    "top-p": {"top_p": 0.7},
    "min-p": {"min_p": 0.1},
    "repetition": {"repetition_penalty": 1.3},
    "counts": {"presence_penalty": 0.8, "frequency_penalty": 0.5},
    "n-grams": {"no_repeat_ngram": 2},
    "all": {"top_k": 9, "top_p": 0.95, "min_p": 0.02, "repetition_penalty": 1.1, "no_repeat_ngram": 3, "min_tokens": 9},
}
PROMPT = tiny.prompt_ids(18)


@pytest.mark.parametrize("options", OPTIONS)
def test_the_same_text_whatever_drafts(options: str) -> None:
    params = SamplingParams(temperature=1.2, seed=42, **OPTIONS[options])
    ends = frozenset({7})
    target = tiny.target_of("llama")
    plain, _ = tiny.run(target, tiny.registered("none"), PROMPT, length=26, params=params, end_ids=ends)
    for name, recipe in DRAFTERS.items():
        drafter = recipe(plain, len(PROMPT))
        ids, _ = tiny.run(target, drafter, PROMPT, length=26, params=params, end_ids=ends, num_draft_tokens=4)
        assert ids == plain, name


@pytest.mark.parametrize("num_draft_tokens", [1, 2, 3, 5, 8, 16])
def test_the_target_accepts_all_its_own_draws(num_draft_tokens: int) -> None:
    params = SamplingParams(temperature=1.0, seed=3)
    target = tiny.target_of("gemma3")
    plain, _ = tiny.run(target, tiny.registered("none"), PROMPT, length=30, params=params)
    drafter = tiny.registered("draft_model", "gemma3", 0)
    ids, rounds = tiny.run(target, drafter, PROMPT, length=30, params=params, num_draft_tokens=num_draft_tokens)
    assert ids == plain
    assert sum(outcome.rejected for outcome in rounds) == 0
    assert len(rounds) - 1 == math.ceil(29 / (num_draft_tokens + 1))


def test_different_seeds_write_different_texts() -> None:
    texts = set()
    for seed in range(20):
        params = SamplingParams(temperature=1.0, seed=seed)
        drafter = TableDrafter(random_table(8, 1))
        ids, _ = tiny.run(TableTarget(random_table(8, 0)), drafter, [0], length=12, params=params)
        texts.add(tuple(ids))
    assert len(texts) > 15
