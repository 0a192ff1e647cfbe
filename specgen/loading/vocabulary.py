"""What the ids of a model mean: the tokens, which of them are special or end a text, and whether two models agree.

Knows no file format; a GGUF header and a model folder both end up here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tokenizers

_END_NAMES = (
    "<|endoftext|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|eot|>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<eos>",
    "</s>",
    "<EOT>",
    "[EOS]",
    "[EOT]",
    "<turn|>",
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
)
"""Names that end a text or a turn wherever they are special tokens."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything that a file says about its tokens."""

    backend: tokenizers.Tokenizer
    tokens: list[str]
    """By id, spelled as in the file; "" for an id without a token. Padding at the end is cut off."""
    special_ids: frozenset[int]
    """Control tokens: no text of their own, and in text only recognised when asked for."""
    added_ids: frozenset[int]
    """All ids that are not ordinary text: special, user-defined, unused."""
    bos_id: int | None
    adds_bos: bool
    """Whether a raw text starts with `bos_id`."""
    declared_ends: frozenset[int]
    """End ids that configurations name."""
    chat_template: str | None
    names: Mapping[str, str] = field(default_factory=dict)
    """"bos_token", "eos_token", ... -> token, as chat templates see them."""

    def end_ids(self) -> frozenset[int]:
        """The declared ends and every special token whose name ends a turn."""
        ids = {token: id_ for id_, token in enumerate(self.tokens) if id_ in self.special_ids}
        named = {ids[name] for name in _END_NAMES if name in ids}
        if "<|return|>" in ids and "<|call|>" in ids:
            # Harmony: <|end|> closes one message of a turn that goes on.
            named.discard(ids.get("<|end|>", -1))
        return self.declared_ends | named


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why two vocabularies cannot work together: sizes, and the first id that means two things.

    A token is None where its vocabulary has ended.
    """

    target_size: int
    draft_size: int
    id: int
    target_token: str | None
    draft_token: str | None

    def describe(self) -> str:
        """One line for a message."""
        sizes = f"{self.target_size} tokens against {self.draft_size}"
        if self.draft_token is None:
            return f"{sizes}; id {self.id} is {self.target_token!r} in the target only"
        if self.target_token is None:
            return f"{sizes}; id {self.id} is {self.draft_token!r} in the draft model only"
        return f"{sizes}; first difference at id {self.id}: {self.target_token!r} against {self.draft_token!r}"


def compare(target: Vocabulary, draft: Vocabulary) -> Mismatch | None:
    """None when every shared id has the same token and what only one of them has, is no ordinary text.

    A family often adds tokens to its larger models (tool calls, thinking); the rows are there in the smaller ones.
    """
    shared = min(len(target.tokens), len(draft.tokens))
    if target.tokens[:shared] != draft.tokens[:shared]:
        for id_, (ours, theirs) in enumerate(zip(target.tokens, draft.tokens, strict=False)):
            if ours != theirs and _spelling(ours) != _spelling(theirs):
                return Mismatch(len(target.tokens), len(draft.tokens), id_, ours, theirs)
    for id_ in _ordinary(range(shared, len(target.tokens)), target):
        return Mismatch(len(target.tokens), len(draft.tokens), id_, target.tokens[id_], None)
    for id_ in _ordinary(range(shared, len(draft.tokens)), draft):
        return Mismatch(len(target.tokens), len(draft.tokens), id_, None, draft.tokens[id_])
    return None


def _ordinary(ids: Iterable[int], vocabulary: Vocabulary) -> Iterable[int]:
    return (id_ for id_ in ids if id_ not in vocabulary.added_ids and vocabulary.tokens[id_])


def _spelling(token: str) -> str:
    """GGUF spells the spaces of user-defined SentencePiece tokens as spaces, other files as U+2581."""
    return token.replace(" ", "\u2581")
