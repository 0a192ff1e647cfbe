"""The command line over a scripted answer instead of a model; also a program: `python scripted.py ARGUMENTS`.

The script is JSON in `SPECGEN_TEST_SCRIPT`: `pieces` of the answer, `thinking` before it, seconds of `delay` before
each piece and of `load` before the first, `signals` {index: number} that arrive before a piece, `fail` (an error
after the last piece), `bug` (an unexpected one), `echo` (file that gets the prompt).
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from specgen.cli import main
from specgen.decode.types import Round
from specgen.errors import SpecgenError
from specgen.profiles import GenerationSettings, LoadSettings
from specgen.progress import Note, Progress, Report
from specgen.session import Chunk, Prompt
from specgen.stats import GenerationStats

SCRIPT = "SPECGEN_TEST_SCRIPT"


class ScriptedSession:
    """Takes the place of `Session`: the same calls, an answer that is known beforehand."""

    prompts: tuple[str, ...] = ()
    settings: GenerationSettings | None = None

    def __init__(self, load: LoadSettings, report: Report) -> None:
        self._report = report
        self._script: dict[str, Any] = json.loads(os.environ.get(SCRIPT, "{}"))
        self.target_name = load.target_name
        self.stats = GenerationStats()

    @classmethod
    def open(cls, load: LoadSettings, *, report: Report, note: Note) -> ScriptedSession:
        return cls(load, report)

    def describe(self) -> dict[str, Any]:
        return {"target": self.target_name, "device": "cpu"}

    def stream(self, prompt: Prompt, settings: GenerationSettings) -> Iterator[Chunk]:
        type(self).prompts += (prompt.messages[0].content,)
        type(self).settings = settings
        if echo := self._script.get("echo"):
            Path(echo).write_text(prompt.messages[0].content, encoding="utf-8", newline="")
        self.stats = GenerationStats(prompt_tokens=5, load_s=0.1, peak_bytes=3 << 28)
        self._pretend_to_load()
        pieces = self._script.get("pieces", ["Hello", ", world."])
        if settings.max_tokens == 0:
            self.stats.finish = "length"
            return
        for index, piece in enumerate(pieces):
            time.sleep(self._script.get("delay", 0))
            if number := self._script.get("signals", {}).get(str(index)):
                os.kill(os.getpid(), number)
            yield self._chunk(index, piece, last=index == len(pieces) - 1)
        if message := self._script.get("fail"):
            raise SpecgenError(message, hint="mend it")
        if message := self._script.get("bug"):
            raise RuntimeError(message)

    def _pretend_to_load(self) -> None:
        seconds = self._script.get("load", 0)
        for step in range(10):
            self._report(Progress("loading [red]tiny[/red]", step * 10, 100))
            time.sleep(seconds / 10)

    def _chunk(self, index: int, piece: str, *, last: bool) -> Chunk:
        thinking = self._script.get("thinking", "") if index == 0 else ""
        finish = "stop" if last else None
        if index == 0:
            outcome = Round(tokens=(1,), verify_s=0.21, prefill=True, finish=finish)
        else:
            tokens = (2, 3, 4)
            outcome = Round(
                tokens=tokens, drafted=4, accepted=2, drafter="lookup", draft_s=0.001, verify_s=0.03, finish=finish
            )
        self.stats.add(outcome)
        return Chunk(piece, thinking, outcome, self.stats, finish)


def _program() -> None:
    import specgen.session

    specgen.session.Session = ScriptedSession  # type: ignore[assignment, misc]
    main(sys.argv[1:])


if __name__ == "__main__":
    _program()
