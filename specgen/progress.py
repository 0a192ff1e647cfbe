"""How long work tells about itself: the library reports, the command line decides what to show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """One state of a download or a load; `done == total` closes it."""

    what: str
    done: int
    total: int | None
    unit: str = "B"


Report = Callable[[Progress], None]
Note = Callable[[str], None]
"""Takes a one-line remark that the user should see (on stderr)."""


def silent(_: object) -> None:
    """Report or note that goes nowhere."""
