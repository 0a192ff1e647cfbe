"""Strict JSON, one value a line: bytes in, bytes out.

Stricter than the `json` module: no NaN or Infinity, no number beyond a double, no repeated key, no lone surrogate, no
deep nesting. It must not know what a row is.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, NoReturn

from specgen.batch.options import RowError, show

MAX_DEPTH = 100
"""Deepest nesting. Far below the interpreter's limit, so that what was read can also be written, inside a row."""
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_LINE_BREAKS = str.maketrans({break_: f"\\u{ord(break_):04x}" for break_ in "\x85\u2028\u2029"})


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value. With a `problem` it is only good for finding out which row it was."""

    value: Any
    problem: RowError | None = None
    repeated: frozenset[str] = frozenset()
    """Keys that an object has twice: their value is the last one."""


def parse(data: bytes) -> Parsed:
    """Read one JSON text. Raises `RowError` where there is no value at all."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RowError("invalid_utf8", f"byte {error.start + 1} of the line is not UTF-8 ({error.reason})") from None
    repeated: list[str] = []
    value = _load(text, repeated)
    return Parsed(value, _problem(data, value, repeated), frozenset(repeated))


def _problem(data: bytes, value: object, repeated: list[str]) -> RowError | None:
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        return RowError("too_deep", f"nested more than {MAX_DEPTH} levels deep")
    if _SURROGATE_ESCAPE.search(data) and not _encodable(value):
        return RowError("invalid_unicode", "half a surrogate pair, which is no character")
    if repeated:
        return RowError("duplicate_key", f"the key {show(repeated[0])} is given twice")
    return None


def dump(value: object) -> bytes:
    """`value` as one line, its newline included; one line also for readers that split at U+0085, U+2028 or U+2029.

    Raises `ValueError` for what is not JSON: a NaN, an infinity, a lone surrogate, a cycle.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text.translate(_LINE_BREAKS).encode("utf-8") + b"\n"


def _load(text: str, repeated: list[str]) -> Any:
    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            repeated.extend(key for key, count in counts.items() if count > 1)
        return result

    try:
        return json.loads(text, object_pairs_hook=members, parse_float=_double, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RowError(
            "invalid_json", f"{error.msg.lower().removesuffix(' at')} at character {error.pos + 1}"
        ) from None
    except RecursionError:
        raise RowError("too_deep", f"nested more than {MAX_DEPTH} levels deep") from None
    except ValueError as error:
        raise RowError("invalid_json", str(error)) from None


def _double(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits[:20]} is too large for a double")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _depth(value: object) -> int:
    """Nesting of lists and objects, counted without recursion; stops early."""
    level: list[object] = [value]
    depth = 0
    while level and depth <= MAX_DEPTH:
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        nested = any(isinstance(item, dict | list) for item in level)
        depth += nested
        level = inner
    return depth


def _encodable(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
