"""An answer or an error -> one output row, and back as far as resuming needs it. Two formats.

It must not know files; what it reads back is only which input row was answered and whether that went well.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from specgen.batch.items import Item
from specgen.batch.options import RowError
from specgen.batch.rows import RowId
from specgen.stats import GenerationStats


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model made of a row."""

    text: str
    stats: GenerationStats
    thinking: str = ""


Outcome = Answer | RowError
Record = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Which input row an output row belongs to."""

    id: RowId
    index: int
    digest: str
    failed: bool


class Format(Protocol):
    """The layout of output rows. `identify` undoes `record`; `None`: not a row of this format."""

    name: str

    def record(self, item: Item, outcome: Outcome) -> Record: ...

    def identify(self, record: Mapping[str, Any]) -> Done | None: ...


class OwnFormat:
    """`{id, index, text, finish_reason, usage, spec, error, digest}`, and `thinking`, `input`, `warnings` if any.

    `error` is `None` or `{type, message, line}`, with `file` when there are several inputs and `first_line` for a
    repeated id. `digest` is that of the input line: it tells a resumed run whether the line has changed.
    """

    name = "specgen"

    def record(self, item: Item, outcome: Outcome) -> Record:
        record: Record = {"id": item.id, "index": item.index}
        if isinstance(outcome, RowError):
            error = {"type": outcome.type, "message": outcome.message, **_place(item, outcome)}
            record |= {"text": None, "finish_reason": None, "usage": None, "spec": None, "error": error}
        else:
            record |= {
                "text": outcome.text,
                "finish_reason": outcome.stats.finish,
                "usage": outcome.stats.usage_dict(),
                "spec": outcome.stats.spec_dict(),
                "error": None,
            }
            if outcome.thinking:
                record["thinking"] = outcome.thinking
        return record | _extra(item) | {"digest": item.digest}

    def identify(self, record: Mapping[str, Any]) -> Done | None:
        id_, index, digest = record.get("id"), record.get("index"), record.get("digest")
        if not (isinstance(id_, str | int) and isinstance(index, int) and isinstance(digest, str)):
            return None
        return Done(id=id_, index=index, digest=digest, failed=record.get("error") is not None)


class OpenAIFormat:
    """OpenAI's batch output: `{id, custom_id, response: {status_code, request_id, body}, error}`.

    A failed row has both a status code that is not 200 and an `error`. `body.specgen` holds what that form has no
    place for.
    """

    name = "openai"
    _ID = re.compile(r"batch_req_(\d+)_([0-9a-f]{16})")

    def __init__(self, *, model: str) -> None:
        """`model`: name of the target, for `body.model`."""
        self._model = model

    def record(self, item: Item, outcome: Outcome) -> Record:
        name = f"{item.index}_{item.digest}"
        status, error = 200, None
        if isinstance(outcome, RowError):
            status = 500 if outcome.type in SERVER_FAULTS else 400
            body: Record = {"error": {"message": outcome.message, "type": outcome.type, "code": status}}
            error = {"code": outcome.type, "message": outcome.message, **_place(item, outcome)}
        else:
            body = self._completion(item, outcome, name)
        if extra := _extra(item):
            body["specgen"] = body.get("specgen", {}) | extra
        response = {"status_code": status, "request_id": f"req_{name}", "body": body}
        return {"id": f"batch_req_{name}", "custom_id": item.id, "response": response, "error": error}

    def _completion(self, item: Item, answer: Answer, name: str) -> Record:
        choice: Record = {"index": 0, "finish_reason": answer.stats.finish, "logprobs": None}
        raw = not isinstance(item.content, RowError) and item.content.options.raw
        if raw:
            choice["text"] = answer.text
        else:
            thinking = {"reasoning_content": answer.thinking} if answer.thinking else {}
            choice["message"] = {"role": "assistant", "content": answer.text, **thinking}
        return {
            "id": f"cmpl-{name}" if raw else f"chatcmpl-{name}",
            "object": "text_completion" if raw else "chat.completion",
            "created": int(time.time()),
            "model": self._model,
            "choices": [choice],
            "usage": answer.stats.usage_dict(),
            "specgen": {"spec": answer.stats.spec_dict()},
        }

    def identify(self, record: Mapping[str, Any]) -> Done | None:
        custom_id, name = record.get("custom_id"), record.get("id")
        match = self._ID.fullmatch(name) if isinstance(name, str) else None
        if match is None or not isinstance(custom_id, str | int):
            return None
        return Done(id=custom_id, index=int(match[1]), digest=match[2], failed=record.get("error") is not None)


SERVER_FAULTS = frozenset({"internal", "does_not_fit"})
"""Types of error that are not the row's fault."""


def _place(item: Item, error: RowError) -> Record:
    place: Record = {"line": item.line}
    if item.file is not None:
        place["file"] = item.file
    if error.first_line is not None:
        place["first_line"] = error.first_line
    return place


def _extra(item: Item) -> Record:
    """What the row had besides a request: fields that are carried along, and what is odd about it."""
    extra = {"input": dict(item.carried), "warnings": list(item.warnings)}
    return {name: value for name, value in extra.items() if value}
