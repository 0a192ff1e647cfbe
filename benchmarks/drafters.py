"""What each drafter brings, against the `none` drafter in the same loop: the table of the README.

    python benchmarks/drafters.py --profile smollm2 --drafters none,lookup
    python benchmarks/drafters.py --profile qwen2.5-coder-1.5b --drafters none lookup draft_model lookup,draft_model

Every task and drafter runs once as a warm-up, then `--repeats` times, the drafters in turn, so that a busy moment of
the machine hits them alike. Speed is decoding alone (from the first token to the last), medians; the ratio is the
median of the ratios to `none` of the same turn. Greedy: the ids of all drafters are checked to be equal.
"""

from __future__ import annotations

import argparse
import platform
import statistics
from dataclasses import dataclass, field

import torch
import transformers
from prompts import PROMPTS

import specgen
from specgen.profiles import Overrides, resolve
from specgen.session import Prompt, Session
from specgen.stats import GenerationStats
from specgen.tasks import detect


@dataclass
class Series:
    """One drafter on one task."""

    speeds: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    stats: GenerationStats = field(default_factory=GenerationStats)


def answer(session: Session, overrides: Overrides, prompt: str) -> tuple[str, GenerationStats]:
    settings = resolve(overrides, detect(prompt)).generation
    text = "".join(chunk.text for chunk in session.stream(Prompt.of(prompt), settings))
    return text, session.stats


def measure(session: Session, options: argparse.Namespace, prompt: str) -> dict[str, Series]:
    series = {name: Series() for name in options.drafters}
    for turn in range(options.repeats + 1):
        texts = set()
        for name in options.drafters:
            overrides = Overrides(
                profile=options.profile, drafter=name, max_tokens=options.tokens, num_draft_tokens=options.k
            )
            text, series[name].stats = answer(session, overrides, prompt)
            texts.add(text)
            if turn:
                series[name].speeds.append(series[name].stats.tokens_per_second or 0.0)
                series[name].ratios.append(series[name].speeds[-1] / series["none"].speeds[-1])
        assert len(texts) == 1, "drafters changed the text"
    return series


def row(task: str, name: str, series: Series) -> str:
    stats = series.stats
    rate = "-" if stats.draft_acceptance_rate is None else f"{stats.draft_acceptance_rate:.0%}"
    speed, ratio = statistics.median(series.speeds), statistics.median(series.ratios)
    return f"| {task} | {name} | {speed:.2f} | {ratio:.2f} | {stats.mean_acceptance_length:.2f} | {rate} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="smollm2")
    parser.add_argument("--drafters", nargs="+", default=["none", "lookup"])
    parser.add_argument("--tasks", nargs="+", default=list(PROMPTS))
    parser.add_argument("--tokens", type=int, default=96)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("-k", type=int, default=None, help="drafts per round; default: as the profile and task have it")
    options = parser.parse_args()
    load = resolve(Overrides(profile=options.profile), detect("")).load
    session = Session.open(load)
    print(f"| task | drafter | tokens/s | over none | tokens/round | accepted |\n|{'---|' * 6}")
    for task in options.tasks:
        for name, series in measure(session, options, PROMPTS[task]).items():
            print(row(task, name, series), flush=True)
    versions = f"torch {torch.__version__}, transformers {transformers.__version__}, specgen {specgen.__version__}"
    print(f"\n{load.target_name} as {load.dtype}, {torch.get_num_threads()} threads, {platform.machine()}; {versions}")


if __name__ == "__main__":
    main()
