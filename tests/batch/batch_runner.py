"""A batch run on fake answers: what goes in, what comes out, without any model."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from specgen.batch import Answer, BatchSummary, FileOutput, Inputs, OwnFormat, Row, run_batch
from specgen.batch.records import Format
from specgen.decode.types import Round
from specgen.stats import GenerationStats

SETTINGS = {"model": "tiny", "max_tokens": 16}


def echo(row: Row) -> Answer:
    """The question again: an answer that depends on the row alone."""
    stats = GenerationStats(prompt_tokens=len(row.question.split()))
    stats.add(Round(tokens=(1,), verify_s=0.25, prefill=True))
    stats.add(Round(tokens=(2, 3, 4), drafted=3, accepted=2, verify_s=0.5, finish="stop"))
    return Answer(text=row.question, stats=stats)


def lines(*rows: object) -> bytes:
    """Rows as JSON lines; bytes stay as they are."""
    texts = (row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode() for row in rows)
    return b"".join(text + b"\n" for text in texts)


def records(data: bytes) -> list[dict[str, Any]]:
    """All output rows; every line must be whole."""
    assert data == b"" or data.endswith(b"\n")
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


@dataclass
class Runner:
    """Runs over files in one folder."""

    folder: Path
    notes: list[str] = field(default_factory=list)

    @property
    def output(self) -> Path:
        return self.folder / "out.jsonl"

    def put(self, data: bytes, name: str = "in.jsonl") -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    def run(
        self,
        *names: str,
        answer: Callable[[Row], Answer] = echo,
        form: Format | None = None,
        settings: dict[str, Any] = SETTINGS,
        limit: int | None = None,
        fail_fast: bool = False,
        stdin: bytes = b"",
        **how: Any,
    ) -> BatchSummary:
        inputs = Inputs(self._paths(names or ("in.jsonl",)), stdin=io.BytesIO(stdin))
        output = FileOutput(self.output, form or OwnFormat(), settings=settings, **how)
        try:
            return run_batch(inputs, output, lambda: answer, limit=limit, fail_fast=fail_fast, note=self.notes.append)
        finally:
            output.close()

    def rows(self) -> list[dict[str, Any]]:
        return records(self.output.read_bytes())

    def _paths(self, names: Sequence[str]) -> list[str]:
        return [name if name == "-" else str(self.folder / name) for name in names]
