"""Tests of the loop's parts run torch on one thread; exact laws need draws that branch."""

from __future__ import annotations

import pytest

from specgen.decode.sampling import Law


@pytest.fixture(autouse=True)
def _one_thread(one_thread: None) -> None:
    """For every test in this folder."""


@pytest.fixture
def branching_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """`law.draw(coin)` yields every token of the law. The real quantiles have tests of their own."""
    monkeypatch.setattr(Law, "draw", lambda self, u: u.quantile(self))
