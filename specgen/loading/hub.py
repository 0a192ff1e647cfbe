"""Models on the Hugging Face hub: find them in its cache, download what is needed, list and remove them.

huggingface_hub is imported inside functions: finding a cached model must stay instant. Looking up uses the documented
layout of its cache (`models--ORG--NAME/{refs,snapshots}`); everything else goes through the library.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from specgen.errors import ModelError
from specgen.loading import folders
from specgen.loading.meter import Meter
from specgen.loading.store import DISK_ERRORS, cache_errors, disk_error
from specgen.progress import Report

PREFIX = "hub:"
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_FORM = re.compile(
    rf"(?:hub:)?(?P<repo>{_NAME}/{_NAME})(?:@(?P<revision>refs/pr/\d+|[^/\s@]+))?(?:/(?P<file>[^\s@]+\.gguf))?"
)
_TEXT_FILES = (
    *("config.json", "generation_config.json", "chat_template.*", "tokenizer*", "special_tokens_map.json"),
    *("added_tokens.json", "vocab.*", "merges.txt", "*.tiktoken", "spiece.model", "tekken.json"),
)
_NOT_WEIGHTS = ("training_args.bin", "optimizer*", "scheduler*", "scaler*", "rng_state*")


@dataclass(frozen=True, slots=True)
class HubModel:
    """A repository on the hub at a revision, or one GGUF file of it."""

    repo: str
    """ORG/NAME"""
    revision: str = "main"
    file: str | None = None

    @classmethod
    def parse(cls, text: str) -> HubModel:
        """Read `[hub:]ORG/NAME[@REVISION][/FILE.gguf]`; ModelError for any other form."""
        match = _FORM.fullmatch(text)
        if match is None:
            raise ModelError(f"not a hub model: {text}", hint="write it as hub:ORG/NAME or hub:ORG/NAME/FILE.gguf")
        if match["file"]:
            folders.refuse_split(match["file"])
        return cls(match["repo"], match["revision"] or "main", match["file"])

    def __str__(self) -> str:
        revision = "" if self.revision == "main" else f"@{self.revision}"
        return self.repo + revision + (f"/{self.file}" if self.file else "")


@dataclass(frozen=True, slots=True)
class CachedHubModel:
    """A model that huggingface_hub has on disk; `size` in bytes."""

    model: HubModel
    path: Path
    size: int


def looks_like_hub(text: str) -> bool:
    """Whether `text` has the shape ORG/NAME[@REVISION]."""
    match = _FORM.fullmatch(text)
    return match is not None and match["file"] is None


def locate(model: HubModel) -> Path | None:
    """The complete snapshot folder, or the GGUF file, in the hub's cache. No network."""
    from huggingface_hub import constants

    storage = Path(constants.HF_HUB_CACHE) / f"models--{model.repo.replace('/', '--')}"
    try:
        folder = storage / "snapshots" / _commit(storage, model.revision)
        if model.file:
            path = folder / model.file
            return path if path.is_file() else None
        return folder if folders.missing(folder) is None else None
    except OSError:
        return None


def fetch(model: HubModel, *, report: Report, offline: bool) -> Path:
    """Find or download a model: the snapshot folder, or the GGUF file.

    Of a repository only the config, the tokenizer, the chat template and the weights are downloaded: safetensors, and
    pickles only where there are no safetensors.

    Raises:
        ModelError: unknown, private or gated; no network; the disk fails; not cached and offline.
    """
    from huggingface_hub import constants

    if (found := locate(model)) is not None:
        return found
    if offline or constants.HF_HUB_OFFLINE:
        reason = "offline" if offline else "HF_HUB_OFFLINE is set"
        raise ModelError(
            f"{model} is not cached and {reason}", hint=f"once, with a network: specgen models pull {PREFIX}{model}"
        )
    with _quiet(), _explained(model):
        _download(model, report=report)
    found = locate(model)
    if found is None:
        raise ModelError(f"{model} changed on the hub during the download", hint="try again")
    return found


def cached() -> list[CachedHubModel]:
    """The complete language models in the hub's cache: one per repository, or per GGUF file."""
    models: list[CachedHubModel] = []
    for repo in _repositories(_scan()):
        for revision in sorted(repo.revisions, key=lambda each: ("main" not in each.refs, -each.last_modified)):
            found = list(_models_in(repo.repo_id, revision))
            models += found
            if found:
                break
    return models


def remove(name: str) -> int | None:
    """Delete `ORG/NAME`, or the one file `ORG/NAME/FILE.gguf`: the bytes freed, `None` if it is not there."""
    match = _FORM.fullmatch(name)
    scan = _scan()
    repo = next((each for each in _repositories(scan) if match and each.repo_id == match["repo"]), None)
    if match is None or repo is None:
        return None
    links = [(Path(rev.snapshot_path), Path(item.file_path)) for rev in repo.revisions for item in rev.files]
    chosen = {path for folder, path in links if match["file"] in {None, path.relative_to(folder).as_posix()}}
    if not chosen:
        return None
    with cache_errors(Path(repo.repo_path), variable="HF_HOME"), _quiet():
        others = {path for _, path in links} - chosen
        return _remove_files(chosen, others) if others else _remove_repository(scan, repo)


def wanted_files(names: Iterable[str]) -> list[str]:
    """What to download of a repository, weights last: with them in place the rest is there too."""
    top = sorted(name for name in names if "/" not in name)
    weights = [name for name in top if name.endswith(".safetensors")]
    if any(name.startswith("model") for name in weights):
        weights = [name for name in weights if not name.startswith("consolidated")]  # the same weights again
    tail = "safetensors"
    if not weights:
        tail = "bin"
        weights = [name for name in top if name.endswith((".bin", ".pt", ".pth")) and not _matches(name, _NOT_WEIGHTS)]
    texts = [name for name in top if _matches(name, (*_TEXT_FILES, f"*.{tail}.index.json")) and name not in weights]
    return texts + weights


def _download(model: HubModel, *, report: Report) -> None:
    from huggingface_hub import HfApi, hf_hub_download

    info = HfApi().model_info(model.repo, revision=model.revision, files_metadata=True, timeout=30)
    sizes = {item.rfilename: int(item.size or 0) for item in info.siblings or ()}
    files = [model.file] if model.file else wanted_files(sizes)
    _refuse_unusable(model, sizes, files=files)
    meter = Meter(report, f"downloading {model}", total=sum(sizes[file] for file in files))
    for file in files:
        hf_hub_download(model.repo, file, revision=info.sha, tqdm_class=_bar(meter, size=sizes[file]))
        meter.add(sizes[file])
    # By its own name the revision is asked for last: only now does the cache know it under that name.
    hf_hub_download(model.repo, files[0], revision=model.revision, tqdm_class=_bar(meter, size=0))
    meter.close()


def _refuse_unusable(model: HubModel, sizes: dict[str, int], *, files: list[str]) -> None:
    ggufs = [name for name in sizes if name.endswith(folders.GGUF)]
    if model.file:
        if model.file not in sizes:
            near = get_close_matches(model.file, ggufs, n=3, cutoff=0.3)
            raise ModelError(
                f"{model.repo} has no file {model.file}",
                hint=f"it has: {', '.join(near)}" if near else "it has no GGUF files that are named like this",
            )
        return
    if folders.CONFIG not in files or not any(file.endswith((".safetensors", ".bin", ".pt", ".pth")) for file in files):
        hint = f"name one of its files: {PREFIX}{model.repo}/{ggufs[0]}" if ggufs else "it is not a transformers model"
        raise ModelError(f"{model.repo} has no config.json with weights", hint=hint)


def _bar(meter: Meter, *, size: int) -> type:
    """A progress bar class that shows nothing and passes on how many bytes of a file are there."""
    from huggingface_hub.utils import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **{**options, "disable": True})

        def update(self, n: float | None = 1) -> None:
            self.n += n or 0
            meter.arriving(min(int(self.n), size))

    return Bar


def _commit(storage: Path, revision: str) -> str:
    reference = storage / "refs" / revision
    return reference.read_text().strip() if reference.is_file() else revision


def _scan() -> Any:
    """The library's survey of its cache folder; `None` where there is none."""
    from huggingface_hub import constants, scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    try:
        with _quiet():
            return scan_cache_dir(constants.HF_HUB_CACHE)
    except (CacheNotFound, ValueError, OSError):  # ValueError: a file lies where the folder should be
        return None


def _repositories(scan: Any) -> list[Any]:
    repositories = scan.repos if scan is not None else ()
    return sorted((each for each in repositories if each.repo_type == "model"), key=lambda each: str(each.repo_id))


def _models_in(repo: str, revision: Any) -> Iterator[CachedHubModel]:
    name = "main" if "main" in revision.refs else min(revision.refs, default=revision.commit_hash)
    folder = Path(revision.snapshot_path)
    if folders.missing(folder) is None and folders.holds_language_model(folder):
        yield CachedHubModel(HubModel(repo, name), folder, int(revision.size_on_disk))
        return
    for item in sorted(revision.files, key=lambda each: str(each.file_name)):
        if str(item.file_name).endswith(folders.GGUF):
            file = Path(item.file_path).relative_to(folder).as_posix()
            yield CachedHubModel(HubModel(repo, name, file), Path(item.file_path), int(item.size_on_disk))


def _remove_repository(scan: Any, repo: Any) -> int:
    # Of this repository alone: a copy of it, with the same commits, may lie beside it.
    strategy = replace(scan, repos=frozenset({repo})).delete_revisions(*(each.commit_hash for each in repo.revisions))
    strategy.execute()
    return int(strategy.expected_freed_size)


def _remove_files(chosen: set[Path], others: set[Path]) -> int:
    """Delete some of a repository's files: their links in the snapshots, and the content that no other link needs."""
    needed = {_content_of(path) for path in others}
    freed = 0
    for path in chosen:
        content, target, size = _content_of(path), path.resolve(), path.stat().st_size if path.exists() else 0
        path.unlink(missing_ok=True)
        if content not in needed:
            content.unlink(missing_ok=True)
        if not target.exists():
            freed += size
    return freed


def _content_of(path: Path) -> Path:
    """Where a snapshot's file keeps its bytes in the repository: one link away, which may itself be a link."""
    return Path(os.path.normpath(path.parent / path.readlink())) if path.is_symlink() else path


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's log off the terminal; what matters of it arrives as an exception."""
    from huggingface_hub.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity(logging.CRITICAL)
    try:
        yield
    finally:
        logging.set_verbosity(before)


@contextmanager
def _explained(model: HubModel) -> Iterator[None]:
    """Turn what the library raises into one ModelError."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:  # its HTTP library, and so the class of a network failure, changes between versions
        raise _explain(model, error) from error


def _explain(model: HubModel, error: Exception) -> ModelError:
    """The line for an error of the library; its own text holds addresses and stays behind."""
    from huggingface_hub import constants, errors

    if isinstance(error, OSError) and error.errno in DISK_ERRORS:
        return disk_error(Path(constants.HF_HUB_CACHE), error, variable="HF_HOME")
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    login = "run: hf auth login"
    readings = (  # the narrower class first
        (
            errors.GatedRepoError,
            f"{model.repo} is gated: the hub wants you to accept its licence first",
            f"accept it at {constants.ENDPOINT}/{model.repo}, then {login}",
        ),
        (
            errors.RepositoryNotFoundError,
            f"no model {model.repo} on the hub, and no folder of that name here",
            f"check the spelling; if it is private, {login}",
        ),
        (
            errors.RevisionNotFoundError,
            f"{model.repo} has no revision {model.revision}",
            "name a branch, tag or commit",
        ),
        (errors.LocalEntryNotFoundError, f"cannot reach the hub for {model}", "check the network and try again"),
        (errors.EntryNotFoundError, f"{model.repo} lost a file during the download", "try again"),
        (
            errors.HfHubHTTPError,
            f"the hub refused {model.repo} (status {status})",
            login if status in {401, 403} else "try again later",
        ),
        (Exception, f"cannot download {model} from the hub: {type(error).__name__}", "check the network and try again"),
    )
    return next(ModelError(message, hint=hint) for kind, message, hint in readings if isinstance(error, kind))
