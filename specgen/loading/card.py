"""What a model is, judged from its small files before any weights are loaded. Torch-free and fast.

The one judgement here is whether a model's state can be rolled back: attention keeps a row per token, which can be
dropped again; recurrences and convolutions keep a running state, which cannot.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specgen.errors import ModelError
from specgen.loading.gguf_header import Header, read_header
from specgen.loading.model_files import read_json, text_config

_ROW_PER_TOKEN = {"full_attention", "sliding_attention", "chunked_attention", "attention"}
_RUNNING_STATE = {
    *("bailing_hybrid", "bamba", "deepseek_v4", "falcon_h1", "falcon_mamba", "glm5_next", "glm5_next_text"),
    *("granitemoehybrid", "jamba", "kimi_linear", "lfm2", "lfm2_moe", "mamba", "mamba2", "minimax", "nemotron_h"),
    *("olmo_hybrid", "plamo2", "qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text", "qwen3_next"),
    *("qwen4_exp", "qwen4_exp_text", "recurrent_gemma", "rwkv", "rwkv5", "rwkv6", "rwkv7", "xlstm", "zamba"),
    *("zamba2", "zaya"),
}
"""Model types of transformers that keep a running state, even where their settings do not show it."""
_STATE_SETTINGS = ("mamba_", "ssm_", "linear_conv_", "linear_attn_config", "conv_L_cache", "hybrid_override_pattern")
_STATE_TENSORS = (".ssm_", ".shortconv.", ".time_mix_")
_FLOATS = {"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2"}


@dataclass(frozen=True, slots=True)
class ModelCard:
    """Facts about a model on disk; None where they cannot be told without loading it."""

    architecture: str
    """transformers' model_type, or `general.architecture` of a GGUF file."""
    context_length: int | None
    """Tokens."""
    vocabulary_rows: int | None
    """Rows of the embedding, padding included."""
    parameters: int | None
    weight_bytes: int
    """Bytes of weights on disk."""
    keeps_state: str | None
    """Why the model's state cannot be rolled back (so drafts cannot be verified); None when it can."""


def describe(path: Path | str) -> ModelCard:
    """The card of a .gguf file or a model folder. Raises ModelError when it is missing or damaged."""
    path = Path(path)
    return _folder_card(path) if path.is_dir() else _gguf_card(read_header(path))


def _gguf_card(header: Header) -> ModelCard:
    architecture = header.require("general.architecture", str)
    embeddings = header.tensors.get("token_embd.weight")
    recurrent = next((name for name in header.tensors if any(part in name for part in _STATE_TENSORS)), None)
    return ModelCard(
        architecture=architecture,
        context_length=header.find(f"{architecture}.context_length", int),
        vocabulary_rows=embeddings.shape[0] if embeddings else None,
        parameters=sum(math.prod(info.shape) for info in header.tensors.values()),
        weight_bytes=sum(info.nbytes for info in header.tensors.values()),
        keeps_state=f"{architecture} keeps a running state (tensor {recurrent})" if recurrent else None,
    )


def _folder_card(folder: Path) -> ModelCard:
    config = text_config(folder)
    if not config:
        raise ModelError(f"model folder {str(folder)!r} has no config.json")
    files = _weight_files(folder)
    model_type = config.get("model_type")
    return ModelCard(
        architecture=model_type if isinstance(model_type, str) else "unknown",
        context_length=_first_count(config, "max_position_embeddings", "n_positions", "max_seq_len", "seq_length"),
        vocabulary_rows=_first_count(config, "vocab_size"),
        parameters=None if "quantization_config" in config else _parameters(files),
        weight_bytes=sum(file.stat().st_size for file in files),
        keeps_state=_running_state(config),
    )


def _running_state(config: Mapping[str, Any]) -> str | None:
    name = config.get("model_type")
    for key in ("layer_types", "layers_block_type", "block_types"):
        kinds = config.get(key)
        if isinstance(kinds, list) and (other := sorted({str(kind) for kind in kinds} - _ROW_PER_TOKEN)):
            return f"{name} keeps a running state ({other[0]} layers)"
    setting = next((key for key in config if key.startswith(_STATE_SETTINGS) and config[key] is not None), None)
    if name in _RUNNING_STATE or setting:
        return f"{name} keeps a running state" + (f" ({setting})" if setting else "")
    return None


def _first_count(config: Mapping[str, Any], *keys: str) -> int | None:
    return next((value for key in keys if isinstance(value := config.get(key), int) and value > 0), None)


def _weight_files(folder: Path) -> list[Path]:
    """The shards that an index names, else every safetensors file, else the pickled ones."""
    listed = read_json(folder / "model.safetensors.index.json").get("weight_map")
    if isinstance(listed, dict):
        return [file for name in sorted(set(map(str, listed.values()))) if (file := folder / name).is_file()]
    single = folder / "model.safetensors"
    if single.is_file():
        return [single]
    return sorted(folder.glob("*.safetensors")) or sorted(folder.glob("pytorch_model*.bin"))


def _parameters(files: list[Path]) -> int | None:
    """Sum over the safetensors headers; None when a file is something else or holds packed weights."""
    total = 0
    for file in files:
        if file.suffix != ".safetensors":
            return None
        tensors = _safetensors_tensors(file)
        if any(dtype not in _FLOATS for dtype, _ in tensors):
            return None
        total += sum(math.prod(shape) for _, shape in tensors)
    return total if files else None


def _safetensors_tensors(file: Path) -> list[tuple[str, tuple[int, ...]]]:
    """Type and shape of every tensor, from the file's header (https://github.com/huggingface/safetensors#format)."""
    try:
        with file.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            if length > file.stat().st_size:
                raise ValueError("its header is longer than the file")
            header = json.loads(stream.read(length))
        header.pop("__metadata__", None)
        return [(entry["dtype"], tuple(map(int, entry["shape"]))) for entry in header.values()]
    except (OSError, ValueError, LookupError, struct.error, AttributeError, TypeError, RecursionError) as error:
        raise ModelError(f"damaged safetensors file {str(file)!r}: {error}", hint="download it again") from error
