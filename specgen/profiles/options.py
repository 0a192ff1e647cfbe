"""The options of a generation: what each may be, and how layers of them combine.

One table of rules serves profiles and flags alike. It must not know where an option was written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from specgen.errors import UsageError

DEVICES = ("cpu", "cuda")
QUANTS = ("none", "nf4", "int8")
DTYPES = ("float32", "bfloat16", "float16", "float64")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Some options of a generation. `None` (for `stop`: no string) leaves one to the layer below."""

    num_draft_tokens: int | None = None
    ngram_min: int | None = None
    ngram_max: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    system: str | None = None
    raw: bool | None = None
    think: bool | None = None
    hide_thinking: bool | None = None
    truncate: bool | None = None
    logit_bias: Mapping[int, float] | None = None
    repetition_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    no_repeat_ngram: int | None = None
    min_tokens: int | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    seed: int | None = None

    def given(self) -> dict[str, Any]:
        """The options that this layer decides, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(Layer)}
        return {name: value for name, value in values.items() if value is not None and value != ()}


def merge(layers: Sequence[Layer]) -> dict[str, Any]:
    """The value of every option that any layer decides, by name; the first layer that decides one wins."""
    chosen: dict[str, Any] = {}
    for layer in reversed(layers):
        chosen.update(layer.given())
    return chosen


def check(name: str, value: object, *, where: str) -> Any:
    """Return the value of an option in its proper type.

    Args:
        name: of the option; one that has no rule is returned as it is.
        where: how the user wrote it, for the message: a flag, or a key of a file.

    Raises:
        UsageError: wrong type or out of range.
    """
    rule = _RULES.get(name)
    if rule is None:
        return value
    if not rule.accepts(value):
        raise UsageError(f"{where} must be {rule.wanted}, not {_shown(value)}")
    return rule.convert(value)


@dataclass(frozen=True, slots=True)
class _Rule:
    wanted: str
    accepts: Callable[[Any], bool]
    convert: Callable[[Any], Any] = lambda value: value


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_real(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the range of floats
        return False


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) and each for each in value)


def _is_bias(value: object) -> bool:
    return isinstance(value, Mapping) and all(_is_whole(key) and key >= 0 and _is_real(value[key]) for key in value)


def _whole(low: int, high: int | None = None) -> _Rule:
    wanted = f"a whole number from {low} to {high}" if high is not None else f"a whole number of at least {low}"
    return _Rule(wanted, lambda value: _is_whole(value) and low <= value and (high is None or value <= high))


def _real(wanted: str, within: Callable[[float], bool] = lambda value: True) -> _Rule:
    return _Rule(wanted, lambda value: _is_real(value) and within(value), float)


def _one_of(*names: str) -> _Rule:
    return _Rule(f"one of {', '.join(names)}", lambda value: isinstance(value, str) and value in names)


_FLAG = _Rule("true or false", lambda value: isinstance(value, bool))
_TEXT = _Rule("text", lambda value: isinstance(value, str))
_NAME = _Rule("a name", lambda value: isinstance(value, str) and bool(value.strip()))
_RULES: Mapping[str, _Rule] = MappingProxyType(
    {
        "num_draft_tokens": _whole(0, 256),
        "ngram_min": _whole(1, 64),
        "ngram_max": _whole(1, 64),
        "max_tokens": _whole(0),
        "stop": _Rule("a list of strings that are not empty", _is_texts, tuple),
        "system": _TEXT,
        "raw": _FLAG,
        "think": _FLAG,
        "hide_thinking": _FLAG,
        "truncate": _FLAG,
        "logit_bias": _Rule("token ids with finite numbers", _is_bias, lambda bias: {k: float(bias[k]) for k in bias}),
        "repetition_penalty": _real("a number above 0", lambda value: value > 0),
        "presence_penalty": _real("a finite number"),
        "frequency_penalty": _real("a finite number"),
        "no_repeat_ngram": _whole(0),
        "min_tokens": _whole(0),
        "temperature": _real("a number of at least 0", lambda value: value >= 0),
        "top_k": _whole(0),
        "top_p": _real("a number above 0 and at most 1", lambda value: 0 < value <= 1),
        "min_p": _real("a number from 0 to 1", lambda value: 0 <= value <= 1),
        "seed": _whole(0, 2**63 - 1),
        "profile": _NAME,
        "model": _NAME,
        "draft_model": _NAME,
        "drafter": _NAME,
        "device": _one_of(*DEVICES),
        "quant": _one_of(*QUANTS),
        "dtype": _one_of(*DTYPES),
        "threads": _whole(1, 4096),
        "allow_self_draft": _FLAG,
        "offline": _FLAG,
    }
)


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer with more digits than Python prints
        text = "a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."
