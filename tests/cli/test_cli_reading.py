"""Where a prompt comes from, and that nothing waits for an input that never comes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_run import Run, environment
from scripted import ScriptedSession

from specgen.cli import reading

GRACE_S = 0.1


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_GRACE_S", GRACE_S)
    monkeypatch.setattr(reading, "_NOTICE_S", GRACE_S)


@pytest.fixture
def silent_pipe() -> Iterator[int]:
    """A pipe whose writing end is open, and unused, in this process only."""
    reader, writer = os.pipe()
    yield reader
    os.close(reader)
    os.close(writer)


@pytest.fixture
def silent_socket() -> Iterator[int]:
    ours, theirs = socket.socketpair()
    yield ours.fileno()
    ours.close()
    theirs.close()


def prompt() -> str:
    assert len(ScriptedSession.prompts) == 1
    return ScriptedSession.prompts[0]


@pytest.mark.parametrize("mode", [[], ["--no-stream"], ["--json"]])
def test_piped_text_comes_first(run: Run, mode: list[str]) -> None:
    assert run("What is it?", *mode, stdin=b"Answer: Apple\n").code == 0
    assert prompt() == "Answer: Apple\n\nWhat is it?"


def test_piped_text_alone(run: Run) -> None:
    run(stdin=b"Answer: Apple\n")
    assert prompt() == "Answer: Apple"


def test_files_come_before_piped_text(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a[i].py").write_text("x = [0]\n")
    run("-f", str(tmp_path / "a[i].py"), "explain", stdin=b"note")
    assert prompt() == f"=== {tmp_path}/a[i].py ===\nx = [0]\n\nnote\n\nexplain"


@pytest.mark.parametrize("how", [["-"], ["-f", "-"]])
def test_a_dash_is_standard_input(run: Run, how: list[str]) -> None:
    run(*how, stdin=b"piped")
    assert prompt() == "piped"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfhi", "hi"),
        (b"a\r\nb", "a\nb"),
        (b"say A\0 and then B", "say A\0 and then B"),
        (b"caf\xe9", "caf\ufffd"),
    ],
)
def test_bytes(run: Run, data: bytes, text: str) -> None:
    ran = run(stdin=data)
    assert prompt() == text
    assert ("specgen: standard input: 1 invalid sequence" in ran.err) == ("\ufffd" in text)


@pytest.mark.parametrize("args", [[""], ["   "], ["\n\t"], []])
def test_nothing_to_answer(run: Run, args: list[str]) -> None:
    ran = run(*args, stdin=b" \n")
    assert (ran.code, ran.out, ScriptedSession.prompts) == (2, "", ())
    assert ran.err.splitlines()[0] == "specgen: error: the prompt is empty"


def test_a_file_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    ran = run("-f", f"{tmp_path}/[bold]x[/bold]\x1b[2J.txt", "hi")
    assert ran.code == 2
    assert "[bold]x[/bold]" in ran.err
    assert "\x1b" not in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_silent_pipe_is_left(run: Run, silent_pipe: int) -> None:
    ran = run("hi", stdin=silent_pipe)
    assert (ran.code, prompt()) == (0, "hi")
    assert "answering without it" in ran.err


def test_a_silent_socket_is_left(run: Run, silent_socket: int) -> None:
    assert run("hi", stdin=silent_socket).code == 0
    assert prompt() == "hi"


def test_without_a_prompt_silence_is_an_error(run: Run, silent_pipe: int, silent_socket: int) -> None:
    for stdin in (silent_pipe, silent_socket):
        started = time.monotonic()
        assert run(stdin=stdin).code == 2
        assert time.monotonic() - started < 10 * GRACE_S


def test_dev_null(run: Run) -> None:
    with open(os.devnull, "rb") as null:
        assert run("hi", stdin=null.fileno()).code == 0
        assert run(stdin=null.fileno()).code == 2
    assert prompt() == "hi"


@pytest.mark.skipif(not Path("/proc/self/fdinfo").exists(), reason="tells who holds a pipe by /proc")
def test_a_slow_command_is_waited_for(run: Run) -> None:
    with subprocess.Popen(["sh", "-c", "sleep 0.4; echo late"], stdout=subprocess.PIPE) as slow:
        assert slow.stdout is not None
        ran = run("hi", stdin=slow.stdout.fileno())
    assert prompt() == "late\n\nhi"
    assert "waiting for standard input" in ran.err


@pytest.mark.parametrize(("args", "code"), [(["hi"], 0), ([], 2)])
def test_closed_standard_input(args: list[str], code: int) -> None:
    program = Path(__file__).with_name("scripted.py")
    command = 'exec "$@" <&-'
    words = ["sh", "-c", command, "sh", sys.executable, str(program), "--profile", "smollm2", *args]
    done = subprocess.run(words, capture_output=True, check=False, timeout=20, env=environment())
    assert done.returncode == code
