"""The errors that a user can meet, each with the exit code that the command line returns.

    SpecgenError        1   something failed while running
    ├── UsageError      2   the command or the input is not usable as given
    │   └── PromptTooLong
    ├── ModelError      3   a model or drafter was not found, is damaged or does not fit the target
    └── DoesNotFit      4   not enough memory

Messages are lower case, name the offending value and have no final stop. `hint` says what to do.
"""

from __future__ import annotations


class SpecgenError(Exception):
    """Base of every error that is shown to the user as one line (and a hint)."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(SpecgenError):
    """The request itself is not usable: a bad option, an empty or too long prompt."""

    exit_code = 2


class PromptTooLong(UsageError):
    """The prompt does not fit into the model's context."""


class ModelError(SpecgenError):
    """A target or drafter is missing, damaged, unknown or incompatible."""

    exit_code = 3


class DoesNotFit(SpecgenError):
    """The request needs more memory than there is."""

    exit_code = 4
