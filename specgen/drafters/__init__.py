"""Drafters by name. A package adds its own through the entry-point group `specgen.drafters`: name -> class.

A drafter class has the methods of `specgen.decode.types.Drafter` and a classmethod `build(setup)`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from specgen.errors import ModelError, UsageError

if TYPE_CHECKING:
    from specgen.decode.types import Drafter
    from specgen.drafters.setup import DrafterSetup

GROUP = "specgen.drafters"
BUILT_IN = {
    "none": "specgen.drafters.none:NoneDrafter",
    "lookup": "specgen.drafters.lookup:LookupDrafter",
    "draft_model": "specgen.drafters.draft_model:DraftModelDrafter",
}


def names() -> list[str]:
    """Every registered name, those of other packages included."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))})


def split(spec: str) -> list[str]:
    """The members of `lookup,draft_model`; UsageError for an unknown or repeated name."""
    known = names()
    written = [name.strip() for name in spec.split(",")]
    members = [name if name in known else name.replace("-", "_") for name in written]
    unknown = [name for name in members if name not in known]
    if unknown:
        raise UsageError(f"unknown drafter {unknown[0]!r}", hint=f"choose from {', '.join(known)}, joined by commas")
    if len(set(members)) < len(members):
        raise UsageError(f"the drafter list {spec!r} repeats a name", hint="name each drafter once")
    if "none" in members and len(members) > 1:
        raise UsageError(f"the drafter list {spec!r} mixes 'none' with others", hint="leave 'none' out")
    return members


def build(spec: str, setup: DrafterSetup) -> Drafter:
    """The drafter that `spec` names; several names make a cascade."""
    members: list[Drafter] = [_find(name).build(setup) for name in split(spec)]
    if len(members) == 1:
        return members[0]
    from specgen.drafters.cascade import CascadeDrafter

    return CascadeDrafter(members)


def _find(name: str) -> Any:
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        return getattr(import_module(module), attribute)
    (point, *_) = entry_points(group=GROUP, name=name)
    try:
        return point.load()
    except Exception as error:  # whatever a foreign package raises while it is imported
        raise ModelError(f"the drafter {name!r} ({point.value}) cannot be loaded: {error}") from error
