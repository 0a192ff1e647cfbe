"""Language models that are tables: small enough to know the law of every text, real enough for the whole loop."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import tiny
import torch
from exact import Branches, BranchingSampler, law_of

from specgen.decode.governor import FixedGovernor
from specgen.decode.loop import decode
from specgen.decode.sampling import Sampler
from specgen.decode.types import Acceptance, Drafter, Proposal, SamplingParams, Verification

NEVER = -math.inf


def random_table(vocab: int, seed: int, *, spread: float = 1.5) -> torch.Tensor:
    """(V, V) logits: row t is what follows token t."""
    return spread * torch.randn(vocab, vocab, generator=torch.Generator().manual_seed(seed))


class TableTarget:
    """A target whose next-token logits depend on the last token only."""

    max_draft = 64
    trees = True

    def __init__(self, table: torch.Tensor) -> None:
        self.table = table
        self.vocab_size = table.shape[0]
        self.length = 0

    def prefill(self, ids: Sequence[int]) -> tuple[torch.Tensor, None]:
        self.length = len(ids)
        return self.table[ids[-1]], None

    def verify(self, anchor: int, proposal: Proposal) -> Verification:
        return Verification(self.table[[anchor, *proposal.tokens]])

    def commit(self, acceptance: Acceptance) -> None:
        self.length += len(acceptance.rows)


@dataclass
class TableDrafter:
    """Drafts from a table: a chain, or a tree of `width` children for every node on the first branch.

    With `drawn` the children are independent draws and the proposal says from which laws; without, they are the
    table's best tokens. `params` shape the draft's law, each draft under its own prefix, as a draft model does.
    """

    table: torch.Tensor
    width: int = 1
    drawn: bool = True
    depth: int = 99
    name: str = "table"
    taps: tuple[int, ...] = ()

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Sampler) -> None:
        self.sampler = sampler

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        tokens: list[int] = []
        parents: list[int] = []
        probs: list[torch.Tensor] = []
        path: list[int] = []
        node = -1
        for _ in range(min(self.depth, limit // self.width)):
            logits = self.table[path[-1] if path else context[-1]]
            first = len(tokens)
            if self.drawn:
                law = self.sampler.law(logits, path)
                tokens += [law.draw(self.sampler.uniform()) for _ in range(self.width)]
                probs += [law.probs] * self.width if law.probs is not None else []
            else:
                tokens += logits.topk(self.width).indices.tolist()
            parents += [node] * self.width
            node = first
            path.append(tokens[first])
        return Proposal(
            tuple(tokens),
            torch.stack(probs) if probs else None,
            tuple(parents) if self.width > 1 else None,
            drafter=self.name,
        )

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        pass


@dataclass(frozen=True)
class Experiment:
    """A table target, its prompt and the options: what a text of `length` tokens is drawn with."""

    table: torch.Tensor
    length: int
    params: SamplingParams
    prompt: tuple[int, ...] = (0, 1, 0, 1)
    end_ids: frozenset[int] = frozenset()
    num_draft_tokens: int = 2

    def write(self, sampler: Sampler, drafter: Drafter) -> tuple[int, ...]:
        """One text, through the whole loop."""
        context = list(self.prompt)
        for _ in decode(
            context,
            target=TableTarget(self.table),
            drafter=drafter,
            sampler=sampler,
            stop=tiny.TokenStop(self.length),
            governor=FixedGovernor(self.num_draft_tokens),
        ):
            pass
        return tuple(context[len(self.prompt) :])

    def law(self, drafter: Callable[[], Drafter]) -> dict[tuple[int, ...], float]:
        """The exact law of the texts that the loop writes."""

        def procedure(branches: Branches) -> tuple[int, ...]:
            sampler = BranchingSampler(
                branches, self.params, vocab_size=len(self.table), prompt=self.prompt, end_ids=self.end_ids
            )
            return self.write(sampler, drafter())

        return law_of(procedure)

    def expected(self) -> dict[tuple[int, ...], float]:
        """The law of plain sampling, from the definitions of the options alone."""
        found = {(): 1.0}
        for _ in range(self.length):
            found = {
                (*text, token): mass * p
                for text, mass in found.items()
                for token, p in enumerate(self._next(text))
                if p > 0
            }
        return found

    def _next(self, text: tuple[int, ...]) -> list[float]:
        last = text[-1] if text else self.prompt[-1]
        return shaped_law(self.table[last].tolist(), self.params, prompt=self.prompt, text=text, end_ids=self.end_ids)


def shaped_law(
    logits: Sequence[float],
    params: SamplingParams,
    *,
    prompt: Sequence[int],
    text: Sequence[int],
    end_ids: frozenset[int] = frozenset(),
) -> list[float]:
    """What the options mean, one after the other, in plain Python; empty if they leave nothing to choose from."""
    scores = [score + params.logit_bias.get(token, 0.0) for token, score in enumerate(logits)]
    for token in {*prompt, *text}:
        scores[token] *= params.repetition_penalty if scores[token] < 0 else 1 / params.repetition_penalty
    for token, count in Counter(text).items():
        scores[token] -= params.presence_penalty + count * params.frequency_penalty
    for token in _repeating((*prompt, *text), params.no_repeat_ngram):
        scores[token] = NEVER
    if len(text) < params.min_tokens:
        for token in end_ids:
            scores[token] = NEVER
    if max(scores) == NEVER:
        return []
    if params.temperature == 0:
        return [float(token == scores.index(max(scores))) for token in range(len(scores))]
    masses = _normalised([math.exp((score - max(scores)) / params.temperature) for score in scores])
    order = sorted(range(len(masses)), key=lambda token: -masses[token])
    kept = order[: params.top_k or None]
    share = [0.0, *itertools.accumulate(masses[token] / sum(masses[t] for t in kept) for token in kept)]
    kept = [token for token, before in zip(kept, share, strict=False) if before < params.top_p or token == order[0]]
    kept = [token for token in kept if masses[token] >= params.min_p * masses[order[0]]]
    return _normalised([mass if token in kept else 0.0 for token, mass in enumerate(masses)])


def _repeating(ids: tuple[int, ...], size: int) -> set[int]:
    """Tokens that would complete an n-gram that `ids` hold already."""
    if size == 0 or len(ids) < size - 1:
        return set()
    tail = ids[len(ids) - size + 1 :]
    return {ids[i + size - 1] for i in range(len(ids) - size + 1) if ids[i : i + size - 1] == tail}


def _normalised(masses: list[float]) -> list[float]:
    total = sum(masses)
    return [mass / total for mass in masses]
