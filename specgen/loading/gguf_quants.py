"""Blocks of a GGUF tensor -> float32 weights, in numpy; bit-identical to gguf-py's `gguf.quants`.

The common formats are written out here, straight into the caller's memory and two to three times faster; the rest go
through gguf-py. Knows blocks and nothing of files, tensors or torch. Formats: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Dequantizer = Callable[[Bytes, Floats], None]
"""Takes blocks (n, bytes per block) and fills out (n, weights per block), which must be contiguous."""

_HIGH_BIT_OF_5 = (((np.arange(256)[:, None] >> np.arange(8)) & 1) * 16).astype(np.uint8).view(np.uint64)[:, 0]
"""Byte of eight fifth bits -> eight bytes of 0 or 16, as one word."""


def dequantize(kind: str, blocks: Bytes, out: Floats) -> None:
    """Fill `out` (n, weights per block) from `blocks` (n, bytes per block) of the format named `kind`."""
    with np.errstate(invalid="ignore", over="ignore"):
        if kind in _OWN:
            _OWN[kind](blocks, out)
        else:
            _through_gguf_py(kind, blocks, out)


def _through_gguf_py(kind: str, blocks: Bytes, out: Floats) -> None:
    from gguf.constants import GGMLQuantizationType
    from gguf.quants import dequantize as reference

    # One row, because gguf-py works on groups of sixteen rows.
    row = np.ascontiguousarray(blocks).reshape(1, -1)
    out[:] = reference(row, GGMLQuantizationType[kind]).reshape(out.shape)


def _half(blocks: Bytes, at: int) -> Floats:
    """The float16 at byte `at` of every block, (n, 1)."""
    return blocks[:, at : at + 2].view(np.float16).astype(np.float32)


def _nibbles(packed: Bytes, out: NDArray[Any]) -> None:
    """packed (..., k) -> out (..., 2, k): low halves, then high halves."""
    np.bitwise_and(packed, 15, out=out[..., 0, :], casting="unsafe")
    np.right_shift(packed, 4, out=out[..., 1, :], casting="unsafe")


def _f32(blocks: Bytes, out: Floats) -> None:
    np.copyto(out, blocks.view(np.float32))


def _f16(blocks: Bytes, out: Floats) -> None:
    np.copyto(out, blocks.view(np.float16))


def _bf16(blocks: Bytes, out: Floats) -> None:
    bits = out.view(np.uint32)
    np.copyto(bits, blocks.view(np.uint16))
    bits <<= 16


def _q4_0(blocks: Bytes, out: Floats) -> None:
    _nibbles(blocks[:, 2:], out.reshape(-1, 2, 16))
    out -= 8
    out *= _half(blocks, 0)


def _q4_1(blocks: Bytes, out: Floats) -> None:
    _nibbles(blocks[:, 4:], out.reshape(-1, 2, 16))
    out *= _half(blocks, 0)
    out += _half(blocks, 2)


def _five_bits(high: Bytes, low: Bytes) -> Bytes:
    """high (n, 4), low (n, 16) -> values 0..31, (n, 32)."""
    values = np.empty((len(low), 2, 16), np.uint8)
    _nibbles(low, values)
    words = values.reshape(-1, 32).view(np.uint64)
    words |= _HIGH_BIT_OF_5.take(high)
    return words.view(np.uint8)


def _q5_0(blocks: Bytes, out: Floats) -> None:
    values = _five_bits(blocks[:, 2:6], blocks[:, 6:])
    values -= 16
    np.copyto(out, values.view(np.int8))
    out *= _half(blocks, 0)


def _q5_1(blocks: Bytes, out: Floats) -> None:
    np.copyto(out, _five_bits(blocks[:, 4:8], blocks[:, 8:]))
    out *= _half(blocks, 0)
    out += _half(blocks, 2)


def _q8_0(blocks: Bytes, out: Floats) -> None:
    np.copyto(out, blocks[:, 2:].view(np.int8))
    out *= _half(blocks, 0)


def _scale_and_shift(blocks: Bytes, out: Floats) -> None:
    """Q4_K, Q5_K: apply the 6-bit scales and minima in bytes 4..15 to eight sub-blocks of 32."""
    low, middle, high = blocks[:, 4:8], blocks[:, 8:12], blocks[:, 12:16]
    scales = np.concatenate([low & 63, (high & 15) | (low >> 2 & 48)], axis=1)
    minima = np.concatenate([middle & 63, (high >> 4) | (middle >> 2 & 48)], axis=1)
    parts = out.reshape(-1, 8, 32)
    parts *= (_half(blocks, 0) * scales)[:, :, None]
    parts -= (_half(blocks, 2) * minima)[:, :, None]


def _q4_k(blocks: Bytes, out: Floats) -> None:
    _nibbles(blocks[:, 16:].reshape(-1, 4, 32), out.reshape(-1, 4, 2, 32))
    _scale_and_shift(blocks, out)


def _q5_k(blocks: Bytes, out: Floats) -> None:
    values = np.empty((len(blocks), 4, 2, 32), np.uint8)
    _nibbles(blocks[:, 48:].reshape(-1, 4, 32), values)
    high = blocks[:, None, 16:48] >> np.arange(8, dtype=np.uint8)[:, None]
    high &= 1
    high <<= 4
    np.bitwise_or(values.reshape(-1, 8, 32), high, out=high)
    np.copyto(out, high.reshape(-1, 256))
    _scale_and_shift(blocks, out)


def _q6_k(blocks: Bytes, out: Floats) -> None:
    values = np.empty((len(blocks), 2, 4, 32), np.uint8)
    _nibbles(blocks[:, :128].reshape(-1, 2, 64), values.reshape(-1, 2, 2, 64))
    high = blocks[:, 128:192].reshape(-1, 2, 1, 32) >> np.arange(0, 8, 2, dtype=np.uint8)[:, None]
    high &= 3
    high <<= 4
    values |= high
    values -= 32
    np.copyto(out, values.view(np.int8).reshape(-1, 256))
    parts = out.reshape(-1, 16, 16)
    parts *= (_half(blocks, 208) * blocks[:, 192:208].view(np.int8))[:, :, None]


_OWN: dict[str, Dequantizer] = {
    "F32": _f32,
    "F16": _f16,
    "BF16": _bf16,
    "Q4_0": _q4_0,
    "Q4_1": _q4_1,
    "Q5_0": _q5_0,
    "Q5_1": _q5_1,
    "Q8_0": _q8_0,
    "Q4_K": _q4_k,
    "Q5_K": _q5_k,
    "Q6_K": _q6_k,
}
