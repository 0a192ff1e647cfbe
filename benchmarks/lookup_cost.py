"""What a prompt lookup proposal costs: the bar is 1 ms after 16,000 tokens.

    python benchmarks/lookup_cost.py [--lengths N ...]

Prints, for each context length, the time to index the prompt once and the median and slowest time of a proposal while
the context grows by a few tokens a round, as it does when decoding. No model is loaded.
"""

from __future__ import annotations

import argparse
import random
import statistics
from time import perf_counter
from typing import Any

from specgen.drafters.lookup import LookupDrafter

BAR_S = 1e-3
ROUNDS = 300
DRAFTS = 16
PHRASE = 12
NO_SAMPLER: Any = None


def text_like(length: int) -> list[int]:
    """Ids of a 50,000-token vocabulary in which phrases come back, so that most proposals find a match."""
    source = random.Random(0)
    phrases = [[source.randrange(50_000) for _ in range(PHRASE)] for _ in range(200)]
    return [token for _ in range(length // PHRASE + 1) for token in source.choice(phrases)][:length]


def measure(length: int) -> tuple[float, list[float], int]:
    """Seconds to index `length` ids, seconds of each proposal after them, and how many had drafts."""
    ids = text_like(length + 4 * ROUNDS)
    context = ids[:length]
    drafter = LookupDrafter(ngram_min=2, ngram_max=4)
    started = perf_counter()
    drafter.begin(context, None, NO_SAMPLER)
    indexed = perf_counter() - started
    times, matches = [], 0
    for start in range(length, len(ids), 4):
        context.extend(ids[start : start + 4])
        started = perf_counter()
        proposal = drafter.propose(context, DRAFTS)
        times.append(perf_counter() - started)
        matches += bool(proposal.tokens)
    return indexed, times, matches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lengths", type=int, nargs="+", default=[1_000, 4_000, 16_000, 64_000])
    print(f"{'context':>8} {'index once':>11} {'proposal':>10} {'slowest':>10} {'with drafts':>12}")
    for length in parser.parse_args().lengths:
        indexed, times, matches = measure(length)
        median = statistics.median(times)
        verdict = "" if median < BAR_S else "   over the bar of 1 ms"
        print(
            f"{length:8,} {indexed * 1e3:8.1f} ms {median * 1e6:7.1f} us {max(times) * 1e6:7.1f} us "
            f"{matches / len(times):11.0%}{verdict}"
        )


if __name__ == "__main__":
    main()
