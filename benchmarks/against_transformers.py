"""The loop against transformers' own `generate` on the same weights: plain, prompt lookup and draft model, interleaved.

    python benchmarks/against_transformers.py [--model MODEL] [-d DRAFT] [--tokens N] [--repeats N]

Both run in float32 with all threads. Times include the prefill, as `generate` does not tell it apart. Prints median
tokens per second of each and the median ratio of the pairs; identical ids are checked on the way.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import torch
from prompts import CHAT, EDIT

from specgen.loading import sources
from specgen.loading.gguf import read_header
from specgen.loading.models import load_model
from specgen.loading.tokenizer import Tokenizer
from specgen.profiles import Overrides, resolve
from specgen.session import Prompt, Session
from specgen.tasks import detect


class Contest:
    """One target, and perhaps a draft model, on both sides."""

    def __init__(self, model: str, draft: str | None) -> None:
        self.base = Overrides(model=model, draft_model=draft)
        load = resolve(self.base, detect(CHAT)).load
        self.session = Session.open(load)
        path = sources.fetch(load.target)
        self.tokenizer = Tokenizer.from_gguf(read_header(path))
        self.reference = load_model(path, device="cpu", dtype="float32")
        self.assistant: Any = None
        if load.draft_model is not None and draft is not None:
            self.assistant = load_model(sources.fetch(load.draft_model), device="cpu", dtype="float32")

    def ours(self, prompt: str, drafter: str, tokens: int) -> tuple[float, int]:
        """Seconds and tokens of one answer."""
        given = replace(self.base, max_tokens=tokens, drafter=drafter)
        if drafter in {"none", "lookup"}:
            given = replace(given, draft_model=None)
        settings = resolve(given, detect(prompt)).generation
        started = perf_counter()
        for _ in self.session.stream(Prompt.of(prompt), settings):
            pass
        return perf_counter() - started - self.session.stats.load_s, self.session.stats.new_tokens

    def theirs(self, prompt: str, drafter: str, tokens: int) -> tuple[float, int]:
        """The same by `generate`."""
        ids = self.tokenizer.encode_chat([{"role": "user", "content": prompt}])
        arguments: dict[str, Any] = {"max_new_tokens": tokens, "do_sample": False}
        arguments["eos_token_id"] = sorted(self.tokenizer.end_ids)
        if drafter == "lookup":
            arguments["prompt_lookup_num_tokens"] = 7
        elif drafter == "draft_model":
            arguments["assistant_model"] = self.assistant
        started = perf_counter()
        with torch.inference_mode():
            out = self.reference.generate(torch.tensor([ids]), **arguments)
        return perf_counter() - started, out.shape[1] - len(ids)


def compare(first: Callable[[], tuple[float, int]], second: Callable[[], tuple[float, int]], repeats: int) -> Sequence:
    """Median tokens per second of each and the median ratio, after one warm-up of both."""
    first(), second()
    ours, theirs = [], []
    for _ in range(repeats):
        for side, speeds in ((first, ours), (second, theirs)):
            seconds, count = side()
            speeds.append(count / seconds)
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return statistics.median(ours), statistics.median(theirs), statistics.median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("-d", "--draft-model", default=None)
    parser.add_argument("--tokens", type=int, default=96)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    contest = Contest(options.model, options.draft_model)
    cases = [("chat", CHAT, "none"), ("edit", EDIT, "none"), ("edit", EDIT, "lookup")]
    if contest.assistant is not None:
        cases += [("chat", CHAT, "draft_model"), ("edit", EDIT, "draft_model")]
    print(f"{'task':6} {'drafter':12} {'specgen':>9} {'generate':>9} {'ratio':>6}   (tokens/s)")
    for task, prompt, drafter in cases:
        ours, theirs, ratio = compare(
            lambda p=prompt, d=drafter: contest.ours(p, d, options.tokens),
            lambda p=prompt, d=drafter: contest.theirs(p, d, options.tokens),
            options.repeats,
        )
        print(f"{task:6} {drafter:12} {ours:9.2f} {theirs:9.2f} {ratio:6.2f}", flush=True)


if __name__ == "__main__":
    main()
