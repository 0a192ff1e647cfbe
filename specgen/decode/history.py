"""What penalties and bans remember: counts of the committed tokens, with the drafts of a path laid over them.

Only committed ids are recorded. A path is applied to a copy, so a rejected draft leaves no trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import torch

from specgen.decode.types import SamplingParams


class History:
    """The prefix-dependent part of the sampling options, for one generation."""

    def __init__(
        self, params: SamplingParams, *, vocab_size: int, prompt: Sequence[int], end_ids: frozenset[int]
    ) -> None:
        self._params = params
        self._vocab_size = vocab_size
        self._prompt_length = len(prompt)
        self._end_ids = sorted(i for i in end_ids if i < vocab_size)
        self._context: list[int] = []
        self._seen: set[int] = set()
        self._output: Counter[int] = Counter()
        self._followers: dict[tuple[int, ...], list[int]] = {}
        self._penalised = params.presence_penalty != 0 or params.frequency_penalty != 0
        self.extend(prompt)

    @property
    def length(self) -> int:
        """Committed tokens, the prompt included."""
        return len(self._context)

    @property
    def active(self) -> bool:
        """Whether any law depends on its prefix."""
        params = self._params
        waiting = self.length - self._prompt_length < params.min_tokens
        return params.repetition_penalty != 1 or self._penalised or params.no_repeat_ngram > 0 or waiting

    def extend(self, tokens: Sequence[int]) -> None:
        """Record committed tokens."""
        size = self._params.no_repeat_ngram
        for token in tokens:
            self._context.append(token)
            if self._params.repetition_penalty != 1:
                self._seen.add(token)
            if self._penalised and len(self._context) > self._prompt_length:
                self._output[token] += 1
            if size and len(self._context) >= size:
                key = tuple(self._context[len(self._context) - size : -1])
                self._followers.setdefault(key, []).append(token)

    def apply(self, logits: torch.Tensor, path: Sequence[int]) -> torch.Tensor:
        """Penalise and ban for the token after the context and `path`; `logits` (V,) float32 is not changed."""
        if not self.active:
            return logits
        logits = self._penalise_repetition(logits, path)
        logits = self._penalise_output(logits, path)
        banned = self._banned(path)
        if banned:
            logits = logits.index_fill(0, torch.tensor(banned, device=logits.device), float("-inf"))
        return logits

    def _penalise_repetition(self, logits: torch.Tensor, path: Sequence[int]) -> torch.Tensor:
        """Divide positive and multiply negative logits of seen ids (Keskar et al., CTRL, 2019)."""
        penalty = self._params.repetition_penalty
        if penalty == 1:
            return logits
        ids = torch.tensor(sorted(self._seen.union(path)), device=logits.device)
        old = logits[ids]
        return logits.index_copy(0, ids, torch.where(old > 0, old / penalty, old * penalty))

    def _penalise_output(self, logits: torch.Tensor, path: Sequence[int]) -> torch.Tensor:
        """Subtract presence once and frequency per occurrence in the output (as in the OpenAI API)."""
        if not self._penalised:
            return logits
        counts = self._output + Counter(path)
        if not counts:
            return logits
        params = self._params
        ids = torch.tensor(list(counts), device=logits.device)
        weights = torch.tensor(list(counts.values()), dtype=torch.float32, device=logits.device)
        return logits.index_add(0, ids, -(params.presence_penalty + params.frequency_penalty * weights))

    def _banned(self, path: Sequence[int]) -> list[int]:
        banned: set[int] = set()
        if self.length + len(path) - self._prompt_length < self._params.min_tokens:
            banned.update(self._end_ids)
        size = self._params.no_repeat_ngram
        if size and self.length + len(path) + 1 >= size:
            banned.update(self._repeats(path, size))
        return sorted(banned)

    def _repeats(self, path: Sequence[int], size: int) -> set[int]:
        """Ids that would complete an n-gram of `size` that the context and `path` already hold."""
        recent = [*self._context[max(0, self.length - 2 * size) :], *path]
        key = tuple(recent[len(recent) - size + 1 :])
        banned = set(self._followers.get(key, ()))
        # n-grams that end on the path are not indexed: they are found by looking at it
        for end in range(max(size - 1, len(recent) - len(path)), len(recent)):
            if tuple(recent[end - size + 1 : end]) == key:
                banned.add(recent[end])
        return banned
