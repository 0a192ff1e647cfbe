"""What a user asked for, and what is done about it: plain data between the command line and the library."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from specgen.decode.types import SamplingParams
from specgen.loading.sources import Source
from specgen.profiles.options import Layer, check

if TYPE_CHECKING:
    from specgen.tasks import Detection

_FLAGS = {
    "model": "-m",
    "draft_model": "-d",
    "temperature": "--temp",
    "raw": "--raw",
}
_AUTOMATIC = ("drafter", "device", "quant", "dtype")


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides(Layer):
    """Every flag that a user can give; `None`, or no string in `stop`, where one was not given."""

    profile: str | None = None
    model: str | None = None
    draft_model: str | None = None
    drafter: str | None = None
    quant: str | None = None
    device: str | None = None
    dtype: str | None = None
    threads: int | None = None
    allow_self_draft: bool | None = None
    offline: bool | None = None

    def checked(self) -> Overrides:
        """The same with every value in its proper type; `auto`, where it may be said, is as if not given.

        Raises:
            UsageError: a value has the wrong type or is out of range; names the flag.
        """
        values: dict[str, Any] = {}
        for name in (field.name for field in fields(self)):
            value = getattr(self, name)
            if value == "auto" and name in _AUTOMATIC:
                values[name] = None
            elif value is not None:
                values[name] = check(name, value, where=flag(name))
        return replace(self, **values)


def flag(name: str) -> str:
    """How the command line spells an option."""
    return _FLAGS.get(name, f"--{name.replace('_', '-')}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadSettings:
    """What is loaded, and onto what."""

    target: Source
    target_name: str
    draft_model: Source | None = None
    """Loaded only if a drafter in use needs it."""
    draft_model_name: str | None = None
    quant: str
    device: str
    """`cpu` or `cuda`."""
    dtype: str
    """Of weights and arithmetic: a name that torch has."""
    threads: int | None = None
    allow_self_draft: bool = False
    offline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings:
    """How one answer is generated."""

    task: str
    drafter: str
    """`none`, or registered names joined by commas: the first that has a proposal drafts."""
    drafter_reason: str
    num_draft_tokens: int
    ngram_min: int
    ngram_max: int
    max_tokens: int
    sampling: SamplingParams
    stop: tuple[str, ...] = ()
    system: str | None = None
    raw: bool = False
    think: bool | None = None
    """`None`: as the chat template has it."""
    hide_thinking: bool = False
    truncate: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The effective settings, as strict JSON has them: string keys, no infinities."""
        sampling = {field.name: getattr(self.sampling, field.name) for field in fields(self.sampling)}
        sampling["logit_bias"] = {str(token): bias for token, bias in self.sampling.logit_bias.items()}
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**own, "sampling": sampling, "stop": list(self.stop)}


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that follows from the flags, the profile and the prompt."""

    profile: str | None
    profile_reason: str
    """One line: the profile or model, and why it was chosen."""
    load: LoadSettings
    generation: GenerationSettings
    detection: Detection
