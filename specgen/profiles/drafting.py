"""Which drafter: from `--drafter` and `-d`, or by the task; with one line that says why.

It knows the names of the three drafters that it chooses among; any other name is passed on as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from specgen.errors import UsageError
from specgen.profiles.profile import DRAFT_MODEL, Profile, members
from specgen.profiles.settings import Overrides, flag

if TYPE_CHECKING:
    from specgen.tasks import Detection

NONE, LOOKUP = "none", "lookup"
LOOKUP_TASKS = ("summarize", "code_edit", "copy_heavy")
"""Tasks whose answers repeat much of their input."""
_WITHOUT_NGRAMS = {NONE, DRAFT_MODEL}


@dataclass(frozen=True, slots=True)
class Drafting:
    """A drafter's name (or several, joined by commas) and the reason for it."""

    drafter: str
    reason: str


def choose_drafter(
    overrides: Overrides, detection: Detection, *, profile: Profile | None, device: str, has_draft_model: bool
) -> Drafting:
    """The drafter for one prompt.

    Args:
        device: the device kind.
        has_draft_model: whether `-d` or the profile names one.

    Raises:
        UsageError: options that contradict each other, or a draft model is wanted and none is known.
    """
    if overrides.drafter is not None:
        return _asked(overrides, overrides.drafter, has_draft_model=has_draft_model)
    task = detection.task
    default = LOOKUP if task in LOOKUP_TASKS else NONE
    drafter, origin = default, ""
    if profile is not None and (wanted := profile.drafter(task, device)) not in (None, default):
        drafter, origin = wanted, f"profile {profile.name} on {device}, "
    if not has_draft_model:  # the profile's is the target itself
        drafter = _join([name for name in members(drafter) if name != DRAFT_MODEL])
    elif overrides.draft_model is not None and DRAFT_MODEL not in members(drafter):
        drafter, origin = _join([*members(drafter), DRAFT_MODEL]), f"{flag('draft_model')}, "
    return Drafting(drafter, f"{drafter}: {origin}{_evidence(detection)}")


def _asked(overrides: Overrides, asked: str, *, has_draft_model: bool) -> Drafting:
    names = members(asked)
    if not names:
        raise UsageError(f"{flag('drafter')} names no drafter: {asked!r}")
    if DRAFT_MODEL in names and not has_draft_model:
        raise UsageError(
            f"{flag('drafter')} {asked}: no draft model is known",
            hint="name one: -d MODEL (or choose --drafter lookup)",
        )
    if overrides.draft_model is not None and DRAFT_MODEL not in names:
        raise UsageError(
            f"{flag('draft_model')} would be ignored: {flag('drafter')} is {asked}",
            hint=f"leave one of them out, or write {flag('drafter')} {_join([*names, DRAFT_MODEL])}",
        )
    for option in ("ngram_min", "ngram_max"):
        if getattr(overrides, option) is not None and set(names) <= _WITHOUT_NGRAMS:
            raise UsageError(f"{flag(option)} would be ignored: {flag('drafter')} is {asked}")
    drafter = ",".join(names)
    return Drafting(drafter, f"{drafter}: {flag('drafter')}")


def _join(names: list[str]) -> str:
    return ",".join(name for name in names if name != NONE) or NONE


def _evidence(detection: Detection) -> str:
    evidence = " ".join("; ".join(detection.evidence).split())
    return f"task {detection.task} ({detection.confidence:.2f})" + (f": {evidence}" if evidence else "")
