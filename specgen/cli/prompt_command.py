"""A command with free text as its argument: '- sum this up' is a prompt, --temprature a mistyped option."""

from __future__ import annotations

import re

import click

_NUMBER_FIRST = re.compile(r"-\.?\d")


class PromptCommand(click.Command):
    """Takes an argument that begins with a dash for a prompt where it cannot be an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self.with_prompts_apart(args))

    def with_prompts_apart(self, args: list[str]) -> list[str]:
        """`args` with everything that is a prompt moved behind `--`."""
        named = {
            name: option
            for option in self.params
            if isinstance(option, click.Option)
            for name in (*option.opts, *option.secondary_opts)
        }
        options: list[str] = []
        prompts: list[str] = []
        rest = list(args)
        while rest:
            arg = rest.pop(0)
            if arg == "--":
                prompts += rest
                break
            if _is_prompt(arg, named):
                prompts.append(arg)
                continue
            options.append(arg)
            if rest and _wants_next(arg, named):
                options.append(rest.pop(0))
        return [*options, "--", *prompts]


_Named = dict[str, click.Option]


def _is_prompt(arg: str, named: _Named) -> bool:
    """Whether an argument is text, not an option: options have no spaces (but in a value) and no digit first."""
    if not arg.startswith("-") or arg == "-" or _NUMBER_FIRST.match(arg):
        return True
    if not any(char.isspace() for char in arg):
        return False
    if arg.startswith("--"):
        return arg.partition("=")[0] not in named
    option = named.get(arg[:2])  # -sTEXT is an option with its value; a number or a flag has no spaces
    return option is None or _is_switch(option) or option.type.name in {"integer", "float"}


def _wants_next(arg: str, named: _Named) -> bool:
    """Whether the value of the option is the argument that follows."""
    if arg in named:
        return not _is_switch(named[arg])
    if arg.startswith("--"):
        return False
    for index, letter in enumerate(arg[1:], start=1):  # -qn 5: switches, then perhaps one option with a value
        option = named.get(f"-{letter}")
        if option is None:
            return False
        if not _is_switch(option):
            return index == len(arg) - 1
    return False


def _is_switch(option: click.Option) -> bool:
    return option.is_flag or option.count
