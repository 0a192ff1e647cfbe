"""A model on disk, before any weight is read: where it lies, what it says of itself, its tokenizer. Torch-free."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from specgen.loading.card import ModelCard, describe
from specgen.loading.gguf_header import read_header
from specgen.loading.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A `.gguf` file or a folder."""

    path: Path
    card: ModelCard
    tokenizer: Tokenizer

    @classmethod
    def at(cls, path: Path) -> ModelFiles:
        """Read the small files or the header. Raises ModelError when they are damaged or of an unknown kind."""
        tokenizer = Tokenizer.from_gguf(read_header(path)) if path.suffix == ".gguf" else Tokenizer.from_folder(path)
        return cls(path, describe(path), tokenizer)
