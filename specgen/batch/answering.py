"""Rows answered by a session: the settings of the run, overridden by those of the row.

It must not know files, formats or screens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from specgen.batch.options import RowError
from specgen.batch.records import Answer
from specgen.batch.rows import Row
from specgen.batch.run import CannotAnswer
from specgen.errors import ModelError, SpecgenError, UsageError
from specgen.profiles import GenerationSettings, Overrides, Selection
from specgen.session import Message, Prompt, Session
from specgen.tasks import TASKS, Detection, detect

_SPEED = frozenset({"task", "drafter", "drafter_reason", "num_draft_tokens", "ngram_min", "ngram_max"})
"""Settings that change how fast a text comes, never the text: a run may be resumed with others."""


class SessionAnswers:
    """Answers rows, one at a time; each as if it were the only one."""

    def __init__(self, session: Session, selection: Selection, overrides: Overrides) -> None:
        self._session = session
        self._selection = selection
        self._overrides = overrides
        self._loaded = False

    def __call__(self, row: Row) -> Answer:
        """Raises `RowError` or `SpecgenError` for what concerns the row, `CannotAnswer` for what concerns them all."""
        settings = self._settings(row)
        prompt = Prompt(tuple(Message(turn.role, turn.content) for turn in row.turns))
        if not self._loaded:
            self._session.encode(prompt, settings)  # what fails here is the row's fault; loading, which is next, is not
        try:
            return self._stream(prompt, settings)
        except SpecgenError as error:
            if row.options.drafter and isinstance(error, ModelError | UsageError):
                raise _of_the_row(error) from error
            if self._loaded and not isinstance(error, ModelError):
                raise
            raise CannotAnswer(error) from error

    def _settings(self, row: Row) -> GenerationSettings:
        overrides = replace(self._overrides, **row.options.given())
        try:
            return self._selection.settings(overrides, detect(row.question)).generation
        except ModelError as error:
            raise _of_the_row(error) from error

    def _stream(self, prompt: Prompt, settings: GenerationSettings) -> Answer:
        text: list[str] = []
        thinking: list[str] = []
        try:
            for chunk in self._session.stream(prompt, settings):
                text.append(chunk.text)
                thinking.append(chunk.thinking)
        finally:
            self._loaded |= self._session.stats.load_s > 0
        return Answer(text="".join(text), thinking="".join(thinking), stats=self._session.stats)


def text_settings(selection: Selection, overrides: Overrides) -> Mapping[str, Any]:
    """All that decides the text of an answer, flat: the model, its number format, and the settings of each task."""
    load = selection.load
    source = {"model": "+".join(load.target.parts), "sha256": load.target.sha256}
    common = {**source, "quant": load.quant, "dtype": load.dtype, **_flat(selection, overrides, "general")}
    settings = dict(common)
    for task in TASKS:
        own = _flat(selection, overrides, task)
        settings |= {f"{task}.{name}": value for name, value in own.items() if value != common[name]}
    return settings


def _flat(selection: Selection, overrides: Overrides, task: str) -> dict[str, Any]:
    settings = selection.settings(overrides, Detection(task, 1.0, ())).generation.to_dict()
    values = {name: value for name, value in settings.items() if name not in _SPEED}
    sampling = values.pop("sampling")
    return {**values, **sampling}


def _of_the_row(error: SpecgenError) -> RowError:
    return RowError("unsupported", error.message)
