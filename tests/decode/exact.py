"""Exact laws of random procedures: every outcome is walked with its probability, nothing is sampled.

A `Branches` stands in for the random numbers. A coin `u < ratio` splits into its two sides, a draw from a law into the
tokens that it holds; `law_of` replays the procedure once for every leaf of that tree and adds the probabilities up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from specgen.decode.sampling import Law, Sampler

Outcome = TypeVar("Outcome", bound=Hashable)


class Branches:
    """One path through the tree of choices: follows `script`, then always takes the first side and notes the others."""

    def __init__(self, script: tuple[int, ...] = ()) -> None:
        self.weight = 1.0
        self.untried: list[tuple[int, ...]] = []
        self._script = script
        self._taken: tuple[int, ...] = ()

    def choose(self, weights: Sequence[float]) -> int:
        """An index, for each of those with a weight in turn."""
        possible = [index for index, weight in enumerate(weights) if weight > 0]
        if len(self._taken) < len(self._script):
            choice = self._script[len(self._taken)]
        else:
            choice = possible[0]
            self.untried += [(*self._taken, other) for other in possible[1:]]
        self._taken = (*self._taken, choice)
        self.weight *= weights[choice]
        return choice


class Coin:
    """What `uniform()` returns here: a number in [0, 1) of which only a comparison or a quantile is ever asked."""

    def __init__(self, branches: Branches) -> None:
        self._branches = branches

    def __lt__(self, ratio: float) -> bool:
        chance = min(1.0, max(0.0, ratio))
        return self._branches.choose((1.0 - chance, chance)) == 1

    def quantile(self, law: Law) -> int:
        if law.probs is None:
            assert law.point is not None
            return law.point
        return self._branches.choose(law.probs.tolist())


class BranchingSampler(Sampler):
    """A sampler that takes every decision both ways. Needs the fixture `branching_draws`."""

    def __init__(self, branches: Branches, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._branches = branches

    def uniform(self) -> Any:
        return Coin(self._branches)


def law_of(procedure: Callable[[Branches], Outcome]) -> dict[Outcome, float]:
    """Probability of everything that `procedure` can return."""
    found: dict[Outcome, float] = defaultdict(float)
    scripts: list[tuple[int, ...]] = [()]
    while scripts:
        branches = Branches(scripts.pop())
        found[procedure(branches)] += branches.weight
        scripts += branches.untried
    return dict(found)


def distance(a: dict[Outcome, float], b: dict[Outcome, float]) -> float:
    """Total variation."""
    return sum(abs(a.get(key, 0.0) - b.get(key, 0.0)) for key in a.keys() | b.keys()) / 2
