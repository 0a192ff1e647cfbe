"""The run: rows in, answers out, one after the other. It must not know sessions, settings, files or screens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from specgen.batch.items import MADE_UP_ID, Item, read_items
from specgen.batch.lines import Inputs, count_and_find
from specgen.batch.options import RowError
from specgen.batch.output import Output
from specgen.batch.records import Answer, Outcome
from specgen.batch.rows import Row
from specgen.batch.summary import BatchSummary
from specgen.errors import DoesNotFit, SpecgenError, UsageError
from specgen.progress import Note, silent

MAX_REMARKS = 20
Answering = Callable[[Row], Answer]


class CannotAnswer(Exception):
    """Raised instead of an answer where no row could get one: `error` ends the run."""

    def __init__(self, error: SpecgenError) -> None:
        super().__init__(error.message)
        self.error = error


def run_batch(
    inputs: Inputs,
    output: Output,
    connect: Callable[[], Answering],
    *,
    limit: int | None = None,
    fail_fast: bool = False,
    report: Callable[[BatchSummary], None] = silent,
    note: Note = silent,
) -> BatchSummary:
    """Answer every row of `inputs` that `output` has not finished; one output row each, in the order of the input.

    `connect` loads whatever is needed and returns what answers a row; it is called once, and only if a row needs an
    answer. A row that has no answer becomes an error row, and the run goes on: a row that cannot be read, and whatever
    answering raises, except `CannotAnswer`. An interrupt ends the run, with
    `summary.interrupt` set; the row in work is not written.

    Args:
        limit: rows to write at most.
        fail_fast: stop after the first error row.
        report: gets the live summary after each row.
        note: gets what a user should see at once, the first warnings and failures.

    Raises:
        UsageError: before anything is written, if the input is not the one that the finished rows belong to.
        SpecgenError: what `connect` or `CannotAnswer` says, a full disk, a damaged input file. What is written stays.
    """
    summary = BatchSummary()
    reserved: frozenset[str] = frozenset()
    if inputs.rereadable:
        summary.total, reserved = count_and_find(inputs, MADE_UP_ID)
        output.finished.check(read_items(inputs, reserved=reserved))
    summary.planned = _planned(summary.total, len(output.finished), limit)
    output.begin()
    run = _Run(output, connect, summary, report, _Remarks(note))
    try:
        if limit != 0:
            for item in read_items(inputs, reserved=reserved):
                run.do(item)
                if summary.written == limit or (fail_fast and summary.failed):
                    break
    except KeyboardInterrupt as interrupt:
        summary.interrupt = interrupt
    output.finish()
    return summary


@dataclass(slots=True)
class _Run:
    output: Output
    connect: Callable[[], Answering]
    summary: BatchSummary
    report: Callable[[BatchSummary], None]
    remarks: _Remarks
    answer: Answering | None = None
    started: float = field(default_factory=time.monotonic)

    def do(self, item: Item) -> None:
        if self.output.finished.take(item):
            self.summary.skipped += 1
            return
        outcome = self._outcome(item)
        self.output.write(item, outcome)
        self.summary.add(outcome)
        self.summary.elapsed_s = time.monotonic() - self.started
        self.remarks.about(item, outcome)
        self.report(self.summary)

    def _outcome(self, item: Item) -> Outcome:
        if isinstance(item.content, RowError):
            return item.content
        if self.answer is None:
            self.answer = self.connect()
        return attempt(self.answer, item.content)


def attempt(answer: Answering, row: Row) -> Outcome:
    """The answer, or the reason why there is none. Lets through what concerns more than this row."""
    try:
        return answer(row)
    except RowError as error:
        return error
    except CannotAnswer as stop:
        raise stop.error from stop
    except UsageError as error:
        return RowError("refused", error.message)
    except DoesNotFit as error:
        return RowError("does_not_fit", error.message)
    except SpecgenError as error:
        return RowError("failed", error.message)
    except Exception as error:
        return RowError("internal", f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode())


class _Remarks:
    """The first few things that a user should see while the run goes on, each once."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._seen: set[str] = set()

    def about(self, item: Item, outcome: Outcome) -> None:
        if item.warnings or isinstance(outcome, RowError):
            place = f"line {item.line}" if item.file is None else f"{item.file}, line {item.line}"
            for text in (*item.warnings, *([outcome.message] if isinstance(outcome, RowError) else [])):
                self._say(place, text)

    def _say(self, place: str, text: str) -> None:
        if text in self._seen or len(self._seen) > MAX_REMARKS:
            return
        self._seen.add(text)
        more = len(self._seen) > MAX_REMARKS
        self._note("further remarks are only in the output rows" if more else f"{place}: {text}")


def _planned(total: int | None, finished: int, limit: int | None) -> int | None:
    if limit is None or total is None:
        return total
    return min(total, finished + limit)
