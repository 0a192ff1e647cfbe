"""The footer and the report: what they say, what they leave out, how wide they are."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specgen.decode.types import Round
from specgen.profiles import GenerationSettings, Overrides, resolve
from specgen.stats import GenerationStats
from specgen.tasks import detect
from specgen.ui.footer import footer_line, full_report

SETTINGS = resolve(Overrides(profile="smollm2", drafter="lookup", num_draft_tokens=4, device="cpu"), detect("hi"))
LOOKUP: GenerationSettings = SETTINGS.generation
PLAIN = replace(LOOKUP, drafter="none")


def stats(rounds: int = 1, *, drafted: int = 4, accepted: int = 2) -> GenerationStats:
    made = GenerationStats(prompt_tokens=50, load_s=1.25, peak_bytes=3 << 29)
    made.add(Round(tokens=(1,), verify_s=0.21, prefill=True))
    for _ in range(rounds):
        tokens = tuple(range(accepted + 1))
        made.add(Round(tokens=tokens, drafted=drafted, accepted=accepted, drafter="lookup", verify_s=0.03))
    return made


def test_everything() -> None:
    line = footer_line(stats(), LOOKUP, width=sys.maxsize)
    assert line == ("4 tok  100.0 tok/s  accept 3.00/round 50%  lookup k=4  ttft 0.21s  load 1.2s  peak 1.50 GiB"), (
        "the order is part of the format"
    )


def test_nothing_drafted_is_not_a_rate() -> None:
    line = footer_line(stats(drafted=0, accepted=0), LOOKUP, width=200)
    assert "nothing drafted" in line
    assert "%" not in line
    assert "nothing drafted" not in footer_line(stats(drafted=0, accepted=0), PLAIN, width=200)


@pytest.mark.parametrize("made", [GenerationStats(), stats(0)])
def test_unknown_is_left_out(made: GenerationStats) -> None:
    line = footer_line(made, LOOKUP, width=200)
    assert not any(word in line for word in ("tok/s", "accept", "nan", "inf", "None"))


def test_how_it_ended() -> None:
    made = stats()
    for finish, word in (("length", "(token limit)"), ("interrupted", "(interrupted)")):
        made.finish = finish
        assert word in footer_line(made, LOOKUP, width=200)
    made.finish = "stop"
    assert "(" not in footer_line(made, LOOKUP, width=200)


@given(st.integers(1, 120), st.integers(0, 3))
def test_never_wider_than_the_terminal(width: int, rounds: int) -> None:
    line = footer_line(stats(rounds), LOOKUP, width=width)
    assert len(line) <= width
    assert footer_line(stats(rounds), LOOKUP, width=sys.maxsize).startswith(line)


def test_report() -> None:
    text = "\n".join(full_report(stats(2), SETTINGS, {"target": "x [bold]", "draft_model": None}))
    assert "drafts     8: 4 accepted, 4 rejected, 0 discarded" in text
    assert "lookup: 4 of 8 in 2 rounds (50%)" in text
    assert "by accepted drafts 2:2" in text
    assert SETTINGS.generation.drafter_reason in text
    assert "x [bold]" in text
    assert "None" not in text


def test_report_of_nothing() -> None:
    assert full_report(GenerationStats(), SETTINGS, {})
