"""Attention for a block of rows over the KV cache, registered with transformers under the name `specgen`.

Masks are built from positions and, for a tree, from the ancestors of each row; windows and chunks come from the mask
function that the architecture itself asks for, so sliding layers need no knowledge here. Query heads that share a KV
head are packed into rows: the same numbers as repeating keys and values, without the copies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface, causal_mask_function

NAME = "specgen"
_PACKED_ROWS = 32
"""Blocks up to this size are packed; longer ones (prefill) repeat keys and values, which is then the cheaper copy."""


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of one forward."""

    positions: torch.Tensor
    """(M,) position of each row in its own sequence."""
    start: int
    """Cached rows before the block."""
    ancestors: torch.Tensor | None = None
    """(M, M) bool for a tree: row i sees row j of the block; `None` for a chain."""


_current: ContextVar[Block] = ContextVar("specgen_block")


@contextmanager
def block_of(block: Block) -> Iterator[None]:
    """Within, masks are made for `block`."""
    token = _current.set(block)
    try:
        yield
    finally:
        _current.reset(token)


def block_mask(
    batch_size: int, q_length: int, kv_length: int, *args: Any, mask_function: Callable[..., Any], **kwargs: Any
) -> torch.Tensor | None:
    """(1, 1, M, L) bool, True where a row may look, or `None` when one row sees everything."""
    block = _current.get()
    if q_length == 1 and mask_function is causal_mask_function:
        return None
    q = block.positions[:, None]
    cached = torch.arange(block.start, device=q.device)
    kv = torch.cat([cached, block.positions])[None, :]
    zero = q.new_zeros(())
    mask = torch.as_tensor(mask_function(zero, zero, q, kv), device=q.device).expand(q_length, kv_length).clone()
    if block.ancestors is not None:
        mask[:, block.start :] &= block.ancestors
    return mask[None, None]


def attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    scaling: float | None = None,
    softcap: float | None = None,
    s_aux: torch.Tensor | None = None,
    **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    """query (1, H, M, D), key and value (1, H_kv, L, D) -> (1, M, H, D_v)."""
    heads, rows = query.shape[1], query.shape[2]
    groups = heads // key.shape[1]
    if softcap is not None or s_aux is not None:
        out = _attend_scores(query, key, value, attention_mask, scaling=scaling, softcap=softcap, sinks=s_aux)
    elif groups > 1 and rows <= _PACKED_ROWS and (attention_mask is None or attention_mask.shape[1] == 1):
        packed = query.reshape(1, key.shape[1], groups * rows, query.shape[3])
        mask = None if attention_mask is None else attention_mask.repeat(1, 1, groups, 1)
        out = F.scaled_dot_product_attention(packed, key, value, attn_mask=mask, scale=scaling)
        out = out.reshape(1, heads, rows, value.shape[3])
    else:
        key, value = (states.repeat_interleave(groups, 1) if groups > 1 else states for states in (key, value))
        out = F.scaled_dot_product_attention(query, key, value, attn_mask=attention_mask, scale=scaling)
    return out.transpose(1, 2).contiguous(), None


def _attend_scores(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
    *,
    scaling: float | None,
    softcap: float | None,
    sinks: torch.Tensor | None,
) -> torch.Tensor:
    """Attention with explicit scores, for soft-capped scores (Gemma 2) and attention sinks (gpt-oss)."""
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.transpose(2, 3) * (scaling if scaling is not None else query.shape[3] ** -0.5)
    if softcap is not None:
        scores = torch.tanh(scores / softcap) * softcap
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    if sinks is not None:
        column = sinks.reshape(1, -1, 1, 1).expand(1, -1, scores.shape[2], 1).to(scores.dtype)
        scores = torch.cat([scores, column], dim=-1)
    weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(value.dtype)
    return weights[..., : key.shape[2]] @ value


AttentionInterface.register(NAME, attend)
AttentionMaskInterface.register(NAME, block_mask)
