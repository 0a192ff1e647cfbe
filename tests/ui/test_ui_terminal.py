"""The command on a terminal: what the screen shows while an answer streams, and after it."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from screen import Screen, Terminal

import specgen

PROGRAM = [
    sys.executable,
    str(Path(__file__).parents[1] / "cli" / "scripted.py"),
    *("--profile", "smollm2", "-n", "9999", "hi"),
]
WORDS = [f"w{index:03}[i] " for index in range(60)]
TEXT = "".join(WORDS)
PLAIN = {"TERM": "xterm-256color", "NO_COLOR": "", "FORCE_COLOR": "", "COLUMNS": "", "LINES": ""}


def start(
    *args: str,
    columns: int = 80,
    rows: int = 24,
    redirect: str = "",
    env: dict[str, str] | None = None,
    **script: object,
) -> Terminal:
    surroundings = {**os.environ, **PLAIN, "PYTHONPATH": str(Path(specgen.__file__).parents[1]), **(env or {})}
    surroundings["SPECGEN_TEST_SCRIPT"] = json.dumps(script)
    return Terminal.start([*PROGRAM, *args], columns=columns, rows=rows, env=surroundings, redirect=redirect)


def shown(terminal: Terminal, columns: int = 80, rows: int = 24) -> Screen:
    screen = Screen(columns, rows)
    screen.feed(terminal.output.decode())
    return screen


@pytest.mark.parametrize("columns", [20, 40, 80])
@pytest.mark.parametrize("rows", [6, 24])
def test_the_live_line_leaves_the_answer_alone(columns: int, rows: int) -> None:
    terminal = start(columns=columns, rows=rows, pieces=WORDS, delay=0.012)
    assert terminal.finish() == 0
    assert b"\x1b[1;%dr" % (rows - 1) in terminal.output
    screen = shown(terminal, columns, rows)
    assert screen.whole
    assert TEXT.rstrip() in screen.text
    assert screen.widest <= columns
    *_, footer = [line for line in screen.lines if line]
    assert footer.startswith("178 tok")


def test_every_line_of_a_long_answer_is_there_once() -> None:
    lines = [f"line {index}\n" for index in range(200)]
    terminal = start(pieces=lines, delay=0.002)
    terminal.finish()
    screen = shown(terminal)
    found = [line.rstrip() for line in [*screen.scrolled, *screen.lines] if line.startswith("line")]
    assert found == [line.rstrip() for line in lines]


def test_no_live_line_on_a_low_terminal() -> None:
    terminal = start(rows=4, pieces=WORDS[:9], delay=0.02)
    terminal.finish()
    assert b"\x1b[1;" not in terminal.output


def test_brackets_and_controls_are_shown() -> None:
    hostile = "a[0]=b[i] [bold]x[/bold] [/] list[int] :smile: \x1b[2J\x1b]52;c;aGk=\a\b\r\x9b1m\u202e"
    terminal = start("--stats", "none", pieces=[hostile[:30], hostile[30:]])
    assert terminal.finish() == 0
    text = terminal.output.decode()
    assert "a[0]=b[i] [bold]x[/bold] [/] list[int] :smile: ␛[2J␛]52;c;aGk=␇␈␍<U+009B>1m<U+202E>" in shown(
        terminal
    ).text.replace("  ", "")
    assert not {"\x9b", "\u202e", "\a", "\b"} & set(text)
    assert "\x1b[2J" not in text


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_gives_the_screen_back(number: int, code: int) -> None:
    terminal = start(pieces=WORDS * 9, delay=0.02)
    terminal.read_until(b"w010")
    terminal.process.send_signal(number)
    assert terminal.finish() == code
    screen = shown(terminal)
    assert screen.whole
    assert "(interrupted)" in "".join(screen.lines)
    assert len([line for line in screen.lines if " tok" in line]) == 1


def test_an_error_gives_the_screen_back() -> None:
    terminal = start(pieces=WORDS[:9], delay=0.02, fail="broke [/red]")
    assert terminal.finish() == 1
    screen = shown(terminal)
    assert screen.whole
    assert "specgen: error: broke [/red]" in screen.lines


def test_suspending_gives_the_screen_back_and_takes_it_again() -> None:
    terminal = start(pieces=WORDS, delay=0.02)
    terminal.read_until(b"w010")
    terminal.stop_and_continue()
    terminal.read_until(b"w055")
    assert terminal.output.count(b"\x1b[1;23r") == 2
    before, _, _ = terminal.output.rpartition(b"\x1b[1;23r")
    assert b"\x1b[r" in before
    assert terminal.finish() == 0
    assert shown(terminal).whole


def test_a_new_size_is_followed() -> None:
    terminal = start(pieces=WORDS, delay=0.02)
    terminal.read_until(b"\x1b[1;23r")
    terminal.resize(80, 30)
    terminal.read_until(b"\x1b[1;29r")
    assert terminal.finish() == 0
    assert shown(terminal, rows=30).whole


def test_an_answer_in_a_file_has_its_line_in_place(tmp_path: Path) -> None:
    path = tmp_path / "out"
    terminal = start(columns=40, redirect=f"> {path}", pieces=WORDS[:20], delay=0.02)
    assert terminal.finish() == 0
    assert path.read_text() == "".join(WORDS[:20]) + "\n"
    assert b"\r\x1b[2K" in terminal.output
    screen = shown(terminal, 40)
    assert [line for line in screen.lines if line] == ["58 tok  96.8 tok/s  accept 3.00/round 50%"[:18].rstrip()]


def test_no_live_line_beside_a_pipe_whose_reader_may_use_the_terminal() -> None:
    terminal = start("-v", redirect="| cat", pieces=WORDS[:20], delay=0.01)
    assert terminal.finish() == 0
    assert not re.search(rb"\x1b\[2K(\x1b\[2m)?\d+ tok", terminal.output)
    screen = shown(terminal)
    assert "".join(WORDS[:20]).rstrip() in screen.text
    assert any(line.startswith("58 tok") for line in screen.lines)


def test_bars_are_one_line_and_vanish() -> None:
    for columns in (40, 80):
        terminal = start(columns=columns, pieces=["done"], load=0.4)
        terminal.finish()
        frames = [part for part in terminal.output.decode().split("\r") if "loading [red]" in part]
        assert frames
        assert all("\n" not in frame.rstrip("\r\n") for frame in frames)
        assert shown(terminal, columns).lines[0] == "done"


STYLED = b"\x1b[2m"


@pytest.mark.parametrize(
    ("env", "moves", "styles"),
    [
        ({}, True, True),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, False, True),
        ({"TERM": ""}, False, False),
    ],
)
def test_what_the_environment_wants(env: dict[str, str], *, moves: bool, styles: bool) -> None:
    terminal = start(env=env, pieces=WORDS[:9], delay=0.02, load=0.1)
    assert terminal.finish() == 0
    assert (b"\x1b7" in terminal.output) == moves
    assert (STYLED in terminal.output) == styles
    if not styles:
        assert not any(sequence in terminal.output for sequence in (b"\x1b[1m", b"\x1b[3", b"\x1b[2m"))
    if not moves and not styles:
        assert b"\x1b" not in terminal.output


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_escape_sequence_without_a_terminal(env: dict[str, str], tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    terminal = start(env=env, redirect=f"> {out} 2> {err}", pieces=WORDS[:3], load=0.1)
    assert terminal.finish() == 0
    assert (terminal.output, b"\x1b" in out.read_bytes(), b"\x1b" in err.read_bytes()) == (b"", False, False)
    assert out.read_text() == "".join(WORDS[:3]) + "\n"


def test_quiet_is_quiet() -> None:
    terminal = start("-q", pieces=WORDS[:9], delay=0.02, load=0.1)
    assert terminal.finish() == 0
    assert terminal.output == "".join(WORDS[:9]).encode() + b"\r\n"
