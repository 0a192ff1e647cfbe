"""Text to ids and back, chat templates and end ids of one model, whatever file they come from. Torch-free."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from specgen.errors import UsageError
from specgen.loading import folder_tokenizer, gguf_tokenizer, vocabulary
from specgen.loading.chat import ChatTemplate
from specgen.loading.vocabulary import Mismatch, Vocabulary

if TYPE_CHECKING:
    import tokenizers

    from specgen.loading.gguf_header import Header

__all__ = ["Mismatch", "Tokenizer", "compare"]

_MOST_COMPOSED = 3
"""Unicode normalization shrinks a text to no less than a third of its UTF-8 bytes."""


class Tokenizer:
    """The tokenizer of one model. `backend` is the `tokenizers.Tokenizer` that does the work."""

    def __init__(self, content: Vocabulary) -> None:
        self._content = content
        self._lock = threading.Lock()
        self.end_ids: frozenset[int] = content.end_ids()
        """Union of configuration, generation configuration, tokenizer and the end-of-turn tokens that exist."""

    @classmethod
    def from_gguf(cls, header: Header) -> Tokenizer:
        """The tokenizer inside a GGUF file. Raises ModelError when it is damaged or of an unknown kind."""
        return cls(gguf_tokenizer.read_vocabulary(header))

    @classmethod
    def from_folder(cls, path: Path | str) -> Tokenizer:
        """The tokenizer of a model folder. Raises ModelError when there is none that can be used."""
        return cls(folder_tokenizer.read_vocabulary(Path(path)))

    @property
    def backend(self) -> tokenizers.Tokenizer:
        return self._content.backend

    @property
    def vocabulary(self) -> Sequence[str]:
        """Tokens by id, as the file spells them."""
        return self._content.tokens

    @property
    def size(self) -> int:
        """Number of ids with a meaning; rows of the model's head beyond it are padding."""
        return len(self._content.tokens)

    @property
    def special_ids(self) -> frozenset[int]:
        return self._content.special_ids

    @property
    def bos_id(self) -> int | None:
        return self._content.bos_id

    @property
    def adds_bos(self) -> bool:
        """Whether a raw text starts with `bos_id`."""
        return self._content.adds_bos

    @property
    def chat_template(self) -> str | None:
        return self._content.chat_template

    @cached_property
    def longest_token(self) -> int:
        """Most bytes of UTF-8 that one token stands for: n bytes of text make at least n / longest_token tokens."""
        from tokenizers import decoders

        byte_level = isinstance(self.backend.decoder, decoders.ByteLevel)
        lengths = (
            len(token)
            if byte_level and id_ not in self._content.added_ids
            else len(token.replace("\u2581", " ").encode())
            for id_, token in enumerate(self._content.tokens)
        )
        plain = self.backend.normalizer is None or "NF" not in str(self.backend.normalizer)
        return max(lengths, default=1) * (1 if plain else _MOST_COMPOSED)

    def encode(self, text: str, *, add_bos: bool, parse_special: bool = False) -> list[int]:
        """Ids of `text`.

        `add_bos`: start with `bos_id` if this tokenizer does that (`adds_bos`) and the text does not do so itself.
        `parse_special`: special tokens written in the text become their ids, otherwise they are plain text.
        """
        with self._lock:
            self.backend.encode_special_tokens = not parse_special
            ids: list[int] = self.backend.encode(text, add_special_tokens=False).ids
        if add_bos and self.adds_bos and self.bos_id is not None and ids[:1] != [self.bos_id]:
            ids.insert(0, self.bos_id)
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids` without special tokens; ids beyond the vocabulary have none."""
        text: str = self.backend.decode(list(ids), skip_special_tokens=True)
        return text

    @property
    def can_switch_thinking(self) -> bool:
        """Whether `think` may be given to `render`."""
        return self._chat is not None and self._chat.thinking_switch is not None

    def render(self, messages: Sequence[Mapping[str, str]], *, think: bool | None = None) -> str:
        """The chat template applied to messages with "role" and "content", up to where the answer begins.

        Raises UsageError when there is no template, when `think` is given and the template has no switch for it, or
        when the template refuses the messages (a system message, say).
        """
        if self._chat is None:
            raise UsageError("this model has no chat template", hint="--raw sends the prompt as it is")
        return self._chat.render(messages, think=think)

    def encode_chat(self, messages: Sequence[Mapping[str, str]], *, think: bool | None = None) -> list[int]:
        """Ids of the rendered messages. The template writes its own BOS, so none is added.

        Special tokens are recognised in all of it, also where a message spells one, as transformers does.
        """
        return self.encode(self.render(messages, think=think), add_bos=False, parse_special=True)

    @cached_property
    def _chat(self) -> ChatTemplate | None:
        template = self._content.chat_template
        return None if template is None else ChatTemplate(template, self._content.names)

    def _matches(self, draft: Tokenizer) -> Mismatch | None:
        return vocabulary.compare(self._content, draft._content)


def compare(target: Tokenizer, draft: Tokenizer) -> Mismatch | None:
    """None when a draft model's ids mean the same as the target's; see `vocabulary.compare`."""
    return target._matches(draft)
