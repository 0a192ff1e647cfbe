"""Which model: from `--profile` and `-m`, or the largest shipped profile that is on disk and fits.

Looks at names, files on disk and free memory; it must not know the prompt, and loads nothing.
"""

from __future__ import annotations

import difflib
from contextlib import suppress
from dataclasses import dataclass

from specgen.errors import ModelError, SpecgenError
from specgen.loading import hub
from specgen.loading.device import Device
from specgen.loading.sources import Source, parse
from specgen.profiles import search
from specgen.profiles.profile import Locate, Profile, expand, preferred
from specgen.profiles.settings import Overrides

DEFAULT_COMPUTE = {"cpu": ("none", "float32"), "cuda": ("none", "bfloat16")}
"""Quantization and dtype where neither a flag nor the profile says: bfloat16 loses time on most CPUs."""
_BYTES = {"float64": 8.0, "float32": 4.0, "bfloat16": 2.0, "float16": 2.0}
_QUANTIZED_BYTES = {"nf4": 0.75, "int8": 1.2}
_GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Model:
    """The target, and the profile whose defaults go with it."""

    target: Source
    name: str
    profile: Profile | None
    reason: str


@dataclass(frozen=True, slots=True)
class Named:
    """What a model given by name turned out to be."""

    source: Source
    name: str
    profile: Profile | None


def choose_model(overrides: Overrides, device: Device, locate: Locate) -> Model:
    """The target and its profile, with one line that says why.

    Raises:
        UsageError: an unknown or invalid profile. ModelError: an unknown model.
    """
    if overrides.profile is None and overrides.model is None:
        profile, reason = default_profile(overrides, device, locate)
        return Model(profile.target(device.kind, locate).source, profile.name, profile, reason)
    if overrides.model is None:
        profile = search.find_profile(overrides.profile or "")
        target = profile.target(device.kind, locate).source
        return Model(target, profile.name, profile, f"{profile.name}: --profile")
    named = named_model(overrides.model, device.kind, locate)
    if overrides.profile is not None:
        profile = search.find_profile(overrides.profile)
        return Model(named.source, named.name, profile, f"{profile.name}: --profile, with {named.name} as its target")
    if named.profile is None:
        return Model(named.source, named.name, None, f"{named.name}: no profile knows it, general defaults")
    same = named.name == named.profile.name
    reason = f"{named.name}: -m" if same else f"{named.name}: -m, a target of profile {named.profile.name}"
    return Model(named.source, named.name, named.profile, reason)


def named_model(text: str, device: str, locate: Locate) -> Named:
    """What a user means by a model: a path, a profile's name (its target), or any other source.

    Raises:
        ModelError: nothing of the kind.
    """
    text = text.strip()
    if not _is_on_disk(text) and (path := search.lookup(text)) is not None:
        profile = Profile.load(path)
        return Named(profile.target(device, locate).source, profile.name, profile)
    source = _parse(text)
    for profile in search.trusted_profiles():
        for weights in profile.targets:
            if _same_model(weights.source, source):
                exact = weights.source if weights.source.parts == source.parts else source
                return Named(exact, source.label, profile)
    return Named(source, source.label, None)


def default_profile(overrides: Overrides, device: Device, locate: Locate) -> tuple[Profile, str]:
    """The profile when neither a profile nor a model was named, and why.

    It is the shipped profile (or a user's own file of the same name) with the most parameters of which everything that
    it may load is on disk and fits into the free memory; models that only continue text are not considered.
    """
    profiles = search.trusted_profiles()
    embedded = next((profile for profile in profiles if profile.name == search.EMBEDDED), None)
    if embedded is None:
        raise SpecgenError("the profiles that belong to specgen are missing", hint="reinstall specgen")
    if not device.total_bytes:
        return embedded, f"{embedded.name}: the embedded default (the free memory is not known)"
    because = "no larger shipped profile is on disk"
    for profile, parameters in _on_disk(profiles, device.kind, locate):
        quant, dtype = compute(overrides, profile, device.kind)
        needed = memory_needed(parameters, quant=quant, dtype=dtype)
        memory = f"{needed / _GIB:.1f} of {device.free_bytes / _GIB:.1f} GiB"
        if needed <= device.free_bytes:
            return profile, f"{profile.name}: the largest shipped profile that is on disk and fits ({memory})"
        because = f"{profile.name} is on disk but needs {memory}"
    return embedded, f"{embedded.name}: the embedded default ({because})"


def memory_needed(parameters: int, *, quant: str, dtype: str) -> int:
    """Estimated bytes to run models of so many parameters in all.

    `parameters * b * 1.1 + 1 GiB`: b is the size of the dtype (a GGUF file is dequantized to it), or for layers that
    are quantized while loading 0.75 (nf4) or 1.2 (int8): 0.52 or 1.0 for the linear layers, and 2 for embedding and
    head, which stay as they are. The tenth and the gibibyte are for caches, activations and torch itself.
    """
    per_parameter = _QUANTIZED_BYTES.get(quant, _BYTES[dtype])
    return int(parameters * per_parameter * 1.1) + _GIB


def known_draft_model(target: Source, size: int) -> str | None:
    """What to name with `-d` for this target, by the shipped profiles. `size`: bytes of its weights' file."""
    profiles = search.shipped_profiles()
    for profile in profiles:
        if profile.draft_models and any(
            _same_model(w.source, target) or w.source.size == size for w in profile.targets
        ):
            fitting = profile.draft_models[0].source
            named = (p.name for p in profiles if any(w.source.parts == fitting.parts for w in p.targets))
            return next(named, fitting.label)
    return None


def compute(overrides: Overrides, profile: Profile | None, device: str) -> tuple[str, str]:
    """(quant, dtype): flag, then profile, then default."""
    quant, dtype = DEFAULT_COMPUTE[device]
    chosen = profile.compute.get(device) if profile else None
    if chosen is not None:
        quant, dtype = chosen.quant or quant, chosen.dtype or dtype
    return overrides.quant or quant, overrides.dtype or dtype


def _on_disk(profiles: list[Profile], device: str, locate: Locate) -> list[tuple[Profile, int]]:
    """The profiles of shipped names that can run without a download, largest first, with all their parameters."""
    shipped = {profile.name for profile in search.shipped_profiles()}
    found = []
    for profile in profiles:
        if profile.name in shipped and profile.name != search.EMBEDDED and not profile.options.raw:
            parameters = _parameters_on_disk(profile, device, locate)
            if parameters is not None:
                found.append((profile, parameters))
    return sorted(found, key=lambda each: each[1], reverse=True)


def _parameters_on_disk(profile: Profile, device: str, locate: Locate) -> int | None:
    """Parameters of all that the profile may load on this device; `None` if a part is not on disk or not known."""
    total = 0
    candidates = [profile.targets] + ([profile.draft_models] if profile.drafts_with_model(device) else [])
    for weights in (preferred(each, device, locate) for each in candidates):
        if weights is None or weights.parameters is None or locate(weights.source) is None:
            return None
        total += weights.parameters
    return total


def _same_model(ours: Source, theirs: Source) -> bool:
    """Whether two sources are the same file or the same model of the hub, at whatever revision."""
    if ours.parts[0].startswith(hub.PREFIX) and theirs.parts[0].startswith(hub.PREFIX):
        first, second = hub.HubModel.parse(ours.parts[0]), hub.HubModel.parse(theirs.parts[0])
        return (first.repo.lower(), first.file) == (second.repo.lower(), second.file)
    return ours.parts == theirs.parts


def _parse(text: str) -> Source:
    try:
        return parse(text)
    except ModelError as error:
        names = [profile.name for profile in search.trusted_profiles()]
        near = difflib.get_close_matches(text, names, n=1)
        if not near:
            raise
        raise ModelError(error.message, hint=f"did you mean the profile {near[0]}?") from error


def _is_on_disk(text: str) -> bool:
    with suppress(OSError, ValueError):
        return expand(text).exists()
    return False
