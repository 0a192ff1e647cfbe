"""The cache against a list of rows: whatever is written, kept and forgotten, both hold the same."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from specgen.models.cache import KVCache

LAYERS = 2


@dataclass(frozen=True)
class Block:
    """Write `rows` rows and keep those of the path `kept`."""

    rows: int
    kept: tuple[int, ...]


@dataclass(frozen=True)
class Truncate:
    """Forget all but this share of the rows."""

    share: float


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    rows = draw(st.one_of(st.integers(1, 9), st.sampled_from([100, 255, 256, 257, 600])))
    if draw(st.booleans()):
        return Block(rows, tuple(range(draw(st.integers(0, rows)))))
    chosen = draw(st.sets(st.integers(0, rows - 1), max_size=12))
    return Block(rows, tuple(sorted(chosen)))


def numbered(first: int, rows: int, layer: int) -> tuple[torch.Tensor, torch.Tensor]:
    """(1, 2, rows, 3) keys and (1, 2, rows, 5) values that no other row or layer has."""
    column = torch.arange(first, first + rows, dtype=torch.float64)[None, None, :, None]
    head = torch.tensor([0.25, 0.5])[None, :, None, None]
    keys = column + head + torch.arange(3) * 0.01 + layer * 1e6
    return keys, -(column + head + torch.arange(5) * 0.01 + layer * 1e6)


def assert_holds(found: tuple[torch.Tensor, torch.Tensor], rows: list[int], layer: int) -> None:
    keys, values = numbered(0, 1 + max(rows, default=0), layer)
    assert torch.equal(found[0], keys[:, :, rows])
    assert torch.equal(found[1], values[:, :, rows])


@settings(max_examples=120)
@given(st.lists(st.one_of(blocks(), st.builds(Truncate, st.floats(0, 1))), max_size=12))
def test_holds_what_a_list_holds(steps: list[Block | Truncate]) -> None:
    cache, rows, written = KVCache(), [], 0
    for step in steps:
        if isinstance(step, Truncate):
            length = int(step.share * len(rows))
            cache.truncate(length)
            rows = rows[:length]
        else:
            block = list(range(written, written + step.rows))
            for layer in range(LAYERS):
                assert_holds(cache.update(*numbered(written, step.rows, layer), layer), rows + block, layer)
                assert cache.get_mask_sizes(step.rows, layer) == (len(rows) + step.rows, 0)
            written += step.rows
            cache.keep(step.kept)
            rows = rows + [block[row] for row in step.kept]
        assert cache.length == cache.get_seq_length() == len(rows)
    if cache.layers:
        for layer in range(LAYERS):
            last = cache.update(*numbered(written, 1, layer), layer)
            assert_holds(last, [*rows, written], layer)


def test_layers_may_differ_in_shape() -> None:
    cache = KVCache()
    wide, narrow = torch.ones(1, 4, 3, 16), torch.ones(1, 1, 3, 8, dtype=torch.bfloat16)
    assert [states.shape for states in cache.update(wide, narrow, 0)] == [wide.shape, narrow.shape]
    keys, values = cache.update(narrow, wide, 1)
    assert (keys.dtype, values.dtype) == (torch.bfloat16, torch.float32)


def test_a_block_that_was_not_kept_leaves_no_trace() -> None:
    cache = KVCache()
    cache.update(*numbered(0, 4, 0), 0)
    cache.keep([0, 1])
    cache.update(torch.full((1, 2, 9, 3), torch.nan), torch.full((1, 2, 9, 5), torch.nan), 0)
    cache.keep([])
    assert_holds(cache.update(*numbered(2, 1, 0), 0), [0, 1, 2], 0)


def test_room_grows_by_doubling() -> None:
    cache, sizes = KVCache(), set()
    for position in range(2000):
        cache.update(*numbered(position, 1, 0), 0)
        cache.keep([0])
        sizes.add(cache.nbytes)
    assert len(sizes) <= 5, "copies must not come with every token"
    assert cache.nbytes <= 2.1 * 2000 * 2 * (3 + 5) * 8


@pytest.mark.parametrize("length", [-1, 3])
def test_only_kept_rows_can_be_truncated(length: int) -> None:
    cache = KVCache()
    cache.update(*numbered(0, 5, 0), 0)
    cache.keep([0, 1])
    with pytest.raises(AssertionError, match="cannot truncate 2 rows"):
        cache.truncate(length)
