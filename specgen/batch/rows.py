"""One line of a batch file -> what it asks for. Three shapes, recognised line by line:

    {"prompt": "..."}    {"messages": [...]}    {"custom_id", "method", "url", "body": {...}}   (OpenAI's batch form)

Whatever the bytes are, they give a `Reading` and no exception. It must not know files, models or what becomes of a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from specgen.batch.json_line import parse
from specgen.batch.messages import Turn, read_messages
from specgen.batch.options import OPTION_NAMES, RowError, RowOptions, near_option, read_options, show

RowId = str | int
Fields = Mapping[str, Any]

_CHAT, _COMPLETIONS = "/v1/chat/completions", "/v1/completions"
_NEUTRAL: Mapping[str, tuple[object, ...]] = {
    "n": (1,),
    "best_of": (1,),
    "stream": (False,),
    "echo": (False,),
    "suffix": ("",),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "logit_bias": ({},),
    "tools": ([],),
    "functions": ([],),
    "modalities": (["text"],),
    "response_format": ({"type": "text"},),
}
"""Fields of a `body` that would change the answer and are not supported; each with the values that change nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A usable row: the conversation to answer, and what it asks for itself."""

    turns: tuple[Turn, ...]
    options: RowOptions = field(default_factory=RowOptions)

    @property
    def question(self) -> str:
        """The last message of the user."""
        return next(turn.content for turn in reversed(self.turns) if turn.role == "user")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that could be read of a line. The id and the carried fields may be known where the row is not usable."""

    content: Row | RowError
    id: RowId | None = None
    carried: Fields = field(default_factory=dict)
    """Fields that nothing here uses: they go to the output row as they are."""
    warnings: tuple[str, ...] = ()


class _Shape(NamedTuple):
    """A row taken apart: where its prompt and settings are, and what is left."""

    request: Fields
    id: object
    carried: dict[str, Any]
    remarks: list[str]
    raw: bool | None = None


def read_row(data: bytes) -> Reading:
    """Read one line (without its line end)."""
    try:
        parsed = parse(data)
    except RowError as error:
        return Reading(content=error)
    fields = parsed.value
    if not isinstance(fields, dict):
        return Reading(content=RowError("not_an_object", f"a row is a JSON object, not {show(fields)}"))
    if parsed.problem:
        return Reading(content=parsed.problem, id=_certain_id(fields, parsed.repeated))
    try:
        shape = _openai_shape(fields) if _is_openai(fields) else _own_shape(fields)
    except RowError as error:
        return Reading(content=error, id=_certain_id(fields))
    content = _content(shape)
    warnings = tuple(dict.fromkeys(shape.remarks))
    return Reading(content=content, id=_usable_id(shape.id), carried=shape.carried, warnings=warnings)


def _is_openai(fields: Fields) -> bool:
    """`body` may also be a field of the user's own, beside a prompt."""
    return fields.get("body") is not None and fields.get("prompt") is None and fields.get("messages") is None


def _own_shape(fields: Fields) -> _Shape:
    id_field = "custom_id" if fields.get("id") is None else "id"
    carried = _without(fields, {"prompt", "messages", "id", id_field} | OPTION_NAMES)
    return _Shape(fields, fields.get(id_field), carried, _near_misses(carried))


def _openai_shape(fields: Fields) -> _Shape:
    body, url = fields["body"], fields.get("url")
    if not isinstance(body, dict):
        raise RowError("wrong_type", f"body must be an object, not {show(body)}")
    if url not in (None, _CHAT, _COMPLETIONS):
        raise RowError("unsupported", f"url must be {_CHAT} or {_COMPLETIONS}, not {show(url)}")
    if fields.get("method") not in (None, "POST"):
        raise RowError("unsupported", f"method must be POST, not {show(fields['method'])}")
    for name, neutral in _NEUTRAL.items():
        if body.get(name) is not None and body[name] not in neutral:
            raise RowError("unsupported", f"{name} is not supported (it is {show(body[name])})")
    id_field = "id" if fields.get("custom_id") is None else "custom_id"
    carried = _without(fields, {"custom_id", "method", "url", "body", id_field})
    remarks = [f"{show(name)} beside body is carried, not used" for name in carried if name in OPTION_NAMES]
    unused = _without(body, {"prompt", "messages"} | OPTION_NAMES)
    if unused:
        carried["body"] = unused
    raw = True if url == _COMPLETIONS and body.get("messages") is None else None
    return _Shape(body, fields.get(id_field), carried, remarks + _near_misses(unused), raw)


def _content(shape: _Shape) -> Row | RowError:
    try:
        return _row(shape)
    except RowError as error:
        return error


def _row(shape: _Shape) -> Row:
    if shape.id == "":
        shape.remarks.append("the id is empty: the row gets one from its line number")
    elif shape.id is not None and _usable_id(shape.id) is None:
        raise RowError("wrong_type", f"the id must be a string or an integer, not {show(shape.id)}")
    turns = _turns(shape)
    options = read_options(shape.request, raw=shape.raw)
    if options.system is not None and any(turn.role == "system" for turn in turns):
        raise RowError("conflict", "system is given twice: as a field and among the messages")
    return Row(turns=turns, options=options)


def _turns(shape: _Shape) -> tuple[Turn, ...]:
    prompt, messages = shape.request.get("prompt"), shape.request.get("messages")
    if prompt is not None and messages is not None:
        raise RowError("conflict", "both prompt and messages are given")
    if messages is not None:
        return read_messages(messages, shape.remarks)
    if prompt is None:
        raise RowError("missing_prompt", _missing(shape.request))
    if not isinstance(prompt, str):
        raise RowError("wrong_type", f"prompt must be a string, not {show(prompt)}")
    if not (prompt if shape.raw else prompt.strip()):
        raise RowError("empty_prompt", "prompt is empty")
    return (Turn("user", prompt),)


def _missing(fields: Fields) -> str:
    others = [show(name) for name in fields if name not in OPTION_NAMES]
    return "no prompt and no messages" + (f"; its fields: {', '.join(others[:8])}" if others else "")


def _without(fields: Fields, used: frozenset[str] | set[str]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in used}


def _near_misses(fields: Fields) -> list[str]:
    near = ((name, near_option(name)) for name in fields)
    return [f'unknown field {show(name)}, not used; did you mean "{option}"?' for name, option in near if option]


def _usable_id(value: object) -> RowId | None:
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return None
    return value


def _certain_id(fields: Fields, repeated: frozenset[str] = frozenset()) -> RowId | None:
    """The id of a row that is not usable: only one that is beyond doubt and can be written again."""
    candidates = (fields.get(name) for name in ("custom_id", "id") if name not in repeated)
    value = _usable_id(next((value for value in candidates if value is not None), None))
    if isinstance(value, str) and any(0xD800 <= ord(char) < 0xE000 for char in value):
        return None
    return value
