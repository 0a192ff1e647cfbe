"""What a GGUF file means to transformers: the configuration and the weights that it would have had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from real_models import real_file
from small_gguf import Packed, byte_level_tokenizer, f32, tiny_metadata, tiny_tensors, write_gguf

from specgen.errors import ModelError
from specgen.loading.gguf import load_weights, model_config, read_header
from specgen.loading.tokenizer import Tokenizer
from specgen.progress import Progress

RNG = np.random.default_rng(2)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A complete small model with a tokenizer."""
    tokenizer = byte_level_tokenizer(extra={"<|endoftext|>": 3})
    tensors = tiny_tensors(vocabulary=260)
    return write_gguf(tmp_path / "small.gguf", {**tiny_metadata("llama"), **tokenizer}, tensors)


class TestConfiguration:
    def config(self, tmp_path: Path, metadata: dict[str, Any], tensors: dict[str, Packed]) -> dict[str, Any]:
        return model_config(read_header(write_gguf(tmp_path / "m.gguf", metadata, tensors)))

    def test_common_numbers(self, tmp_path: Path) -> None:
        config = self.config(tmp_path, tiny_metadata("qwen2"), tiny_tensors("qwen2"))
        assert (config["model_type"], config["vocab_size"], config["hidden_size"]) == ("qwen2", 40, 32)
        assert (config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"]) == (4, 2, 8)
        assert config["rms_norm_eps"] == 1e-6
        assert config["tie_word_embeddings"] is True

    def test_a_head_of_its_own_unties(self, tmp_path: Path) -> None:
        tensors = {**tiny_tensors(), "output.weight": f32(np.zeros((40, 32)))}
        assert self.config(tmp_path, tiny_metadata("llama"), tensors)["tie_word_embeddings"] is False

    @pytest.mark.parametrize("stretch", [8.0, 32.0])
    def test_llama3_scaling_is_recognised(self, tmp_path: Path, stretch: float) -> None:
        from transformers import LlamaConfig
        from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

        rope = {"rope_type": "llama3", "rope_theta": 500000.0, "factor": stretch, "low_freq_factor": 1.0}
        rope |= {"high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
        scaled, _ = ROPE_INIT_FUNCTIONS["llama3"](LlamaConfig(head_dim=64, rope_parameters=dict(rope)), "cpu")
        plain = 500000.0 ** -(np.arange(0, 64, 2) / 64)
        metadata = tiny_metadata("llama", **{"attention.key_length": 64, "attention.value_length": 64})
        metadata["llama.rope.freq_base"] = 500000.0
        tensors = tiny_tensors() | {"rope_freqs.weight": f32(plain / scaled.numpy())}
        assert self.config(tmp_path, metadata, tensors)["rope_parameters"] == pytest.approx(rope)

    def test_other_frequency_factors_are_kept(self, tmp_path: Path) -> None:
        from transformers import LlamaConfig
        from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

        divisors = np.array([1.0, 1.5, 2.5, 7.0])
        tensors = tiny_tensors() | {"rope_freqs.weight": f32(divisors)}
        rope = self.config(tmp_path, tiny_metadata("llama"), tensors)["rope_parameters"]
        rotary = LlamaRotaryEmbedding(LlamaConfig(head_dim=8, max_position_embeddings=128, rope_parameters=rope))
        assert rotary.inv_freq.numpy() == pytest.approx(10000.0 ** -(np.arange(0, 8, 2) / 8) / divisors)
        assert rotary.attention_scaling == 1.0

    def test_yarn_and_linear_scaling(self, tmp_path: Path) -> None:
        scaling = {"rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 32}
        yarn = self.config(
            tmp_path, tiny_metadata("qwen3", **scaling, **{"rope.scaling.type": "yarn"}), tiny_tensors("qwen3")
        )
        assert yarn["rope_parameters"] == {
            "rope_type": "yarn",
            "rope_theta": 10000.0,
            "factor": 4.0,
            "original_max_position_embeddings": 32,
        }
        metadata = tiny_metadata("llama", **{"rope.scaling.type": "linear", "rope.scaling.factor": 2.0})
        linear = self.config(tmp_path, metadata, tiny_tensors())
        assert linear["rope_parameters"] == {"rope_type": "linear", "rope_theta": 10000.0, "factor": 2.0}

    def test_gemma3_windows_and_bases(self, tmp_path: Path) -> None:
        changes = {"attention.sliding_window": 512, "rope.scaling.type": "linear", "rope.scaling.factor": 8.0}
        metadata = tiny_metadata("gemma3", **changes, **{"rope.freq_base": 1e6, "block_count": 13})
        config = self.config(tmp_path, metadata, tiny_tensors("gemma3"))
        assert config["model_type"] == "gemma3_text"
        assert [i for i, kind in enumerate(config["layer_types"]) if kind == "full_attention"] == [5, 11]
        assert config["rope_parameters"] == {
            "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        }
        assert (config["sliding_window"], config["query_pre_attn_scalar"]) == (512, 8)

    def test_the_largest_gemma3_scales_queries_by_its_width(self, tmp_path: Path) -> None:
        metadata = tiny_metadata("gemma3", **{"attention.sliding_window": 512, "block_count": 62})
        metadata |= {"gemma3.attention.key_length": 16, "gemma3.attention.value_length": 16}
        tensors = tiny_tensors("gemma3") | {f"filler.{i}": f32([0.0]) for i in range(62)}
        assert self.config(tmp_path, metadata, tensors)["query_pre_attn_scalar"] == 32 // 4

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"general.architecture": "mamba"}, "architecture 'mamba' is not supported"),
            ({"general.architecture": None}, "general.architecture is missing"),
            ({"llama.expert_count": 8}, "8 experts"),
            ({"llama.block_count": 2**30}, "layers in"),
            ({"llama.attention.head_count": 0}, "head_count is 0"),
            ({"llama.attention.head_count": [1, 2]}, "head_count"),
            ({"llama.attention.head_count": np.array([4, 2])}, "differs between layers"),
            ({"llama.context_length": "long"}, "context_length is 'long'"),
            ({"llama.embedding_length": 33}, "do not fit"),
            ({"llama.rope.dimension_count": 4}, "part of the head"),
            ({"llama.attention.value_length": 4}, "value length"),
            ({"llama.rope.scaling.type": "longrope"}, "rotary scaling 'longrope'"),
            ({"llama.rope.scaling.type": "yarn"}, "scaling.factor is None"),
            ({"llama.rope.freq_base": -1.0}, "freq_base is -1.0"),
            ({"tokenizer.ggml.tokens": ["x"] * 41}, "41 tokens"),
        ],
    )
    def test_what_cannot_be_used_is_named(self, tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
        metadata = {key: v for key, v in {**tiny_metadata("llama"), **changes}.items() if v is not None}
        with pytest.raises(ModelError, match=problem):
            self.config(tmp_path, metadata, tiny_tensors())


def exported(model: Any, architecture: str, *, tied: bool) -> dict[str, Packed]:
    """A transformers model as the tensors of a GGUF file, by the rules of llama.cpp's converter."""
    from gguf import MODEL_ARCH_NAMES, get_tensor_name_map

    arch = next(key for key, name in MODEL_ARCH_NAMES.items() if name == architecture)
    names, heads = get_tensor_name_map(arch, 2), {"q_proj": 4, "k_proj": 2}
    tensors = {}
    for name, weight in model.state_dict().items():
        if name == "lm_head.weight" and tied:
            continue
        array, suffix = weight.float().numpy(), name.rpartition(".")[2]
        if architecture == "llama" and (count := heads.get(name.split(".")[-2])):
            array = array.reshape(count, 2, -1, *array.shape[1:]).swapaxes(1, 2).reshape(array.shape)
        if architecture == "gemma3" and name.endswith("norm.weight"):
            array = array + np.float32(1)
        tensors[f"{names.get_name(name.removesuffix('.' + suffix))}.{suffix}"] = f32(array)
    return tensors


class TestWeights:
    @pytest.mark.parametrize("architecture", ["llama", "qwen2", "qwen3", "gemma3"])
    @pytest.mark.parametrize("tied", [True, False])
    def test_a_model_comes_back_from_its_file(self, tmp_path: Path, architecture: str, tied: bool) -> None:
        import torch
        import transformers

        changes = {"attention.sliding_window": 16} if architecture == "gemma3" else {}
        metadata = tiny_metadata(architecture, **changes)
        head = {} if tied else {"output.weight": f32(np.zeros((40, 32)))}
        shapes = write_gguf(tmp_path / "shapes.gguf", metadata, tiny_tensors(architecture) | head)
        config = model_config(read_header(shapes))
        torch.manual_seed(0)
        config_class = transformers.AutoConfig.for_model(**config)
        model = getattr(transformers, config["architectures"][0])(config_class).eval()
        for name, weight in model.named_parameters():
            if "norm" in name or "bias" in name:
                weight.data.normal_()
        path = write_gguf(tmp_path / "model.gguf", metadata, exported(model, architecture, tied=tied))

        weights = load_weights(read_header(path), dtype=torch.float32, threads=2)
        result = model.state_dict()
        assert set(result) - set(weights) == ({"lm_head.weight"} if tied else set())
        for name, weight in weights.items():
            torch.testing.assert_close(weight, result[name], rtol=0, atol=1e-6 if architecture == "gemma3" else 0)

    def test_packed_rows_are_put_back_in_order(self, tmp_path: Path) -> None:
        """Interleaved heads are undone on packed rows, so a row's blocks stay together."""
        import torch

        blocks = RNG.integers(0, 256, (32, 34), dtype=np.uint8)
        blocks[:, :2] = np.float16(0.5).reshape(1).view(np.uint8)
        tensors = tiny_tensors() | {"blk.0.attn_q.weight": Packed(8, (32, 32), blocks.tobytes())}
        header = read_header(write_gguf(tmp_path / "m.gguf", tiny_metadata("llama"), tensors))
        query = load_weights(header, dtype=torch.float32, threads=1)["model.layers.0.self_attn.q_proj.weight"]
        stored = blocks[:, 2:].view(np.int8).astype(np.float32) / 2
        expected = stored.reshape(4, 4, 2, 32).swapaxes(1, 2).reshape(32, 32)
        assert np.array_equal(query.numpy(), expected)

    def test_lower_precision_is_the_rounded_float32(self, small: Path) -> None:
        import torch

        header = read_header(small)
        full = load_weights(header, dtype=torch.float32, threads=1)
        for dtype in (torch.bfloat16, torch.float16, torch.float64):
            for name, weight in load_weights(header, dtype=dtype, threads=3).items():
                assert torch.equal(weight, full[name].to(dtype))

    def test_progress_ends_at_its_total(self, small: Path) -> None:
        import torch

        seen: list[Progress] = []
        header = read_header(small)
        load_weights(header, dtype=torch.float32, threads=2, report=seen.append)
        assert [state.done for state in seen] == sorted(state.done for state in seen)
        assert seen[-1].done == seen[-1].total == sum(info.nbytes for info in header.tensors.values())

    @pytest.mark.parametrize(
        ("name", "tensor", "problem"),
        [
            ("blk.1.ffn_up.weight", None, "missing"),
            ("blk.1.ffn_up.weight", f32(np.zeros((32, 64))), "shape"),
            ("blk.0.attn_rel_b.weight", f32([1.0]), "does not explain"),
        ],
    )
    def test_tensors_must_fit(self, tmp_path: Path, name: str, tensor: Packed | None, problem: str) -> None:
        import torch

        tensors = {key: t for key, t in (tiny_tensors() | {name: tensor}).items() if t is not None}
        header = read_header(write_gguf(tmp_path / "m.gguf", tiny_metadata("llama"), tensors))
        with pytest.raises(ModelError, match=problem) as caught:
            load_weights(header, dtype=torch.float32, threads=1)
        assert name in caught.value.message


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "prompt", "answer"),
    [
        ("smollm2", "Write a Python function that reverses a string. Be brief.", "```python\ndef reverse_string("),
        (
            "qwen2.5-coder-0.5b",
            "Write a Python function that reverses a string. Be brief.",
            "Here's a simple Python function",
        ),
        ("gemma-3-270m", "The capital of France is", " the capital of the country"),
    ],
)
def test_real_weights_write_sense(name: str, prompt: str, answer: str) -> None:
    import torch
    import transformers

    header = read_header(real_file(name))
    tokenizer, config = Tokenizer.from_gguf(header), model_config(header)
    model = getattr(transformers, config["architectures"][0]).from_pretrained(
        None,
        config=transformers.AutoConfig.for_model(**config),
        state_dict=load_weights(header, dtype=torch.float32, threads=2),
        dtype=torch.float32,
    )
    if tokenizer.chat_template:
        ids = tokenizer.encode_chat([{"role": "user", "content": prompt}])
    else:
        ids = tokenizer.encode(prompt, add_bos=True)
    written = model.generate(torch.tensor([ids]), max_new_tokens=10, do_sample=False, pad_token_id=0)
    assert tokenizer.decode(written[0, len(ids) :].tolist()).startswith(answer)
