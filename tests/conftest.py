"""Shared fixtures: where the optional shared data lies, and repeatable property tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder with recipes and labelled data; tests that need it are skipped where it is absent."""
    default = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("SPECGEN_SHARED", default))
    if not folder.is_dir():
        pytest.skip("the shared data folder is absent (set SPECGEN_SHARED)")
    return folder


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Tiny models are fastest on one thread. Torch is imported here, so that other tests stay without it."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
