"""Model cards: sizes from headers, and who keeps a state that cannot be rolled back."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from small_gguf import f32, write_gguf

from specgen.errors import ModelError
from specgen.loading.card import describe


def model_folder(folder: Path, **config: Any) -> Path:
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def safetensors(path: Path, tensors: dict[str, tuple[str, list[int], int]]) -> None:
    """Type, shape and bytes per tensor."""
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, (dtype, shape, nbytes) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + nbytes]}
        at += nbytes
    data = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(data)) + data + bytes(at))


class TestFolders:
    def test_sizes(self, tmp_path: Path) -> None:
        folder = model_folder(tmp_path, model_type="llama", max_position_embeddings=64, vocab_size=10)
        safetensors(folder / "model.safetensors", {"a": ("BF16", [3, 4], 24), "b": ("F32", [], 4)})
        card = describe(folder)
        assert (card.architecture, card.context_length, card.vocabulary_rows) == ("llama", 64, 10)
        assert (card.parameters, card.keeps_state) == (13, None)
        assert card.weight_bytes == (folder / "model.safetensors").stat().st_size

    def test_only_the_shards_of_the_index_count(self, tmp_path: Path) -> None:
        folder = model_folder(tmp_path, model_type="mistral")
        for name in ("model-00001-of-00002", "model-00002-of-00002", "consolidated"):
            safetensors(folder / f"{name}.safetensors", {name: ("F16", [5], 10)})
        index = {"weight_map": {"x": "model-00001-of-00002.safetensors", "y": "model-00002-of-00002.safetensors"}}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))
        assert describe(folder).parameters == 10

    @pytest.mark.parametrize(("dtype", "settings"), [("U8", {}), ("F32", {"quantization_config": {}})])
    def test_packed_weights_have_no_parameter_count(self, tmp_path: Path, dtype: str, settings: dict[str, Any]) -> None:
        folder = model_folder(tmp_path, model_type="llama", **settings)
        safetensors(folder / "model.safetensors", {"a": (dtype, [8], 32)})
        assert describe(folder).parameters is None

    @pytest.mark.parametrize(
        "config",
        [
            {"model_type": "mamba"},
            {"model_type": "jamba", "attn_layer_period": 8},
            {"model_type": "qwen3_next"},
            {"model_type": "brand_new", "layer_types": ["linear_attention", "full_attention"]},
            {"model_type": "brand_new", "layer_types": ["conv", "full_attention"]},
            {"model_type": "brand_new", "mamba_d_conv": 4},
            {"model_type": "qwen3_5", "text_config": {"model_type": "qwen3_5_text", "linear_conv_kernel_dim": 4}},
        ],
    )
    def test_running_states_are_seen(self, tmp_path: Path, config: dict[str, Any]) -> None:
        reason = describe(model_folder(tmp_path, **config)).keeps_state
        assert reason is not None
        assert reason.startswith(config.get("text_config", config)["model_type"])

    @pytest.mark.parametrize(
        "config",
        [
            {"model_type": "llama"},
            {"model_type": "gemma3_text", "layer_types": ["sliding_attention", "full_attention"]},
            {"model_type": "qwen2", "sliding_window": None},
        ],
    )
    def test_attention_can_be_rolled_back(self, tmp_path: Path, config: dict[str, Any]) -> None:
        assert describe(model_folder(tmp_path, **config)).keeps_state is None

    @pytest.mark.parametrize(
        "data", [b"", b"\xff" * 8, struct.pack("<Q", 2) + b"[]", struct.pack("<Q", 9) + b'{"a": {}}']
    )
    def test_damaged_weights_are_one_error(self, tmp_path: Path, data: bytes) -> None:
        (model_folder(tmp_path, model_type="llama") / "model.safetensors").write_bytes(data)
        with pytest.raises(ModelError, match="damaged safetensors"):
            describe(tmp_path)

    def test_no_configuration(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match=r"no config\.json"):
            describe(tmp_path)


class TestGguf:
    def test_sizes(self, tmp_path: Path) -> None:
        metadata = {"general.architecture": "llama", "llama.context_length": 512}
        tensors = {"token_embd.weight": f32([[0.0] * 4] * 3), "output_norm.weight": f32([1.0] * 4)}
        card = describe(write_gguf(tmp_path / "m.gguf", metadata, tensors))
        assert (card.architecture, card.context_length, card.vocabulary_rows) == ("llama", 512, 3)
        assert (card.parameters, card.weight_bytes, card.keeps_state) == (16, 64, None)

    @pytest.mark.parametrize(
        "tensor", ["blk.0.ssm_conv1d.weight", "blk.3.shortconv.conv.weight", "blk.0.time_mix_w1.weight"]
    )
    def test_running_states_are_seen(self, tmp_path: Path, tensor: str) -> None:
        path = write_gguf(tmp_path / "m.gguf", {"general.architecture": "lfm2"}, {tensor: f32([1.0])})
        assert describe(path).keeps_state == f"lfm2 keeps a running state (tensor {tensor})"
