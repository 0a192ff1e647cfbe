"""Fixtures of the batch tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from batch_runner import Runner


@pytest.fixture
def batch(tmp_path: Path) -> Runner:
    return Runner(tmp_path)
