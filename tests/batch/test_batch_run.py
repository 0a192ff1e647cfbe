"""Whole runs: one output row per input row, in order, whatever the input is."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from batch_runner import Runner, echo, lines
from hypothesis import given, settings
from hypothesis import strategies as st

from specgen.batch import (
    Answer,
    BatchSummary,
    CannotAnswer,
    Inputs,
    OwnFormat,
    Row,
    RowError,
    StreamOutput,
    Turn,
    run_batch,
)
from specgen.batch.items import Item, read_items
from specgen.batch.lines import MAX_LINE
from specgen.errors import DoesNotFit, ModelError, SpecgenError, UsageError


def items(data: bytes, tmp_path: Path) -> list[Item]:
    path = tmp_path / "items.jsonl"
    path.write_bytes(data)
    with path.open("rb") as stdin:
        return list(read_items(Inputs(["-"], stdin=stdin)))


def test_the_damaged_file_row_by_row(batch: Runner, shared_dir: Path) -> None:
    expected = json.loads((shared_dir / "data/batch_bad_expected.json").read_bytes())["lines"]
    batch.put((shared_dir / "data/batch_bad.jsonl").read_bytes())
    summary = batch.run()
    wanted = [line for line in expected if line["status"] != "skip"]
    rows = batch.rows()
    assert len(rows) == len(wanted)
    assert [row["index"] for row in rows] == list(range(len(rows)))
    for row, line in zip(rows, wanted, strict=True):
        allowed = {line["status"], *line.get("also_accepted", ())}
        assert ("ok" if row["error"] is None else "error") in allowed, line
        assert "id" not in line or row["id"] == line["id"]
        if row["error"] is not None:
            assert row["text"] is None
            assert row["error"]["line"] == line["line"]
            assert row["error"]["type"] == line["reason"]
            assert row["error"].get("first_line") == line.get("first_line")
        if "warn" in line:
            assert "temprature" in row["warnings"][0]
            assert row["input"] == {"temprature": 0.1}
    made_up = rows[9]["id"]
    assert [row["id"] for row in rows].count(made_up) == 1
    assert rows[11]["text"] == "before the zero \0 after the zero. Repeat this sentence."
    assert summary.exit_code == 6
    assert any("line 17" in note and "temprature" in note for note in batch.notes)


def test_the_accepted_shapes(batch: Runner, shared_dir: Path) -> None:
    data = (shared_dir / "data/batch_ok.jsonl").read_bytes()
    seen: list[Row] = []

    def answer(row: Row) -> Answer:
        seen.append(row)
        return echo(row)

    batch.put(data)
    summary = batch.run(answer=answer)
    assert (summary.ok, summary.failed, summary.exit_code) == (24, 0, 0)
    sources = [json.loads(line) for line in data.split(b"\n") if line.strip()]
    for source, row, output in zip(sources, seen, batch.rows(), strict=True):
        request: dict[str, Any] = source.get("body", source)
        given = {name: request[name] for name in ("max_tokens", "temperature", "seed") if name in request}
        assert {name: getattr(row.options, name) for name in given} == given
        if "stop" in request:
            stop = request["stop"]
            assert row.options.stop == ((stop,) if isinstance(stop, str) else tuple(stop))
        assert output["text"] == request.get("prompt", request.get("messages", [{}])[-1].get("content"))
        assert output["id"] == source.get("id", source.get("custom_id", output["id"]))


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_one_record_is_one_row(batch: Runner, end: bytes) -> None:
    text = "a\u2028b\u2029c\x85d\x0ce"
    record = json.dumps({"id": "x", "prompt": text}, ensure_ascii=False).encode()
    batch.put(b"\xef\xbb\xbf" + record + end + b" \t\r\n" + end + b'{"id": "y", "prompt": "last"}')
    batch.run()
    assert [(row["id"], row["text"]) for row in batch.rows()] == [("x", text), ("y", "last")]
    assert len(batch.output.read_text(encoding="utf-8").splitlines()) == 2


def test_odd_values_cost_their_row_only(batch: Runner) -> None:
    odd = [
        b'{"id": "big", "prompt": "' + b"x" * 5_000_000 + b'"}',
        b'{"id": "nan", "prompt": "x", "temperature": NaN}',
        b'{"id": "half", "prompt": "\\ud800"}',
        b'{"id": "deep", "prompt": "x", "y": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ]

    def short(row: Row) -> Answer:
        if len(row.question) > 1000:
            raise UsageError("the prompt has 5000000 characters, too many")
        return echo(row)

    batch.put(lines({"prompt": "first"}, *odd, {"prompt": "last"}))
    batch.run(answer=short)
    kinds = [row["error"] and row["error"]["type"] for row in batch.rows()]
    assert kinds == [None, "refused", "invalid_json", "invalid_unicode", "too_deep", None]


def test_a_line_beyond_all_bounds_is_not_kept(batch: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("specgen.batch.lines.MAX_LINE", 100)
    batch.put(lines({"prompt": "x" * 101}, {"prompt": "after"}, b'{"prompt": "' + b"y" * 300 + b'"}'))
    batch.run()
    assert [row["error"] and row["error"]["type"] for row in batch.rows()] == ["line_too_long", None, "line_too_long"]
    assert MAX_LINE >= 5_000_000


def test_made_up_ids_do_not_collide_with_given_ones(batch: Runner) -> None:
    batch.put(lines({"prompt": "a"}, {"prompt": "a"}))
    batch.run()
    made_up = [row["id"] for row in batch.rows()]
    assert len(set(made_up)) == 2
    batch.put(lines({"prompt": "a"}, {"prompt": "a"}, *({"id": id_, "prompt": "mine"} for id_ in made_up)))
    batch.run(existing="overwrite")
    rows = batch.rows()
    assert [row["id"] for row in rows[2:]] == made_up
    assert [row["error"] for row in rows] == [None] * 4
    assert len({row["id"] for row in rows}) == 4


def test_made_up_ids_do_not_collide_with_earlier_ones_in_a_stream(tmp_path: Path) -> None:
    (taken,) = (item.id for item in items(b'\n{"prompt": "a"}', tmp_path))
    both = items(lines({"id": taken, "prompt": "mine"}, {"prompt": "a"}), tmp_path)
    assert both[0].id == taken
    assert both[1].id != taken


def test_repeated_ids(tmp_path: Path) -> None:
    rows = items(lines({"id": 1, "prompt": "a"}, b"", {"id": "1", "prompt": "b"}, {"id": 1, "prompt": "c"}), tmp_path)
    assert isinstance(rows[1].content, Row)  # 1 and "1" are two ids
    assert isinstance(rows[2].content, RowError)
    assert (rows[2].id, rows[2].line, rows[2].content.first_line) == (1, 4, 1)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from(["x", "y"]))))
def test_every_id_names_one_good_row(rows: list[tuple[str | None, str]]) -> None:
    data = lines(*({"prompt": prompt} | ({"id": id_} if id_ else {}) for id_, prompt in rows))
    good = [item.id for item in read_items(Inputs(["-"], stdin=io.BytesIO(data))) if isinstance(item.content, Row)]
    assert len(good) == len(set(good))
    assert len(good) == sum(id_ is None for id_, _ in rows) + len({id_ for id_, _ in rows if id_})


def test_several_files_and_gzip(batch: Runner) -> None:
    batch.put(lines({"id": "a", "prompt": "one"}), "a.jsonl")
    batch.put(gzip.compress(lines({"id": "b", "prompt": "two"}, {"id": "a", "prompt": "again"}, 3)), "b.jsonl.gz")
    batch.run("a.jsonl", "b.jsonl.gz", "-", stdin=lines({"id": "c", "prompt": "three"}))
    rows = batch.rows()
    assert [row["text"] for row in rows] == ["one", "two", None, None, "three"]
    assert rows[2]["error"]["first_line"] == 1
    assert "a.jsonl" in rows[2]["error"]["message"]
    assert (rows[3]["error"]["line"], Path(rows[3]["error"]["file"]).name) == (3, "b.jsonl.gz")


def test_inputs_that_cannot_be_read(batch: Runner) -> None:
    with pytest.raises(UsageError, match=r"missing\.jsonl does not exist"):
        batch.run("missing.jsonl")
    with pytest.raises(UsageError, match="folder"):
        batch.run(".")
    with pytest.raises(UsageError, match="twice"):
        batch.run("-", "-")
    batch.put('{"prompt": "x"}\n'.encode("utf-16"))
    with pytest.raises(UsageError, match="UTF-16"):
        batch.run()
    batch.put(gzip.compress(lines({"prompt": "x"}))[:-9], "cut.gz")
    with pytest.raises(SpecgenError, match="damaged gzip"):
        batch.run("cut.gz")
    assert not batch.output.exists()


def test_no_rows(batch: Runner) -> None:
    batch.put(b"\n \n")
    assert batch.run().exit_code == 0
    assert batch.output.read_bytes() == b""


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (UsageError("too long"), "refused"),
        (DoesNotFit("too large"), "does_not_fit"),
        (SpecgenError("broken"), "failed"),
        (RowError("prompt_too_long", "too long"), "prompt_too_long"),
        (MemoryError("no"), "internal"),
        (RuntimeError("line\none \ud800"), "internal"),
    ],
)
def test_a_failing_answer_costs_its_row_only(batch: Runner, raised: Exception, kind: str) -> None:
    def answer(row: Row) -> Answer:
        if row.question == "bad":
            raise raised
        return echo(row)

    batch.put(lines({"prompt": "good"}, {"id": "b", "prompt": "bad", "label": 1}, {"prompt": "fine"}))
    summary = batch.run(answer=answer)
    rows = batch.rows()
    assert [row["text"] for row in rows] == ["good", None, "fine"]
    assert (rows[1]["error"]["type"], rows[1]["error"]["line"], rows[1]["input"]) == (kind, 2, {"label": 1})
    assert (summary.ok, summary.failed, summary.exit_code) == (2, 1, 6)


def test_a_model_that_cannot_be_used_ends_the_run(batch: Runner) -> None:
    def answer(row: Row) -> Answer:
        raise CannotAnswer(ModelError("no such model"))

    batch.put(lines({"prompt": "a"}, {"prompt": "b"}))
    with pytest.raises(ModelError):
        batch.run(answer=answer)
    assert batch.output.read_bytes() == b""
    assert batch.run().ok == 2


def test_nothing_is_loaded_for_rows_that_need_no_answer(tmp_path: Path) -> None:
    def connect() -> Callable[[Row], Answer]:
        raise UsageError("the model was loaded")

    for data, loads in ((lines(1, {"prompt": 2}), False), (lines(1, {"prompt": "a"}, {"prompt": "b"}), True)):
        out = io.BytesIO()
        inputs, output = Inputs(["-"], stdin=io.BytesIO(data)), StreamOutput(out, OwnFormat())
        if loads:
            with pytest.raises(UsageError, match="was loaded"):
                run_batch(inputs, output, connect)
        else:
            assert run_batch(inputs, output, connect).failed == 2


def test_an_interrupt_keeps_what_is_done(batch: Runner) -> None:
    def answer(row: Row) -> Answer:
        if row.question == "b":
            raise KeyboardInterrupt
        return echo(row)

    batch.put(lines({"prompt": "a"}, {"prompt": "b"}, {"prompt": "c"}))
    summary = batch.run(answer=answer)
    assert summary.exit_code == 130
    assert "interrupted" in summary.line()
    assert [row["text"] for row in batch.rows()] == ["a"]
    assert batch.run(existing="resume").skipped == 1
    assert [row["text"] for row in batch.rows()] == ["a", "b", "c"]


def test_fail_fast_stops_after_the_first_failure(batch: Runner) -> None:
    batch.put(lines({"prompt": "a"}, 1, {"prompt": "b"}))
    assert batch.run(fail_fast=True).exit_code == 6
    assert [row["text"] for row in batch.rows()] == ["a", None]


def test_limit_counts_new_rows(batch: Runner) -> None:
    batch.put(lines(*({"prompt": text} for text in "abcde")))
    assert batch.run(limit=0).written == 0
    assert batch.run(limit=2).exit_code == 0
    assert [row["text"] for row in batch.rows()] == ["a", "b"]
    summary = batch.run(limit=2, existing="resume")
    assert (summary.total, summary.planned, summary.skipped, summary.ok) == (5, 4, 2, 2)
    assert [row["text"] for row in batch.rows()] == ["a", "b", "c", "d"]


def test_remarks_are_few(batch: Runner) -> None:
    batch.put(lines(*({"prompt": "a", "max_tokens": -number} for number in range(1, 100))))
    batch.run()
    assert len(batch.notes) == 21
    assert "only in the output" in batch.notes[-1]


def test_summary() -> None:
    summary = BatchSummary(planned=10, skipped=2)
    assert summary.left_s is None
    assert summary.line() == "0 ok, 0 failed, 2 done before"
    for text in ("a", "b"):
        summary.add(echo(Row(turns=(Turn("user", text),))))
    summary.add(RowError("x", "y"))
    summary.elapsed_s = 6.0
    assert summary.left_s == pytest.approx(10.0)
    assert summary.tokens_per_second == pytest.approx(8 / 1.5)
    assert summary.line() == "2 ok, 1 failed, 2 done before  8 tok  5.3 tok/s  accept 3.00/round 67%"
    assert summary.progress_line() == "5/10 rows  1 failed  8 tok  5.3 tok/s  accept 3.00/round 67%  10 s left"
    summary.elapsed_s = 6000.0
    assert summary.progress_line().endswith("2 h 46 min left")
