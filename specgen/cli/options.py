"""Flags that several commands share, and what they say as `Overrides`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from specgen.errors import UsageError

if TYPE_CHECKING:
    from specgen.profiles import Overrides

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\\\": "\\"}

ALIASES = {
    **dict.fromkeys(("--assistant-model", "--model-draft", "--spec-draft-model"), "--draft-model"),
    **dict.fromkeys(("--max-new-tokens", "--predict"), "--max-tokens"),
    "--temperature": "--temp",
    "--repeat-penalty": "--repetition-penalty",
    "--system-prompt": "--system",
}
"""Names of other tools that mean the same here."""
RENAMED = {
    **dict.fromkeys(
        ("--draft-max", "--draft", "--draft-n", "--draft-min", "--spec-draft-n-max", "--num-speculative-tokens"),
        "-k/--num-draft-tokens",
    ),
    **dict.fromkeys(("--speculative-num-draft-tokens", "--num-assistant-tokens", "-ndt"), "-k/--num-draft-tokens"),
    **dict.fromkeys(("--speculative-draft-model", "--speculative-draft-model-path", "-md"), "-d/--draft-model"),
    **dict.fromkeys(("--speculative-algorithm", "--spec-type", "--speculative-config"), "--drafter"),
    **dict.fromkeys(("--load-in-4bit", "--load-in-8bit"), "--quant"),
    "--prompt": "the prompt as an argument",
}
"""Names of other tools that mean nearly the same: answered with ours."""


def model_options(command: F) -> F:
    """What is loaded, and onto what."""
    return _apply(
        command,
        _option(
            "--profile",
            "profile",
            "NAME",
            "Settings for a target: a name or .toml file. Default: the largest on disk that fits, else smollm2.",
        ),
        _option(
            *("-m", "--model", "model", "MODEL"),
            "Target: hub id, folder, .gguf file, wheel source or profile name. Default: the profile's.",
        ),
        _option(
            *("-d", "--draft-model", "draft_model", "MODEL"),
            "Small model of the same vocabulary that drafts. Default: the profile's.",
        ),
        _option(
            *("--drafter", "drafter", "NAMES"),
            "none, lookup, draft_model, or several joined by commas: the first with a proposal drafts. "
            "[default: auto, by task]",
        ),
        _option("-k", "--num-draft-tokens", "num_draft_tokens", "K", "Most drafts of a round. Default: by task.", int),
        _option("--ngram-min", "ngram_min", "N", "Shortest match of prompt lookup. [default: 2]", int),
        _option("--ngram-max", "ngram_max", "N", "Longest match of prompt lookup. [default: 5]", int),
        _option("--quant", "quant", "[auto|none|nf4|int8]", "Quantize while loading (CUDA). Default: by profile."),
        _option("--device", "device", "[auto|cpu|cuda]", "Default: a CUDA card if torch has one."),
        _option(
            "--dtype", "dtype", "[auto|float32|bfloat16|float16]", "Of weights and arithmetic. Default: by device."
        ),
        _option("--threads", "threads", "N", "CPU threads. Default: torch's own choice.", int),
        _flag("--allow-self-draft", "allow_self_draft", "Let a model draft for itself (for tests)."),
        _flag("--offline", "offline", "Use only what is on disk."),
    )


def sampling_options(command: F) -> F:
    """How the next token is chosen, and when the answer ends."""
    return _apply(
        command,
        _option("-n", "--max-tokens", "max_tokens", "N", "Most tokens of the answer. [default: 1024]", int),
        _option("-t", "--temp", "temperature", "T", "0 is greedy, the default.", float),
        _option("--top-k", "top_k", "N", "Only the N most likely tokens; 0 is off, the default.", int),
        _option("--top-p", "top_p", "P", "Only the likeliest tokens that hold P of the mass. [default: 1]", float),
        _option("--min-p", "min_p", "P", "Only tokens with P times the best one's probability. [default: 0]", float),
        _option(
            "--repetition-penalty", "repetition_penalty", "R", "On prompt and answer; 1 is off, the default.", float
        ),
        _option("--presence-penalty", "presence_penalty", "X", "On what the answer holds. [default: 0]", float),
        _option("--frequency-penalty", "frequency_penalty", "X", "The same, per occurrence. [default: 0]", float),
        _option(
            "--no-repeat-ngram", "no_repeat_ngram", "N", "No n-gram of N tokens twice; 0 is off, the default.", int
        ),
        _many("--logit-bias", "logit_bias", "ID=X", "Add X to the logit of a token id (repeatable)."),
        _option("--min-tokens", "min_tokens", "N", "No end before N tokens. [default: 0]", int),
        _option("--seed", "seed", "N", "Reproducible sampling: the same text with any drafter. Default: none.", int),
        _many("--stop", "stop", "TEXT", r"End before this text; \n, \t, \r and \\ are understood (repeatable)."),
        _option(
            "-s", "--system", "system", "TEXT", "System message; @FILE reads it from a file. Default: the profile's."
        ),
        _flag("--raw", "raw", "Send the prompt as it is, without the chat template."),
        _flag("--think/--no-think", "think", "Switch the template's thinking on or off. Default: the profile's."),
        _flag("--hide-thinking", "hide_thinking", "Keep a leading thinking block out of the answer."),
        _flag("--truncate", "truncate", "Drop the middle of a prompt that is too long, and say so."),
    )


def translated(args: Sequence[str]) -> list[str]:
    """`args` with other tools' flags by our names. Raises UsageError for those that mean only nearly the same."""
    found: list[str] = []
    for index, arg in enumerate(args):
        if arg == "--":
            return [*found, *args[index:]]
        name, equals, value = arg.partition("=")
        if name in RENAMED:
            raise UsageError(f"{name} is not an option of specgen", hint=f"use {RENAMED[name]}")
        found.append(ALIASES.get(name, name) + equals + value)
    return found


def overrides_from(params: Mapping[str, Any]) -> Overrides:
    """The flags that were given, as the library takes them. Raises UsageError for values that say nothing."""
    from specgen.profiles import Overrides
    from specgen.text import argument_text

    values = {field.name: params[field.name] for field in fields(Overrides) if params.get(field.name) is not None}
    values["stop"] = tuple(_unescape(argument_text(text)) for text in params.get("stop") or ())
    if "" in values["stop"]:
        raise UsageError("--stop is empty", hint="leave it out: an empty text would stop at once")
    if params.get("logit_bias"):
        values["logit_bias"] = dict(_bias(text) for text in params["logit_bias"])
    else:
        values.pop("logit_bias", None)
    if "system" in values:
        values["system"] = _system(values["system"])
    return Overrides(**values)


def _apply(command: F, *options: Decorator[F]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def _option(*names_and_help: Any) -> Decorator[F]:
    """Flags, parameter name, metavar, help and perhaps a type, in this order."""
    type_ = names_and_help[-1] if isinstance(names_and_help[-1], type) else str
    *flags, name, metavar, text = names_and_help[:-1] if type_ is not str else names_and_help
    return click.option(*flags, name, type=type_, metavar=metavar, default=None, help=text)


def _many(flag: str, name: str, metavar: str, text: str) -> Decorator[F]:
    return click.option(flag, name, multiple=True, metavar=metavar, help=text)


def _flag(flags: str, name: str, text: str) -> Decorator[F]:
    return click.option(flags, name, is_flag=True, default=None, help=text)


def _unescape(text: str) -> str:
    parts, rest = [], text
    while rest:
        replaced = _ESCAPES.get(rest[:2])
        parts.append(rest[0] if replaced is None else replaced)
        rest = rest[1 if replaced is None else 2 :]
    return "".join(parts)


def _bias(text: str) -> tuple[int, float]:
    token, equals, value = text.partition("=")
    try:
        return int(token), float(value if equals else "nothing")
    except ValueError:
        raise UsageError(f"--logit-bias {text!r} is not ID=NUMBER", hint="for example --logit-bias 42=-5") from None


def _system(text: str) -> str:
    from specgen.text import argument_text, read_bytes

    if not text.startswith("@"):
        return argument_text(text)
    try:
        data = Path(text[1:]).read_bytes()
    except OSError as error:
        raise UsageError(
            f"cannot read the system message: {(error.strerror or str(error)).lower()}: {text[1:]!r}"
        ) from error
    return read_bytes(data, name=text[1:])[0]
