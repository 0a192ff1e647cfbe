"""Lines -> numbered items with an id each: made up where a row has none, refused where it was there before.

It must not know what is answered, nor what is already done.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from specgen.batch.lines import MAX_LINE, Line
from specgen.batch.options import RowError, show
from specgen.batch.rows import Reading, Row, RowId, read_row

MADE_UP_ID = re.compile(rb"line-\d+-[0-9a-f]{8}")
"""What ids of our making look like: the position of the line and the beginning of its digest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A row, or why it is none, with its place in the input."""

    index: int
    """Counts rows over all inputs, from 0."""
    line: int
    """In its file, from 1."""
    file: str | None
    """`None` when there is only one input."""
    digest: str
    """Of the line: tells whether the input has changed since."""
    id: RowId
    content: Row | RowError
    carried: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def read_items(lines: Iterable[Line], *, reserved: Collection[str] = ()) -> Iterator[Item]:
    """Number the rows of `lines`.

    An id may occur once; a later row with the same id becomes a `duplicate_id` error that keeps the id. A row without
    id gets one that no other row has, nor any string in `reserved` (given ids of that look that may still come).
    """
    first: dict[RowId, tuple[str | None, int]] = {}
    for index, line in enumerate(lines):
        reading = _read(line)
        content = reading.content
        if reading.id is None:
            id_: RowId = _made_up(line, first, reserved)
        else:
            id_ = reading.id
            if id_ in first:
                content = _duplicate(id_, line, *first[id_])
        first.setdefault(id_, (line.file, line.number))
        yield Item(
            index=index,
            line=line.number,
            file=line.file,
            digest=line.digest,
            id=id_,
            content=content,
            carried=reading.carried,
            warnings=reading.warnings,
        )


def _read(line: Line) -> Reading:
    if line.data is None:
        return Reading(content=RowError("line_too_long", f"the line has more than {MAX_LINE >> 20} MiB"))
    return read_row(line.data)


def _made_up(line: Line, taken: Collection[RowId], reserved: Collection[str]) -> str:
    id_ = f"line-{line.position}-{line.digest[:8]}"
    while id_ in taken or id_ in reserved:
        id_ += "+"
    return id_


def _duplicate(id_: RowId, line: Line, first_file: str | None, first_line: int) -> RowError:
    where = f"line {first_line}" + (f" of {first_file}" if first_file != line.file else "")
    return RowError("duplicate_id", f"the id {show(id_)} was already on {where}", first_line=first_line)
