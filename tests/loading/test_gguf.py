"""GGUF files: the header scan survives anything, configurations and weights are what transformers would have had."""

from __future__ import annotations

import contextlib
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from real_files import real_file
from small_gguf import Packed, byte_level_tokenizer, f32, gguf_bytes, text, value, write_gguf

from specgen.errors import ModelError
from specgen.loading.gguf import BLOCK_TYPES, load_weights, model_config, read_header
from specgen.loading.gguf_quants import dequantize
from specgen.loading.tokenizer import Tokenizer
from specgen.progress import Progress

RNG = np.random.default_rng(1)


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
    return {name: f32(RNG.standard_normal(shape)) for name, shape in names.items()}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A complete small model with a tokenizer."""
    tokenizer = byte_level_tokenizer(extra={"<|endoftext|>": 3})
    tensors = tiny_tensors(vocabulary=260)
    return write_gguf(tmp_path / "small.gguf", {**tiny_metadata("llama"), **tokenizer}, tensors)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model, written once for the property test."""
    metadata = {**tiny_metadata("llama"), **byte_level_tokenizer(extra={"<|endoftext|>": 3})}
    return write_gguf(tmp_path_factory.mktemp("whole") / "whole.gguf", metadata, tiny_tensors(vocabulary=260))


class TestHeader:
    @pytest.mark.parametrize("version", [2, 3])
    def test_every_value_type_comes_back(self, tmp_path: Path, version: int) -> None:
        scalars = {name: np.dtype(name).type(1) for name in ("uint8", "int8", "uint16", "int16", "int32")}
        scalars |= {"uint64": np.uint64(2**63), "int64": np.int64(-5), "float64": np.float64(0.1)}
        metadata = {
            **scalars,
            "text": "häß 漢",
            "flag": True,
            "count": 7,
            "eps": 1e-6,
            "strings": ["a", "", "ü"],
            "none": [],
            "numbers": np.array([1.5, -2.0], np.float32),
            "flags": np.array([True, False]),
            "nested": [["a", "b"], ["c"]],
        }
        read = read_header(write_gguf(tmp_path / "a.gguf", metadata, version=version)).metadata
        assert {key: read[key] for key in scalars} == {key: number.item() for key, number in scalars.items()}
        assert (read["text"], read["flag"], read["count"], read["eps"]) == ("häß 漢", True, 7, 1e-6)
        assert (read["strings"], read["none"], read["nested"]) == (["a", "", "ü"], [], [["a", "b"], ["c"]])
        assert read["numbers"].tolist() == [1.5, -2.0]
        assert read["flags"].tolist() == [True, False]
        assert list(read) == list(metadata)

    def test_counts_need_no_decoding(self, tmp_path: Path) -> None:
        read = read_header(write_gguf(tmp_path / "a.gguf", {"tokens": ["a"] * 5, "n": 1})).metadata
        assert (read.count("tokens"), read.count("n"), read.count("absent")) == (5, None, None)

    def test_raw_bytes_are_those_of_the_file(self, tmp_path: Path) -> None:
        tensors = {"a": f32(RNG.standard_normal((3, 5))), "b": Packed(8, (2, 64), bytes(range(136)))}
        header = read_header(write_gguf(tmp_path / "a.gguf", {}, tensors))
        assert header.raw("a").shape == (3, 20)
        assert header.raw("a").tobytes() == tensors["a"].data
        assert header.raw("b").shape == (2, 68)
        assert header.raw("b").tobytes() == tensors["b"].data
        assert header.tensors["b"].kind.name == "Q8_0"

    def test_alignment_is_the_files_own(self, tmp_path: Path) -> None:
        tensors = {"a": f32([1.0, 2.0]), "b": f32([3.0])}
        path = tmp_path / "a.gguf"
        path.write_bytes(gguf_bytes({"general.alignment": 128}, tensors, alignment=128))
        header = read_header(path)
        assert header.data_offset % 128 == 0
        assert header.raw("b").view(np.float32).tolist() == [[3.0]]

    def test_typed_access_refuses_other_types(self, tmp_path: Path) -> None:
        header = read_header(write_gguf(tmp_path / "a.gguf", {"text": "x", "n": 3, "flag": True}))
        assert header.find("n", float) == 3.0
        assert header.find("absent", int) is None
        for key, kind in (("text", int), ("flag", int), ("n", str)):
            with pytest.raises(ModelError, match=key):
                header.find(key, kind)
        with pytest.raises(ModelError, match="absent is missing"):
            header.require("absent", int)
        with pytest.raises(ModelError, match="not an array"):
            header.strings("n")


class TestHostileFiles:
    def test_every_cut_is_one_error(self, small: Path, tmp_path: Path) -> None:
        data = small.read_bytes()
        end_of_header = read_header(small).data_offset
        cut = tmp_path / "cut.gguf"
        for length in [*range(0, end_of_header, 7), *range(end_of_header, len(data), 4001), len(data) - 1]:
            cut.write_bytes(data[:length])
            with pytest.raises(ModelError):
                read_header(cut)

    def test_every_cut_of_a_header(self, tmp_path: Path) -> None:
        data = gguf_bytes({"a": "text", "b": ["x", "yz"], "c": 1.5, "d": [[True]]}, {"t": f32([1.0] * 8)})
        for length in range(len(data)):
            (tmp_path / "cut.gguf").write_bytes(data[:length])
            with pytest.raises(ModelError):
                read_header(tmp_path / "cut.gguf")

    @settings(max_examples=150)
    @given(flips=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(1, 255)), min_size=1, max_size=3))
    def test_flipped_bytes_are_an_error_or_harmless(self, whole: Path, flips: list[tuple[float, int]]) -> None:
        data, length = bytearray(whole.read_bytes()), read_header(whole).data_offset
        for place, mask in flips:
            data[int(place * length)] ^= mask
        path = whole.with_name("flipped.gguf")
        path.write_bytes(data)
        with contextlib.suppress(ModelError):
            header = read_header(path)
            for key in header.metadata:
                header.metadata[key]
            model_config(header)
            Tokenizer.from_gguf(header).encode("hello <|endoftext|>", add_bos=True)
            load_weights(header, dtype=torch_float32(), threads=1)

    @pytest.mark.parametrize(
        ("data", "problem"),
        [
            (b"", "empty"),
            (b"GGML" + bytes(60), "not a gguf file"),
            (b"GGUF" + struct.pack("<I", 1) + bytes(60), "version 1"),
            (b"GGUF" + struct.pack(">I", 3) + bytes(60), "big-endian"),
            (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0), "tensor count"),
            (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**63), "metadata key count"),
            (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**63), "past the end"),
            (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("k") + struct.pack("<IIQ", 9, 8, 2**62), "elements"),
            (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("k") + struct.pack("<IIQ", 9, 8, 2**24), "past the end"),
            (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("k") + struct.pack("<IIQ", 9, 4, 2**24), "past the end"),
            (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("k") + struct.pack("<I", 13), "unknown type 13"),
            (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("k") + struct.pack("<IIQ", 9, 13, 1), "unknown type 13"),
            (b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + (text("k") + value(1)) * 2, "occurs twice"),
            (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2) + b"\xff\xfe" + value(1), "not UTF-8"),
            (b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<I", 9), "9 dimensions"),
            (gguf_bytes({"general.alignment": 24}), "alignment"),
            (gguf_bytes({}, {"t": Packed(0, (0,), b"")}), "shape"),
            (gguf_bytes({}, {"t": Packed(8, (31,), bytes(34))}), "impossible for Q8_0"),
            (gguf_bytes({}, {"t": Packed(0, (2**40, 2**40), b"")}), "incomplete"),
            (gguf_bytes({}, {"t": Packed(0, (9,), bytes(4)), "u": f32([1.0])}), "overlaps"),
            (gguf_bytes({}, {"t": Packed(77, (1,), bytes(4))}), "unsupported quantization type 77"),
            (gguf_bytes({"split.count": np.uint16(3)}), "one of 3 parts"),
        ],
    )
    def test_each_kind_of_damage_is_named(self, tmp_path: Path, data: bytes, problem: str) -> None:
        path = tmp_path / "bad.gguf"
        path.write_bytes(data)
        with pytest.raises(ModelError, match=problem) as caught:
            read_header(path)
        assert "\n" not in caught.value.message
        assert "bad.gguf" in caught.value.message

    def test_deep_nesting_ends(self, tmp_path: Path) -> None:
        deep = struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 50_000
        path = tmp_path / "deep.gguf"
        path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("k") + deep)
        with pytest.raises(ModelError, match="deep"):
            read_header(path)

    def test_missing_files_and_folders(self, tmp_path: Path) -> None:
        for path in (tmp_path / "absent.gguf", tmp_path):
            with pytest.raises(ModelError, match="cannot read"):
                read_header(path)


def torch_float32() -> Any:
    import torch

    return torch.float32


class TestBlocks:
    def test_sizes_are_those_of_gguf_py(self) -> None:
        constants = pytest.importorskip("gguf.constants")
        for id_, kind in BLOCK_TYPES.items():
            theirs = constants.GGMLQuantizationType(id_)
            assert (theirs.name, constants.GGML_QUANT_SIZES[theirs]) == (kind.name, (kind.size, kind.nbytes))

    @pytest.mark.parametrize("kind", BLOCK_TYPES.values(), ids=lambda kind: kind.name)
    def test_bit_identical_to_gguf_py(self, kind: Any) -> None:
        quants = pytest.importorskip("gguf.quants")
        from gguf.constants import GGMLQuantizationType

        rng = np.random.default_rng(kind.nbytes)
        blocks = rng.integers(0, 256, (97, kind.nbytes), dtype=np.uint8)
        out = np.full((97, kind.size), np.nan, np.float32)
        with np.errstate(all="ignore"):
            expected = quants.dequantize(blocks, GGMLQuantizationType[kind.name]).reshape(out.shape)
            dequantize(kind.name, blocks, out)
        same = (out.view(np.uint32) == expected.view(np.uint32)) | (np.isnan(out) & np.isnan(expected))
        assert same.all()
        assert np.isfinite(out).any()


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
        tensors = {key: t for key, t in (tiny_tensors() | {name: tensor}).items() if t is not None}
        header = read_header(write_gguf(tmp_path / "m.gguf", tiny_metadata("llama"), tensors))
        with pytest.raises(ModelError, match=problem) as caught:
            load_weights(header, dtype=torch_float32(), threads=1)
        assert name in caught.value.message


def test_importing_needs_neither_torch_nor_transformers() -> None:
    code = "import sys, specgen.loading.gguf, specgen.loading.tokenizer, specgen.loading.card; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"torch", "transformers", "tokenizers", "jinja2"} & set(modules)


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "prompt", "answer"),
    [
        ("smol.gguf", "Write a Python function that reverses a string. Be brief.", "```python\ndef reverse_string("),
        ("q05.gguf", "Write a Python function that reverses a string. Be brief.", "Here's a simple Python function"),
        ("gemma270.gguf", "The capital of France is", " the capital of the country"),
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
