"""What one line may be, and what comes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from specgen.batch.json_line import MAX_DEPTH, dump
from specgen.batch.messages import Turn
from specgen.batch.options import RowError, RowOptions
from specgen.batch.rows import Reading, Row, read_row


def read(fields: Any) -> Reading:
    return read_row(json.dumps(fields).encode())


def row(fields: Any) -> Row:
    content = read(fields).content
    assert isinstance(content, Row), content
    return content


def error(fields: Any) -> RowError:
    content = (read_row(fields) if isinstance(fields, bytes) else read(fields)).content
    assert isinstance(content, RowError), content
    return content


def body(**fields: Any) -> dict[str, Any]:
    return {"custom_id": "c", "method": "POST", "url": "/v1/chat/completions", "body": fields}


USER = {"role": "user", "content": "Hello"}


def test_prompt_row_with_every_option() -> None:
    options = {
        "max_tokens": 9,
        "temperature": 0.5,
        "top_p": 0.9,
        "top_k": 40,
        "min_p": 0.1,
        "repetition_penalty": 1.1,
        "presence_penalty": 0.2,
        "frequency_penalty": -0.2,
        "seed": 7,
        "stop": ["a", "b"],
        "system": "Be brief.",
        "drafter": "lookup",
    }
    reading = read({"id": 3, "prompt": "Hello", **options})
    assert reading.id == 3
    assert reading.carried == {}
    assert isinstance(reading.content, Row)
    assert reading.content.turns == (Turn("user", "Hello"),)
    assert reading.content.options.given() == {**options, "stop": ("a", "b")}


def test_messages_row() -> None:
    turns = [{"role": "developer", "content": "Be brief."}, USER, {"role": "assistant", "content": ""}, USER]
    assert [turn.role for turn in row({"messages": turns}).turns] == ["system", "user", "assistant", "user"]
    assert row({"messages": turns}).question == "Hello"


def test_text_parts_are_joined() -> None:
    parts = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    assert row({"messages": [{"role": "user", "content": parts}]}).turns == (Turn("user", "one\ntwo"),)


def test_openai_row() -> None:
    reading = read({**body(model="local", messages=[USER], max_completion_tokens=5), "note": 1})
    assert reading.id == "c"
    assert reading.carried == {"note": 1, "body": {"model": "local"}}
    assert isinstance(reading.content, Row)
    assert reading.content.options == RowOptions(max_tokens=5)


def test_completions_are_continued_as_they_are() -> None:
    request = {**body(prompt="\n"), "url": "/v1/completions"}
    assert row(request).options.raw is True
    assert row(body(prompt="Hello")).options.raw is None


def test_null_counts_as_not_given() -> None:
    fields = {"id": None, "prompt": "Hello", "messages": None, "body": None, "max_tokens": None, "stop": None}
    reading = read(fields)
    assert reading.id is None
    assert isinstance(reading.content, Row)
    assert reading.content.options == RowOptions()


def test_own_fields_are_carried() -> None:
    carried = {"label": [1, {"x": None}], "body": "mail", "custom_id": "other", "n": 17}
    reading = read({"id": "a", "prompt": "Hello", **carried})
    assert reading.carried == carried
    assert reading.warnings == ()
    assert reading.id == "a"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("temprature", "temperature"),
        ("maxTokens", "max_tokens"),
        ("max_new_tokens", "max_tokens"),
        ("top-p", "top_p"),
        ("Prompt", "prompt"),
        ("temp", "temperature"),
    ],
)
def test_misspelt_fields_are_named(name: str, meant: str) -> None:
    for reading in (read({"prompt": "Hello", name: 1}), read(body(messages=[USER], **{name: 1}))):
        assert isinstance(reading.content, Row)
        assert len(reading.warnings) == 1
        assert f'"{name}"' in reading.warnings[0]
        assert f'"{meant}"' in reading.warnings[0]


@pytest.mark.parametrize("name", ["prompt_id", "speed", "topic", "model", "idx", "type", "step", "language", "token"])
def test_ordinary_fields_are_not_taken_for_misspelt_ones(name: str) -> None:
    assert read({"prompt": "Hello", name: 1}).warnings == ()


def test_whole_numbers_may_be_written_as_floats() -> None:
    options = row({"prompt": "Hello", "max_tokens": 20.0, "seed": 3.0}).options
    assert (options.max_tokens, options.seed) == (20, 3)
    assert type(options.max_tokens) is int


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("max_tokens", "ten", "wrong_type"),
        ("max_tokens", True, "wrong_type"),
        ("max_tokens", 2.5, "wrong_type"),
        ("max_tokens", 0, "out_of_range"),
        ("max_completion_tokens", -1, "out_of_range"),
        ("temperature", "0.5", "wrong_type"),
        ("temperature", False, "wrong_type"),
        ("temperature", -0.1, "out_of_range"),
        ("temperature", 10**400, "out_of_range"),
        ("top_p", 0, "out_of_range"),
        ("top_p", [0.5], "wrong_type"),
        ("top_k", 1.5, "wrong_type"),
        ("min_p", 1.5, "out_of_range"),
        ("seed", -1, "out_of_range"),
        ("seed", 10**30, "out_of_range"),
        ("stop", 1, "wrong_type"),
        ("stop", ["a", None], "wrong_type"),
        ("stop", "", "out_of_range"),
        ("system", 1, "wrong_type"),
        ("drafter", {}, "wrong_type"),
    ],
)
def test_bad_options(name: str, value: object, kind: str) -> None:
    problem = error({"id": "x", "prompt": "Hello", name: value})
    assert problem.type == kind
    assert name in problem.message


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'{"prompt": "x"', "invalid_json"),
        (b'{"prompt": "x"} {}', "invalid_json"),
        (b'{"prompt": "raw \x00 zero"}', "invalid_json"),
        (b'{"prompt": "x", "y": NaN}', "invalid_json"),
        (b'{"prompt": "x", "y": -Infinity}', "invalid_json"),
        (b'{"prompt": "x", "y": 1e999}', "invalid_json"),
        (b'{"prompt": "x", "y": ' + b"9" * 5000 + b"}", "invalid_json"),
        (b'{"prompt": "caf\xe9"}', "invalid_utf8"),
        (b'{"prompt": "\\ud83d"}', "invalid_unicode"),
        (b'{"prompt": "x", "\\udc00": 1, "\\udc00": 1}', "invalid_unicode"),
        (b'{"prompt": "x", "prompt": "y"}', "duplicate_key"),
        (b'{"prompt": "x", "meta": {"a": 1, "a": 2}}', "duplicate_key"),
        (b'{"prompt": "x", "y": ' + b"[" * 200 + b"]" * 200 + b"}", "too_deep"),
        (b'{"prompt": "x", "y": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}", "too_deep"),
        (b"[" * 500_000, "too_deep"),
        (b'["prompt"]', "not_an_object"),
        (b"null", "not_an_object"),
        (b"{}", "missing_prompt"),
        (b'{"text": "x"}', "missing_prompt"),
        (b'{"prompt": null}', "missing_prompt"),
        (b'{"prompt": " \\n"}', "empty_prompt"),
        (b'{"prompt": ["x"]}', "wrong_type"),
        (b'{"prompt": true}', "wrong_type"),
        (b'{"prompt": "x", "messages": []}', "conflict"),
        (b'{"prompt": "x", "id": 1.5}', "wrong_type"),
        (b'{"prompt": "x", "id": true}', "wrong_type"),
        (b'{"prompt": "x", "max_tokens": 1, "max_completion_tokens": 2}', "conflict"),
        (b'{"messages": []}', "empty_prompt"),
        (b'{"messages": "x"}', "wrong_type"),
        (b'{"messages": ["x"]}', "wrong_type"),
        (b'{"messages": [{"role": "user"}]}', "wrong_type"),
        (b'{"messages": [{"content": "x"}]}', "wrong_type"),
        (b'{"messages": [{"role": "user", "content": ""}]}', "empty_prompt"),
        (b'{"messages": [{"role": "system", "content": "x"}]}', "empty_prompt"),
        (b'{"messages": [{"role": "tool", "content": "x"}]}', "unsupported"),
        (b'{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}', "unsupported"),
        (b'{"messages": [{"role": "user", "content": [{"type": "text", "text": 1}]}]}', "wrong_type"),
        (b'{"messages": [{"role": "user", "content": ["x"]}]}', "wrong_type"),
        (
            b'{"system": "a", "messages": [{"role": "system", "content": "b"}, {"role": "user", "content": "x"}]}',
            "conflict",
        ),
        (b'{"body": "x"}', "wrong_type"),
        (b'{"body": {}}', "missing_prompt"),
        (b'{"url": "/v1/embeddings", "body": {"prompt": "x"}}', "unsupported"),
        (b'{"url": ["/v1/completions"], "body": {"prompt": "x"}}', "unsupported"),
        (b'{"method": "GET", "body": {"prompt": "x"}}', "unsupported"),
        (b'{"body": {"prompt": "x", "n": 2}}', "unsupported"),
        (b'{"body": {"prompt": "x", "stream": true}}', "unsupported"),
        (b'{"body": {"prompt": "x", "response_format": {"type": "json_object"}}}', "unsupported"),
    ],
)
def test_lines_that_are_no_rows(data: bytes, kind: str) -> None:
    assert error(data).type == kind


def test_request_fields_that_change_nothing_pass() -> None:
    neutral = {"n": 1, "stream": False, "logprobs": False, "tools": [], "response_format": {"type": "text"}}
    assert isinstance(read(body(messages=[USER], **neutral)).content, Row)


def test_ignored_parts_of_messages_are_named() -> None:
    reading = read({"messages": [{**USER, "name": "Ada", "refusal": None}]})
    assert reading.warnings == ('messages[0]: "name" is not used',)


def test_an_error_keeps_the_id_and_the_carried_fields() -> None:
    reading = read({"id": "x", "prompt": 1, "label": "y"})
    assert reading.id == "x"
    assert reading.carried == {"label": "y"}
    assert read_row(b'{"id": "x", "prompt": "\\ud83d"}').id == "x"
    assert read_row(b'{"id": "\\ud83d", "prompt": "x"}').id is None
    assert read_row(b'{"id": "x", "id": "y", "prompt": "x"}').id is None
    assert read_row(b'{"id": "x", "body": 1}').id == "x"


def test_an_empty_id_is_no_id() -> None:
    reading = read({"id": "", "prompt": "Hello"})
    assert reading.id is None
    assert isinstance(reading.content, Row)
    assert "id is empty" in reading.warnings[0]


def test_depth_that_is_allowed_can_be_written_again() -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH - 1):
        deep = [deep]
    carried = read({"prompt": "x", "y": deep}).carried
    assert json.loads(dump({"input": {"body": carried}})) == {"input": {"body": {"y": deep}}}


_KNOWN = [
    "id",
    "custom_id",
    "prompt",
    "messages",
    "body",
    "url",
    "method",
    "role",
    "content",
    "type",
    "text",
    "stop",
    "n",
]
_NAMES = st.sampled_from(_KNOWN) | st.text(max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["user", "text", "POST"]),
    lambda inner: st.lists(inner) | st.dictionaries(_NAMES, inner),
    max_leaves=6,
)


@given(st.dictionaries(_NAMES, JSON) | JSON)
@example({"prompt": "\ud800"})
@example({"id": "\udfff", "prompt": 1})
def test_any_json_value_is_a_row_or_a_row_error(value: object) -> None:
    reading = read_row(json.dumps(value).encode())
    assert isinstance(reading.content, Row | RowError)
    dump({"id": reading.id, "input": reading.carried, "warnings": reading.warnings})
    if isinstance(reading.content, RowError):
        assert reading.content.message
        dump(reading.content.message)


@given(st.binary())
def test_any_bytes_are_a_row_or_a_row_error(data: bytes) -> None:
    content = read_row(data).content
    assert isinstance(content, Row | RowError)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: text.strip()))
@example("\u2028 \u2029 \x85 \x0c \x00 \ufeff 👩🏽‍🚀")
def test_text_survives_the_way_in_and_out(text: str) -> None:
    assert row({"prompt": text}).question == text
    line = dump({"text": text})
    assert json.loads(line) == {"text": text}
    assert len(line.decode().splitlines()) == 1


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_output_is_strict_json(value: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        dump(value)
