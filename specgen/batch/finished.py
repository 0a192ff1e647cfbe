"""What an output file already answers: which rows, where they are in it, and whether the input still fits them.

It reads output files and rewrites them whole; it must not know how rows are answered.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from specgen.batch.items import Item
from specgen.batch.options import show
from specgen.batch.records import Done, Format
from specgen.batch.rows import RowId
from specgen.errors import UsageError

_ROW_START = b'{"id": '


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of an output file and its bytes there, the newline included."""

    done: Done
    start: int
    length: int


def scan(path: Path, form: Format) -> list[Entry]:
    """The whole rows of an output file; behind them is at most the torn beginning of one row.

    Raises `UsageError` for a file that holds anything else.
    """
    entries: list[Entry] = []
    start = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                if not (line.startswith(_ROW_START) or _ROW_START.startswith(line)):
                    raise _foreign(path, number, form)
                break
            done = _identify(line, form)
            if done is None:
                raise _foreign(path, number, form)
            entries.append(Entry(done, start, len(line)))
            start += len(line)
    return entries


def rewrite(path: Path, entries: Sequence[Entry]) -> None:
    """Make `path` hold exactly `entries`, in this order: the file is the old or the new one, never half of it."""
    temporary = path.with_name(path.name + ".specgen.tmp")
    try:
        with path.open("rb") as old, temporary.open("wb") as new:
            for entry in entries:
                old.seek(entry.start)
                new.write(old.read(entry.length))
            new.flush()
            os.fsync(new.fileno())
        shutil.copymode(path, temporary)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


class Finished:
    """The rows that need no answer any more; each is taken once, so repeated ids and equal rows count apart.

    A row is matched by its index, and then must have the same id and the same line as when it was answered. With
    `by_id`, by its id alone: for an input that was changed on purpose.
    """

    def __init__(self, done: Iterable[Done] = (), *, by_id: bool = False) -> None:
        self._by_id = by_id
        self._waiting: dict[RowId, list[Done]] = {}
        self._count = 0
        for one in done:
            self._waiting.setdefault(one.id if by_id else one.index, []).append(one)
            self._count += 1

    def __len__(self) -> int:
        """Rows that are finished, taken or not."""
        return self._count

    def take(self, item: Item) -> bool:
        """Whether `item` is done already. Raises `UsageError` if its answer belongs to another row."""
        if not self._is_waiting(item):
            return False
        self._waiting[item.id if self._by_id else item.index].pop()
        return True

    def check(self, items: Iterable[Item]) -> None:
        """Raises `UsageError` unless all answers belong to `items`; takes nothing."""
        if self._by_id or not self._count:
            return
        rows = 0
        for item in items:
            self._is_waiting(item)
            rows += 1
        for index, waiting in self._waiting.items():
            if int(index) >= rows or len(waiting) > 1:
                raise UsageError(f"the row {show(waiting[-1].id)} is answered, but not in the input", hint=_HINT)

    def _is_waiting(self, item: Item) -> bool:
        waiting = self._waiting.get(item.id if self._by_id else item.index)
        if not waiting:
            return False
        if not self._by_id and (waiting[-1].id, waiting[-1].digest) != (item.id, item.digest):
            raise _changed(item, waiting[-1])
        return True


_HINT = "give the same input, or --force to keep the answers by id, or --overwrite to begin anew"


def _changed(item: Item, done: Done) -> UsageError:
    place = f"line {item.line}" if item.file is None else f"line {item.line} of {item.file}"
    if item.id != done.id:
        return UsageError(f"the input has changed: {place} is {show(item.id)}, it was {show(done.id)}", hint=_HINT)
    return UsageError(f"the input has changed: {place} ({show(item.id)}) is not what was answered", hint=_HINT)


def _identify(line: bytes, form: Format) -> Done | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return form.identify(record) if isinstance(record, dict) else None


def _foreign(path: Path, line: int, form: Format) -> UsageError:
    return UsageError(
        f"line {line} of {path} is not a row of --format {form.name}",
        hint="give another file with -o, or --overwrite to replace this one",
    )
