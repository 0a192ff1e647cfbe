"""From a prompt to ids: chat template, system message, and what is too long. Knows no weights and no screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from specgen.errors import PromptTooLong, UsageError
from specgen.loading.files import ModelFiles
from specgen.loading.tokenizer import Tokenizer
from specgen.profiles import GenerationSettings
from specgen.progress import Note


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is to be answered."""

    messages: tuple[Message, ...]

    @classmethod
    def of(cls, text: str) -> Prompt:
        """A single request."""
        return cls((Message("user", text),))


def encode(prompt: Prompt, settings: GenerationSettings, files: ModelFiles, *, name: str, note: Note) -> list[int]:
    """Ids of the prompt, template included, for the model `name` that lies in `files`.

    Raises UsageError for an empty prompt and for options that this model has no use for, PromptTooLong when prompt and
    answer cannot share the context. With `settings.truncate` the middle of a long prompt is dropped, and noted.
    """
    return _Encoder(settings, files, name, note).encode(prompt)


def opens_thinking(prompt: Prompt, settings: GenerationSettings, tokenizer: Tokenizer) -> bool:
    """Whether the template itself opens the thinking block, so that the answer starts inside it."""
    if settings.raw or tokenizer.chat_template is None:
        return False
    text = tokenizer.render(_template_messages(prompt, settings), think=settings.think)
    return text.rstrip().endswith("<think>")


@dataclass(frozen=True, slots=True)
class _Encoder:
    settings: GenerationSettings
    files: ModelFiles
    name: str
    note: Note

    def encode(self, prompt: Prompt) -> list[int]:
        if not any(message.content.strip() for message in prompt.messages if message.role != "system"):
            raise UsageError("the prompt is empty", hint="give a prompt as argument, with -f or through a pipe")
        size = self.files.tokenizer.size
        if unknown := [token for token in self.settings.sampling.logit_bias if token >= size]:
            raise UsageError(f"logit bias for token {unknown[0]}, but {self.name} has {size:,} tokens")
        limit = self.files.card.context_length
        if limit is None:
            return self._ids(prompt)
        if not self.settings.truncate:
            self._refuse_hopeless(prompt, limit)
        ids = self._ids(prompt)
        if len(ids) < limit:
            return ids
        if not self.settings.truncate:
            raise self._too_long(f"{len(ids):,}", limit)
        return self._truncated(prompt, ids, limit)

    def _ids(self, prompt: Prompt) -> list[int]:
        tokenizer = self.files.tokenizer
        if self.settings.raw or tokenizer.chat_template is None:
            return self._raw_ids(prompt)
        return tokenizer.encode_chat(_template_messages(prompt, self.settings), think=self.settings.think)

    def _raw_ids(self, prompt: Prompt) -> list[int]:
        if not self.settings.raw:
            for value, flag in ((self.settings.system, "--system"), (self.settings.think, "--think/--no-think")):
                if value is not None:
                    raise UsageError(f"{flag} has no effect: {self.name} has no chat template")
            self.note(f"{self.name} has no chat template: it continues the raw text")
        if len(prompt.messages) != 1:
            raise UsageError("a conversation needs a chat template", hint="send one prompt, or use a chat model")
        return self.files.tokenizer.encode(prompt.messages[0].content, add_bos=True, parse_special=True)

    def _refuse_hopeless(self, prompt: Prompt, limit: int) -> None:
        """Refuse before tokenizing what is too long whatever its tokens are."""
        size = sum(len(message.content.encode("utf-8", "surrogatepass")) for message in prompt.messages)
        least = size // self.files.tokenizer.longest_token
        if least > limit:
            raise self._too_long(f"at least {least:,}", limit)

    def _too_long(self, tokens: str, limit: int) -> PromptTooLong:
        return PromptTooLong(
            f"the prompt has {tokens} tokens, but {self.name} holds {limit:,}, answer included",
            hint="shorten it, or let --truncate drop its middle",
        )

    def _truncated(self, prompt: Prompt, ids: list[int], limit: int) -> list[int]:
        """Drop tokens from the middle of the last message until prompt and answer fit."""
        room = limit - min(self.settings.max_tokens, limit // 4)
        total = len(self.files.tokenizer.encode(prompt.messages[-1].content, add_bos=False))
        for kept, shorter in self._shorter(prompt, total - (len(ids) - room), room):
            if len(shorter) <= room:
                self.note(f"prompt truncated: {total - kept:,} of {total:,} tokens dropped in the middle")
                return shorter
        raise self._too_long(f"{len(ids):,}", limit)

    def _shorter(self, prompt: Prompt, kept: int, room: int) -> Iterator[tuple[int, list[int]]]:
        """Tries with ever fewer tokens kept: (kept, ids). Pieces that meet anew may need other tokens than before."""
        tokenizer = self.files.tokenizer
        *earlier, last = prompt.messages
        content = tokenizer.encode(last.content, add_bos=False)
        while kept > 0:
            head, tail = content[: (kept + 1) // 2], content[len(content) - kept // 2 :]
            text = tokenizer.decode(head) + tokenizer.decode(tail)
            ids = self._ids(Prompt((*earlier, Message(last.role, text))))
            yield kept, ids
            kept -= max(1, len(ids) - room)


def _template_messages(prompt: Prompt, settings: GenerationSettings) -> list[dict[str, str]]:
    messages = [{"role": message.role, "content": message.content} for message in prompt.messages]
    if settings.system is not None and messages[0]["role"] != "system":
        messages.insert(0, {"role": "system", "content": settings.system})
    return messages
