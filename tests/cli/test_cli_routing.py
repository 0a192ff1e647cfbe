"""Which command an argument list means, and what is answered when it means none."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import click
import pytest
from command_run import Run, environment
from hypothesis import given
from hypothesis import strategies as st
from scripted import ScriptedSession

from specgen import __version__
from specgen.cli import COMMANDS, with_command
from specgen.cli.options import ALIASES, RENAMED
from specgen.cli.prompt_command import PromptCommand
from specgen.cli.run import run as run_command

HEAVY = ("torch", "transformers", "rich", "numpy", "huggingface_hub", "tokenizers")


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["run", "--help"], ["--temprature", "1", "x"]])
def test_answers_that_load_nothing(args: list[str]) -> None:
    program = f"""if True:
        import sys
        from specgen.cli import main
        try:
            main({args!r})
        finally:
            print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
    """
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment()
    )
    assert done.stderr.splitlines()[-1] == "[]"


def test_version(run: Run) -> None:
    assert run("--version", profile=False).out == f"specgen {__version__}\n"


def test_help_names_every_command_and_exit_code(run: Run) -> None:
    text = run("--help", profile=False).out
    assert all(name in text for name in COMMANDS)
    assert all(f" {code} " in text for code in (0, 1, 2, 3, 4, 6, 130, 143))


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_are_where_the_table_says(name: str) -> None:
    module, attribute = COMMANDS[name][0].split(":")
    assert isinstance(getattr(import_module(module), attribute), click.Command)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ([], ["run"]),
        (["hello there"], ["run", "hello there"]),
        (["write", "a", "poem"], ["run", "write", "a", "poem"]),
        (["profiles"], ["profiles"]),
        (["batch", "x.jsonl"], ["batch", "x.jsonl"]),
        (["--", "profiles"], ["run", "--", "profiles"]),
        (["run", "profiles"], ["run", "profiles"]),
        (["-n", "5", "hi"], ["run", "-n", "5", "hi"]),
        (["--help"], ["--help"]),
        (["-"], ["run", "-"]),
        (["profiles of courage"], ["run", "profiles of courage"]),
        (["running"], ["run", "running"]),
    ],
)
def test_command_or_prompt(args: list[str], expected: list[str]) -> None:
    assert with_command(args) == expected


@pytest.mark.parametrize(("word", "meant"), [("profles", "profiles"), ("model", "models"), ("bach", "batch")])
def test_a_mistyped_command_is_not_sent_to_a_model(run: Run, word: str, meant: str) -> None:
    ran = run(word, profile=False)
    assert (ran.code, ran.out) == (2, "")
    assert repr(meant) in ran.err
    assert f"specgen -- {word}" in ran.err
    assert ScriptedSession.prompts == ()


@pytest.mark.parametrize(
    ("args", "prompt"),
    [
        (["- summarize this"], "- summarize this"),
        (["--find me"], "--find me"),
        (["-n is a flag"], "-n is a flag"),
        (["-quiet please"], "-quiet please"),
        (["-1+2"], "-1+2"),
        (["-.5 is what?"], "-.5 is what?"),
        (["--", "-x"], "-x"),
        (["--", "--json"], "--json"),
        (["write", "a", "poem"], "write a poem"),
        (["-n", "3", "one", "--seed", "1", "two"], "one two"),
        (["-qn", "3", "hi"], "hi"),
        (["--stop=a b", "hi"], "hi"),
        (["-sYou are terse", "hi"], "hi"),
    ],
)
def test_prompts_that_look_like_options(run: Run, args: list[str], prompt: str) -> None:
    ran = run(*args)
    assert ran.code == 0, ran.err
    assert ScriptedSession.prompts == (prompt,)


def test_a_mistyped_option_is_refused_with_the_right_one(run: Run) -> None:
    ran = run("--temprature", "1", "hi")
    assert ran.code == 2
    assert "--temp" in ran.err.splitlines()[0].partition("(")[2]
    assert "specgen -- PROMPT" in ran.err


@given(st.lists(st.text(st.characters(exclude_characters="-", codec="utf-8"), min_size=1), max_size=5))
def test_words_without_a_dash_keep_their_order(words: list[str]) -> None:
    assert isinstance(run_command, PromptCommand)
    assert run_command.with_prompts_apart(words) == ["--", *words]


@pytest.mark.parametrize("name", ALIASES)
def test_names_of_other_tools(run: Run, name: str) -> None:
    option = next(each for each in run_command.params if ALIASES[name] in each.opts)
    value = {"integer": "1", "float": "1.5"}.get(option.type.name, "smollm2")
    assert run(name, value, "hi").code == 0
    assert run(f"{name}={value}", "hi").code == 0


@pytest.mark.parametrize("name", RENAMED)
def test_names_that_mean_nearly_the_same(run: Run, name: str) -> None:
    ran = run(name, "3", "hi")
    assert ran.code == 2
    assert RENAMED[name] in ran.err
    assert ScriptedSession.prompts == ()


def test_behind_two_dashes_they_are_text(run: Run) -> None:
    run("--", "--draft-max", "--temperature")
    assert ScriptedSession.prompts == ("--draft-max --temperature",)
