"""The hub, by the real huggingface_hub against a small server on this machine: no network is used."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from specgen.errors import ModelError
from specgen.loading import store
from specgen.loading.hub import wanted_files
from specgen.loading.sources import Source, cached, fetch, locate, parse, remove
from specgen.progress import Progress

COMMIT = "c" * 40
CONFIG = json.dumps({"architectures": ["LlamaForCausalLM"]}).encode()
REPOSITORIES = {
    "org/model": {
        "config.json": CONFIG,
        "tokenizer.json": b"{}",
        "model.safetensors": b"w" * 3000,
        "pytorch_model.bin": b"pickle",
        "onnx/model.onnx": b"graph",
        "README.md": b"words",
    },
    "org/old": {"config.json": CONFIG, "pytorch_model.bin": b"pickle"},
    "org/files": {"tiny.Q4_0.gguf": b"GGUF4", "tiny.Q8_0.gguf": b"GGUF88"},
    "org/audio": {"config.json": b'{"architectures": ["Codec"]}', "model.safetensors": b"w"},
}
ERRORS = {
    "org/gated": (403, "GatedRepo"),
    "org/private": (401, "RepoNotFound"),
    "org/nothing": (404, "RepoNotFound"),
    "org/busy": (409, ""),
}


class Hub(BaseHTTPRequestHandler):
    """Answers like the hub for REPOSITORIES and ERRORS; any revision but `none` is the same commit."""

    requests: list[str]

    def do_GET(self) -> None:
        self.requests.append(f"{self.command} {self.path}")
        words = self.path.split("?")[0].strip("/").split("/")
        api = words[:2] == ["api", "models"]
        repo, rest = "/".join(words[2:4] if api else words[:2]), words[4:] if api else words[2:]
        revision = rest[1] if len(rest) > 1 else "main"
        if repo in ERRORS:
            self.answer(b"", *ERRORS[repo])
        elif revision == "none":
            self.answer(b"", 404, "RevisionNotFound")
        elif repo not in REPOSITORIES:
            self.answer(b"", 404, "")
        elif api:
            files = [{"rfilename": name, "size": len(data)} for name, data in REPOSITORIES[repo].items()]
            self.answer(json.dumps({"id": repo, "sha": COMMIT, "siblings": files}).encode(), 200, "")
        else:
            self.answer(REPOSITORIES[repo]["/".join(rest[2:])], 200, "")

    def do_HEAD(self) -> None:
        self.do_GET()

    def answer(self, data: bytes, status: int, code: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", f'"{hash(data):x}"')
        if code:
            self.send_header("X-Error-Code", code)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A running server, empty caches, and the list of what was asked of the server."""
    Hub.requests = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    monkeypatch.setenv(store.ENVIRONMENT, str(tmp_path / "cache"))
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
    monkeypatch.setattr(
        "huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE",
        address + "/{repo_id}/resolve/{revision}/{filename}",
    )
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    yield Hub.requests
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_snapshot_holds_what_is_needed_and_is_found_again(
    requests: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    seen: list[Progress] = []
    folder = fetch(parse("org/model"), report=seen.append)
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "model.safetensors", "tokenizer.json"]
    assert (folder / "model.safetensors").read_bytes() == b"w" * 3000
    total = 3000 + len(CONFIG) + 2
    assert (seen[0], seen[-1]) == (
        Progress("downloading org/model", 0, total),
        Progress("downloading org/model", total, total),
    )
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert capfd.readouterr() == ("", "")
    asked = len(requests)
    assert locate(parse("org/model")) == fetch(parse("hub:org/model"), offline=True) == folder
    assert len(requests) == asked


def test_pickles_only_where_there_is_nothing_else() -> None:
    folder = fetch(parse("org/old"))
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "pytorch_model.bin"]


def test_one_gguf_file_of_a_repository(requests: list[str]) -> None:
    path = fetch(parse("hub:org/files/tiny.Q4_0.gguf"))
    assert path.read_bytes() == b"GGUF4"
    assert not any("Q8_0" in request for request in requests)
    with pytest.raises(ModelError, match=r"no file tiny\.Q4_1\.gguf") as caught:
        fetch(parse("hub:org/files/tiny.Q4_1.gguf"))
    assert "tiny.Q4_0.gguf" in (caught.value.hint or "")
    with pytest.raises(ModelError, match=r"no config\.json") as caught:
        fetch(parse("org/files"))
    assert "hub:org/files/tiny.Q4_0.gguf" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("org/gated", "gated", "licence|accept"),
        ("org/private", "no model org/private", "auth login"),
        ("org/nothing", "no model org/nothing", "spelling"),
        ("org/model@none", "no revision none", "branch"),
        ("org/busy", "refused org/busy (status 409)", "later"),
    ],
)
def test_refusals_are_one_line(capfd: pytest.CaptureFixture[str], text: str, message: str, hint: str) -> None:
    with pytest.raises(ModelError) as caught:
        fetch(parse(text))
    assert message in caught.value.message
    assert any(word in (caught.value.hint or "") for word in hint.split("|"))
    assert "\n" not in caught.value.message
    assert capfd.readouterr() == ("", "")


def test_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelError, match="cannot download org/model from the hub") as caught:
        fetch(parse("org/model"))
    assert caught.value.hint


def test_offline_is_asked_for_or_set(requests: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="not cached"):
        fetch(parse("org/model"), offline=True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match="HF_HUB_OFFLINE"):
        fetch(parse("org/model"))
    assert requests == []


def test_a_cut_off_snapshot_is_completed() -> None:
    folder = fetch(parse("org/model"))
    (folder / "model.safetensors").unlink()
    assert locate(parse("org/model")) is None
    assert fetch(parse("org/model")) == folder
    assert (folder / "model.safetensors").is_file()


def test_an_interrupted_download_is_not_taken_for_a_model() -> None:
    def report(progress: Progress) -> None:
        if progress.done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(parse("org/model"), report=report)
    assert locate(parse("org/model")) is None
    assert locate(Source((f"hub:org/model@{COMMIT}",))) is None
    assert cached() == []


def test_unusable_hub_cache_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "file" / "hub"))
    assert locate(parse("org/model")) is None
    with pytest.raises(ModelError, match="cannot use the model cache") as caught:
        fetch(parse("org/model"))
    assert "HF_HOME" in (caught.value.hint or "")
    assert cached() == []


def test_cached_lists_language_models_and_remove_frees_them(tmp_path: Path) -> None:
    for name in ("org/model", "org/audio", "hub:org/files/tiny.Q4_0.gguf", "hub:org/files/tiny.Q8_0.gguf"):
        fetch(parse(name))
    models = {model.name: model for model in cached()}
    assert list(models) == ["org/files/tiny.Q4_0.gguf", "org/files/tiny.Q8_0.gguf", "org/model"]
    assert all(locate(model.source) == model.path for model in models.values())
    assert remove("org/files/tiny.Q4_0.gguf") == 5
    assert remove("org/model") == models["org/model"].size
    assert [model.name for model in cached()] == ["org/files/tiny.Q8_0.gguf"]
    assert [path.parts[-4] for path in (tmp_path / "hub").rglob("*.safetensors")] == ["models--org--audio"]
    assert remove("hub:org/files/tiny.Q8_0.gguf") == 6
    with pytest.raises(ModelError, match="no cached model org/modle"):
        remove("org/modle")


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (
            ["model-00001-of-00002.safetensors", "model.safetensors.index.json", "pytorch_model.bin.index.json"],
            ["model.safetensors.index.json", "model-00001-of-00002.safetensors"],
        ),
        (["consolidated.safetensors", "model.safetensors", "tekken.json"], ["tekken.json", "model.safetensors"]),
        (["medusa_lm_head.pt", "config.json", "training_args.bin"], ["config.json", "medusa_lm_head.pt"]),
        (["chat_template.jinja", "modeling_x.py", "x.gguf", "a/model.safetensors"], ["chat_template.jinja"]),
    ],
)
def test_wanted_files_end_with_the_weights(names: list[str], wanted: list[str]) -> None:
    assert wanted_files(names) == wanted
