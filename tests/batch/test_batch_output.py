"""What output rows look like, and outputs that are no files."""

from __future__ import annotations

import io
import json
import os
from typing import Any

import pytest
from batch_runner import Runner, echo, lines, records

from specgen.batch import Answer, Inputs, OpenAIFormat, OwnFormat, Row, StreamOutput, run_batch
from specgen.batch.records import Format
from specgen.errors import DoesNotFit, SpecgenError


def stream(data: bytes, form: Format, answer: Any = echo) -> list[dict[str, Any]]:
    out = io.BytesIO()
    run_batch(Inputs(["-"], stdin=io.BytesIO(data)), StreamOutput(out, form), lambda: answer)
    return records(out.getvalue())


def test_own_rows() -> None:
    good, bad = stream(lines({"id": "a", "prompt": "Hi", "label": 1}, {"id": "b", "prompt": 2}), OwnFormat())
    assert list(good) == ["id", "index", "text", "finish_reason", "usage", "spec", "error", "input", "digest"]
    assert (good["text"], good["finish_reason"], good["error"], good["input"]) == ("Hi", "stop", None, {"label": 1})
    assert good["usage"]["completion_tokens"] == 4
    assert good["spec"]["mean_acceptance_length"] == 3.0
    assert list(bad) == ["id", "index", "text", "finish_reason", "usage", "spec", "error", "digest"]
    assert bad["error"] == {"type": "wrong_type", "message": "prompt must be a string, not 2", "line": 2}
    assert [bad[name] for name in ("text", "finish_reason", "usage", "spec")] == [None] * 4


def test_openai_rows() -> None:
    chat = {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions"}
    chat["body"] = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}  # type: ignore[assignment]
    plain = {"custom_id": "b", "method": "POST", "url": "/v1/completions", "body": {"prompt": "def f"}}
    first, second, bad = stream(lines(chat, plain, {"custom_id": "c", "body": {}}), OpenAIFormat(model="tiny"))
    assert list(first) == ["id", "custom_id", "response", "error"]
    assert (first["custom_id"], first["error"], first["response"]["status_code"]) == ("a", None, 200)
    body = first["response"]["body"]
    assert (body["object"], body["model"]) == ("chat.completion", "tiny")
    assert body["choices"][0]["message"] == {"role": "assistant", "content": "Hi"}
    assert body["choices"][0]["finish_reason"] == "stop"
    assert body["usage"]["total_tokens"] == 5
    assert body["specgen"]["input"] == {"body": {"model": "m"}}
    assert body["specgen"]["spec"]["num_spec_steps"] == 1
    assert second["response"]["body"]["choices"][0]["text"] == "def f"
    assert (bad["custom_id"], bad["response"]["status_code"], bad["error"]["code"]) == ("c", 400, "missing_prompt")
    assert len({row["id"] for row in (first, second, bad)}) == 3


def test_faults_of_the_machine_are_not_the_row_s() -> None:
    def answer(row: Row) -> Answer:
        raise DoesNotFit("no memory")

    (row,) = stream(lines({"prompt": "Hi"}), OpenAIFormat(model="tiny"), answer)
    assert row["response"]["status_code"] == 500


def test_thinking_is_apart() -> None:
    def answer(row: Row) -> Answer:
        return Answer(text="yes", thinking="hm", stats=echo(row).stats)

    (own,) = stream(lines({"prompt": "Hi"}), OwnFormat(), answer)
    (openai,) = stream(lines({"prompt": "Hi"}), OpenAIFormat(model="tiny"), answer)
    assert (own["text"], own["thinking"]) == ("yes", "hm")
    assert openai["response"]["body"]["choices"][0]["message"]["reasoning_content"] == "hm"


def test_an_answer_that_is_no_text_becomes_an_error_row() -> None:
    def answer(row: Row) -> Answer:
        return Answer(text="\ud800", stats=echo(row).stats)

    (row,) = stream(lines({"prompt": "Hi"}), OwnFormat(), answer)
    assert row["error"]["type"] == "internal"


def test_rows_come_out_one_by_one() -> None:
    """A reader gets each answer before the next row is even read."""
    read_end, write_end = os.pipe()
    seen: list[int] = []

    def answer(row: Row) -> Answer:
        seen.append(len(out.getvalue().splitlines()))
        if row.question == "1":
            os.write(write_end, b'{"prompt": "2"}\n')
            os.close(write_end)
        return echo(row)

    out = io.BytesIO()
    os.write(write_end, b'{"prompt": "1"}\n')
    with os.fdopen(read_end, "rb") as stdin:
        run_batch(Inputs(["-"], stdin=stdin), StreamOutput(out, OwnFormat()), lambda: answer)
    assert seen == [0, 1]


def test_a_closed_pipe_passes_and_a_full_device_is_named() -> None:
    class Broken(io.BytesIO):
        def __init__(self, error: OSError) -> None:
            super().__init__()
            self.error = error

        def write(self, data: object) -> int:
            raise self.error

    inputs = Inputs(["-"], stdin=io.BytesIO(lines({"prompt": "Hi"})))
    with pytest.raises(BrokenPipeError):
        run_batch(inputs, StreamOutput(Broken(BrokenPipeError()), OwnFormat()), lambda: echo)
    inputs = Inputs(["-"], stdin=io.BytesIO(lines({"prompt": "Hi"})))
    with pytest.raises(SpecgenError, match="standard output: no space left"):
        run_batch(inputs, StreamOutput(Broken(OSError(28, "No space left on device")), OwnFormat()), lambda: echo)


def test_the_result_does_not_depend_on_the_order(batch: Runner) -> None:
    rows = [{"id": number, "prompt": "word " * number} for number in (1, 300, 2, 200, 3, 100)]
    texts: list[dict[int, str]] = []
    for order in (rows, rows[::-1], rows[3:] + rows[:3]):
        batch.put(lines(*order))
        batch.run(existing="overwrite")
        texts.append({row["id"]: json.dumps([row["text"], row["spec"]]) for row in batch.rows()})
    assert texts[0] == texts[1] == texts[2]
