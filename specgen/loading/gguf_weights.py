"""The weights of a GGUF file as torch tensors under transformers' names, dequantized by the chunk on threads.

Knows where tensors go (`gguf_models`) and how blocks unpack (`gguf_quants`); builds no model. Memory beyond the result:
one chunk per thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from specgen.loading.gguf_header import BlockType, Header
from specgen.loading.gguf_models import Placement, placements
from specgen.loading.gguf_quants import dequantize
from specgen.progress import Progress, Report, silent

if TYPE_CHECKING:
    import torch

_CHUNK = 1 << 18  # weights: 1 MB of float32, which stays in the cache between the passes over it
_SERIAL = 1 << 15  # torch starts threads of its own for longer copies, and ours are already busy


@dataclass(frozen=True, slots=True)
class _Work:
    """Rows [first, last) of one tensor."""

    packed: NDArray[np.uint8]
    order: NDArray[np.intp] | None
    kind: BlockType
    shift: float
    out: torch.Tensor
    first: int
    last: int

    @property
    def nbytes(self) -> int:
        return (self.last - self.first) * int(self.packed.shape[1])


def load_weights(
    header: Header, *, dtype: torch.dtype, threads: int, report: Report = silent
) -> dict[str, torch.Tensor]:
    """All weights, dequantized to `dtype`, by transformers' state-dict name.

    A model with tied embeddings has no "lm_head.weight", as in its checkpoints on the hub. Values are those of
    gguf-py's dequantization (float32), rounded to `dtype`. Raises ModelError when a tensor is missing or misshapen.
    """
    import torch

    places = placements(header)
    weights = {place.target: torch.empty(place.shape, dtype=dtype, device="cpu") for place in places}
    total = sum(header.tensors[place.source].nbytes for place in places)
    done = 0
    report(Progress(f"loading {header.path.name}", done, total))
    pool = ThreadPoolExecutor(max_workers=max(1, threads), thread_name_prefix="gguf")
    try:
        work = (item for place in places for item in _split(header, place, weights[place.target]))
        for nbytes in pool.map(_fill, work):
            done += nbytes
            report(Progress(f"loading {header.path.name}", done, total))
    finally:
        pool.shutdown(cancel_futures=True)
    return weights


def _split(header: Header, place: Placement, out: torch.Tensor) -> Iterator[_Work]:
    info, packed, order = header.tensors[place.source], header.raw(place.source), place.row_order()
    if order is not None:
        packed = packed.reshape(len(order), -1)
    step = max(1, _CHUNK * len(packed) // out.numel())
    for first in range(0, len(packed), step):
        last = min(first + step, len(packed))
        yield _Work(packed, order, info.kind, place.shift, out.view(len(packed), -1), first, last)


def _fill(work: _Work) -> int:
    import torch

    rows = slice(work.first, work.last)
    packed = work.packed[rows] if work.order is None else work.packed[work.order[rows]]
    target = work.out[rows].view(-1)
    direct = target.dtype == torch.float32
    floats = target if direct else torch.empty(target.shape, dtype=torch.float32, device="cpu")
    dequantize(work.kind.name, packed.reshape(-1, work.kind.nbytes), floats.numpy().reshape(-1, work.kind.size))
    if work.shift:
        floats += work.shift
    if not direct:
        for piece, source in zip(torch.split(target, _SERIAL), torch.split(floats, _SERIAL), strict=True):
            piece.copy_(source)
    return work.nbytes
