"""A writer of GGUF files for tests: a few kilobytes, and as wrong as a test wants them."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from specgen.loading.gguf import read_header
from specgen.loading.tokenizer import Tokenizer

_RNG = np.random.default_rng(1)
TYPES = {"uint8": 0, "int8": 1, "uint16": 2, "int16": 3, "uint32": 4, "int32": 5, "float32": 6, "bool": 7}
TYPES |= {"uint64": 10, "int64": 11, "float64": 12}
STRING, ARRAY = 8, 9
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED = range(1, 6)


class Packed(NamedTuple):
    """A tensor: type id, shape in torch's order, bytes."""

    kind: int
    shape: tuple[int, ...]
    data: bytes


def f32(values: Any) -> Packed:
    array = np.asarray(values, dtype=np.float32)
    return Packed(0, array.shape, array.tobytes())


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value(content: Any) -> bytes:
    """Type id and value: int -> uint32, float -> float32, lists by their first element, numpy by dtype."""
    kind, body = _body(content)
    return struct.pack("<I", kind) + body


def _body(content: Any) -> tuple[int, bytes]:
    if isinstance(content, str):
        return STRING, text(content)
    if isinstance(content, list):
        bodies = [_body(item) for item in content]
        kind = bodies[0][0] if bodies else STRING
        return ARRAY, struct.pack("<IQ", kind, len(content)) + b"".join(body for _, body in bodies)
    if isinstance(content, bool):
        content = np.bool_(content)
    elif isinstance(content, int):
        content = np.uint32(content)
    elif isinstance(content, float):
        content = np.float32(content)
    kind, data = TYPES[content.dtype.name], content.tobytes()
    if content.ndim:
        return ARRAY, struct.pack("<IQ", kind, len(content)) + data
    return kind, data


def gguf_bytes(
    metadata: Mapping[str, Any], tensors: Mapping[str, Packed] | None = None, *, version: int = 3, alignment: int = 32
) -> bytes:
    """A whole file. Tensors lie one after the other, each on `alignment`."""
    tensors = tensors or {}
    head = struct.pack("<4sIQQ", b"GGUF", version, len(tensors), len(metadata))
    head += b"".join(text(key) + value(content) for key, content in metadata.items())
    body = b""
    for name, tensor in tensors.items():
        body += bytes(-len(body) % alignment)
        head += text(name) + struct.pack(f"<I{len(tensor.shape)}Q", len(tensor.shape), *tensor.shape[::-1])
        head += struct.pack("<IQ", tensor.kind, len(body))
        body += tensor.data
    return head + bytes(-len(head) % alignment) + body


def write_gguf(
    path: Path, metadata: Mapping[str, Any], tensors: Mapping[str, Packed] | None = None, *, version: int = 3
) -> Path:
    path.write_bytes(gguf_bytes(metadata, tensors, version=version))
    return path


def byte_level_tokenizer(*, pre: str = "gpt-2", extra: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Metadata of a byte-level vocabulary: all bytes, three merges, then `extra` tokens by their type."""
    characters = [*range(33, 127), *range(161, 173), *range(174, 256)]
    alphabet = [chr(code) for code in characters] + [chr(256 + i) for i in range(256 - len(characters))]
    tokens = [*alphabet, "he", "ll", "hell", *(extra or {})]
    types = [1] * (len(alphabet) + 3) + list((extra or {}).values())
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": np.array(types, np.int32),
        "tokenizer.ggml.merges": ["h e", "l l", "he ll"],
    }


def sentencepiece_tokenizer(pieces: Mapping[str, float], others: Mapping[str, int], **settings: Any) -> dict[str, Any]:
    """Metadata of a SentencePiece vocabulary: `others` (token -> type) first, then the 256 bytes, then `pieces`."""
    raw = [f"<0x{byte:02X}>" for byte in range(256)]
    tokens = [*others, *raw, *pieces]
    return {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": np.array([0.0] * (len(others) + 256) + list(pieces.values()), np.float32),
        "tokenizer.ggml.token_type": np.array([*others.values(), *[6] * 256, *[1] * len(pieces)], np.int32),
        **{f"tokenizer.ggml.{key}": content for key, content in settings.items()},
    }


def tiny_metadata(architecture: str, **changes: Any) -> dict[str, Any]:
    """Two layers of width 32: 4 heads of 8 over 2 key-value heads, feed-forward 64."""
    numbers = {
        "context_length": 128,
        "embedding_length": 32,
        "block_count": 2,
        "feed_forward_length": 64,
        "attention.head_count": 4,
        "attention.head_count_kv": 2,
        "attention.key_length": 8,
        "attention.value_length": 8,
        "attention.layer_norm_rms_epsilon": 1e-6,
        "rope.freq_base": 10000.0,
        **changes,
    }
    keys = {f"{architecture}.{key}": number for key, number in numbers.items() if number is not None}
    return {"general.architecture": architecture, **keys}


def tiny_tensors(architecture: str = "llama", *, vocabulary: int = 40) -> dict[str, Packed]:
    """Random weights for `tiny_metadata`, tied."""
    shapes = {
        "attn_norm.weight": (32,),
        "attn_q.weight": (32, 32),
        "attn_k.weight": (16, 32),
        "attn_v.weight": (16, 32),
        "attn_output.weight": (32, 32),
        "ffn_norm.weight": (32,),
        "ffn_gate.weight": (64, 32),
        "ffn_up.weight": (64, 32),
        "ffn_down.weight": (32, 64),
    }
    if architecture == "qwen2":
        shapes |= {"attn_q.bias": (32,), "attn_k.bias": (16,), "attn_v.bias": (16,)}
    if architecture in ("qwen3", "gemma3"):
        shapes |= {"attn_q_norm.weight": (8,), "attn_k_norm.weight": (8,)}
    if architecture == "gemma3":
        shapes |= {"post_attention_norm.weight": (32,), "post_ffw_norm.weight": (32,)}
    names = {"token_embd.weight": (vocabulary, 32), "output_norm.weight": (32,)}
    names |= {f"blk.{layer}.{name}": shape for layer in range(2) for name, shape in shapes.items()}
    return {name: f32(_RNG.standard_normal(shape)) for name, shape in names.items()}


def tokenizer_of(folder: Path, metadata: Mapping[str, Any]) -> Tokenizer:
    """The tokenizer of a GGUF file that has nothing but this metadata."""
    return Tokenizer.from_gguf(read_header(write_gguf(folder / "t.gguf", metadata)))
