"""Where a model comes from: read what the user or a profile names, find it on disk, download it, list and remove it.

A source is a local folder, a GGUF file, a model on the hub, or a file inside packages of the Python index. It must not
know what is inside a model: `fetch` hands out a path and nothing else.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import re
import shutil
import textwrap
from dataclasses import dataclass
from pathlib import Path

from specgen.errors import ModelError, UsageError
from specgen.loading import folders, hub, store, wheels
from specgen.loading.meter import Meter
from specgen.progress import Progress, Report, silent

_FORMS = "a model is a folder, a .gguf file, ORG/NAME on the hub, or wheel:NAME==VERSION/PATH"


@dataclass(frozen=True, slots=True)
class Source:
    """One model, by where it is to be found.

    Raises:
        ModelError: the parts do not fit together or one is not written well.
    """

    parts: tuple[str, ...]
    """`hub:ORG/NAME[@REVISION][/FILE.gguf]`, a local path, or `wheel:NAME==VERSION/PATH`; several of the last are
    pieces of one file, in order."""
    sha256: str | None = None
    """Of the whole file, 64 lower-case hexadecimal digits; wheels only (the hub checks its own files)."""
    size: int | None = None
    """Bytes, where they are known beforehand."""
    file: str | None = None
    """Name of the assembled file; wheels only. By default that of the last part."""

    def __post_init__(self) -> None:
        if not self.parts or not all(self.parts):
            raise ModelError("a model source names no place", hint=_FORMS)
        if self.parts[0].startswith(wheels.PREFIX):
            self._check_wheels()
            return
        if len(self.parts) > 1 or self.sha256 or self.file:
            raise ModelError(
                f"{self.parts[0]} is one model by itself",
                hint="several parts, sha256 and file belong to wheel: sources",
            )
        if self.parts[0].startswith(hub.PREFIX):
            hub.HubModel.parse(self.parts[0])

    def _check_wheels(self) -> None:
        for part in self.parts:
            wheels.WheelPart.parse(part)
        if self.sha256 is not None and not re.fullmatch("[0-9a-f]{64}", self.sha256):
            raise ModelError(f"not a sha256: {self.sha256}", hint="write its 64 hexadecimal digits in lower case")
        if self.file is not None and not re.fullmatch(r"[^./\\\s][^/\\\s]*", self.file):
            raise ModelError(f"not a plain file name: {self.file}")
        folders.refuse_split(self.file_name)

    @property
    def file_name(self) -> str:
        """Name of the assembled file of a wheel source."""
        return self.file or wheels.WheelPart.parse(self.parts[-1]).file

    @property
    def label(self) -> str:
        """A short name for people: ORG/NAME, or the name of the file or folder."""
        first = self.parts[0]
        if first.startswith(hub.PREFIX):
            return first.removeprefix(hub.PREFIX)
        name = self.file_name if first.startswith(wheels.PREFIX) else Path(first).expanduser().absolute().name
        return name.removesuffix(folders.GGUF)


@dataclass(frozen=True, slots=True)
class CachedModel:
    """A model on disk that was downloaded: by specgen, or into the hub's cache."""

    name: str
    """What `remove` takes."""
    path: Path
    size: int
    """Bytes on disk."""
    source: Source


def parse(text: str) -> Source:
    """Read what a user gives as a model; an existing path wins over every other reading.

    Raises:
        UsageError: the text is empty.
        ModelError: it is a path at which there is no usable model, or no form that is known.
    """
    text = text.strip()
    if not text:
        raise UsageError("the name of the model is empty", hint=_FORMS)
    path = _expand(text)
    if _exists(path):
        return Source((str(folders.check(path.absolute())),))
    if text.startswith((wheels.PREFIX, hub.PREFIX)):
        return Source((text,))
    if hub.looks_like_hub(text) and not text.endswith(folders.GGUF):
        return Source((hub.PREFIX + text,))
    raise _unknown(text, path)


def locate(source: Source) -> Path | None:
    """Where the model already is on disk: a `.gguf` file or a folder. No network, no hashing."""
    first = source.parts[0]
    if first.startswith(wheels.PREFIX):
        record = store.find(source.parts, sha256=source.sha256)
        return record.path if record else None
    if first.startswith(hub.PREFIX):
        return hub.locate(hub.HubModel.parse(first))
    with contextlib.suppress(ModelError):
        return folders.check(_expand(first))
    return None


def fetch(
    source: Source, *, report: Report = silent, offline: bool = False, start: wheels.Start = wheels.PipDownload
) -> Path:
    """Find the model on disk or download it: a `.gguf` file or a folder.

    A downloaded file appears in the cache only when it is whole and its hash is right; two processes that want the
    same one download it once.

    Args:
        report: told the bytes that have arrived.
        offline: never use the network.
        start: how a wheel is downloaded.

    Raises:
        ModelError: not found, not allowed, damaged, no network, no space, or not cached and offline.
    """
    first = source.parts[0]
    if first.startswith(hub.PREFIX):
        return hub.fetch(hub.HubModel.parse(first), report=report, offline=offline)
    if not first.startswith(wheels.PREFIX):
        return folders.check(_expand(first))
    if (found := locate(source)) is not None:
        return found
    if offline:
        raise ModelError(
            f"{source.label} is not cached and offline", hint="run the same command once without being offline"
        )
    return _assemble(source, report=report, start=start)


def cached() -> list[CachedModel]:
    """Every downloaded model, ours and the hub's, in the order of their names."""
    ours = [CachedModel(each.path.name, each.path, each.size, _source_of(each)) for each in store.records()]
    theirs = [
        CachedModel(str(each.model), each.path, each.size, Source((f"{hub.PREFIX}{each.model}",)))
        for each in hub.cached()
    ]
    return sorted(ours + theirs, key=lambda each: each.name.lower())


def remove(name: str) -> int:
    """Delete a downloaded model and return the bytes freed.

    Args:
        name: a `CachedModel.name`; for our files also the label or the source, if it names one file only.

    Raises:
        ModelError: nothing or more than one file has that name, or it cannot be deleted.
    """
    matching = [each for each in store.records() if name in _names_of(each)]
    if len(matching) > 1:
        names = ", ".join(each.path.name for each in matching)
        raise ModelError(f"several cached models are named {name}", hint=f"name one of: {names}")
    if matching:
        return store.discard(matching[0])
    freed = hub.remove(name)
    if freed is not None:
        return freed
    near = difflib.get_close_matches(name, [each.name for each in cached()], n=1, cutoff=0.4)
    hint = f"did you mean {near[0]}?" if near else "specgen models lists what is cached"
    raise ModelError(f"no cached model {_shown(name)}", hint=hint)


def _assemble(source: Source, *, report: Report, start: wheels.Start) -> Path:
    identity = source.sha256 or hashlib.sha256("\n".join(source.parts).encode()).hexdigest()

    def waiting() -> None:
        report(Progress(f"waiting for another download of {source.label}", 0, None))

    with store.workspace(identity[:16], waiting=waiting) as scratch:
        if (found := locate(source)) is not None:  # another process has just made it
            return found
        _check_space(source, scratch)
        meter = Meter(report, f"downloading {source.label}", total=source.size)
        parts = [wheels.WheelPart.parse(part) for part in source.parts]
        with contextlib.closing(wheels.read(parts, scratch, start=start, arriving=meter.arriving)) as content:
            record = store.add(
                content, scratch, file=source.file_name, parts=source.parts, sha256=source.sha256, wrote=meter.add
            )
        meter.close()
        return record.path


def _check_space(source: Source, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if source.size is not None and free < source.size:
        raise ModelError(
            f"not enough disk space for {source.label}: {source.size / 1e9:.1f} GB wanted, {free / 1e9:.1f} GB free",
            hint=f"free some space or point {store.ENVIRONMENT} to another disk",
        )


def _source_of(record: store.Record) -> Source:
    return Source(record.parts, record.sha256, record.size, record.file)


def _names_of(record: store.Record) -> set[str]:
    return {record.path.name, record.file, record.file.removesuffix(folders.GGUF), *record.parts}


def _expand(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:  # "~nobody"
        return Path(text)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        if isinstance(error, PermissionError):
            raise ModelError(f"cannot read {path}: permission denied") from error
        return False  # a name that is too long to be one


def _unknown(text: str, path: Path) -> ModelError:
    """The error for a text that is no model: what it looks like decides what is said."""
    if not text.endswith(folders.GGUF):
        looks_like_path = text.startswith((".", "~", "/")) or "\\" in text
        what = "no such file or folder" if looks_like_path else "unknown model"
        return ModelError(f"{what}: {_shown(text)}", hint=_FORMS)
    hint = "check the spelling of the path"
    with contextlib.suppress(OSError):
        names = [each.name for each in path.parent.iterdir() if each.suffix == folders.GGUF]
        if near := difflib.get_close_matches(path.name, names, n=1):
            return ModelError(f"no such file: {_shown(text)}", hint=f"did you mean {path.parent / near[0]}?")
    if not path.is_absolute() and len(path.parts) == 3:
        hint = f"if it is on the hub, write {hub.PREFIX}{text}"
    return ModelError(f"no such file: {_shown(text)}", hint=hint)


def _shown(text: str) -> str:
    return textwrap.shorten(text, 120, placeholder=" ...") if len(text) > 120 else text.replace("\n", " ")
