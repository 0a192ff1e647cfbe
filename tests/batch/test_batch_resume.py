"""Nothing is lost and nothing is done twice: runs that were cut, killed, changed, or that meet each other."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from batch_runner import SETTINGS, Runner, echo, lines

from specgen.batch import Answer, FileOutput, OpenAIFormat, OwnFormat, Row
from specgen.batch.records import Format
from specgen.batch.sidecar import sidecar_path
from specgen.errors import SpecgenError, UsageError

ROWS = [
    {"id": "a", "prompt": "eins\u2028zwei"},
    {"prompt": "same"},
    {"prompt": "same"},
    {"id": "a", "prompt": "again"},
    b"not json",
    {"id": 5, "prompt": "last", "max_tokens": 3, "note": "größe"},
]


def spy(answered: list[str]) -> Callable[[Row], Answer]:
    def answer(row: Row) -> Answer:
        answered.append(row.question)
        return echo(row)

    return answer


@pytest.mark.parametrize("form", [OwnFormat(), OpenAIFormat(model="tiny")], ids=["own", "openai"])
def test_resumed_after_a_cut_at_every_byte(batch: Runner, form: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 0.0)
    monkeypatch.setattr(os, "fsync", lambda file: None)
    batch.put(lines({"id": "a", "prompt": "e\u2028z"}, b"not json", {"prompt": "größe"}))
    batch.run(form=form)
    whole = batch.output.read_bytes()
    for cut in range(len(whole) + 1):
        batch.output.write_bytes(whole[:cut])
        summary = batch.run(form=form, existing="resume")
        assert batch.output.read_bytes() == whole, f"cut at {cut}"
        assert summary.skipped == whole[:cut].count(b"\n")


def test_nothing_is_answered_twice(batch: Runner) -> None:
    answered: list[str] = []
    batch.put(lines(*ROWS))
    batch.run(answer=spy(answered), limit=2)
    batch.run(answer=spy(answered), existing="resume")
    summary = batch.run(answer=spy(answered), existing="resume")
    assert answered == ["eins\u2028zwei", "same", "same", "last"]
    assert (summary.skipped, summary.written, summary.exit_code) == (6, 0, 0)


def test_resuming_what_was_never_begun(batch: Runner) -> None:
    batch.put(lines({"prompt": "a"}))
    assert batch.run(existing="resume").ok == 1


def test_an_output_with_rows_is_not_touched_unless_asked(batch: Runner) -> None:
    batch.put(lines({"prompt": "a"}))
    batch.run()
    before = batch.output.read_bytes()
    with pytest.raises(UsageError, match="exists") as caught:
        batch.run()
    assert "--resume" in (caught.value.hint or "")
    assert batch.output.read_bytes() == before
    assert batch.run(existing="overwrite", settings={"model": "other"}).ok == 1


@pytest.mark.parametrize(
    "content", [b"my notes\n", b"my notes", b'{"id": "a"}\n', b'{"id": 1, "prompt": "x"}\n', b"[1]"]
)
@pytest.mark.parametrize("force", [False, True])
def test_a_file_that_is_not_ours_is_left_alone(batch: Runner, content: bytes, *, force: bool) -> None:
    batch.put(lines({"prompt": "a"}))
    batch.output.write_bytes(content)
    for how in ("refuse", "resume"):
        with pytest.raises(UsageError):
            batch.run(existing=how, force=force)
        assert not sidecar_path(batch.output).exists()
        assert batch.output.read_bytes() == content


def test_a_damaged_row_in_the_middle_is_named(batch: Runner) -> None:
    batch.put(lines(*ROWS))
    batch.run()
    rows = batch.output.read_bytes().split(b"\n")
    batch.output.write_bytes(b"\n".join([rows[0], rows[1][:-9], *rows[2:]]))
    with pytest.raises(UsageError, match="line 2 of"):
        batch.run(existing="resume")


def test_other_settings_are_refused_by_name(batch: Runner) -> None:
    batch.put(lines({"id": "a", "prompt": "one"}, {"id": "b", "prompt": "two"}))
    batch.run(limit=1)
    other: dict[str, Any] = {**SETTINGS, "max_tokens": 99, "seed": 7}
    with pytest.raises(UsageError, match="max_tokens was 16, is 99; seed was not set, is 7") as caught:
        batch.run(existing="resume", settings=other)
    assert "model" not in caught.value.message.removeprefix(str(batch.output))
    with pytest.raises(UsageError, match='format was "specgen", is "openai"'):
        batch.run(existing="resume", form=OpenAIFormat(model="tiny"))
    assert batch.run(existing="resume", settings=other, force=True).ok == 1
    assert batch.run(existing="resume", settings=other).skipped == 2


def test_a_lost_sidecar_is_refused(batch: Runner) -> None:
    batch.put(lines({"id": "a", "prompt": "one"}, {"id": "b", "prompt": "two"}))
    batch.run(limit=1)
    sidecar_path(batch.output).unlink()
    with pytest.raises(UsageError, match="nothing tells"):
        batch.run(existing="resume")
    assert batch.run(existing="resume", force=True).ok == 1


@pytest.mark.parametrize("source", ["in.jsonl", "-"])
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ([{"id": "a", "prompt": "ONE"}, {"id": "b", "prompt": "two"}], r"line 1 \(.*is not what was answered"),
        ([{"id": "c", "prompt": "one"}, {"id": "b", "prompt": "two"}], 'line 1 is "c", it was "a"'),
        ([{"id": "b", "prompt": "two"}, {"id": "a", "prompt": "one"}], 'line 1 is "b", it was "a"'),
    ],
)
def test_a_changed_input_is_refused(batch: Runner, changed: list[Any], message: str, source: str) -> None:
    batch.put(lines({"id": "a", "prompt": "one"}, {"id": "b", "prompt": "two"}))
    batch.run(limit=1)
    before = batch.output.read_bytes()
    batch.put(lines(*changed))
    with pytest.raises(UsageError, match=message):
        batch.run(source, existing="resume", stdin=lines(*changed))
    assert batch.output.read_bytes() == before
    batch.run(existing="resume", force=True)
    assert {row["id"] for row in batch.rows()} == {"a"} | {row["id"] for row in changed}


def test_an_input_that_lost_rows_is_refused(batch: Runner) -> None:
    batch.put(lines({"id": "a", "prompt": "one"}, {"id": "b", "prompt": "two"}))
    batch.run()
    batch.put(lines({"id": "a", "prompt": "one"}))
    with pytest.raises(UsageError, match='"b" is answered, but not in the input'):
        batch.run(existing="resume")


def test_an_input_may_grow_and_open_rows_may_change(batch: Runner) -> None:
    batch.put(lines({"id": "a", "prompt": "one"}, {"id": "b", "prompt": "two"}))
    batch.run(limit=1)
    batch.put(lines(b' {"id": "a", "prompt": "one"}\r', {"id": "b", "prompt": "TWO"}, {"id": "c", "prompt": "three"}))
    batch.run(existing="resume")
    assert [row["text"] for row in batch.rows()] == ["one", "TWO", "three"]


def test_failed_rows_stay_unless_they_are_to_be_tried_again(batch: Runner) -> None:
    batch.put(lines({"id": "a", "prompt": "one"}, {"id": "b", "prompt": 2}, {"id": "c", "prompt": "three"}))
    batch.run()
    before = batch.output.read_bytes().split(b"\n")
    assert batch.run(existing="resume").written == 0
    batch.put(lines({"id": "a", "prompt": "one"}, {"id": "b", "prompt": "two"}, {"id": "c", "prompt": "three"}))
    summary = batch.run(existing="resume", retry_errors=True)
    assert (summary.skipped, summary.ok, summary.exit_code) == (2, 1, 0)
    assert [row["text"] for row in batch.rows()] == ["one", "two", "three"]
    after = batch.output.read_bytes().split(b"\n")
    assert (after[0], after[2]) == (before[0], before[2])
    assert sorted(path.name for path in batch.folder.iterdir()) == ["in.jsonl", "out.jsonl", "out.jsonl.specgen.json"]


def test_the_order_is_mended_after_an_interrupted_retry(batch: Runner) -> None:
    def flaky(row: Row) -> Answer:
        raise UsageError("not now")

    def dying(row: Row) -> Answer:
        if row.question == "b":
            raise MemoryHog
        return echo(row)

    class MemoryHog(BaseException):
        pass

    batch.put(lines(*({"prompt": text} for text in "abc"), {"id": "d", "prompt": "d"}))
    batch.run(answer=flaky, limit=3)
    batch.run(existing="resume")
    with pytest.raises(MemoryHog):
        batch.run(answer=dying, existing="resume", retry_errors=True)
    assert [row["text"] for row in batch.rows()] == ["d", "a"]
    batch.run(existing="resume")
    assert [row["text"] for row in batch.rows()] == ["a", "b", "c", "d"]


def test_a_refused_retry_changes_nothing(batch: Runner) -> None:
    batch.put(lines({"id": "a", "prompt": 1}, {"id": "b", "prompt": "two"}))
    batch.run()
    before = batch.output.read_bytes()
    batch.put(lines({"id": "a", "prompt": "one"}, {"id": "b", "prompt": "TWO"}))
    with pytest.raises(UsageError, match="changed"):
        batch.run(existing="resume", retry_errors=True)
    assert batch.output.read_bytes() == before


def test_a_second_run_on_the_same_output_is_refused(batch: Runner) -> None:
    batch.put(lines({"prompt": "a"}))
    link = batch.folder / "link.jsonl"
    link.symlink_to(batch.output)
    for path in (batch.output, link):
        first = FileOutput(batch.output, OwnFormat(), settings=SETTINGS)
        with pytest.raises(UsageError, match="another run"):
            FileOutput(path, OwnFormat(), settings=SETTINGS, existing="resume")
        first.close()
    assert batch.run().ok == 1


def test_a_disk_that_fills_up_leaves_whole_rows(batch: Runner) -> None:
    resource = pytest.importorskip("resource")
    batch.put(lines(*({"prompt": text * 300} for text in "abcdef")))
    batch.run()
    whole = batch.output.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) // 2, before[1]))
    try:
        with pytest.raises(SpecgenError, match=r"cannot write .*out\.jsonl: file too large") as caught:
            batch.run(existing="overwrite")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "--resume" in (caught.value.hint or "")
    kept = batch.output.read_bytes()
    assert whole.startswith(kept)
    assert kept.endswith(b"\n")
    batch.run(existing="resume")
    assert batch.output.read_bytes() == whole


_SLOW = """
import io, sys, time
from pathlib import Path
from batch_runner import SETTINGS, echo
from specgen.batch import FileOutput, Inputs, OwnFormat, run_batch

def slow(row):
    time.sleep(0.003)
    return echo(row)

output = FileOutput(Path(sys.argv[2]), OwnFormat(), settings=SETTINGS, existing="resume")
print("begin", flush=True)
run_batch(Inputs([sys.argv[1]], stdin=io.BytesIO()), output, lambda: slow)
output.close()
"""


def test_killed_and_resumed(batch: Runner) -> None:
    batch.put(lines(*({"prompt": f"{number} " * 20} for number in range(60))))
    path = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[2])])
    command = [sys.executable, "-c", _SLOW, str(batch.folder / "in.jsonl"), str(batch.output)]
    kept = b""
    for delay in (0.02, 0.05, 0.09):
        with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begin\n"
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
        now = batch.output.read_bytes()
        assert now.startswith(kept)
        kept = now[: now.rfind(b"\n") + 1]
        assert all(json.loads(line) for line in kept.splitlines())
    batch.run(existing="resume")
    assert batch.output.read_bytes().startswith(kept)
    assert [row["index"] for row in batch.rows()] == list(range(60))
    assert len({row["id"] for row in batch.rows()}) == 60
