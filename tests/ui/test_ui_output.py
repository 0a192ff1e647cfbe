"""stdout as bytes."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specgen.errors import SpecgenError
from specgen.ui.output import AnswerWriter, print_json

Capture = pytest.CaptureFixture[bytes]


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=8), max_size=6), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_the_text_and_one_newline(capfdbinary: Capture, pieces: list[str], whole: bool) -> None:
    writer = AnswerWriter(whole=whole)
    for piece in pieces:
        writer.write(piece)
    writer.finish()
    text = "".join(pieces).rstrip("\n")
    assert capfdbinary.readouterr().out.decode() == (text + "\n" if text else "")


def test_a_reader_that_is_slow_and_does_not_block(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    text = "x" * 1_000_000
    with os.fdopen(writer, "w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        child = os.fork()
        if child == 0:
            os.close(reader)
            AnswerWriter().write(text)
            os._exit(0)
    with os.fdopen(reader, "rb") as pipe:
        assert pipe.read().decode() == text
    assert os.waitpid(child, 0)[1] == 0


def test_without_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SpecgenError, match="stdout is closed"):
        AnswerWriter()


def test_json_is_strict(capfdbinary: Capture) -> None:
    print_json({"a": "\x9b\u2028é", "b": [1.5]})
    assert capfdbinary.readouterr().out.decode() == '{"a": "\\u009b\\u2028é", "b": [1.5]}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"a": float("nan")})
