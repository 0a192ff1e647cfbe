"""The command line: `specgen PROMPT`, or `specgen COMMAND`. Commands are looked up by name and imported when used."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from specgen import __version__
from specgen.cli.exits import guarded
from specgen.cli.options import translated

COMMANDS = {
    "run": ("specgen.cli.run:run", "Answer one prompt (the default command)."),
    "batch": ("specgen.cli.batch:batch", "Answer every row of JSON lines files."),
    "profiles": ("specgen.cli.profiles:profiles", "List the profiles, or show one."),
    "models": ("specgen.cli.models:models", "List, fetch and remove models on disk."),
}
_GROUP_OPTIONS = {"--help", "-h", "--version"}
_CLOSE = 0.8


class CommandTable(click.Group):
    """Knows its commands by name and one line, so that `--help` imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_command(translated(args)))


def with_command(args: Sequence[str]) -> list[str]:
    """Put `run` before everything that is not a command: `specgen -- plan` is a prompt, `specgen batch` is not."""
    if not args:
        return ["run"]
    first = args[0]
    if first in COMMANDS or first in _GROUP_OPTIONS:
        return list(args)
    if len(args) == 1 and first.isidentifier() and (near := difflib.get_close_matches(first, COMMANDS, 1, _CLOSE)):
        raise click.UsageError(f"no command {first!r}; did you mean {near[0]!r}? As a prompt: specgen -- {first}")
    return ["run", *args]


@click.group(cls=CommandTable, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="specgen %(version)s")
def cli() -> None:
    """Make a language model write the same text, faster.

    \b
    specgen "Why is the sky blue?"            answer a prompt
    cat report.md | specgen "summarize this"  piped text comes first, then the prompt
    specgen -f app.py "add type hints"        files come before piped text
    specgen batch in.jsonl -o out.jsonl       answer many

    The answer goes to stdout, everything else to stderr. The options of a prompt: specgen run --help. A prompt that is
    the name of a command, or begins with a dash: specgen -- PROMPT.

    \b
    Exit codes: 0 done; 1 failed while running; 2 not usable as given; 3 model or drafter not found or not compatible;
    4 does not fit into memory; 6 a batch has failed rows; 130 interrupted; 143 terminated. A closed pipe is no failure.
    """


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point of the `specgen` command."""
    args = list(sys.argv[1:] if argv is None else argv)
    sys.exit(guarded(cli, args))
