"""Masks against their definition, attention against transformers' own plain functions."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.masking_utils import (
    causal_mask_function,
    chunked_causal_mask_function,
    sliding_window_causal_mask_function,
)
from transformers.models.gemma2.modeling_gemma2 import eager_attention_forward as soft_capped
from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward as with_sinks
from transformers.models.llama.modeling_llama import eager_attention_forward as plain

from specgen.decode import tree
from specgen.decode.types import ANCHOR
from specgen.models.attention import Block, attend, block_mask, block_of

# --- masks ------------------------------------------------------------------------------------------------------------

WINDOW, CHUNK = 4, 5
FUNCTIONS = {
    "causal": causal_mask_function,
    "window": sliding_window_causal_mask_function(WINDOW),
    "chunks": chunked_causal_mask_function(CHUNK, torch.zeros(1, dtype=torch.long)),
}


def sees(kind: str, query: int, key: int) -> bool:
    """Whether position `query` may look at position `key`."""
    return (
        key <= query
        and {
            "causal": True,
            "window": query - key < WINDOW,
            "chunks": query // CHUNK == key // CHUNK,
        }[kind]
    )


@settings(max_examples=120)
@given(st.sampled_from(sorted(FUNCTIONS)), st.integers(0, 12), st.lists(st.integers(0, 99), max_size=8))
def test_every_row_sees_its_own_past(kind: str, start: int, picks: list[int]) -> None:
    """A tree after `start` cached rows: a row sees the cache and its ancestors, as far as its layer lets it."""
    parents = tuple(pick % (draft + 1) + ANCHOR for draft, pick in enumerate(picks))
    depths, ancestors = tree.depths(parents), tree.ancestors(parents)
    size = len(depths)
    block = Block(torch.tensor([start + depth for depth in depths]), start, torch.tensor(ancestors))
    with block_of(block):
        mask = block_mask(1, size, start + size, mask_function=FUNCTIONS[kind])
    if mask is None:
        assert (size, kind) == (1, "causal")
        return
    assert mask.shape == (1, 1, size, start + size)
    for row, depth in enumerate(depths):
        cached = [sees(kind, start + depth, key) for key in range(start)]
        own = [ancestors[row][j] and sees(kind, start + depth, start + depths[j]) for j in range(size)]
        assert mask[0, 0, row].tolist() == cached + own


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_a_chain_needs_no_ancestors(kind: str) -> None:
    with block_of(Block(torch.arange(7, 13), 7)):
        mask = block_mask(1, 6, 13, mask_function=FUNCTIONS[kind])
    assert mask is not None
    assert mask[0, 0].tolist() == [[sees(kind, query, key) for key in range(13)] for query in range(7, 13)]


def test_blocks_nest_and_end() -> None:
    outer, inner = Block(torch.arange(2), 0), Block(torch.arange(3), 0)
    with block_of(outer):
        with block_of(inner):
            assert block_mask(1, 3, 3, mask_function=causal_mask_function) is not None
        mask = block_mask(1, 2, 2, mask_function=causal_mask_function)
        assert mask is not None
        assert mask.shape == (1, 1, 2, 2)
    with pytest.raises(LookupError):
        block_mask(1, 2, 2, mask_function=causal_mask_function)


# --- attention --------------------------------------------------------------------------------------------------------


def states(
    heads: int, kv_heads: int, rows: int, length: int, *, seed: int = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Query, key, value (of another width) and a random mask in which every row sees something."""
    random = torch.Generator().manual_seed(seed)
    query = torch.randn(1, heads, rows, 16, generator=random)
    key = torch.randn(1, kv_heads, length, 16, generator=random)
    value = torch.randn(1, kv_heads, length, 12, generator=random)
    mask = torch.rand(1, 1, rows, length, generator=random) < 0.6
    mask[..., 0] = True
    return query, key, value, mask


def additive(mask: torch.Tensor | None) -> torch.Tensor | None:
    return None if mask is None else torch.zeros(mask.shape).masked_fill(~mask, torch.finfo(torch.float32).min)


def layer(heads: int, kv_heads: int, **more: object) -> SimpleNamespace:
    return SimpleNamespace(num_key_value_groups=heads // kv_heads, training=False, head_dim=16, **more)


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("rows", [1, 2, 7, 32, 33, 50])
@pytest.mark.parametrize(("heads", "kv_heads"), [(4, 4), (6, 2), (8, 1)])
@pytest.mark.parametrize("scaling", [0.25, 1.7])
def test_equals_plain_attention(heads: int, kv_heads: int, rows: int, masked: bool, scaling: float) -> None:
    query, key, value, mask = states(heads, kv_heads, rows, 60)
    module, seen = layer(heads, kv_heads), mask if masked else None
    found, _ = attend(module, query, key, value, seen, scaling=scaling)
    expected, _ = plain(module, query, key, value, additive(seen), scaling=scaling)
    assert found.shape == (1, rows, heads, 12)
    assert torch.allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("rows", [1, 5, 40])
def test_equals_soft_capped_attention(rows: int, masked: bool) -> None:
    query, key, value, mask = states(6, 2, rows, 50)
    module, seen = layer(6, 2), mask if masked else None
    found, _ = attend(module, 9 * query, key, value, seen, scaling=0.5, softcap=4.0)
    expected, _ = soft_capped(module, 9 * query, key, value, additive(seen), scaling=0.5, softcap=4.0)
    assert torch.allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("rows", [1, 5, 40])
def test_equals_attention_with_sinks(rows: int, masked: bool) -> None:
    query, key, value, mask = states(6, 2, rows, 50)
    sinks = torch.linspace(-2, 3, 6)
    module, seen = layer(6, 2, sinks=sinks), mask if masked else None
    found, _ = attend(module, query, key, value, seen, scaling=0.5, s_aux=sinks)
    expected, _ = with_sinks(module, query, key, value, additive(seen), scaling=0.5)
    assert torch.allclose(found, expected, atol=1e-5)


def test_no_scaling_means_that_of_the_head_width() -> None:
    query, key, value, mask = states(4, 2, 3, 20)
    for options in ({}, {"softcap": 30.0}):
        default, _ = attend(layer(4, 2), query, key, value, mask, **options)
        stated, _ = attend(layer(4, 2), query, key, value, mask, scaling=16**-0.5, **options)
        assert torch.allclose(default, stated, atol=1e-6)


@pytest.mark.parametrize("rows", [1, 4, 40])
def test_a_mask_may_differ_between_heads(rows: int) -> None:
    """As in Doge, whose layers add a bias of their own for every head."""
    query, key, value, _ = states(6, 2, rows, 50)
    bias = torch.randn(1, 6, rows, 50, generator=torch.Generator().manual_seed(4))
    found, _ = attend(layer(6, 2), query, key, value, bias, scaling=0.5)
    expected, _ = plain(layer(6, 2), query, key, value, bias, scaling=0.5)
    assert torch.allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("options", [{}, {"softcap": 4.0}], ids=["plain", "soft-capped"])
def test_low_precision_stays_what_it_is(dtype: torch.dtype, options: dict[str, float]) -> None:
    query, key, value, mask = states(6, 2, 5, 30)
    exact, _ = attend(layer(6, 2), query, key, value, mask, scaling=0.25, **options)
    low = [part.to(dtype) for part in (query, key, value)]
    found, _ = attend(layer(6, 2), *low, mask, scaling=0.25, **options)
    assert found.dtype == dtype
    assert torch.allclose(found.float(), exact, atol=0.05)
