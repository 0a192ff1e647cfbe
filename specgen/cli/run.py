"""`specgen PROMPT`: one answer, streamed."""

from __future__ import annotations

from typing import Any

import click

from specgen.cli.options import model_options, overrides_from, sampling_options
from specgen.cli.prompt_command import PromptCommand


@click.command("run", cls=PromptCommand, context_settings={"max_content_width": 100})
@click.argument("words", nargs=-1, metavar="[PROMPT]")
@click.option(
    "-f", "--file", "files", multiple=True, metavar="FILE", help="Text to put before the prompt (repeatable)."
)
@model_options
@sampling_options
@click.option("--json", "as_json", is_flag=True, help="One JSON document with text, counts and timings, no stream.")
@click.option("--no-stream", is_flag=True, help="Print the answer at once when it is complete.")
@click.option(
    "--stats",
    type=click.Choice(["line", "full", "none"]),
    help="What to tell on stderr at the end. [default: line; with --json none]",
)
@click.option("-q", "--quiet", is_flag=True, help="Nothing on stderr but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Tell what runs, and show where an internal error happened.")
def run(
    *,
    words: tuple[str, ...],
    files: tuple[str, ...],
    as_json: bool,
    no_stream: bool,
    stats: str | None,
    quiet: bool,
    verbose: bool,
    **flags: Any,
) -> int:
    """Answer PROMPT. Files come first, then piped text, a blank line, then PROMPT; - reads standard input at any rate.

    Input is UTF-8: a byte order mark is dropped, CRLF becomes LF, invalid bytes become U+FFFD with a remark. A pipe
    that another command may still write to is waited for; any other that stays silent is left after a second.
    """
    from specgen.cli.reading import read_request
    from specgen.profiles import resolve
    from specgen.session import Prompt, Session
    from specgen.tasks import detect
    from specgen.ui.console import Console
    from specgen.ui.progress import ProgressView

    console = Console(quiet=quiet, verbose=verbose)
    request = read_request(words, files, console.note)
    overrides = overrides_from(flags)
    settings = resolve(overrides, detect(request.argument, request.material, request.name))
    if verbose or (overrides.profile is None and overrides.model is None):
        console.note(settings.profile_reason)
    with ProgressView(console) as progress:
        session = Session.open(settings.load, report=progress, note=console.note)
        chunks = session.stream(Prompt.of(request.text), settings.generation)
        from specgen.cli.answer import as_document, as_stream

        if as_json:
            return as_document(chunks, session, settings, console=console, progress=progress, stats=stats or "none")
        return as_stream(
            chunks, session, settings, console=console, progress=progress, whole=no_stream, stats=stats or "line"
        )
