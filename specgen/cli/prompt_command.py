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
        takes_value = {
            name: isinstance(option, click.Option) and not option.is_flag and not option.count
            for option in self.params
            for name in (*option.opts, *option.secondary_opts)
            if name.startswith("-")
        }
        options: list[str] = []
        prompts: list[str] = []
        rest = list(args)
        while rest:
            arg = rest.pop(0)
            if arg == "--":
                prompts += rest
                break
            name = arg.partition("=")[0]
            if name in takes_value:
                options.append(arg)
                if takes_value[name] and "=" not in arg and rest:
                    options.append(rest.pop(0))
            elif _is_prompt(arg) and not (arg[:2] in takes_value and not arg.startswith("--")):
                prompts.append(arg)
            elif arg.startswith("-") and arg != "-":
                options.append(arg)
            else:
                prompts.append(arg)
        return [*options, "--", *prompts]


def _is_prompt(arg: str) -> bool:
    """Whether a dash begins a text rather than an option: options have no spaces and no digit first."""
    return arg.startswith("-") and (any(c.isspace() for c in arg) or _NUMBER_FIRST.match(arg) is not None)
