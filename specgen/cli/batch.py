"""`specgen batch`: rows of JSON lines in, rows of answers out. Options and wiring; the work is in `specgen.batch`."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from specgen.cli.options import model_options, overrides_from, sampling_options
from specgen.errors import UsageError

if TYPE_CHECKING:
    from specgen.batch import Answering, Format, Inputs, Output
    from specgen.batch.output import Existing
    from specgen.profiles import Overrides, Selection
    from specgen.progress import Note
    from specgen.ui.progress import ProgressView

_STREAM = "-"


@click.command("batch", short_help="Answer every row of JSON lines files.")
@click.argument("inputs", nargs=-1, metavar="IN.jsonl...", type=click.Path())
@click.option("-o", "--output", default=_STREAM, metavar="FILE", help="Where the rows go; - is stdout, the default.")
@click.option("--format", "layout", type=click.Choice(["specgen", "openai"]), default="specgen", help="Of output rows.")
@click.option("--resume", is_flag=True, help="Go on with the output file: rows that it has are not done again.")
@click.option("--retry-errors", is_flag=True, help="Resume, and do the rows that failed again.")
@click.option("--overwrite", is_flag=True, help="Replace the output file.")
@click.option("--force", is_flag=True, help="Resume although the model, the settings or the input are others.")
@click.option("--fail-fast", is_flag=True, help="Stop after the first row that fails.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Write at most N rows.")
@click.option("-q", "--quiet", is_flag=True, help="Nothing on stderr but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Show where an internal error happened.")
@model_options
@sampling_options
@click.pass_context
def batch(
    context: click.Context,
    /,
    *,
    inputs: tuple[str, ...],
    output: str,
    layout: str,
    resume: bool,
    retry_errors: bool,
    overwrite: bool,
    force: bool,
    fail_fast: bool,
    limit: int | None,
    quiet: bool,
    verbose: bool,
    **flags: Any,
) -> None:
    """Answer every row of JSON lines files, or of standard input (-), in order.

    A row is {"prompt": "..."}, {"messages": [...]} or a request of OpenAI's batch API; it may have an "id" and settings
    of its own. Each gets one output row, written when it is done. A row that fails gets an error row, the run goes on,
    and the exit code is 6.
    """
    from specgen.batch import run_batch
    from specgen.profiles import select
    from specgen.ui.batch import BatchView
    from specgen.ui.console import Console
    from specgen.ui.progress import ProgressView

    existing = _existing(resume=resume or retry_errors, overwrite=overwrite, force=force)
    lines = _inputs(inputs, output)
    overrides = overrides_from(flags)
    selection = select(overrides)
    console = Console(quiet=quiet, verbose=verbose)
    console.note(selection.model.reason)
    with (
        closing(
            _output(output, layout, selection, overrides, existing, retry_errors=retry_errors, force=force)
        ) as rows,
        BatchView(console, live=output != _STREAM) as view,
        ProgressView(console) as loading,
    ):
        summary = run_batch(
            lines,
            rows,
            lambda: _connect(selection, overrides, view.note, loading),
            limit=limit,
            fail_fast=fail_fast,
            report=view,
            note=view.note,
        )
    console.note(summary.line())
    if summary.interrupt is not None:
        raise summary.interrupt
    context.exit(summary.exit_code)


def _existing(*, resume: bool, overwrite: bool, force: bool) -> Existing:
    if resume and overwrite:
        raise UsageError("--resume and --overwrite contradict each other")
    if force and not resume:
        raise UsageError("--force only goes with --resume", hint="to replace the output file use --overwrite")
    return "resume" if resume else "overwrite" if overwrite else "refuse"


def _inputs(names: tuple[str, ...], output: str) -> Inputs:
    from specgen.batch import STDIN, Inputs

    if not names and sys.stdin.isatty():
        raise UsageError("there is nothing to answer", hint="name a .jsonl file, or - to type rows")
    for name in names:
        if name != STDIN and os.path.exists(name) and os.path.exists(output) and os.path.samefile(name, output):
            raise UsageError(f"{output} is both input and output")
    return Inputs(names or (STDIN,), stdin=sys.stdin.buffer)


def _output(
    path: str,
    layout: str,
    selection: Selection,
    overrides: Overrides,
    existing: Existing,
    *,
    retry_errors: bool,
    force: bool,
) -> Output:
    from specgen.batch import FileOutput, OpenAIFormat, OwnFormat, StreamOutput
    from specgen.batch.answering import text_settings

    form: Format = OpenAIFormat(model=selection.load.target_name) if layout == "openai" else OwnFormat()
    if path == _STREAM or (os.path.exists(path) and not os.path.isfile(path)):
        if existing == "resume":
            raise UsageError("only an output file can be resumed", hint="name one with -o")
        return StreamOutput(_stream(path), form)
    settings = text_settings(selection, overrides)
    return FileOutput(Path(path), form, settings=settings, existing=existing, retry_errors=retry_errors, force=force)


def _stream(path: str) -> BinaryIO:
    if path == _STREAM:
        return sys.stdout.buffer
    try:
        return open(path, "wb")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from error


def _connect(selection: Selection, overrides: Overrides, note: Note, loading: ProgressView) -> Answering:
    from specgen.batch.answering import SessionAnswers
    from specgen.session import Session

    session = Session.open(selection.load, report=loading, note=note)
    session.load()
    loading.close()
    return SessionAnswers(session, selection, overrides)
