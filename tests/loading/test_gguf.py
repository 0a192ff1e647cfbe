"""GGUF files: the header scan reads everything and survives anything, blocks unpack as in gguf-py."""

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
from small_gguf import (
    Packed,
    byte_level_tokenizer,
    f32,
    gguf_bytes,
    text,
    tiny_metadata,
    tiny_tensors,
    value,
    write_gguf,
)

from specgen.errors import ModelError
from specgen.loading.gguf import BLOCK_TYPES, load_weights, model_config, read_header
from specgen.loading.gguf_quants import dequantize
from specgen.loading.tokenizer import Tokenizer

RNG = np.random.default_rng(1)


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
        import torch

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
            load_weights(header, dtype=torch.float32, threads=1)

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


def test_importing_needs_neither_torch_nor_transformers() -> None:
    code = "import sys, specgen.loading.gguf, specgen.loading.tokenizer, specgen.loading.card; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"torch", "transformers", "tokenizers", "jinja2"} & set(modules)
