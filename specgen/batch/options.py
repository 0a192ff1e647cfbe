"""The per-row settings of a batch row: their names, types and ranges, and which other names look like them.

The ranges are those of flags and profiles. It must not know models: what a row leaves open is decided elsewhere.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from types import UnionType
from typing import Any

from specgen.errors import UsageError
from specgen.profiles.options import check


class RowError(Exception):
    """Why one row has no answer. It costs that row only.

    `type` is a short class of reason (`invalid_json`, `wrong_type`, ...), `message` is for people. `first_line` is set
    for a repeated id.
    """

    def __init__(self, kind: str, message: str, *, first_line: int | None = None) -> None:
        super().__init__(message)
        self.type = kind
        self.message = message
        self.first_line = first_line


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOptions:
    """What a row asks for itself; `None` where it says nothing. Named as the flags are."""

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] | None = None
    system: str | None = None
    drafter: str | None = None
    raw: bool | None = None
    """The prompt is text to be continued, not a message (OpenAI's `/v1/completions`); no field of its own."""

    def given(self) -> dict[str, Any]:
        """The settings that the row makes, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


def read_options(row: Mapping[str, object], *, raw: bool | None = None) -> RowOptions:
    """The settings among the fields of `row`; `null` counts as not given. Raises `RowError`."""
    values: dict[str, Any] = {}
    for field in _TYPES:
        value = row.get(field)
        if value is None:
            continue
        name = _ALIASES.get(field, field)
        setting = _setting(field, name, value)
        if values.setdefault(name, setting) != setting:
            raise RowError("conflict", f"{field} and {name} contradict each other")
    return RowOptions(raw=raw, **values)


def _setting(field: str, name: str, value: object) -> Any:
    wanted = _TYPES[field]
    if isinstance(value, float) and wanted is int and value.is_integer():
        value = int(value)  # table libraries write whole numbers as 20.0
    if name == "stop" and isinstance(value, str):
        value = [value]
    kind = "out_of_range" if _has_type(value, wanted) else "wrong_type"
    if name == "max_tokens" and (kind == "wrong_type" or value == 0):  # unlike a flag, a row asks for an answer
        raise RowError(kind, f"{field} must be a whole number of at least 1, not {show(value)}")
    try:
        return check(name, value, where=field)
    except UsageError as error:
        raise RowError(kind, error.message) from None


def _has_type(value: object, wanted: type | UnionType) -> bool:
    if isinstance(value, list):
        return wanted is list and all(isinstance(each, str) for each in value)
    return isinstance(value, wanted) and not isinstance(value, bool)


@lru_cache(maxsize=1024)  # the same few names come in every row
def near_option(name: str) -> str | None:
    """The known field that `name` is probably meant to be, if any."""
    plain = _plain(name)
    if plain in _OTHER_NAMES:
        return _OTHER_NAMES[plain] if _OTHER_NAMES[plain] != name else None
    near = difflib.get_close_matches(plain, _PLAIN_NAMES, n=1, cutoff=0.89)  # one letter off, in a name of 5 or more
    return _PLAIN_NAMES[near[0]] if near else None


def show(value: object) -> str:
    """`value` for a message: short, in JSON's words."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:36] + "..."


_TYPES: Mapping[str, type | UnionType] = {
    "max_tokens": int,
    "max_completion_tokens": int,
    "temperature": int | float,
    "top_p": int | float,
    "top_k": int,
    "min_p": int | float,
    "repetition_penalty": int | float,
    "presence_penalty": int | float,
    "frequency_penalty": int | float,
    "seed": int,
    "stop": list,
    "system": str,
    "drafter": str,
}
_ALIASES = {"max_completion_tokens": "max_tokens"}
OPTION_NAMES = frozenset(_TYPES)


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


_PLAIN_NAMES = {_plain(name): name for name in (*_TYPES, "prompt", "messages", "custom_id")}
_OTHER_NAMES = {
    **_PLAIN_NAMES,
    "maxnewtokens": "max_tokens",
    "maxoutputtokens": "max_tokens",
    "numpredict": "max_tokens",
    "npredict": "max_tokens",
    "temp": "temperature",
    "topk": "top_k",
    "stopsequences": "stop",
    "systemprompt": "system",
    "repeatpenalty": "repetition_penalty",
}
