"""The line after an answer, and the longer report: what it cost and what drafting brought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specgen.profiles import GenerationSettings, Settings
    from specgen.stats import GenerationStats

_GAP = "  "


def footer_line(stats: GenerationStats, settings: GenerationSettings, *, width: int) -> str:
    """`N tok  X tok/s  accept A/round R%  drafter K  ttft S  peak M`, without what is unknown.

    Parts are left out from the end until it fits into `width` columns.
    """
    parts = [f"{stats.new_tokens} tok", *speed_and_acceptance(stats, settings)]
    if stats.new_tokens:
        parts.append(f"ttft {stats.prefill_s:.2f}s")
    if stats.load_s:
        parts.append(f"load {stats.load_s:.1f}s")
    if stats.peak_bytes:
        parts.append(f"peak {stats.peak_bytes / 2**30:.2f} GiB")
    if stats.finish in {"length", "interrupted"}:
        parts.insert(1, "(token limit)" if stats.finish == "length" else "(interrupted)")
    return fit(parts, width)


def speed_and_acceptance(stats: GenerationStats, settings: GenerationSettings) -> list[str]:
    """The parts that change while an answer is written."""
    parts = []
    if stats.tokens_per_second is not None:
        parts.append(f"{stats.tokens_per_second:.1f} tok/s")
    rate = stats.draft_acceptance_rate
    if rate is not None:
        parts.append(f"accept {stats.mean_acceptance_length:.2f}/round {rate:.0%}")
    elif settings.drafter != "none" and stats.rounds:
        parts.append("nothing drafted")
    parts.append(
        settings.drafter if settings.drafter == "none" else f"{settings.drafter} k={settings.num_draft_tokens}"
    )
    return parts


def fit(parts: Sequence[str], width: int) -> str:
    """As many parts as fit into `width` columns."""
    kept = list(parts)
    while len(kept) > 1 and len(_GAP.join(kept)) > width:
        kept.pop()
    return _GAP.join(kept)[:width]


def full_report(stats: GenerationStats, settings: Settings, model: dict[str, Any]) -> list[str]:
    """Lines for `--stats full`."""
    lines = [
        f"task       {settings.detection.task} ({settings.detection.confidence:.2f})",
        *(f"           {evidence}" for evidence in settings.detection.evidence),
        f"profile    {settings.profile_reason}",
        f"drafter    {settings.generation.drafter_reason}",
        f"prompt     {stats.prompt_tokens} tok in {stats.prefill_s:.2f} s{_rate(stats.prefill_tokens_per_second)}",
        f"decode     {max(0, stats.new_tokens - 1)} tok in {stats.decode_s:.2f} s{_rate(stats.tokens_per_second)}",
        f"load       {stats.load_s:.2f} s",
    ]
    if stats.decode_s:
        shares = ("draft", stats.draft_s), ("verify", stats.verify_s), ("other", stats.other_s)
        lines.append("time       " + _GAP.join(f"{name} {seconds / stats.decode_s:.1%}" for name, seconds in shares))
    lines.append(
        f"drafts     {stats.drafted}: {stats.accepted} accepted, {stats.rejected} rejected, {stats.discarded} discarded"
    )
    for name, counts in stats.by_drafter.items():
        share = counts.accepted / counts.drafted
        lines.append(
            f"           {name}: {counts.accepted} of {counts.drafted} in {counts.rounds} rounds ({share:.0%})"
        )
    histogram = _GAP.join(f"{accepted}:{rounds}" for accepted, rounds in enumerate(stats.histogram) if rounds)
    lines.append(f"rounds     {stats.rounds}, by accepted drafts {histogram or 'none'}")
    lines += [f"{name:<10} {value}" for name, value in model.items() if value is not None]
    return lines


def _rate(tokens_per_second: float | None) -> str:
    return "" if tokens_per_second is None else f" ({tokens_per_second:.1f} tok/s)"
