"""What the `run` fixture gives back, and what a child process needs to find the package that is tested."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import specgen


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it said where."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        return json.loads(self.out)


Run = Callable[..., Ran]


def environment(**more: str) -> dict[str, str]:
    """For a child process; the package need not be installed."""
    return {**os.environ, "PYTHONPATH": str(Path(specgen.__file__).parents[1]), **more}
