"""The `messages` of a row -> turns of text. It must not know chat templates nor which of them take a system message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from specgen.batch.options import RowError, show


class Turn(NamedTuple):
    """One message of a conversation; `role` is "system", "user" or "assistant"."""

    role: str
    content: str


_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}


def read_messages(messages: object, remarks: list[str]) -> tuple[Turn, ...]:
    """Check and convert; what is ignored is named in `remarks`. Raises `RowError`."""
    if not isinstance(messages, list):
        raise RowError("wrong_type", f"messages must be a list, not {show(messages)}")
    turns = tuple(_turn(f"messages[{number}]", message, remarks) for number, message in enumerate(messages))
    if not any(turn.role == "user" and turn.content.strip() for turn in turns):
        raise RowError("empty_prompt", "messages hold no text of a user")
    return turns


def _turn(place: str, message: object, remarks: list[str]) -> Turn:
    if not isinstance(message, dict):
        raise RowError("wrong_type", f"{place} must be an object, not {show(message)}")
    role = message.get("role")
    if not isinstance(role, str):
        raise RowError("wrong_type", f"{place}.role must be a string, not {show(role)}")
    if role not in _ROLES:
        raise RowError("unsupported", f"{place}.role is {show(role)}; supported: {', '.join(_ROLES)}")
    for name in ("tool_calls", "function_call", "audio"):
        if message.get(name):
            raise RowError("unsupported", f"{place}.{name} is not supported")
    unused = [name for name, value in message.items() if name not in ("role", "content") and value is not None]
    remarks.extend(f"{place}: {show(name)} is not used" for name in unused)
    return Turn(_ROLES[role], _content(f"{place}.content", message.get("content")))


def _content(place: str, content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_part(f"{place}[{number}]", part) for number, part in enumerate(content))
    raise RowError("wrong_type", f"{place} must be a string or a list of parts, not {show(content)}")


def _part(place: str, part: Any) -> str:
    kind = part.get("type") if isinstance(part, Mapping) else None
    if not isinstance(kind, str):
        raise RowError("wrong_type", f"{place} must be an object with a type")
    if kind != "text":
        raise RowError("unsupported", f"{place} is of type {show(kind)}; only text is supported")
    if not isinstance(part.get("text"), str):
        raise RowError("wrong_type", f"{place}.text must be a string, not {show(part.get('text'))}")
    return str(part["text"])
