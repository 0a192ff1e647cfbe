"""From flags, profile, device and prompt to settings. Precedence: flag, task section, profile, default.

`select` decides what does not depend on a prompt, once; `Selection.settings` the rest, for every prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from specgen.decode.types import SamplingParams
from specgen.errors import UsageError
from specgen.loading.device import Device, cpu, probe
from specgen.loading.sources import Source
from specgen.loading.sources import locate as locate_on_disk
from specgen.profiles.choice import Model, choose_model, compute, named_model
from specgen.profiles.drafting import LOOKUP_TASKS, choose_drafter
from specgen.profiles.options import Layer, merge
from specgen.profiles.profile import Locate, Profile
from specgen.profiles.settings import GenerationSettings, LoadSettings, Overrides, Settings, flag

if TYPE_CHECKING:
    from specgen.tasks import Detection

DEFAULTS = Layer(
    num_draft_tokens=5,
    ngram_min=2,
    ngram_max=5,
    max_tokens=1024,
    min_tokens=0,
    raw=False,
    hide_thinking=False,
    truncate=False,
)
"""What holds where nobody says otherwise; sampling as `SamplingParams` has it, which is greedy."""
TASK_DEFAULTS = MappingProxyType({task: Layer(num_draft_tokens=7) for task in LOOKUP_TASKS})
"""Copied passages are long: these tasks draft further."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is loaded, and the profile that goes with it: all that does not depend on the prompt."""

    model: Model
    load: LoadSettings

    def settings(self, overrides: Overrides, detection: Detection) -> Settings:
        """The settings for one prompt.

        Args:
            overrides: may differ from what was selected with in all that is not loaded.

        Raises:
            UsageError: options out of range, or that contradict each other.
        """
        profile = self.model.profile
        generation = _generation(overrides.checked(), detection, selection=self)
        return Settings(profile.name if profile else None, self.model.reason, self.load, generation, detection)


def resolve(
    overrides: Overrides, detection: Detection, *, device: Device | None = None, locate: Locate = locate_on_disk
) -> Settings:
    """Everything that follows from the flags and the prompt; the same as `select` and then its `settings`.

    Args:
        device: what there is to compute with; by default it is probed.
        locate: finds models on disk.

    Raises:
        UsageError: a bad flag, profile or combination of options. ModelError: an unknown model.
    """
    return select(overrides, device=device, locate=locate).settings(overrides, detection)


def select(overrides: Overrides, *, device: Device | None = None, locate: Locate = locate_on_disk) -> Selection:
    """Decide what is loaded. Arguments and errors as for `resolve`."""
    overrides = overrides.checked()
    device = _device(overrides, device)
    model = choose_model(overrides, device, locate)
    quant, dtype = compute(overrides, model.profile, device.kind)
    if device.kind == "cpu" and quant != "none":
        origin = flag("quant")
        if overrides.quant is None and model.profile is not None:
            origin = f"profile {model.profile.name}: quant"
        raise UsageError(f"{origin} {quant} needs a CUDA device", hint="on a CPU use --quant none")
    draft_model, draft_model_name = _draft_model(overrides, model, device=device.kind, locate=locate)
    load = LoadSettings(
        target=model.target,
        target_name=model.name,
        draft_model=draft_model,
        draft_model_name=draft_model_name,
        quant=quant,
        device=device.kind,
        dtype=dtype,
        threads=overrides.threads,
        allow_self_draft=bool(overrides.allow_self_draft),
        offline=bool(overrides.offline),
    )
    return Selection(model, load)


def _device(overrides: Overrides, device: Device | None) -> Device:
    """The device to plan for. A CUDA device that was asked for but cannot be seen is left to torch to find."""
    if device is None:
        device = cpu() if overrides.device == "cpu" else probe()
    if overrides.device == device.kind or overrides.device is None:
        return device
    return cpu() if overrides.device == "cpu" else Device("cuda", "CUDA device", 0, 0)


def _draft_model(
    overrides: Overrides, model: Model, *, device: str, locate: Locate
) -> tuple[Source, str] | tuple[None, None]:
    """The draft model and its name: from `-d`, else the profile's unless it is the target itself."""
    if overrides.draft_model is not None:
        named = named_model(overrides.draft_model, device, locate)
        return named.source, named.name
    weights = model.profile.draft_model(device, locate) if model.profile else None
    if weights is None or (weights.source.parts == model.target.parts and not overrides.allow_self_draft):
        return None, None
    return weights.source, weights.source.label


def _generation(overrides: Overrides, detection: Detection, *, selection: Selection) -> GenerationSettings:
    profile, load = selection.model.profile, selection.load
    layers = _layers(overrides, profile, detection.task)
    values = merge(layers)
    _put_in_order(values, layers, low="ngram_min", high="ngram_max")
    _put_in_order(values, layers, low="min_tokens", high="max_tokens")
    if values["raw"]:
        _drop_template_options(values, overrides, profile)
    drafting = choose_drafter(
        overrides, detection, profile=profile, device=load.device, has_draft_model=load.draft_model is not None
    )
    names = [field.name for field in fields(SamplingParams) if field.name in values]
    sampling = SamplingParams(**{name: values.pop(name) for name in names})
    return GenerationSettings(
        task=detection.task, drafter=drafting.drafter, drafter_reason=drafting.reason, sampling=sampling, **values
    )


def _layers(overrides: Overrides, profile: Profile | None, task: str) -> list[Layer]:
    """All that has a say, most important first."""
    layers: list[Layer] = [overrides]
    if profile is not None:
        layers += [profile.tasks[task].options] if task in profile.tasks else []
        layers.append(profile.options)
    layers += [TASK_DEFAULTS[task]] if task in TASK_DEFAULTS else []
    return [*layers, DEFAULTS]


def _put_in_order(values: dict[str, Any], layers: Sequence[Layer], *, low: str, high: str) -> None:
    """Where a least value exceeds its greatest, the one that was said by the lesser layer gives way."""
    if values[low] <= values[high]:
        return
    saying_low, saying_high = (
        next(index for index, layer in enumerate(layers) if getattr(layer, name) is not None) for name in (low, high)
    )
    if saying_low == saying_high:
        raise UsageError(f"{low} {values[low]} is more than {high} {values[high]}")
    if saying_low > saying_high:
        values[low] = values[high]
    else:
        values[high] = values[low]


def _drop_template_options(values: dict[str, Any], overrides: Overrides, profile: Profile | None) -> None:
    """Raw text has neither a system message nor a thinking switch; a flag for one is refused."""
    if overrides.raw or profile is None:
        why, hint = f"{flag('raw')} uses no chat template", "leave one of them out"
    else:
        why, hint = f"profile {profile.name} completes raw text", None
    for name, spelled in (("system", flag("system")), ("think", "--think" if overrides.think else "--no-think")):
        if getattr(overrides, name) is not None:
            raise UsageError(f"{spelled} would be ignored: {why}", hint=hint)
        values.pop(name, None)
