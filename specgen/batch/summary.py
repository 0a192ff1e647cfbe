"""Counts of a batch run, live while it runs. Rates are derived, never stored. It must not know screens."""

from __future__ import annotations

from dataclasses import dataclass

from specgen.batch.options import RowError
from specgen.batch.records import Outcome

EXIT_FAILED_ROWS = 6
EXIT_INTERRUPTED = 130


@dataclass(slots=True)
class BatchSummary:
    """Times in seconds."""

    total: int | None = None
    """Rows of the whole input; `None` where it cannot be known beforehand."""
    planned: int | None = None
    """Rows that this run goes through at most, those already done included."""
    ok: int = 0
    failed: int = 0
    skipped: int = 0
    """Rows that were done before this run."""
    tokens: int = 0
    rounds: int = 0
    drafted: int = 0
    accepted: int = 0
    model_s: float = 0.0
    """Prefill and decoding, without loading."""
    elapsed_s: float = 0.0
    interrupt: KeyboardInterrupt | None = None
    """What ended the run early, for whoever wants to pass it on."""

    def add(self, outcome: Outcome) -> None:
        """Count one row."""
        if isinstance(outcome, RowError):
            self.failed += 1
            return
        stats = outcome.stats
        self.ok += 1
        self.tokens += stats.new_tokens
        self.rounds += stats.rounds
        self.drafted += stats.drafted
        self.accepted += stats.accepted
        self.model_s += stats.prefill_s + stats.decode_s

    @property
    def written(self) -> int:
        """Rows of this run."""
        return self.ok + self.failed

    @property
    def tokens_per_second(self) -> float | None:
        return self.tokens / self.model_s if self.tokens and self.model_s > 0 else None

    @property
    def mean_acceptance_length(self) -> float | None:
        return 1 + self.accepted / self.rounds if self.rounds else None

    @property
    def draft_acceptance_rate(self) -> float | None:
        return self.accepted / self.drafted if self.drafted else None

    @property
    def left_s(self) -> float | None:
        """Time left, if the coming rows are like those so far."""
        if self.planned is None or not self.written:
            return None
        return max(0, self.planned - self.skipped - self.written) * self.elapsed_s / self.written

    @property
    def interrupted(self) -> bool:
        return self.interrupt is not None

    @property
    def exit_code(self) -> int:
        if self.interrupted:
            return EXIT_INTERRUPTED
        return EXIT_FAILED_ROWS if self.failed else 0

    def line(self) -> str:
        """The run in one line."""
        parts = [f"{self.ok} ok, {self.failed} failed" + (f", {self.skipped} done before" if self.skipped else "")]
        return "  ".join([*parts, *self._speed(), *(["interrupted"] if self.interrupted else [])])

    def progress_line(self) -> str:
        """How far it is, in one line."""
        done = self.written + self.skipped
        parts = [f"{done}/{self.planned} rows" if self.planned is not None else f"{done} rows"]
        parts += [f"{self.failed} failed"] if self.failed else []
        left = [f"{_duration(self.left_s)} left"] if self.left_s is not None else []
        return "  ".join([*parts, *self._speed(), *left])

    def _speed(self) -> list[str]:
        parts = [f"{self.tokens} tok"] if self.tokens else []
        if self.tokens_per_second is not None:
            parts.append(f"{self.tokens_per_second:.1f} tok/s")
        if self.draft_acceptance_rate is not None:
            parts.append(f"accept {self.mean_acceptance_length:.2f}/round {self.draft_acceptance_rate:.0%}")
        return parts


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
