"""The one place where exceptions become one line on stderr and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

import click

from specgen.errors import SpecgenError

INTERRUPTED = 130
TERMINATED = 143


class Terminated(KeyboardInterrupt):
    """SIGTERM: ends like Ctrl-C, with its own exit code."""


def guarded(command: click.Command, args: Sequence[str]) -> int:
    """Run `command` and return the exit code."""
    if sys.stdout is None:
        return _fail("stdout is closed", None, 1)
    previous = signal.signal(signal.SIGTERM, _terminate)
    try:
        # not click's `main`: it has exit codes of its own for interrupts and closed pipes
        with command.make_context("specgen", list(args)) as context:
            result = command.invoke(context)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except (KeyboardInterrupt, click.Abort) as interrupt:
        return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED
    except Exception as error:
        return _code_of(error, show_trace="-v" in args or "--verbose" in args)
    finally:
        signal.signal(signal.SIGTERM, previous)


def _code_of(error: Exception, *, show_trace: bool) -> int:
    """Say what went wrong and return the exit code. A reader that closed the pipe has seen enough: 0, no word."""
    match error:
        case SpecgenError():
            return _fail(error.message, error.hint, error.exit_code)
        case click.ClickException():
            return _fail(error.format_message(), _usage_hint(error), error.exit_code)
        case click.exceptions.Exit():
            return error.exit_code
        case BrokenPipeError():
            _discard_stdout()
            return 0
        case OSError():
            _discard_stdout()
            return _fail(_os_reason(error), None, 1)
        case _:
            if show_trace:
                traceback.print_exception(error)
            return _fail(f"internal error: {type(error).__name__}: {error}", "-v shows where it happened", 1)


def _terminate(signum: int, frame: FrameType | None) -> None:
    raise Terminated


def _fail(message: str, hint: str | None, code: int) -> int:
    lines = [f"specgen: error: {_one_line(message)}", *([f"  hint: {_one_line(hint)}"] if hint else [])]
    with suppress(OSError):  # with stderr closed the exit code has to do
        os.write(2, ("\n".join(lines) + "\n").encode("utf-8", "replace"))
    return code


def _one_line(text: str) -> str:
    """Names and paths of the user may hold anything; an error stays one line and cannot drive the terminal."""
    from specgen.text import neutralise

    return neutralise(text.replace("\n", " ").replace("\t", " "))


def _usage_hint(error: click.ClickException) -> str | None:
    context = getattr(error, "ctx", None)
    return f"{context.command_path} --help" if context is not None else None


def _os_reason(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    return f"{(error.strerror or str(error)).lower()}{where}"


def _discard_stdout() -> None:
    """Let the interpreter's last flush go nowhere instead of failing again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
