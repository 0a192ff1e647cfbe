"""Devices and disks that the profile tests make up, and settings from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from specgen.errors import UsageError
from specgen.loading.device import Device
from specgen.loading.sources import Source
from specgen.profiles import Overrides, Settings, resolve
from specgen.profiles.profile import Locate
from specgen.tasks import Detection

GIB = 1 << 30


def cpu(gib: float = 1000) -> Device:
    """A CPU with so much free memory."""
    return Device("cpu", "a CPU", int(gib * GIB), int(gib * GIB))


def cuda(gib: float = 1000) -> Device:
    """A CUDA device with so much free memory."""
    return Device("cuda", "a GPU", int(gib * GIB), int(gib * GIB))


def nowhere(source: Source) -> Path | None:
    """Nothing is on disk."""
    return None


def on_disk(*fragments: str) -> Locate:
    """Sources are on disk if one of the texts is in their first part."""

    def locate(source: Source) -> Path | None:
        return Path("somewhere") if any(each in source.parts[0] for each in fragments) else None

    return locate


def detected(task: str = "general") -> Detection:
    """What the task detector could have said."""
    return Detection(task, 0.93, ("input: 120 lines", "asks: summary"))


def settle(task: str = "general", *, device: Device | None = None, **flags: Any) -> Settings:
    """The settings for these flags, by default on a large CPU and with nothing on disk."""
    return resolve(Overrides(**flags), detected(task), device=device or cpu(), locate=nowhere)


def refusal(task: str = "general", *, device: Device | None = None, **flags: Any) -> UsageError:
    """The error for these flags."""
    with pytest.raises(UsageError) as caught:
        settle(task, device=device, **flags)
    return caught.value
