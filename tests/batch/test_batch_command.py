"""`specgen batch`: its flags, exit codes, and what goes where."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from batch_runner import echo, lines
from click.testing import CliRunner, Result

from specgen.batch import Answer, Row
from specgen.cli import batch as command
from specgen.errors import UsageError


@pytest.fixture(autouse=True)
def _no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_connect", lambda *_: echo)


def invoke(*arguments: str | Path, stdin: bytes = b"") -> Result:
    words = ["--profile", "smollm2", *(str(argument) for argument in arguments)]
    return CliRunner().invoke(command.batch, words, input=stdin)


def test_rows_on_stdout_and_the_rest_on_stderr() -> None:
    result = invoke("-", stdin=lines({"prompt": "Hi\u2028"}, {"prompt": "x", "temprature": 1}))
    assert result.exit_code == 0
    assert [json.loads(line)["text"] for line in result.stdout.splitlines()] == ["Hi\u2028", "x"]
    assert "did you mean" in result.stderr
    assert result.stderr.rstrip().splitlines()[-1].startswith("specgen: 2 ok, 0 failed")


def test_quiet() -> None:
    result = invoke("-q", stdin=lines({"prompt": "Hi"}, 1))
    assert (result.exit_code, result.stderr) == (6, "")


def test_to_a_file_and_on(tmp_path: Path) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(lines({"prompt": "a"}, {"prompt": "b"}, 1))
    assert invoke(source, "-o", output, "--limit", "1").exit_code == 0
    assert isinstance(invoke(source, "-o", output).exception, UsageError)
    changed = invoke(source, "-o", output, "--resume", "-n", "9").exception
    assert isinstance(changed, UsageError)
    assert "max_tokens" in changed.message
    assert invoke(source, "-o", output, "--resume", "--drafter", "none").exit_code == 6
    assert len(output.read_bytes().splitlines()) == 3
    assert invoke(source, "-o", output, "--retry-errors").exit_code == 6
    result = invoke(source, "-o", output, "--overwrite", "--fail-fast", "--format", "openai")
    assert (result.exit_code, result.stdout) == (6, "")
    assert json.loads(output.read_bytes().splitlines()[0])["response"]["body"]["model"] == "smollm2"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.jsonl", "--resume"], "only an output file"),
        (["in.jsonl", "-o", "out", "--resume", "--overwrite"], "contradict"),
        (["in.jsonl", "-o", "out", "--force"], "--force"),
        (["in.jsonl", "-o", "in.jsonl", "--overwrite"], "both input and output"),
        (["in.jsonl", "-o", "nowhere/out"], "does not exist"),
        (["in.jsonl", "-o", "."], "cannot write"),
        (["missing.jsonl"], "does not exist"),
    ],
)
def test_refusals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.jsonl").write_bytes(lines({"prompt": "a"}))
    error = invoke(*arguments).exception
    assert isinstance(error, UsageError)
    assert message in error.message
    assert Path("in.jsonl").read_bytes() == lines({"prompt": "a"})


def test_an_interrupt_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminated(KeyboardInterrupt):
        pass

    def answer(row: Row) -> Answer:
        if row.question == "b":
            raise Terminated
        return echo(row)

    monkeypatch.setattr(command, "_connect", lambda *_: answer)
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(lines({"prompt": "a"}, {"prompt": "b"}, {"prompt": "c"}))
    with pytest.raises(click.Abort) as caught:  # what click makes of any interrupt
        command.batch.main(["--profile", "smollm2", "-o", str(output), str(source)], standalone_mode=False)
    assert isinstance(caught.value.__cause__, Terminated)
    assert len(output.read_bytes().splitlines()) == 1
