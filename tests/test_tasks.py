"""Task detection: own labelled rows in many languages, the shared labelled set, and what must hold for any input."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specgen.tasks import TASKS, Detection, detect, inputs, reading, request
from specgen.tasks.inputs import Kind, describe
from specgen.tasks.sample import HEAD, MIDDLE, TAIL, take

SAMPLED = HEAD + MIDDLE + TAIL


class Row(NamedTuple):
    """One labelled request."""

    label: str
    prompt: str
    stdin: str = ""
    name: str | None = None

    def detected(self) -> Detection:
        return detect(self.prompt, self.stdin, self.name)


def _own_rows() -> tuple[dict[str, str], dict[str, list[Row]]]:
    """Input texts by name, and rows by group of languages."""
    sections: dict[str, str] = {}
    for section in (Path(__file__).parent / "task_rows.txt").read_text(encoding="utf-8").split("\n= ")[1:]:
        name, _, body = section.partition("\n")
        sections[name] = body.rstrip("\n") + "\n"
    texts = {name: body for name, body in sections.items() if not name.startswith("rows ")}

    def filled(cell: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: texts.get(found[1], found[0]), cell.replace("\\n", "\n"))

    groups = {
        name.removeprefix("rows "): [
            Row(cells[0], filled(cells[1]), *(filled(cell) for cell in cells[2:3]), *cells[3:4])
            for cells in ([cell.strip() for cell in line.split("|")] for line in body.splitlines())
        ]
        for name, body in sections.items()
        if name.startswith("rows ")
    }
    return texts, groups


TEXTS, GROUPS = _own_rows()


def _wrong(rows: Iterable[Row]) -> list[tuple[Row, Detection]]:
    return [(row, found) for row in rows if (found := row.detected()).task != row.label]


def _report(wrong: Sequence[tuple[Row, Detection]]) -> str:
    return "\n".join(f"{row.label} <- {row.prompt[:80]!r} {row.stdin[:30]!r}: {found}" for row, found in wrong)


@pytest.mark.parametrize("group", GROUPS)
def test_own_rows(group: str) -> None:
    rows = GROUPS[group]
    wrong = _wrong(rows)
    assert len(rows) > 300
    assert len(wrong) <= 0.02 * len(rows), _report(wrong)


@pytest.mark.parametrize("task", TASKS)
def test_own_rows_of_every_task(task: str) -> None:
    rows = [row for group in GROUPS.values() for row in group if row.label == task]
    wrong = _wrong(rows)
    assert len(rows) > 100
    assert len(wrong) <= 0.03 * len(rows), _report(wrong)


def test_shared_rows(shared_dir: Path) -> None:
    path = shared_dir / "data" / "task_detection.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    rows = [Row(r["label"], r["argv_prompt"], r["stdin"], r["stdin_name"]) for r in records]
    wrong = _wrong(rows)
    two_way = [row for row, found in wrong if "general" in (row.label, found.task)]
    assert len(wrong) <= 0.05 * len(rows), _report(wrong)
    assert len(two_way) <= 0.05 * len(rows), _report(wrong)


def test_shared_speed_prompts(shared_dir: Path) -> None:
    """The prompts of the speed sets hold their sources inside the argument."""
    labels = {"summarization": "summarize", "code_edit": "code_edit"}
    path = shared_dir / "data" / "bench_prompts.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    wrong = _wrong(Row(labels.get(r["task"], "general"), r["prompt"]) for r in records)
    assert len(wrong) <= 0.05 * len(records), _report(wrong)


@pytest.mark.parametrize(
    ("text", "kind", "language"),
    [
        ("py", Kind.CODE, "Python"),
        ("js", Kind.CODE, "JavaScript"),
        ("ts", Kind.CODE, "TypeScript"),
        ("java", Kind.CODE, "Java"),
        ("php", Kind.CODE, "PHP"),
        ("ruby", Kind.CODE, "Ruby"),
        ("sql", Kind.CODE, "SQL"),
        ("sh", Kind.CODE, "Shell"),
        ("html", Kind.MARKUP, "HTML"),
        ("css", Kind.MARKUP, "CSS"),
        ("compose", Kind.CONFIG, "YAML"),
        ("toml", Kind.CONFIG, "INI"),
        ("docker", Kind.CONFIG, "Dockerfile"),
        ("tsconfig", Kind.CONFIG, "JSON"),
        ("csv", Kind.DATA, "CSV"),
        ("json", Kind.DATA, "JSON"),
        ("jsonl", Kind.DATA, "JSON lines"),
        ("xml", Kind.DATA, "XML"),
        ("people", Kind.DATA, "YAML"),
        ("log", Kind.LOG, None),
        ("commits", Kind.LOG, "commits"),
        ("diff", Kind.DIFF, "diff"),
        ("trace", Kind.TRACE, None),
        ("article", Kind.PROSE, None),
        ("talk", Kind.PROSE, None),
        ("mail", Kind.PROSE, None),
        ("de", Kind.PROSE, None),
        ("zh", Kind.PROSE, None),
    ],
)
def test_kind_of_input(text: str, kind: Kind, language: str | None) -> None:
    found = describe(take(TEXTS[text]), None)
    assert (found.kind, found.language) == (kind, language)


def test_file_name_is_evidence() -> None:
    unclear = "alpha: beta\n"
    assert detect("rename alpha", unclear, "alpha.yaml").task == "code_edit"
    assert detect("rename alpha", unclear, "alpha.csv").task == "copy_heavy"
    assert detect("rename alpha", unclear, "/some/where\\else/Dockerfile").evidence[1] == "input: 1 line of Dockerfile"


def test_evidence_is_short_and_names_request_and_input() -> None:
    found = detect("rename Basket to Cart", TEXTS["py"])
    assert found.evidence == ('asks: edit ("rename")', "input: 16 lines of Python")
    assert "no input text" in detect("summarize Hamlet").evidence
    for row in GROUPS["other"]:
        assert all(0 < len(remark) <= 100 for remark in row.detected().evidence)


def test_conflicting_wishes_lower_the_confidence() -> None:
    clear = detect("fix the typos", TEXTS["typos"])
    mixed = detect("fix the typos and translate it", TEXTS["typos"])
    unknown = detect("frobnicate", TEXTS["typos"])
    assert clear.confidence > mixed.confidence > unknown.confidence


def test_with_an_argument_stdin_holds_no_instruction() -> None:
    assert detect("translate", TEXTS["article"] + "\n\nSummarize the text above.").task == "general"
    assert detect("", TEXTS["article"] + "\n\nSummarize the text above.").task == "summarize"


@pytest.mark.parametrize("blank", ["", " ", "\n\n", "\t \r\n", "\u3000"])
def test_nothing_supplied(blank: str) -> None:
    assert detect(blank, blank) == Detection("general", 1.0, ("nothing to do",))


def test_detection_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        detect("hi").task = "summarize"  # type: ignore[misc]


AWKWARD = [
    "\ud800",
    "\x00",
    "\udfff fix",
    "\u2028",
    "```",
    '"',
    "{",
    "ǰ",
    "\ufdfa",
    "İ",
    "٣",
    "a\u0301" * 3,
    "请",
    "요약",
]
words = st.sampled_from(
    ["fix", "summarize", "please", "translate", "to", "json", "above", ":", "\n\n", "?", "- ", *AWKWARD]
)
texts = st.one_of(st.text(max_size=400), st.lists(words, max_size=40).map(" ".join))


@given(texts, texts, st.one_of(st.none(), st.text(max_size=30)))
def test_any_text_gives_a_valid_and_repeatable_detection(prompt: str, piped: str, name: str | None) -> None:
    found = detect(prompt, piped, name)
    assert found == detect(prompt, piped, name)
    assert found.task in TASKS
    assert 0.0 <= found.confidence <= 1.0
    assert found.evidence
    assert all(isinstance(remark, str) and remark for remark in found.evidence)


@given(st.integers(min_value=0, max_value=2**32), st.sampled_from(["py", "csv", "article", "log", "zh"]))
def test_only_a_bounded_sample_of_huge_input_counts(seed: int, text: str) -> None:
    huge = TEXTS[text] * (200_000 // len(TEXTS[text]))
    unread = HEAD + seed % (len(huge) // 2 - HEAD - MIDDLE)
    changed = huge[:unread] + "\x00" + huge[unread + 1 :]
    for prompt in ("", "summarize this", "fix it"):
        assert detect(prompt, huge) == detect(prompt, changed)


@pytest.mark.parametrize(
    "piece", ["fix, ", "a ", '"', "`", "„", "```\n", "\n \n", "{[", "请总结", "1,2\n", ": ", "\ud800", "x"]
)
def test_work_does_not_grow_with_the_input(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts the characters that the readers are given: equal for 100 kB and 1 MB."""

    def read_characters(size: int) -> int:
        seen = 0

        def counted(text: str) -> reading.Reading:
            nonlocal seen
            seen += len(text)
            return reading.read(text)

        with monkeypatch.context() as patch:
            patch.setattr(request, "read", counted)
            big = piece * (size // len(piece))
            detect(big, "")
            detect("", big)
            detect(big, big)
        return seen

    small, large = read_characters(100_000), read_characters(1_000_000)
    assert large <= small + 64
    assert small <= 30 * SAMPLED


def test_lines_are_cut_before_patterns_run() -> None:
    longest = 0
    for line in take("x=" * 500_000).lines():
        longest = max(longest, len(line))
    assert longest <= SAMPLED
    assert inputs.describe(take("= " * 500_000), None).kind in Kind


def test_ten_megabytes_and_only_the_sample_is_held() -> None:
    big = "The boat leaves at nine. " * 400_000
    assert detect("summarize", big).task == "summarize"
    sample = take(big)
    assert len(sample.head) + len(sample.middle) + len(sample.tail) == SAMPLED


def test_detection_needs_only_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import specgen.tasks as t; t.detect('fix', 'x');"
        "new = {m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names);"
        "print(sorted(new))"
    )
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "['specgen']"
