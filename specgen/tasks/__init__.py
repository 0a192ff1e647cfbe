"""Detects from the words of a request, and from what is supplied with it, which kind of task it is.

The question behind it: will the answer repeat long spans of the input? Then copying from the prompt drafts well. Pure
Python on a bounded sample: no model, no tokens, well under a millisecond after the first call.
"""

from __future__ import annotations

from specgen.tasks.decision import TASKS, Detection, decide
from specgen.tasks.request import locate

__all__ = ["TASKS", "Detection", "detect"]


def detect(prompt: str, piped: str = "", name: str | None = None) -> Detection:
    """Task of a request. Never raises, whatever the text.

    prompt: the argument; piped: text of stdin or files; name: file name of that text, if known.
    """
    return decide(locate(prompt, piped), name)
