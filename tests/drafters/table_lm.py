"""A language model that is a table, with the interface of `CausalLM`, and a diary of what it was fed."""

from __future__ import annotations

from collections.abc import Sequence

import torch


class TableLM:
    """Row t of `table` is what follows token t."""

    def __init__(self, table: torch.Tensor, *, max_positions: int | None = None) -> None:
        self.table = table
        self.vocab_size = len(table)
        self.max_positions = max_positions
        self.cached: list[int] = []
        self.fed: list[list[int]] = []

    @property
    def length(self) -> int:
        return len(self.cached)

    def prefill(self, ids: Sequence[int]) -> tuple[torch.Tensor, None]:
        self.fed.append(list(ids))
        self.cached += ids
        assert self.max_positions is None or self.length <= self.max_positions
        return self.table[self.cached[-1]], None

    def truncate(self, length: int) -> None:
        assert 0 <= length <= self.length
        del self.cached[length:]


def counting_up(vocab: int) -> torch.Tensor:
    """After t comes t + 1."""
    return 9 * torch.eye(vocab).roll(1, 1)
