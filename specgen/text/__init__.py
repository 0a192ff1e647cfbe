"""Text at the borders: bytes that become a prompt, ids that become text, text that goes to a terminal.

It knows encodings and tokenizer backends. It must not know models, tensors, flags or screens.
"""

from __future__ import annotations

from specgen.text.detokenizer import Detokenizer
from specgen.text.prompt import argument_text, join_prompt, read_bytes
from specgen.text.search import Finder
from specgen.text.terminal import neutralise
from specgen.text.thinking import Split, ThinkingSplitter

__all__ = [
    "Detokenizer",
    "Finder",
    "Split",
    "ThinkingSplitter",
    "argument_text",
    "join_prompt",
    "neutralise",
    "read_bytes",
]
