"""Rows through a session: settings of the row over those of the run, and whose fault a failure is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from specgen.batch import CannotAnswer, Row, RowError, RowOptions, Turn
from specgen.batch.answering import SessionAnswers, text_settings
from specgen.decode.types import Round
from specgen.errors import DoesNotFit, ModelError, SpecgenError, UsageError
from specgen.loading.device import cpu
from specgen.profiles import GenerationSettings, Overrides, Selection, select
from specgen.session import Chunk, Prompt, Session
from specgen.stats import GenerationStats


class FakeSession:
    """Repeats the question in two chunks, once it has loaded."""

    def __init__(self) -> None:
        self.stats = GenerationStats()
        self.prompts: list[Prompt] = []
        self.settings: list[GenerationSettings] = []
        self.loading_fails: SpecgenError | None = None
        self.decoding_fails: SpecgenError | None = None

    def encode(self, prompt: Prompt, settings: GenerationSettings) -> list[int]:
        if "long" in prompt.messages[-1].content:
            raise UsageError("the prompt has 9 tokens, but tiny holds 8")
        return [1]

    def stream(self, prompt: Prompt, settings: GenerationSettings) -> Iterator[Chunk]:
        self.encode(prompt, settings)
        self.stats = GenerationStats()
        if self.loading_fails:
            raise self.loading_fails
        self.stats.load_s = 1.0
        if self.decoding_fails:
            raise self.decoding_fails
        self.prompts.append(prompt)
        self.settings.append(settings)
        outcome = Round(tokens=(1,), prefill=True, finish="stop")
        self.stats.add(outcome)
        text = prompt.messages[-1].content
        yield Chunk(text[:2], "", outcome, self.stats)
        yield Chunk(text[2:], "hm", outcome, self.stats, "stop")


@pytest.fixture
def session() -> FakeSession:
    return FakeSession()


def selection() -> Selection:
    return select(Overrides(profile="smollm2"), device=cpu(), locate=lambda source: None)


def answers(session: FakeSession, **flags: Any) -> SessionAnswers:
    return SessionAnswers(cast(Session, session), selection(), Overrides(profile="smollm2", **flags))


def ask(text: str, **options: Any) -> Row:
    return Row(turns=(Turn("user", text),), options=RowOptions(**options))


def test_an_answer_is_the_text_of_all_chunks(session: FakeSession) -> None:
    row = Row(turns=(Turn("system", "Be brief."), Turn("user", "Hello")))
    answer = answers(session)(row)
    assert (answer.text, answer.thinking, answer.stats.finish) == ("Hello", "hm", "stop")
    assert [message.role for message in session.prompts[0].messages] == ["system", "user"]


def test_settings_of_the_row_come_first(session: FakeSession) -> None:
    run = answers(session, max_tokens=50, temperature=0.5, seed=1, stop=("x",), drafter="none")
    run(ask("Hello", max_tokens=3, seed=9, stop=("y",), system="Be brief.", drafter="lookup"))
    run(ask("Hello"))
    first, second = session.settings
    assert (first.max_tokens, first.sampling.temperature, first.sampling.seed) == (3, 0.5, 9)
    assert (first.stop, first.system, first.drafter) == (("y",), "Be brief.", "lookup")
    assert (second.max_tokens, second.sampling.seed, second.stop, second.drafter) == (50, 1, ("x",), "none")


def test_the_task_is_that_of_the_row(session: FakeSession) -> None:
    run = answers(session)
    run(ask("Summarize in one sentence:\n\n" + "The ferry between the two islands stops in winter. " * 20))
    run(ask("Write a haiku about rain."))
    assert [settings.task for settings in session.settings] == ["summarize", "general"]


def test_a_row_that_cannot_be_encoded_is_not_the_model_s_fault(session: FakeSession) -> None:
    run = answers(session)
    for _ in range(2):
        with pytest.raises(UsageError, match="9 tokens"):
            run(ask("too long"))
        run(ask("Hello"))


@pytest.mark.parametrize("error", [DoesNotFit("no memory"), UsageError("no such device"), SpecgenError("broken")])
def test_a_model_that_cannot_be_loaded_ends_the_run(session: FakeSession, error: SpecgenError) -> None:
    session.loading_fails = error
    with pytest.raises(CannotAnswer) as caught:
        answers(session)(ask("Hello"))
    assert caught.value.error is error


def test_a_row_that_does_not_fit_costs_itself_only(session: FakeSession) -> None:
    run = answers(session)
    session.decoding_fails = DoesNotFit("no memory for so long a row")
    for _ in range(2):
        with pytest.raises(DoesNotFit):
            run(ask("Hello"))


@pytest.mark.parametrize("error", [UsageError("no drafter 'nonesuch'"), ModelError("it cannot draft for this one")])
def test_a_drafter_that_a_row_asks_for_is_its_own_risk(session: FakeSession, error: SpecgenError) -> None:
    session.loading_fails = error
    with pytest.raises(RowError, match=error.message):
        answers(session)(ask("Hello", drafter="nonesuch"))
    with pytest.raises(CannotAnswer):
        answers(session)(ask("Hello"))


def test_settings_that_decide_the_text() -> None:
    before = text_settings(selection(), Overrides(profile="smollm2"))
    assert before == text_settings(selection(), Overrides(profile="smollm2", drafter="none", num_draft_tokens=2))
    for flags in ({"max_tokens": 7}, {"seed": 3}, {"system": "x"}, {"stop": ("y",)}, {"temperature": 0.9}):
        after = text_settings(selection(), Overrides(profile="smollm2", **flags))
        assert {name for name in after if after[name] != before[name]} == set(flags)
