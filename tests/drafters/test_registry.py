"""Drafters by name: those of the project, those of other packages, and names that are none."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest
import tiny

from specgen import drafters
from specgen.drafters.cascade import CascadeDrafter
from specgen.drafters.lookup import LookupDrafter
from specgen.drafters.none import NoneDrafter
from specgen.errors import ModelError, UsageError


class Foreign(NoneDrafter):
    """What another package would bring."""

    name = "foreign"

    @classmethod
    def build(cls, setup: Any) -> Foreign:
        return cls()


@pytest.fixture
def foreign_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three entry points: one good, one with a dash, one whose module is missing; and one that shadows ours."""
    group = drafters.GROUP
    points = EntryPoints(
        [
            EntryPoint("foreign", f"{__name__}:Foreign", group),
            EntryPoint("two-words", f"{__name__}:Foreign", group),
            EntryPoint("broken", "no_such_module:Drafter", group),
            EntryPoint("lookup", f"{__name__}:Foreign", group),
        ]
    )
    monkeypatch.setattr(drafters, "entry_points", points.select)


def test_every_built_in_drafter_is_built() -> None:
    for name in drafters.BUILT_IN:
        drafter = tiny.registered(name)
        assert drafter.name == name
        assert isinstance(drafter.taps, tuple)


def test_options_reach_the_drafter() -> None:
    drafter = tiny.registered("lookup", ngram_min=3, ngram_max=3)
    assert isinstance(drafter, LookupDrafter)
    context = [1, 2, 9, 1, 2]
    drafter.begin(context, None, None)  # type: ignore[arg-type]
    assert drafter.propose(context, 1).tokens == ()


@pytest.mark.parametrize("written", ["draft_model", "draft-model", " draft_model "])
def test_spellings(written: str) -> None:
    assert drafters.split(written) == ["draft_model"]


def test_a_list_is_a_cascade_in_its_order() -> None:
    assert drafters.split("draft-model, lookup") == ["draft_model", "lookup"]
    drafter = tiny.registered("draft_model,lookup")
    assert isinstance(drafter, CascadeDrafter)
    assert drafter.name == "draft_model,lookup"


@pytest.mark.parametrize("written", ["", "eagle9", "lookup,", "lookup,,none", "Lookup"])
def test_unknown_names_are_refused_with_the_known_ones(written: str) -> None:
    with pytest.raises(UsageError, match="unknown drafter") as caught:
        drafters.split(written)
    assert "draft_model, lookup, none" in str(caught.value.hint)


@pytest.mark.parametrize("written", ["lookup,lookup", "draft_model,draft-model", "lookup,draft_model,lookup"])
def test_a_name_comes_once(written: str) -> None:
    with pytest.raises(UsageError, match="repeats a name"):
        drafters.split(written)


@pytest.mark.parametrize("written", ["none,lookup", "lookup,none"])
def test_none_stands_alone(written: str) -> None:
    with pytest.raises(UsageError, match="mixes 'none'"):
        drafters.split(written)


def test_a_draft_model_must_be_named() -> None:
    from specgen.drafters.setup import DrafterSetup

    with pytest.raises(UsageError, match="needs a draft model") as caught:
        drafters.build("draft_model", DrafterSetup(vocab_size=4))
    assert caught.value.exit_code == 2


@pytest.mark.usefixtures("foreign_packages")
def test_other_packages_add_theirs() -> None:
    assert {"foreign", "two-words", "broken"} < set(drafters.names())
    assert drafters.names().count("lookup") == 1
    assert isinstance(tiny.registered("foreign"), Foreign)
    assert isinstance(tiny.registered("two-words"), Foreign)
    assert tiny.registered("lookup,foreign").name == "lookup,foreign"


@pytest.mark.usefixtures("foreign_packages")
def test_ours_cannot_be_replaced() -> None:
    assert isinstance(tiny.registered("lookup"), LookupDrafter)


@pytest.mark.usefixtures("foreign_packages")
def test_a_package_that_does_not_load_is_one_clear_line() -> None:
    with pytest.raises(ModelError, match=r"'broken'.*no_such_module"):
        tiny.registered("broken")
