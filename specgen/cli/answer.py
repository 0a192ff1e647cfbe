"""Showing one answer: streamed to the terminal or a pipe, or as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from specgen import __version__
from specgen.cli.exits import INTERRUPTED, TERMINATED, Terminated
from specgen.ui.footer import footer_line, full_report
from specgen.ui.output import AnswerWriter, print_json
from specgen.ui.status import StatusLine, place_for

if TYPE_CHECKING:
    from specgen.profiles import Settings
    from specgen.session import Chunk, Session
    from specgen.ui.console import Console
    from specgen.ui.progress import ProgressView


def as_stream(
    chunks: Iterator[Chunk],
    session: Session,
    settings: Settings,
    *,
    console: Console,
    progress: ProgressView,
    whole: bool,
    stats: str,
) -> int:
    """Write the text as it comes, the footer at the end. Returns the exit code; an interrupt keeps what there is."""
    writer = AnswerWriter(whole=whole)
    code = 0
    try:
        with StatusLine(console, place_for(console, streams=not whole)) as status:
            for chunk in chunks:
                progress.close()
                status.show(chunk.stats, settings.generation, beside=writer.line)
                writer.write(chunk.text)
    except KeyboardInterrupt as interrupt:
        if not session.stats.new_tokens:
            raise
        code = _interrupted(session, interrupt)
    finally:
        progress.close()
        writer.finish()
    if console.is_terminal:
        writer.wait_for_reader()
    _report(session, settings, console=console, stats=stats)
    return code


def as_document(
    chunks: Iterator[Chunk],
    session: Session,
    settings: Settings,
    *,
    console: Console,
    progress: ProgressView,
    stats: str,
) -> int:
    """Write one JSON document, also after an interrupt. Returns the exit code."""
    answer: list[str] = []
    thinking: list[str] = []
    code = 0
    try:
        with StatusLine(console, place_for(console, streams=False)) as status:
            for chunk in chunks:
                progress.close()
                status.show(chunk.stats, settings.generation)
                answer.append(chunk.text)
                thinking.append(chunk.thinking)
    except KeyboardInterrupt as interrupt:
        code = _interrupted(session, interrupt)
    progress.close()
    print_json(_document("".join(answer), "".join(thinking), session, settings))
    _report(session, settings, console=console, stats=stats)
    return code


def _report(session: Session, settings: Settings, *, console: Console, stats: str) -> None:
    if stats != "none":
        console.dim(footer_line(session.stats, settings.generation, width=console.width))
    if stats == "full":
        console.lines(full_report(session.stats, settings, session.describe()))
    elif console.verbose:
        console.lines([f"{name}: {value}" for name, value in session.describe().items() if value is not None])


def _interrupted(session: Session, interrupt: KeyboardInterrupt) -> int:
    session.stats.finish = "interrupted"
    return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED


def _document(text: str, thinking: str, session: Session, settings: Settings) -> dict[str, Any]:
    stats = session.stats
    return {
        "text": text,
        **({"thinking": thinking} if settings.generation.hide_thinking else {}),
        "finish_reason": stats.finish,
        "usage": stats.usage_dict(),
        "timings": stats.timings_dict(),
        "spec": stats.spec_dict(),
        "task": {
            "name": settings.detection.task,
            "confidence": settings.detection.confidence,
            "evidence": list(settings.detection.evidence),
        },
        "profile": settings.profile,
        "settings": settings.generation.to_dict(),
        "model": session.describe(),
        "peak_bytes": stats.peak_bytes,
        "specgen": __version__,
    }
