"""Counts and times of one generation, folded from its rounds. Rates are derived, never stored.

JSON names follow vLLM's per-request names. `mean_acceptance_length` = 1 + accepted / rounds: committed tokens per
round, the target's own token included, the prefill excluded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from specgen.decode.types import Finish, Round


@dataclass(slots=True)
class DrafterCounts:
    """Share of one drafter in a generation."""

    rounds: int = 0
    drafted: int = 0
    accepted: int = 0


@dataclass(slots=True)
class GenerationStats:
    """Grows with every `Round` that is added. Times in seconds, memory in bytes."""

    prompt_tokens: int = 0
    new_tokens: int = 0
    """Committed ids, the end token included."""
    rounds: int = 0
    drafted: int = 0
    accepted: int = 0
    discarded: int = 0
    histogram: list[int] = field(default_factory=list)
    """`histogram[a]`: rounds with `a` accepted drafts."""
    by_drafter: dict[str, DrafterCounts] = field(default_factory=dict)
    load_s: float = 0.0
    prefill_s: float = 0.0
    draft_s: float = 0.0
    verify_s: float = 0.0
    other_s: float = 0.0
    peak_bytes: int | None = None
    finish: Finish | str | None = None

    def add(self, outcome: Round) -> None:
        """Fold one round in."""
        self.new_tokens += len(outcome.tokens)
        self.finish = outcome.finish
        if outcome.prefill:
            self.prefill_s += outcome.verify_s + outcome.other_s
            return
        self.rounds += 1
        self.drafted += outcome.drafted
        self.accepted += outcome.accepted
        self.discarded += outcome.discarded
        self.draft_s += outcome.draft_s
        self.verify_s += outcome.verify_s
        self.other_s += outcome.other_s
        missing = outcome.accepted + 1 - len(self.histogram)
        self.histogram.extend([0] * max(0, missing))
        self.histogram[outcome.accepted] += 1
        if outcome.drafted:
            counts = self.by_drafter.setdefault(outcome.drafter, DrafterCounts())
            counts.rounds += 1
            counts.drafted += outcome.drafted
            counts.accepted += outcome.accepted

    @property
    def rejected(self) -> int:
        return self.drafted - self.accepted - self.discarded

    @property
    def decode_s(self) -> float:
        """From the first token to the last."""
        return self.draft_s + self.verify_s + self.other_s

    @property
    def tokens_per_second(self) -> float | None:
        """Decode speed: tokens after the first per second of decoding; `None` before the second token."""
        later = self.new_tokens - 1
        return later / self.decode_s if later > 0 and self.decode_s > 0 else None

    @property
    def prefill_tokens_per_second(self) -> float | None:
        """Reading speed of the prompt."""
        return self.prompt_tokens / self.prefill_s if self.prefill_s > 0 else None

    @property
    def draft_acceptance_rate(self) -> float | None:
        """Accepted over drafted; `None` when nothing was drafted (never 100 %)."""
        return self.accepted / self.drafted if self.drafted else None

    @property
    def mean_acceptance_length(self) -> float | None:
        """Committed tokens per round, the target's own included; `None` before the first round."""
        return 1 + self.accepted / self.rounds if self.rounds else None

    def spec_dict(self) -> dict[str, Any]:
        """The acceptance fields of `--json` and of batch rows."""
        return {
            "mean_acceptance_length": self.mean_acceptance_length,
            "draft_acceptance_rate": self.draft_acceptance_rate,
            "acceptance_histogram": list(self.histogram),
            "num_draft_tokens": self.drafted,
            "num_accepted_draft_tokens": self.accepted,
            "num_rejected_draft_tokens": self.rejected,
            "num_discarded_draft_tokens": self.discarded,
            "num_spec_steps": self.rounds,
            "by_drafter": {
                name: {
                    "rounds": c.rounds,
                    "num_draft_tokens": c.drafted,
                    "num_accepted_draft_tokens": c.accepted,
                }
                for name, c in self.by_drafter.items()
            },
        }

    def usage_dict(self) -> dict[str, int]:
        """Token counts, named as in the OpenAI API."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.new_tokens,
            "total_tokens": self.prompt_tokens + self.new_tokens,
        }

    def timings_dict(self) -> dict[str, float | None]:
        """Seconds, each part apart, and the two speeds."""
        return {
            "load_s": self.load_s,
            "prefill_s": self.prefill_s,
            "decode_s": self.decode_s,
            "draft_s": self.draft_s,
            "verify_s": self.verify_s,
            "other_s": self.other_s,
            "prefill_tokens_per_second": self.prefill_tokens_per_second,
            "tokens_per_second": self.tokens_per_second,
        }
