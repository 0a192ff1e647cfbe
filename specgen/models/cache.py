"""The KV cache: one preallocated buffer per layer, written at the current length, rolled back for free.

Rejected rows are not removed, they are overwritten: only `length` says what counts. The only module that touches the
cache classes of transformers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers.cache_utils import Cache, CacheLayerMixin

_FIRST_CAPACITY = 256


class KVLayer(CacheLayerMixin):  # type: ignore[misc]  # transformers has no types
    """Keys and values of one layer: (1, heads, capacity, head_dim) each, grown by doubling."""

    is_sliding = False
    is_croppable = True

    def __init__(self, cache: KVCache) -> None:
        super().__init__()
        self._cache = cache

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        self.keys = _buffer_like(key_states, _FIRST_CAPACITY)
        self.values = _buffer_like(value_states, _FIRST_CAPACITY)
        self.is_initialized = True

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Write a block of M rows after the kept ones and return keys and values up to its end."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start = self._cache.length
        end = start + key_states.shape[2]
        if end > self.keys.shape[2]:
            self._grow(end)
        self.keys[:, :, start:end] = key_states
        self.values[:, :, start:end] = value_states
        return self.keys[:, :, :end], self.values[:, :, :end]

    def move(self, rows: torch.Tensor, start: int) -> None:
        """Copy the absolute `rows` so that they follow one another from `start`."""
        end = start + rows.shape[0]
        self.keys[:, :, start:end] = self.keys[:, :, rows]
        self.values[:, :, start:end] = self.values[:, :, rows]

    def _grow(self, needed: int) -> None:
        capacity = max(needed, 2 * self.keys.shape[2])
        kept = self._cache.length
        keys, values = _buffer_like(self.keys, capacity), _buffer_like(self.values, capacity)
        keys[:, :, :kept] = self.keys[:, :, :kept]
        values[:, :, :kept] = self.values[:, :, :kept]
        self.keys, self.values = keys, values

    def get_seq_length(self) -> int:
        return self._cache.length

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self._cache.length + query_length, 0

    def get_max_length(self) -> int:
        return -1


class KVCache(Cache):  # type: ignore[misc]  # transformers has no types
    """Rows of all layers. Position j of the context lies in row j; a block of M rows is written at `length`."""

    def __init__(self) -> None:
        super().__init__(layers=[])
        self.length = 0
        """Kept rows: positions 0 to length - 1 of the context."""

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, layer_idx: int, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        while len(self.layers) <= layer_idx:
            self.layers.append(KVLayer(self))
        keys, values = self.layers[layer_idx].update(key_states, value_states)
        return keys, values

    def get_seq_length(self, layer_idx: int = 0) -> int:
        return self.length

    def get_mask_sizes(self, query_length: int, layer_idx: int = 0) -> tuple[int, int]:
        return self.length + query_length, 0

    def keep(self, rows: Sequence[int]) -> None:
        """Keep `rows` of the block that was written last (ascending indices into it), and drop its other rows."""
        if list(rows) != list(range(len(rows))):
            for layer in self.layers:
                layer.move(torch.tensor(rows, device=layer.keys.device) + self.length, self.length)
        self.length += len(rows)

    def truncate(self, length: int) -> None:
        """Forget every row from position `length` on."""
        assert 0 <= length <= self.length, f"cannot truncate {self.length} rows to {length}"
        self.length = length

    @property
    def nbytes(self) -> int:
        """Bytes of all buffers."""
        return sum(layer.keys.nbytes + layer.values.nbytes for layer in self.layers if layer.is_initialized)


def _buffer_like(states: torch.Tensor, capacity: int) -> torch.Tensor:
    return states.new_zeros((*states.shape[:2], capacity, states.shape[3]))
