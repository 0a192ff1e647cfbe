"""Where output rows go: to a file, each whole and flushed, so that a run can be killed and resumed; or to a stream.

It must not know how rows are answered, nor what the settings mean.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

from specgen.batch.finished import Entry, Finished, rewrite, scan
from specgen.batch.items import Item
from specgen.batch.json_line import dump
from specgen.batch.options import RowError
from specgen.batch.records import Format, Outcome
from specgen.batch.sidecar import Sidecar, differences, sidecar_path
from specgen.errors import SpecgenError, UsageError

SYNC_SECONDS = 5.0
"""Rows are on the disk itself, safe from a power failure, at most this much later."""


Existing = Literal["refuse", "resume", "overwrite"]
"""What to do with an output file that has rows."""


class Output(Protocol):
    """Takes rows. Order of calls: `finished` may be looked at, `begin`, any `write`, `finish`, `close`."""

    finished: Finished
    """What needs no answer any more."""

    def begin(self) -> None:
        """Nothing on the disk has changed before this."""

    def write(self, item: Item, outcome: Outcome) -> None:
        """Append one row, whole."""

    def finish(self) -> None:
        """Put the rows into the order of the input, if they are not."""

    def close(self) -> None:
        """Let go; also after a failure."""


class StreamOutput:
    """Standard output, a pipe or a device: nothing to resume. A closed pipe raises `BrokenPipeError`."""

    def __init__(self, stream: BinaryIO, form: Format) -> None:
        self.finished = Finished()
        self._stream = stream
        self._form = form

    def begin(self) -> None:
        pass

    def write(self, item: Item, outcome: Outcome) -> None:
        with _named_errors("standard output", hint=None):
            self._stream.write(encode(self._form, item, outcome))
            self._stream.flush()

    def finish(self) -> None:
        pass

    def close(self) -> None:
        pass


class FileOutput:
    """A file of rows, with a sidecar beside it. A full disk raises `SpecgenError`; the rows that are there stay."""

    def __init__(
        self,
        path: Path,
        form: Format,
        *,
        settings: Mapping[str, Any],
        existing: Existing = "refuse",
        retry_errors: bool = False,
        force: bool = False,
    ) -> None:
        """Lock the output and read what it has; nothing is changed yet.

        `settings`: flat, JSON; all that an answer depends on. `retry_errors`: error rows count as not done and go.
        `force`: resume with other settings, and with rows matched by their id alone.

        Raises `UsageError` for a file that another run writes, that has rows unless `existing` allows it, that holds
        anything but rows of ours, or that was made with other settings.
        """
        self._path = Path(os.path.realpath(path))
        self._form = form
        self._settings = {"format": form.name, **settings}
        self._entries: list[Entry] = []
        self._file: int | None = None
        self._end = 0
        self._last_index = -1
        self._in_order = True
        self._synced = 0.0
        self._sidecar = _claim(self._path, existing)
        try:
            if existing == "resume" and _size(self._path):
                self._read(retry_errors=retry_errors, force=force)
        except BaseException:
            self._sidecar.close()
            raise
        self.finished = Finished((entry.done for entry in self._entries), by_id=force)

    def begin(self) -> None:
        with self._errors():
            if any(entry.start != start for entry, start in zip(self._entries, self._starts(), strict=True)):
                rewrite(self._path, self._entries)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            self._end = sum(entry.length for entry in self._entries)
            os.ftruncate(self._file, self._end)
            if self._sidecar.settings() != self._settings:
                self._sidecar.write(self._settings)  # last: rows are never beside settings that they were not made with
        for entry in self._entries:
            self._note_order(entry.done.index)
        self._synced = time.monotonic()

    def write(self, item: Item, outcome: Outcome) -> None:
        assert self._file is not None, "begin() comes first"
        line = encode(self._form, item, outcome)
        with self._errors():
            try:
                _write_all(self._file, line)
            except BaseException:
                os.ftruncate(self._file, self._end)  # a torn row would be dropped by the next run anyway
                raise
            self._end += len(line)
            if time.monotonic() - self._synced > SYNC_SECONDS:
                self._sync()
        self._note_order(item.index)

    def finish(self) -> None:
        assert self._file is not None, "begin() comes first"
        with self._errors():
            self._sync()
            if not self._in_order:
                entries = scan(self._path, self._form)
                rewrite(self._path, sorted(entries, key=lambda entry: entry.done.index))

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._sidecar.close()

    def _read(self, *, retry_errors: bool, force: bool) -> None:
        if not force:
            _compare(self._path, self._sidecar.settings(), self._settings)
        entries = scan(self._path, self._form)
        self._entries = [entry for entry in entries if not (retry_errors and entry.done.failed)]

    def _note_order(self, index: int) -> None:
        self._in_order &= index > self._last_index
        self._last_index = max(index, self._last_index)

    def _starts(self) -> Iterator[int]:
        """Where the kept rows begin once the others are gone."""
        start = 0
        for entry in self._entries:
            yield start
            start += entry.length

    def _sync(self) -> None:
        assert self._file is not None
        os.fsync(self._file)
        self._synced = time.monotonic()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with _named_errors(str(self._path), hint="the rows that are done are kept: make room, then use --resume"):
            yield


def encode(form: Format, item: Item, outcome: Outcome) -> bytes:
    """The output line; an answer that is not JSON (which would be a defect of ours) becomes an error row."""
    try:
        return dump(form.record(item, outcome))
    except ValueError as error:
        return dump(form.record(item, RowError("internal", f"the row could not be written: {type(error).__name__}")))


def _write_all(file: int, line: bytes) -> None:
    """One system call, unless the disk takes only a part."""
    rest = memoryview(line)
    while rest:
        rest = rest[os.write(file, rest) :]


def _claim(path: Path, existing: Existing) -> Sidecar:
    """The lock on `path`; no sidecar is left beside a file that is not ours."""
    if not path.parent.is_dir():
        raise UsageError(f"the folder {path.parent} does not exist")
    if existing == "refuse" and not sidecar_path(path).exists():
        _refuse_rows(path)
    sidecar = Sidecar(path)
    try:
        if existing == "refuse":
            _refuse_rows(path)
    except UsageError:
        sidecar.close()
        raise
    return sidecar


def _refuse_rows(path: Path) -> None:
    if _size(path):
        raise UsageError(f"{path} exists", hint="--resume goes on with it, --overwrite replaces it")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _compare(path: Path, old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> None:
    if old is None:
        raise UsageError(
            f"nothing tells what {path} was made with ({sidecar_path(path).name} is missing)",
            hint="--force goes on nevertheless",
        )
    if different := differences(old, new):
        raise UsageError(
            f"{path} was made with other settings: {'; '.join(different)}",
            hint="use the same, or --force to go on with the new ones",
        )


@contextmanager
def _named_errors(name: str, *, hint: str | None) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SpecgenError(f"cannot write {name}: {(error.strerror or str(error)).lower()}", hint=hint) from error
