"""Prompt lookup against its definition: a search through the whole context, for every proposal anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specgen.drafters.lookup import LookupDrafter

SAMPLER: Any = None  # lookup draws nothing


def started(drafter: LookupDrafter, context: Sequence[int]) -> LookupDrafter:
    drafter.begin(context, None, SAMPLER)
    return drafter


def drafts(
    context: Sequence[int], limit: int = 5, *, low: int = 1, high: int = 3, special: frozenset[int] = frozenset()
) -> tuple[int, ...]:
    drafter = started(LookupDrafter(ngram_min=low, ngram_max=high, special_ids=special), context)
    return drafter.propose(context, limit).tokens


def searched(context: Sequence[int], limit: int, *, low: int, high: int, special: frozenset[int]) -> tuple[int, ...]:
    """The longest suffix that occurred before, its latest occurrence, and what followed until a special id."""
    for size in range(high, low - 1, -1):
        suffix = list(context[len(context) - size :])
        if len(suffix) < size or special & set(suffix):
            continue
        for end in range(len(context) - 1, size - 1, -1):
            if list(context[end - size : end]) == suffix:
                period = context[end:]
                endless = [period[step % len(period)] for step in range(limit)]
                stop = next((i for i, token in enumerate(endless) if token in special), limit)
                return tuple(endless[:stop])
    return ()


@dataclass(frozen=True)
class Growth:
    """A context, the lengths at which a proposal is asked for, and the drafter's options."""

    context: list[int]
    borders: list[int]
    limit: int
    low: int
    high: int
    special: frozenset[int]


@st.composite
def growths(draw: st.DrawFn) -> Growth:
    context = draw(st.lists(st.integers(0, 3), min_size=1, max_size=40))
    borders = sorted(draw(st.sets(st.integers(1, len(context)), max_size=12)) | {len(context)})
    low = draw(st.integers(1, 3))
    special = draw(st.frozensets(st.integers(0, 3), max_size=1))
    return Growth(context, borders, draw(st.integers(1, 9)), low, low + draw(st.integers(0, 3)), special)


@settings(max_examples=300)
@given(growths())
def test_equals_a_search_through_everything(case: Growth) -> None:
    """However the context grew: the index is extended piece by piece, proposals are asked in between."""
    drafter = LookupDrafter(ngram_min=case.low, ngram_max=case.high, special_ids=case.special)
    started(drafter, case.context[:1])
    for border in case.borders:
        known = case.context[:border]
        expected = searched(known, case.limit, low=case.low, high=case.high, special=case.special)
        assert drafter.propose(known, case.limit).tokens == expected


def test_the_longest_match_wins() -> None:
    assert drafts([1, 2, 3, 7, 7, 3, 9, 9, 1, 2, 3]) == (7, 7, 3, 9, 9)


def test_then_the_latest() -> None:
    assert drafts([1, 2, 7, 1, 2, 8, 1, 2, 9, 5, 1, 2], 1) == (9,)


@pytest.mark.parametrize(("low", "high", "expected"), [(1, 1, (8,)), (1, 2, (7,)), (2, 2, (7,)), (3, 3, ())])
def test_sizes_are_bounds(low: int, high: int, expected: tuple[int, ...]) -> None:
    assert drafts([1, 2, 7, 5, 2, 8, 1, 2], 1, low=low, high=high) == expected


def test_a_repetition_is_continued_with_its_period() -> None:
    assert drafts([5, 1, 2, 1, 2], 7) == (1, 2, 1, 2, 1, 2, 1)
    assert drafts([5, 9, 9], 4) == (9, 9, 9, 9)


@pytest.mark.parametrize("context", [[1], [1, 2], [4, 4]])
def test_short_contexts(context: list[int]) -> None:
    assert drafts(context, 3) == ((4, 4, 4) if context == [4, 4] else ())


SPECIAL = frozenset({0})


def test_never_past_a_special_token() -> None:
    assert drafts([1, 2, 3, 0, 5, 1, 2], special=SPECIAL) == (3,)
    assert drafts([1, 2, 0, 5, 1, 2], special=SPECIAL) == ()


def test_no_match_across_a_special_token() -> None:
    assert drafts([1, 0, 7, 8, 1, 0], special=SPECIAL) == ()
    assert drafts([1, 0, 7, 8, 1, 0, 7], special=SPECIAL) == (8, 1)


def test_text_of_earlier_turns_is_found() -> None:
    assert drafts([0, 4, 5, 6, 0, 4, 5], special=SPECIAL) == (6,)


def test_a_new_generation_knows_nothing_of_the_last() -> None:
    drafter = started(LookupDrafter(ngram_min=1, ngram_max=3), [1, 2, 3, 1, 2])
    assert drafter.propose([1, 2, 3, 1, 2], 1).tokens == (3,)
    drafter.begin([9, 1, 2], None, SAMPLER)
    assert drafter.propose([9, 1, 2], 1).tokens == ()


class CountingList(list[int]):
    """Counts the ids that are read from it."""

    reads = 0

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        self.reads += len(found) if isinstance(key, slice) else 1
        return found


def reads_of_a_round(length: int) -> int:
    """Ids read for one proposal of 8 drafts and the next one, 3 tokens later, after `length` ids."""
    context = CountingList((i * i) % 997 for i in range(length))
    drafter = started(LookupDrafter(ngram_min=2, ngram_max=4), context)
    before = context.reads
    drafter.propose(context, 8)
    context.extend([5, 6, 7])
    drafter.propose(context, 8)
    return context.reads - before


def test_a_proposal_costs_the_same_in_any_context() -> None:
    costs = [reads_of_a_round(length) for length in (2_000, 8_000, 32_000)]
    assert max(costs) <= 80
    assert all(abs(a - b) <= 16 for a, b in pairwise(costs)), "one may find a match where the other does not"


MARKUP = "<row><id>17</id><name>Ann</name></row><row><id>18</id><name>Bob</name></row><row><id>19</id><na"


def test_near_equal_tags_are_told_apart() -> None:
    """Characters as tokens: after '19</id><na' comes 'me>', as after both other ids."""
    context = [ord(character) for character in MARKUP]
    for low in (1, 2, 4):
        found = "".join(map(chr, drafts(context, 3, low=low, high=4)))
        assert found == "me>"
