"""One answer: what goes to stdout, what to stderr, and how it ends."""

from __future__ import annotations

import json
import signal

import pytest
from command_run import Run
from scripted import ScriptedSession

from specgen.errors import DoesNotFit, ModelError, SpecgenError, UsageError

BRACKETS = "a[0]=b[i] [bold]x[/bold] [/] [red] list[int] \\[x] :smile: 12:30:45"
CONTROLS = "\x1b[2J\x1b]52;c;aGk=\a\x1b]8;;http://x\x1b\\\b\r\x9b1m\u2028\u202e"


def test_the_answer_and_nothing_else(run: Run) -> None:
    ran = run("hi", pieces=["Hel", "lo\n", "\n", "world", "\n\n\n"])
    assert (ran.code, ran.out) == (0, "Hello\n\nworld\n")
    assert "\x1b" not in ran.err
    (footer,) = ran.err.splitlines()
    assert footer.startswith("13 tok  ")


@pytest.mark.parametrize("mode", [[], ["--no-stream"]])
@pytest.mark.parametrize("text", [BRACKETS, "x" * 500, CONTROLS + ".", "日本 👩‍👩‍👧 é", " leading and \t inside "])
def test_bytes_of_the_answer_stay(run: Run, mode: list[str], text: str) -> None:
    assert run("hi", *mode, pieces=[text[:7], text[7:]]).out == text + "\n"


def test_no_tokens(run: Run) -> None:
    ran = run("-n", "0", "hi")
    assert (ran.code, ran.out) == (0, "")
    assert run("-n", "0", "--json", "hi").document["text"] == ""


def test_footer_choices(run: Run) -> None:
    assert run("-q", "hi").err == ""
    assert run("--stats", "none", "hi").err == ""
    full = run("--stats", "full", "hi").err
    assert all(word in full for word in ("task", "drafter", "prompt", "decode", "rounds", "2 accepted, 2 rejected"))
    assert "device: cpu" in run("-v", "hi").err


def test_the_choice_of_a_model_is_told_unless_it_was_the_users(run: Run) -> None:
    assert run("hi", profile=False).err.startswith("specgen: ")
    assert "specgen: " not in run("hi").err
    assert run("-q", "hi", profile=False).err == ""


def test_document(run: Run) -> None:
    ran = run("--json", "hi", pieces=["Hel", BRACKETS], thinking="hm")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("\n") == 1
    document = ran.document
    assert document["text"] == "Hel" + BRACKETS
    assert "thinking" not in document
    assert document["finish_reason"] == "stop"
    assert document["usage"]["total_tokens"] == 9
    assert {"load_s", "prefill_s", "decode_s"} <= document["timings"].keys()
    assert document["spec"]["num_draft_tokens"] == 4
    assert {"name", "confidence", "evidence"} == document["task"].keys()
    assert "drafter_reason" in document["settings"]
    assert document["model"]["device"] == "cpu"
    assert run("--json", "--hide-thinking", "hi", thinking="hm").document["thinking"] == "hm"


def test_document_is_one_line_that_moves_no_terminal(run: Run) -> None:
    ran = run("--json", "hi", pieces=[CONTROLS, "日本"])
    assert ran.document["text"] == CONTROLS + "日本"
    assert len(ran.out.splitlines()) == 1
    assert "日本" in ran.out
    assert not any(char in ran.out for char in CONTROLS if not char.isprintable())


def test_document_with_the_report_when_asked(run: Run) -> None:
    ran = run("--json", "--stats", "full", "hi")
    assert ran.document["text"]
    assert "2 accepted, 2 rejected" in ran.err


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["interrupt", "terminate"]
)
class TestSignals:
    def test_in_the_answer(self, run: Run, number: int, code: int) -> None:
        ran = run("hi", pieces=["one ", "two ", "three"], signals={2: number})
        assert (ran.code, ran.out) == (code, "one two \n")
        assert "(interrupted)" in ran.err
        assert len(ran.err.splitlines()) == 1

    def test_whole_answer_shows_what_there_is(self, run: Run, number: int, code: int) -> None:
        ran = run("--no-stream", "hi", pieces=["one ", "two ", "three"], signals={2: number})
        assert (ran.code, ran.out) == (code, "one two \n")

    def test_before_the_first_token(self, run: Run, number: int, code: int) -> None:
        ran = run("hi", signals={0: number})
        assert (ran.code, ran.out) == (code, "")
        assert ran.err in ("specgen: interrupted\n", "specgen: terminated\n")

    def test_document(self, run: Run, number: int, code: int) -> None:
        ran = run("--json", "hi", pieces=["one ", "two"], signals={1: number})
        assert ran.code == code
        assert ran.document["text"] == "one "
        assert ran.document["finish_reason"] == "interrupted"

    def test_handlers_are_put_back(self, run: Run, number: int, code: int) -> None:
        before = signal.getsignal(number)
        run("hi", signals={0: number})
        assert signal.getsignal(number) is before


@pytest.mark.parametrize(
    ("error", "code"), [(SpecgenError, 1), (UsageError, 2), (ModelError, 3), (DoesNotFit, 4), (MemoryError, 4)]
)
def test_exit_codes(run: Run, monkeypatch: pytest.MonkeyPatch, error: type[Exception], code: int) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error("bad [bold]name[/bold] \x1b[2J\nx")

    monkeypatch.setattr(ScriptedSession, "open", fail)
    for mode in ([], ["--json"], ["-q"]):
        ran = run("hi", *mode)
        assert (ran.code, ran.out) == (code, "")
        assert ran.err.startswith("specgen: error: ")
        assert "\x1b" not in ran.err
        if error is not MemoryError:
            assert ran.err == "specgen: error: bad [bold]name[/bold] ␛[2J x\n"


def test_an_error_behind_text_begins_a_line_of_its_own(run: Run) -> None:
    ran = run("hi", pieces=["par", "tial"], fail="broke")
    assert (ran.code, ran.out) == (1, "partial\n")
    assert ran.err == "specgen: error: broke\n  hint: mend it\n"


def test_a_bug_is_one_line_and_a_trace_on_demand(run: Run) -> None:
    ran = run("hi", bug="[/]")
    assert (ran.code, len(ran.err.splitlines())) == (1, 2)
    assert "internal error: RuntimeError: [/]" in ran.err
    for flag in ("-v", "--verbose", "-qv"):
        assert "Traceback" in run(flag, "hi", bug="[/]").err


def test_detection_sees_what_was_piped(run: Run) -> None:
    ran = run("--json", "summarize this", stdin=b"The report says that all is well. " * 40)
    assert ran.document["task"]["name"] == "summarize"
    assert json.dumps(ran.document["task"]["evidence"])
    assert "lookup" in ran.document["settings"]["drafter"]
