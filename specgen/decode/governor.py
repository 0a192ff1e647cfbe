"""How many drafts a round may buy."""

from __future__ import annotations

from specgen.decode.types import Round


class FixedGovernor:
    """Always asks for the same number of drafts."""

    def __init__(self, num_draft_tokens: int) -> None:
        self._wanted = num_draft_tokens

    def next(self) -> int:
        return self._wanted

    def update(self, outcome: Round) -> None:
        """Nothing to learn."""
