"""How much of a round is the loop's own time: everything but model forwards and the drafter.

    python benchmarks/loop_overhead.py [--model MODEL] [--tokens N]

Prints, for each sampling setting and drafter, the median share over several answers. The bar is 3 % on SmolLM2.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import replace

from specgen.profiles import Overrides, resolve
from specgen.session import Prompt, Session
from specgen.tasks import detect

PROMPT = "Explain how a bicycle works. Then explain it again, in the same words."
SETTINGS = {
    "greedy": Overrides(),
    "greedy, penalties": Overrides(repetition_penalty=1.1, frequency_penalty=0.2, no_repeat_ngram=4),
    "sampled": Overrides(temperature=0.8, top_p=0.95),
    "seeded": Overrides(temperature=0.8, top_p=0.95, seed=1),
    "seeded, whole vocabulary": Overrides(temperature=0.8, seed=1),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--tokens", type=int, default=96)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    base = Overrides(model=options.model, max_tokens=options.tokens)
    session = Session.open(resolve(base, detect(PROMPT)).load)
    print(f"{'sampling':26} {'drafter':8} {'own time':>9} {'of a round':>11}")
    for name, changes in SETTINGS.items():
        for drafter in ("none", "lookup"):
            given = {field: value for field, value in _fields(changes).items() if value not in (None, ())}
            settings = resolve(replace(base, **given, drafter=drafter), detect(PROMPT)).generation
            shares, own = [], []
            for _ in range(options.repeats):
                for _ in session.stream(Prompt.of(PROMPT), settings):
                    pass
                stats = session.stats
                shares.append(stats.other_s / stats.decode_s)
                own.append(stats.other_s / stats.rounds)
            share, micros = statistics.median(shares), statistics.median(own) * 1e6
            print(f"{name:26} {drafter:8} {micros:6.0f} us {share:10.2%}", flush=True)


def _fields(changes: Overrides) -> dict[str, object]:
    return {name: getattr(changes, name) for name in Overrides.__dataclass_fields__}


if __name__ == "__main__":
    main()
