"""Real processes: pipes that close, disks that are full, streams that are missing, signals that come twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_run import environment
from scripted import SCRIPT

PROGRAM = [sys.executable, str(Path(__file__).with_name("scripted.py")), "--profile", "smollm2"]
BUFFERING = pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")


def shell(command: str, *args: str, unbuffered: str = "", **script: object) -> subprocess.CompletedProcess[bytes]:
    """`"$@"` in `command` is specgen."""
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}", "bash", *PROGRAM, *args],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env=environment(PYTHONUNBUFFERED=unbuffered, **{SCRIPT: json.dumps(script)}),
        timeout=20,
    )


@BUFFERING
def test_a_reader_that_has_seen_enough(unbuffered: str) -> None:
    started = time.monotonic()
    done = shell('"$@" | head -1', "hi", unbuffered=unbuffered, pieces=["line\n"] * 600, delay=0.05)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"line\n", b"")
    assert time.monotonic() - started < 5


@needs_dev_full
@BUFFERING
@pytest.mark.parametrize("args", [["hi"], ["--json", "hi"]], ids=["text", "json"])
def test_a_full_disk(unbuffered: str, args: list[str]) -> None:
    done = shell('"$@" > /dev/full', *args, unbuffered=unbuffered)
    assert done.returncode == 1
    assert done.stderr == b"specgen: error: cannot write to stdout: no space left on device\n"


def test_closed_stdout() -> None:
    done = shell('"$@" >&-', "hi")
    assert (done.returncode, done.stderr) == (1, b"specgen: error: stdout is closed\n")


def test_closed_stderr_costs_nothing_and_nobody_gets_its_number(tmp_path: Path) -> None:
    done = shell('"$@" 2>&-', "hi")
    assert (done.returncode, done.stdout) == (0, b"Hello, world.\n")
    done = shell('"$@" 2>&-', "hi", fail="broke")
    assert (done.returncode, done.stdout) == (1, b"Hello, world.\n")


@needs_dev_full
def test_full_stderr() -> None:
    done = shell('"$@" 2>/dev/full', "hi")
    assert (done.returncode, done.stdout) == (0, b"Hello, world.\n")


@pytest.mark.parametrize("codec", ["cp1252", "ascii"])
def test_utf8_whatever_the_locale(codec: str) -> None:
    done = shell(f'LC_ALL=C PYTHONUTF8=0 PYTHONIOENCODING={codec} "$@"', "hi", pieces=["日本 😀"])
    assert (done.returncode, done.stdout.decode()) == (0, "日本 😀\n")


def test_text_is_there_as_soon_as_it_is_certain() -> None:
    script = json.dumps({"pieces": ["first", " second"], "delay": 0.5})
    with subprocess.Popen(
        [*PROGRAM, "hi"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment(**{SCRIPT: script})
    ) as process:
        assert process.stdout is not None
        assert os.read(process.stdout.fileno(), 100) == b"first"
        assert process.stdout.read() == b" second\n"


def start(**script: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*PROGRAM, "hi"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**{SCRIPT: json.dumps(script)}),
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_within_a_second(number: int, code: int) -> None:
    with start(pieces=["first"] + [" more"] * 400, delay=0.1) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert os.read(process.stdout.fileno(), 5) == b"first"
        sent = time.monotonic()
        process.send_signal(number)
        assert process.wait(10) == code
        assert time.monotonic() - sent < 1
        assert process.stdout.read().endswith(b"\n")
        assert b"(interrupted)" in process.stderr.read()


def test_the_second_interrupt_kills(tmp_path: Path) -> None:
    # the first one is swallowed by a library that thinks it knows better
    program = tmp_path / "stubborn.py"
    program.write_text(
        "import contextlib, signal, time\n"
        "import click\n"
        "from specgen.cli.exits import guarded\n"
        "@click.command()\n"
        "def wait():\n"
        "    with contextlib.suppress(KeyboardInterrupt):\n"
        "        print('ready', flush=True)\n"
        "        time.sleep(9)\n"
        "    print('swallowed', flush=True)\n"
        "    time.sleep(9)\n"
        "guarded(wait, [])\n"
    )
    with subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stdout is not None
        for said in ("ready\n", "swallowed\n"):
            assert process.stdout.readline() == said
            process.send_signal(signal.SIGINT)
        assert process.wait(10) == -signal.SIGINT


def test_ignored_signals_stay_ignored() -> None:
    done = shell("""trap '' INT; "$@" """, "hi", pieces=["a", "b"], signals={1: signal.SIGINT})
    assert (done.returncode, done.stdout) == (0, b"ab\n")
