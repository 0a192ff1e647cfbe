"""Where real weights lie for the tests marked `real`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def real_file(name: str) -> Path:
    """A file in the folder that SPECGEN_TEST_MODELS names; skips the test where it is absent."""
    folder = os.environ.get("SPECGEN_TEST_MODELS")
    if not folder or not (Path(folder) / name).is_file():
        pytest.skip(f"{name} is absent (set SPECGEN_TEST_MODELS to a folder that has it)")
    return Path(folder) / name
