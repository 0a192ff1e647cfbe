"""What a drafter may be built from. Each family takes what it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from specgen.errors import UsageError

if TYPE_CHECKING:
    from specgen.models.hf import CausalLM


def _no_draft_model() -> CausalLM:
    raise UsageError("the drafter 'draft_model' needs a draft model", hint="name one with -d/--draft-model")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterSetup:
    """Resources and options for drafters of one session."""

    vocab_size: int
    end_ids: frozenset[int] = field(default_factory=frozenset)
    special_ids: frozenset[int] = field(default_factory=frozenset)
    ngram_min: int = 2
    ngram_max: int = 4
    draft_model: Callable[[], CausalLM] = _no_draft_model
    """Loads the draft model at the first call."""
