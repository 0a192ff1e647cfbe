"""The words of the decoding loop: what is proposed, what the target says, what is accepted, what is reported.

Everything above `decode/` sees only `Round` (ints, floats, strings): no tensor crosses that line upwards.
Shapes: V is the target's vocabulary, n the number of drafts of a round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import torch

    from specgen.decode.sampling import Sampler

Finish = Literal["stop", "length"]
ANCHOR = -1
"""Parent of a draft that directly follows the anchor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """How a token is chosen, in the order in which it is applied (see `decode/sampling.py`)."""

    logit_bias: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    no_repeat_ngram: int = 0
    min_tokens: int = 0
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """Drafted ids after the anchor, in the target's vocabulary: a chain, or a tree when `parents` is set."""

    tokens: tuple[int, ...] = ()
    probs: torch.Tensor | None = None
    """(n, V): exactly the law each token was drawn from; `None`: the drafter is deterministic (q = 1)."""
    parents: tuple[int, ...] | None = None
    """Index of each draft's parent, `ANCHOR` for the anchor; parents come before children. `None`: a chain."""
    drafter: str = ""
    """Name of the drafter that made it, for the statistics."""
    note: str = ""
    """A remark for the user, such as why nothing could be proposed."""

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class Verification:
    """What the target says: row 0 follows the anchor, row i + 1 follows draft i."""

    logits: torch.Tensor
    """(n + 1, V), raw: the sampler shapes each row under its own prefix."""
    taps: torch.Tensor | None = None
    """(n + 1, T, H): the hidden states that the drafter asked for, or `None` if it asked for none."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The accepted drafts, root to leaf, and the tokens to commit: those ids plus one from the target."""

    path: tuple[int, ...]
    """Accepted draft indices."""
    tokens: tuple[int, ...]
    """Committed ids; `len(path) + 1` of them, or fewer once a stop rule has cut."""

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows of the verified block whose KV stays cached, and whose taps predicted `tokens`."""
        return (0, *(draft + 1 for draft in self.path))[: len(self.tokens)]

    @property
    def accepted(self) -> int:
        """Committed tokens that were drafted."""
        return min(len(self.path), len(self.tokens))

    def cut(self, length: int) -> Acceptance:
        """Keep the first `length` tokens."""
        return Acceptance(self.path, self.tokens[:length])


@dataclass(frozen=True, slots=True)
class Round:
    """One turn of the loop: `drafted == accepted + rejected + discarded`."""

    tokens: tuple[int, ...]
    drafted: int = 0
    accepted: int = 0
    discarded: int = 0
    """Drafts that agreed with the target but lie behind a stop rule."""
    drafter: str = ""
    draft_s: float = 0.0
    verify_s: float = 0.0
    other_s: float = 0.0
    prefill: bool = False
    """The round that read the context and committed the first token; `verify_s` is then the prefill."""
    finish: Finish | None = None
    note: str = ""

    @property
    def rejected(self) -> int:
        return self.drafted - self.accepted - self.discarded


class Drafter(Protocol):
    """Anything that proposes tokens. A proposal may always be empty: the round is then a plain step."""

    name: str
    taps: tuple[int, ...]
    """Hidden states wanted from the target, as indices of transformers' `hidden_states` tuple."""

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Sampler) -> None:
        """Start a generation. `context` ends with the anchor; `taps` (len(context) - 1, T, H)."""

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        """Draft at most `limit` tokens to follow `context`, whose last id is the anchor."""

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        """Learn what became of the last proposal; the context has grown by `acceptance.tokens`."""


class Target(Protocol):
    """The model whose text is produced, with its KV cache. The anchor is never cached."""

    @property
    def length(self) -> int:
        """Cached positions; `len(context) - 1` at the top of every round."""

    @property
    def vocab_size(self) -> int:
        """V: ids that the tokenizer knows; padding rows of the head are cut off."""

    @property
    def max_draft(self) -> int:
        """Most drafts that one verification can take (0: the state cannot be rolled back)."""

    @property
    def trees(self) -> bool:
        """Whether `verify` takes proposals with `parents`."""

    def prefill(self, ids: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Forget the last generation and cache `ids`. Returns the last row's logits (V,) and the taps."""

    def verify(self, anchor: int, proposal: Proposal) -> Verification:
        """One forward over the anchor and the proposal."""

    def commit(self, acceptance: Acceptance) -> None:
        """Keep exactly `acceptance.rows` of the verified block."""


class Governor(Protocol):
    """Decides how many drafts a round may buy."""

    def next(self) -> int:
        """Drafts wanted in the coming round; 0 while parked."""

    def update(self, outcome: Round) -> None:
        """Learn from a finished round."""


class Stop(Protocol):
    """Ends a generation; every rule cuts before anything is committed."""

    @property
    def room(self) -> int:
        """Tokens that may still be committed."""

    @property
    def finish(self) -> Finish | None:
        """Why the generation is over, once it is."""

    def apply(self, acceptance: Acceptance) -> Acceptance:
        """Cut at the earliest end; must be called once per acceptance, in order."""
