"""Counts and rates of a generation, from its rounds."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from specgen.decode.types import Round
from specgen.stats import GenerationStats


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    drafted = draw(st.integers(0, 8))
    accepted = draw(st.integers(0, drafted))
    discarded = draw(st.integers(0, drafted - accepted))
    seconds = draw(st.floats(0, 1))
    return Round(
        tuple(range(accepted + 1)),
        drafted=drafted,
        accepted=accepted,
        discarded=discarded,
        drafter=draw(st.sampled_from(["lookup", "draft_model"])) if drafted else "",
        verify_s=seconds,
    )


@given(st.lists(rounds(), max_size=20))
def test_identities_hold_after_any_rounds(outcomes: list[Round]) -> None:
    stats = GenerationStats(prompt_tokens=3)
    stats.add(Round((1,), verify_s=0.5, prefill=True))
    for outcome in outcomes:
        stats.add(outcome)
    assert stats.drafted == stats.accepted + stats.rejected + stats.discarded
    assert stats.rejected >= 0
    assert stats.new_tokens == 1 + stats.rounds + stats.accepted
    assert sum(stats.histogram) == stats.rounds
    assert sum(a * n for a, n in enumerate(stats.histogram)) == stats.accepted
    assert sum(counts.drafted for counts in stats.by_drafter.values()) == stats.drafted
    if stats.rounds:
        assert stats.mean_acceptance_length == 1 + stats.accepted / stats.rounds
    json.dumps([stats.spec_dict(), stats.usage_dict(), stats.timings_dict()], allow_nan=False)


def test_nothing_drafted_is_no_rate() -> None:
    stats = GenerationStats()
    stats.add(Round((1,), prefill=True))
    stats.add(Round((2,), verify_s=0.1))
    assert stats.draft_acceptance_rate is None
    assert stats.spec_dict()["draft_acceptance_rate"] is None


def test_decode_speed_leaves_prefill_and_first_token_out() -> None:
    stats = GenerationStats(prompt_tokens=1000)
    stats.add(Round((1,), verify_s=9.0, other_s=1.0, prefill=True))
    assert stats.tokens_per_second is None
    for token in range(4):
        stats.add(Round((token,), draft_s=0.05, verify_s=0.15, other_s=0.05))
    assert abs(stats.tokens_per_second - 4) < 1e-9
    assert stats.prefill_tokens_per_second == 100
