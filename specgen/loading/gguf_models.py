"""What a GGUF file means to transformers: its configuration and where each tensor belongs.

One entry of `_ARCHITECTURES` per supported family. Torch-free; knows no block format and moves no weights.
Key names: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specgen.errors import ModelError
from specgen.loading.gguf_header import Header, damaged

_LLAMA3_ROPE = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
_GEMMA3_27B_LAYERS = 62


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one tensor of the file goes."""

    source: str
    """Name in the file."""
    target: str
    """Name in transformers' state dict."""
    shape: tuple[int, ...]
    heads: int = 0
    """When positive: the rows of each of so many heads are stored in interleaved rotary order, see `row_order`."""
    shift: float = 0.0
    """Added to every weight (Gemma's norms are stored with the 1 that transformers adds)."""

    def row_order(self) -> NDArray[np.intp] | None:
        """For each row of the target its row in the file, (rows,); None when the order is the same."""
        if not self.heads:
            return None
        rows = np.arange(self.shape[0]).reshape(self.heads, -1, 2)
        return rows.swapaxes(1, 2).ravel()


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The numbers that every architecture has."""

    layers: int
    hidden: int
    feed_forward: int
    heads: int
    kv_heads: int
    head: int
    vocabulary: int

    def shape(self, axes: str) -> tuple[int, ...]:
        lengths = {
            "hidden": self.hidden,
            "ff": self.feed_forward,
            "head": self.head,
            "q": self.heads * self.head,
            "kv": self.kv_heads * self.head,
            "vocab": self.vocabulary,
        }
        return tuple(lengths[axis] for axis in axes.split())


_LAYER = {
    "attn_norm.weight": ("input_layernorm.weight", "hidden"),
    "attn_q.weight": ("self_attn.q_proj.weight", "q hidden"),
    "attn_k.weight": ("self_attn.k_proj.weight", "kv hidden"),
    "attn_v.weight": ("self_attn.v_proj.weight", "kv hidden"),
    "attn_output.weight": ("self_attn.o_proj.weight", "hidden q"),
    "ffn_norm.weight": ("post_attention_layernorm.weight", "hidden"),
    "ffn_gate.weight": ("mlp.gate_proj.weight", "ff hidden"),
    "ffn_up.weight": ("mlp.up_proj.weight", "ff hidden"),
    "ffn_down.weight": ("mlp.down_proj.weight", "hidden ff"),
}
_QKV_BIAS = {
    "attn_q.bias": ("self_attn.q_proj.bias", "q"),
    "attn_k.bias": ("self_attn.k_proj.bias", "kv"),
    "attn_v.bias": ("self_attn.v_proj.bias", "kv"),
}
_OUTPUT_BIAS = {"attn_output.bias": ("self_attn.o_proj.bias", "hidden")}
_MLP_BIAS = {
    "ffn_gate.bias": ("mlp.gate_proj.bias", "ff"),
    "ffn_up.bias": ("mlp.up_proj.bias", "ff"),
    "ffn_down.bias": ("mlp.down_proj.bias", "hidden"),
}
_QK_NORM = {
    "attn_q_norm.weight": ("self_attn.q_norm.weight", "head"),
    "attn_k_norm.weight": ("self_attn.k_norm.weight", "head"),
}
_GEMMA_NORMS = {
    "post_attention_norm.weight": ("post_attention_layernorm.weight", "hidden"),
    "ffn_norm.weight": ("pre_feedforward_layernorm.weight", "hidden"),
    "post_ffw_norm.weight": ("post_feedforward_layernorm.weight", "hidden"),
}

_Layer = Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Architecture:
    """One family: the transformers class, its tensors per layer and the settings beyond the common ones."""

    model_type: str
    class_name: str
    layer: Callable[[Header], _Layer]
    settings: Callable[[Header, _Sizes], dict[str, Any]]
    interleaved_rotary: bool = False
    norm_shift: float = 0.0


def model_config(header: Header) -> dict[str, Any]:
    """Keyword arguments for transformers' configuration class of this model, "model_type" among them.

    Meant for transformers 5 (`rope_parameters`). `tie_word_embeddings` is true exactly when the file has no head of
    its own. Raises ModelError for an architecture that is not supported or a file that lacks what its architecture
    needs.
    """
    architecture, sizes = _identify(header)
    prefix = header.require("general.architecture", str)
    config = {
        "model_type": architecture.model_type,
        "architectures": [architecture.class_name],
        "vocab_size": sizes.vocabulary,
        "hidden_size": sizes.hidden,
        "intermediate_size": sizes.feed_forward,
        "num_hidden_layers": sizes.layers,
        "num_attention_heads": sizes.heads,
        "num_key_value_heads": sizes.kv_heads,
        "head_dim": sizes.head,
        "max_position_embeddings": _count(header, "context_length"),
        "rms_norm_eps": header.require(f"{prefix}.attention.layer_norm_rms_epsilon", float),
        "rope_parameters": _rope(header, sizes),
        "tie_word_embeddings": "output.weight" not in header.tensors,
    }
    for name, key in (("bos", "bos"), ("eos", "eos"), ("pad", "padding")):
        token = header.find(f"tokenizer.ggml.{key}_token_id", int)
        config[f"{name}_token_id"] = token if token is not None and token < sizes.vocabulary else None
    return config | architecture.settings(header, sizes)


def placements(header: Header) -> list[Placement]:
    """Every tensor that the model needs, in the order of the file.

    Raises ModelError when one is missing, has another shape, or when the file has a tensor that no place is known for.
    """
    architecture, sizes = _identify(header)
    wanted = [
        Placement("token_embd.weight", "model.embed_tokens.weight", sizes.shape("vocab hidden")),
        Placement("output_norm.weight", "model.norm.weight", sizes.shape("hidden"), shift=architecture.norm_shift),
    ]
    if "output.weight" in header.tensors:
        wanted.append(Placement("output.weight", "lm_head.weight", sizes.shape("vocab hidden")))
    layer = architecture.layer(header)
    for index in range(sizes.layers):
        for source, (target, axes) in layer.items():
            turned = {"attn_q": sizes.heads, "attn_k": sizes.kv_heads} if architecture.interleaved_rotary else {}
            wanted.append(
                Placement(
                    source=f"blk.{index}.{source}",
                    target=f"model.layers.{index}.{target}",
                    shape=sizes.shape(axes),
                    heads=turned.get(source.partition(".")[0], 0),
                    shift=architecture.norm_shift if source.endswith("norm.weight") else 0.0,
                )
            )
    _check(header, wanted)
    return sorted(wanted, key=lambda place: header.tensors[place.source].offset)


def _check(header: Header, wanted: list[Placement]) -> None:
    for place in wanted:
        info = header.tensors.get(place.source)
        if info is None:
            raise damaged(header.path, f"tensor {place.source!r} is missing")
        if info.shape != place.shape:
            raise damaged(header.path, f"tensor {place.source!r} has shape {info.shape}, expected {place.shape}")
        if place.heads and len(place.shape) == 1 and info.kind.size > 1:
            raise _unsupported(header, f"a quantized bias ({place.source!r})")
    unknown = header.tensors.keys() - {place.source for place in wanted} - {"rope_freqs.weight"}
    if unknown:
        raise ModelError(
            f"{header.path.name!r} has a tensor that its architecture does not explain: {min(unknown)!r}",
            hint="use the original checkpoint (a folder or a hub name) instead of the gguf file",
        )


def _identify(header: Header) -> tuple[_Architecture, _Sizes]:
    name = header.require("general.architecture", str)
    architecture = _ARCHITECTURES.get(name)
    if architecture is None:
        raise _unsupported(header, f"gguf architecture {name!r}")
    if (experts := header.find(f"{name}.expert_count", int)) is not None and experts > 0:
        raise _unsupported(header, f"gguf architecture {name!r} with {experts} experts")
    return architecture, _sizes(header)


def _unsupported(header: Header, what: str) -> ModelError:
    return ModelError(
        f"{header.path.name!r}: {what} is not supported",
        hint=f"gguf files of {', '.join(_ARCHITECTURES)} are; others load from their original checkpoint",
    )


def _sizes(header: Header) -> _Sizes:
    embeddings = header.tensors.get("token_embd.weight")
    if embeddings is None or len(embeddings.shape) != 2:
        raise damaged(header.path, "it has no token embeddings")
    vocabulary, hidden = embeddings.shape
    tokens = header.metadata.count("tokenizer.ggml.tokens") or 0
    if tokens > vocabulary or hidden != _count(header, "embedding_length"):
        raise damaged(header.path, f"token embeddings of shape {embeddings.shape} do not fit {tokens} tokens")
    heads = _count(header, "attention.head_count")
    head = _count(header, "attention.key_length", default=hidden // heads)
    if _count(header, "attention.value_length", default=head) != head:
        raise _unsupported(header, "a value length that differs from the key length")
    if _count(header, "rope.dimension_count", default=head) != head or head % 2:
        raise _unsupported(header, "a rotary embedding over a part of the head")
    layers = _count(header, "block_count")
    if layers > len(header.tensors):
        raise damaged(header.path, f"{layers} layers in {len(header.tensors)} tensors")
    return _Sizes(
        layers=layers,
        hidden=hidden,
        feed_forward=_count(header, "feed_forward_length"),
        heads=heads,
        kv_heads=_count(header, "attention.head_count_kv", default=heads),
        head=head,
        vocabulary=vocabulary,
    )


def _count(header: Header, name: str, *, default: int | None = None) -> int:
    """A positive size; one number per layer is fine when they are all equal."""
    key = f"{header.require('general.architecture', str)}.{name}"
    value = header.metadata.get(key, default)
    if isinstance(value, np.ndarray) and value.size and (value == value[0]).all():
        value = value[0].item()
    if isinstance(value, np.ndarray):
        raise _unsupported(header, f"a {key} that differs between layers")
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 1 << 31:
        raise damaged(header.path, f"{key} is {value!r}")
    return value


def _positive(header: Header, key: str, *, default: float | None = None) -> float:
    value = header.find(key, float) if default is None or key in header.metadata else default
    if value is None or not 0 < value < math.inf:
        raise damaged(header.path, f"{key} is {value!r}")
    return value


def _rope(header: Header, sizes: _Sizes) -> dict[str, Any]:
    """transformers' `rope_parameters` for one kind of layer."""
    prefix = header.require("general.architecture", str)
    base = _positive(header, f"{prefix}.rope.freq_base", default=10000.0)
    kind = header.find(f"{prefix}.rope.scaling.type", str) or "none"
    parameters: dict[str, Any] = {"rope_type": "default", "rope_theta": base}
    if "rope_freqs.weight" in header.tensors:
        return parameters | _frequency_factors(header, sizes, base)
    if kind == "none":
        return parameters
    if kind not in ("linear", "yarn"):
        raise _unsupported(header, f"rotary scaling {kind!r}")
    factor = _positive(header, f"{prefix}.rope.scaling.factor")
    parameters |= {"rope_type": kind, "factor": factor}
    if kind == "yarn":
        context = _count(header, "rope.scaling.original_context_length", default=_count(header, "context_length"))
        parameters["original_max_position_embeddings"] = context
        if (attention := header.find(f"{prefix}.rope.scaling.attn_factor", float)) is not None:
            parameters["attention_factor"] = attention * (0.1 * math.log(factor) + 1.0)
    return parameters


def _frequency_factors(header: Header, sizes: _Sizes, base: float) -> dict[str, Any]:
    """Llama 3's scaling, stored as one divisor per frequency.

    Recognised as the published formula where it reproduces the stored numbers; otherwise the numbers themselves are
    passed on in the one form of transformers that takes a divisor per frequency.
    """
    info = header.tensors["rope_freqs.weight"]
    if info.shape != (sizes.head // 2,) or info.kind.name != "F32":
        raise damaged(header.path, f"rope_freqs.weight is {info.kind.name} of shape {info.shape}")
    stored = header.raw("rope_freqs.weight").view(np.float32).ravel()
    if not np.isfinite(stored).all() or (stored <= 0).any():
        raise damaged(header.path, "rope_freqs.weight has values that are not positive")
    factor = float(stored.max())
    if np.allclose(stored, _llama3_divisors(base, sizes.head, factor), rtol=1e-4):
        return {"rope_type": "llama3", "factor": factor, **_LLAMA3_ROPE}
    return {
        "rope_type": "longrope",
        "short_factor": stored.tolist(),
        "long_factor": stored.tolist(),
        "factor": 1.0,
        "attention_factor": 1.0,
        "original_max_position_embeddings": _count(header, "context_length"),
    }


def _llama3_divisors(base: float, head: int, factor: float) -> NDArray[np.float64]:
    """Divisor of each inverse frequency, (head / 2,); Llama 3.1's `apply_scaling`."""
    low, high, context = _LLAMA3_ROPE.values()
    turns = context / (2 * math.pi * base ** (np.arange(0, head, 2) / head))
    smooth = np.clip((turns - low) / (high - low), 0.0, 1.0)
    return 1.0 / ((1.0 - smooth) / factor + smooth)


def _llama_layer(header: Header) -> _Layer:
    layer = dict(_LAYER)
    if "blk.0.attn_q.bias" in header.tensors:
        layer |= _QKV_BIAS | _OUTPUT_BIAS
    if "blk.0.ffn_gate.bias" in header.tensors:
        layer |= _MLP_BIAS
    return layer


def _llama_settings(header: Header, sizes: _Sizes) -> dict[str, Any]:
    return {
        "attention_bias": "blk.0.attn_q.bias" in header.tensors,
        "mlp_bias": "blk.0.ffn_gate.bias" in header.tensors,
    }


def _gemma3_settings(header: Header, sizes: _Sizes) -> dict[str, Any]:
    """Five sliding layers, then a full one; only the full ones take the file's base and scaling.

    The query scale is not in the file: it is the head size, except for the 27B model, which divides by the model
    width per head.
    """
    local = _positive(header, "gemma3.rope.freq_base_swa", default=10000.0)
    scalar = sizes.hidden // sizes.heads if sizes.layers == _GEMMA3_27B_LAYERS else sizes.head
    return {
        "query_pre_attn_scalar": scalar,
        "sliding_window": _count(header, "attention.sliding_window"),
        "layer_types": ["sliding_attention" if slides else "full_attention" for slides in _sliding(header, sizes)],
        "final_logit_softcapping": header.find("gemma3.final_logit_softcapping", float),
        "rope_parameters": {
            "full_attention": _rope(header, sizes),
            "sliding_attention": {"rope_type": "default", "rope_theta": local},
        },
    }


def _sliding(header: Header, sizes: _Sizes) -> list[bool]:
    """Which layers have a window: every one but each sixth, unless the file says otherwise (a period, or a list)."""
    listed = header.metadata.get("gemma3.attention.sliding_window_pattern")
    if isinstance(listed, np.ndarray) and len(listed) == sizes.layers:
        return [bool(slides) for slides in listed]
    period = _count(header, "attention.sliding_window_pattern", default=6)
    return [index % period != period - 1 for index in range(sizes.layers)]


def _no_settings(header: Header, sizes: _Sizes) -> dict[str, Any]:
    return {}


_ARCHITECTURES = {
    "llama": _Architecture("llama", "LlamaForCausalLM", _llama_layer, _llama_settings, interleaved_rotary=True),
    "qwen2": _Architecture("qwen2", "Qwen2ForCausalLM", lambda _: _LAYER | _QKV_BIAS, _no_settings),
    "qwen3": _Architecture("qwen3", "Qwen3ForCausalLM", lambda _: _LAYER | _QK_NORM, _no_settings),
    "gemma3": _Architecture(
        "gemma3_text",
        "Gemma3ForCausalLM",
        lambda _: _LAYER | _QK_NORM | _GEMMA_NORMS,
        _gemma3_settings,
        norm_shift=-1.0,
    ),
}
"""By `general.architecture`."""
