"""The one place where exceptions become one line on stderr and an exit code."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

import click

from specgen.cli.prompt_command import PromptCommand
from specgen.errors import DoesNotFit, SpecgenError

INTERRUPTED = 130
TERMINATED = 143
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_VERBOSE = re.compile(r"--verbose|-[a-z]*v[a-z]*")


class Terminated(KeyboardInterrupt):
    """SIGTERM: ends like Ctrl-C, with its own exit code."""


def guarded(command: click.Command, args: Sequence[str]) -> int:
    """Run `command` and return the exit code."""
    _prepare_streams()
    if sys.stdout is None:
        return _fail("stdout is closed", None, 1)
    previous = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, handler in previous.items():
        if handler is not signal.SIG_IGN:  # under nohup, or in the background of a script
            signal.signal(number, _interrupt)
    try:
        # not click's `main`: it has exit codes of its own for interrupts and closed pipes
        with command.make_context("specgen", list(args)) as context:
            result = command.invoke(context)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except (KeyboardInterrupt, click.Abort) as interrupt:
        terminated = isinstance(interrupt, Terminated)
        _say("specgen: terminated" if terminated else "specgen: interrupted")
        return TERMINATED if terminated else INTERRUPTED
    except Exception as error:
        return _code_of(error, show_trace=any(map(_VERBOSE.fullmatch, args)))
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _code_of(error: Exception, *, show_trace: bool) -> int:
    """Say what went wrong and return the exit code. A reader that closed the pipe has seen enough: 0, no word."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":  # the latter is torch's
        error = DoesNotFit("out of memory", hint="a smaller model, a shorter prompt or --quant needs less")
    match error:
        case SpecgenError():
            return _fail(error.message, error.hint, error.exit_code)
        case click.ClickException():
            return _fail(_as_ours(error.format_message()), _usage_hint(error), error.exit_code)
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


def _prepare_streams() -> None:
    """UTF-8 whatever the locale says; and no file that is opened later may take the place of a closed stderr."""
    if sys.stderr is None:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _interrupt(signum: int, frame: FrameType | None) -> None:
    """The first signal ends the work in order, the second at once."""
    for number in _SIGNALS:
        if signal.getsignal(number) is _interrupt:
            signal.signal(number, signal.SIG_DFL)
    raise Terminated if signum == signal.SIGTERM else KeyboardInterrupt


def _fail(message: str, hint: str | None, code: int) -> int:
    _say(f"specgen: error: {_one_line(message)}", *([f"  hint: {_one_line(hint)}"] if hint else []))
    return code


def _say(*lines: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):  # the exit code has to do then
            os.write(2, ("\n".join(lines) + "\n").encode("utf-8", "replace"))


def _one_line(text: str) -> str:
    """Names and paths of the user may hold anything; an error stays one line and cannot drive the terminal."""
    from specgen.text import neutralise

    return neutralise(text.replace("\n", " ").replace("\t", " "))


def _as_ours(message: str) -> str:
    """click's sentences in the form of our own errors."""
    return (message[:1].lower() + message[1:]).removesuffix(".")


def _usage_hint(error: click.ClickException) -> str | None:
    context = getattr(error, "ctx", None)
    if context is None:
        return None
    hint = f"{context.command_path} --help"
    if isinstance(error, click.NoSuchOption) and isinstance(context.command, PromptCommand):
        hint += "; a prompt that begins with a dash: specgen -- PROMPT"
    return hint


def _os_reason(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    return f"{(error.strerror or str(error)).lower()}{where}"


def _discard_stdout() -> None:
    """Let the interpreter's last flush go nowhere instead of failing again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
