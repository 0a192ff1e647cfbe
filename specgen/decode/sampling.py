"""From raw logits to the law of the next token: one order of operations for plain and speculative decoding.

    1. logit bias             4. frequency penalty       7. temperature
    2. repetition penalty     5. no-repeat n-gram        8. top-k, then top-p
    3. presence penalty       6. minimum new tokens      9. min-p

The repetition penalty and the n-gram ban see prompt and output, presence and frequency penalties the output alone.
Every verified position is shaped under exactly the prefix it is verified under: the committed context plus the drafts
on the path to it.

Temperature 0 makes the law a point mass on the highest logit (lowest id among equals). With a seed the law is a point
mass too: on `argmax(log p + g)` with Gumbel noise g keyed by (seed, position, token id), so that the text depends on
the model, the prompt and the seed alone (the Gumbel-max trick; shared by target and drafter it is the coupling of
Daliri et al., "Coupling without Communication and Drafter-Invariant Speculative Decoding", 2024).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from specgen.decode.history import History
from specgen.decode.types import SamplingParams
from specgen.errors import SpecgenError, UsageError

_COLDEST = 1e-30
"""Temperatures below it are 0 in float32; the law is a point mass long before."""


@dataclass(frozen=True, slots=True)
class Law:
    """The distribution of one next token: a point mass, or probabilities over the vocabulary."""

    point: int | None
    probs: torch.Tensor | None = None
    """(V,) float32, sums to 1; `None` for a point mass."""

    def prob(self, token: int) -> float:
        """Probability of `token`."""
        if self.probs is None:
            return float(token == self.point)
        return float(self.probs[token])

    def draw(self, u: float) -> int:
        """The token at quantile `u` in [0, 1)."""
        if self.probs is None:
            assert self.point is not None
            return self.point
        cumulative = self.probs.to(torch.float64).cumsum(0)
        index = int(torch.searchsorted(cumulative, u * cumulative[-1], right=True))
        if index < len(cumulative) and self.probs[index] > 0:
            return index
        return int(self.probs.nonzero()[-1])  # rounding put u at the very end

    def without(self, token: int) -> Law:
        """What remains after a deterministic draft of `token` was rejected."""
        if self.probs is None:
            return self
        rest = self.probs.clone()
        rest[token] = 0.0
        return self._renormalised(rest)

    def minus(self, q: torch.Tensor) -> Law:
        """The residual norm(max(p - q, 0)) after a draft drawn from `q` (V,) was rejected (Leviathan et al., 2023)."""
        if self.probs is None:
            return self
        return self._renormalised((self.probs - q).clamp_(min=0.0))

    def _renormalised(self, rest: torch.Tensor) -> Law:
        mass = rest.sum()
        # Without mass p equalled q up to rounding, and a rejection was rounding too: p itself is then the residual.
        return Law(None, rest / mass) if mass > 0 else self


class Sampler:
    """Shapes logits into laws for one generation, and owns its random numbers."""

    def __init__(
        self,
        params: SamplingParams,
        *,
        vocab_size: int,
        prompt: Sequence[int],
        end_ids: frozenset[int] = frozenset(),
    ) -> None:
        unknown = [token for token in params.logit_bias if not 0 <= token < vocab_size]
        if unknown:
            hint = f"its ids go from 0 to {vocab_size - 1}"
            raise UsageError(f"the logit bias names token {unknown[0]}, which the target does not have", hint=hint)
        self.params = params
        self.history = History(params, vocab_size=vocab_size, prompt=prompt, end_ids=end_ids)
        self._random = random.Random()
        self._bias: tuple[torch.Tensor, torch.Tensor] | None = None

    @property
    def deterministic(self) -> bool:
        """Whether every law is a point mass (greedy or seeded)."""
        return self.params.temperature == 0 or self.params.seed is not None

    def uniform(self) -> float:
        """A fresh number in [0, 1)."""
        return self._random.random()

    def commit(self, tokens: Sequence[int]) -> None:
        """Record committed tokens; drafts that were rejected never touch the history."""
        self.history.extend(tokens)

    def rows(self, logits: torch.Tensor) -> Rows:
        """Laws of a verified block: `logits` (M, V)."""
        return Rows(self, logits)

    def law(self, logits: torch.Tensor, path: Sequence[int] = ()) -> Law:
        """Law of the token after the committed context and the drafts `path`. `logits`: (V,), any float dtype."""
        shaped = self._shape(logits, path)
        top, token = shaped.max(0)
        best = _best(top, token)
        if self.params.temperature == 0:
            return Law(best)
        # The best is moved to 0 first, so that no temperature overflows.
        log_probs, ids = self._truncate((shaped - top) / max(self.params.temperature, _COLDEST))
        if self.params.seed is not None:
            return Law(self._gumbel_best(log_probs, ids, self.history.length + len(path)))
        probs = torch.softmax(log_probs, 0)
        return Law(None, probs if ids is None else torch.zeros_like(shaped).scatter_(0, ids, probs))

    def _shape(self, logits: torch.Tensor, path: Sequence[int]) -> torch.Tensor:
        shaped = logits.float()
        if self.params.logit_bias:
            if self._bias is None or self._bias[0].device != logits.device:
                ids, values = zip(*self.params.logit_bias.items(), strict=True)
                device = logits.device
                self._bias = torch.tensor(ids, device=device), torch.tensor(values, device=device).float()
            shaped = shaped.index_add(0, *self._bias)
        return self.history.apply(shaped, path)

    def _truncate(self, scaled: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Kept candidates as unnormalised log-probabilities, the best at 0, and their ids (`None`: all of them)."""
        params, ids = self.params, None
        if 0 < params.top_k < scaled.shape[0]:
            scaled, ids = scaled.topk(params.top_k)
        if params.top_p < 1:
            values, order = _nucleus(scaled, params.top_p)
            scaled, ids = values, order if ids is None else ids[order]
        if params.min_p > 0:
            keep = scaled >= math.log(params.min_p)
            scaled, ids = scaled[keep], keep.nonzero()[:, 0] if ids is None else ids[keep]
        return scaled, ids

    def _gumbel_best(self, log_probs: torch.Tensor, ids: torch.Tensor | None, position: int) -> int:
        assert self.params.seed is not None
        tokens = torch.arange(len(log_probs), device=log_probs.device) if ids is None else ids
        noisy = log_probs + gumbel_noise(self.params.seed, position, tokens)
        return int(tokens[noisy.argmax()])


class Rows:
    """Laws of the rows of one verified block, made when the walk asks for them."""

    def __init__(self, sampler: Sampler, logits: torch.Tensor) -> None:
        self._sampler = sampler
        self._logits = logits
        self._points: list[int] | None = None
        if sampler.params.temperature == 0 and not (sampler.params.logit_bias or sampler.history.active):
            # Plain greedy: no row depends on its prefix, so one transfer from the device serves the whole block.
            values, points = logits.max(1)
            self._points = [_best(v, p) for v, p in zip(values.tolist(), points.tolist(), strict=True)]

    def law(self, row: int, path: Sequence[int]) -> Law:
        """Law of the token after row `row`, whose prefix is the committed context plus `path`."""
        if self._points is not None:
            return Law(self._points[row])
        return self._sampler.law(self._logits[row], path)


def gumbel_noise(seed: int, position: int, ids: torch.Tensor) -> torch.Tensor:
    """Standard Gumbel noise (len(ids),) float32, a pure function of (seed, position, id): splitmix64 as the hash.

    With v uniform on (0, 1) it is -log(-log(1 - v)): near v = 0 lie the large values, which decide, and there float32
    is precise.
    """
    base = _mix(_mix(seed) ^ _mix(position + 0x5851F42D4C957F2D))
    state = ids.to(torch.int64) * _signed(0x9E3779B97F4A7C15) + _signed(base)
    state = (state ^ _shift(state, 30)) * _signed(0xBF58476D1CE4E5B9)
    state = (state ^ _shift(state, 27)) * _signed(0x94D049BB133111EB)
    state = state ^ _shift(state, 31)
    # 52 bits: with one half added they are exact in float64 and never reach 1, whose noise is infinite.
    uniform = (_shift(state, 12).to(torch.float64) + 0.5) * 2.0**-52
    return -torch.log(-torch.log(uniform))


def _mix(value: int) -> int:
    mask = (1 << 64) - 1
    value = (value + 0x9E3779B97F4A7C15) & mask
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & mask
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & mask
    return value ^ (value >> 31)


def _signed(value: int) -> int:
    """The int64 with the bits of an unsigned 64-bit integer."""
    return value - (1 << 64) if value >= 1 << 63 else value


def _shift(state: torch.Tensor, bits: int) -> torch.Tensor:
    """Logical right shift of int64, whose own shift keeps the sign."""
    return (state >> bits) & ((1 << (64 - bits)) - 1)


def _nucleus(scaled: torch.Tensor, top_p: float) -> tuple[torch.Tensor, torch.Tensor]:
    """The smallest set of best candidates whose mass reaches `top_p`, sorted: their values and indices."""
    probs = torch.softmax(scaled, 0)
    # All that are less likely than this have a mass below 1 - top_p together: only the others need to be sorted.
    likely = (probs > (1 - top_p) / scaled.shape[0]).nonzero()[:, 0]
    values, order = probs[likely].sort(descending=True, stable=True)
    before = values.cumsum(0) - values
    kept = likely[order[: max(1, int((before < top_p).sum()))]]
    return scaled[kept], kept


def _best(value: torch.Tensor | float, token: torch.Tensor | int) -> int:
    """`token`, after checking that its logit is a number that can be chosen."""
    if not math.isfinite(float(value)):
        reason = "every token is banned here" if float(value) == -math.inf else "the model's output is not finite"
        raise SpecgenError(reason, hint="relax the sampling options, or try --dtype float32")
    return int(token)
