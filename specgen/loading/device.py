"""What there is to compute with: the first CUDA device that this process may use, else the CPU, and its free memory.

Answers in milliseconds, without torch, and never fails: where a device cannot be asked, the next one is taken.
It must not know what is going to be loaded.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

Kind = Literal["cpu", "cuda"]
LoadLibrary = Callable[[str], Any]
"""Opens a shared library by name; OSError if there is none."""

_PROC = Path("/proc")
_CGROUP = Path("/sys/fs/cgroup")
_CGROUP_FILES = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""Limit, use, and the part of the use that is file cache and given back on demand: version 2, version 1."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device and its memory in bytes; `total_bytes` 0 means that the system does not tell."""

    kind: Kind
    name: str
    free_bytes: int
    total_bytes: int


def probe() -> Device:
    """The device that torch would choose: CUDA if this torch and this machine have it, else the CPU."""
    return cuda() or cpu()


def cuda(*, load: LoadLibrary = ctypes.CDLL, environ: Mapping[str, str] = os.environ) -> Device | None:
    """The first visible CUDA device, asked through NVML; `None` if there is none or it does not answer.

    `CUDA_VISIBLE_DEVICES` is honoured, by index and by UUID; an index counts in PCI order, as NVML does.
    """
    visible = environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0].strip()
    if not visible or visible.startswith("-") or not _torch_has_cuda():
        return None
    with contextlib.suppress(OSError, AttributeError, ValueError, ctypes.ArgumentError):
        library = load("nvml.dll" if os.name == "nt" else "libnvidia-ml.so.1")
        if library.nvmlInit_v2() == 0:
            try:
                return _ask_nvml(library, visible)
            finally:
                library.nvmlShutdown()
    return None


def cpu(*, proc: Path = _PROC, cgroup: Path = _CGROUP) -> Device:
    """The CPU and the memory that this process may still take: the limits of its control groups count."""
    free, total = _system_memory(proc)
    for limit, used in _cgroup_limits(proc, cgroup):
        total = min(total, limit)
        free = min(free, max(0, limit - used))
    return Device("cpu", _cpu_name(proc), free, total)


class _NvmlMemory(ctypes.Structure):
    _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))


def _torch_has_cuda() -> bool:
    """Whether the installed torch carries its CUDA library, seen from its files: importing it takes seconds."""
    try:
        spec = importlib.util.find_spec("torch")
    except (ImportError, ValueError):
        return False
    folders = spec.submodule_search_locations if spec else None
    names = ("libtorch_cuda.so", "torch_cuda.dll")
    return any((Path(folder) / "lib" / name).is_file() for folder in folders or () for name in names)


def _ask_nvml(library: Any, visible: str) -> Device | None:
    handle, memory, name = ctypes.c_void_p(), _NvmlMemory(), ctypes.create_string_buffer(96)
    if visible.isdecimal():
        status = library.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(int(visible)), ctypes.byref(handle))
    else:
        status = library.nvmlDeviceGetHandleByUUID(visible.encode(), ctypes.byref(handle))
    if status != 0 or library.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(memory)) != 0:
        return None
    known = library.nvmlDeviceGetName(handle, name, ctypes.c_uint(len(name))) == 0
    title = name.value.decode(errors="replace") if known else "CUDA device"
    return Device("cuda", title, int(memory.free), int(memory.total))


def _system_memory(proc: Path) -> tuple[int, int]:
    """(free, total) of the machine; where the system only tells the total, half of it counts as free."""
    fields = dict(line.split(":", 1) for line in _read(proc / "meminfo").splitlines() if ":" in line)
    amounts = {name: int(value.split()[0]) * 1024 for name, value in fields.items() if value.split()[:1]}
    if total := amounts.get("MemTotal", 0):
        return amounts.get("MemAvailable", amounts.get("MemFree", total // 2)), total
    with contextlib.suppress(AttributeError, ValueError, OSError):
        total = max(0, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return total // 2, total


def _cgroup_limits(proc: Path, cgroup: Path) -> Iterator[tuple[int, int]]:
    """(limit, used) of every control group around this process that limits its memory."""
    for folder in _cgroup_folders(proc, cgroup):
        for limit_file, use_file, cache_field in _CGROUP_FILES:
            limit = _number(_read(folder / limit_file))
            if limit is not None:
                used = _number(_read(folder / use_file)) or 0
                yield limit, max(0, used - _field(_read(folder / "memory.stat"), cache_field))


def _cgroup_folders(proc: Path, cgroup: Path) -> Iterator[Path]:
    """The groups from the process's own up to the root; inside a container only some of them can be seen."""
    for line in _read(proc / "self" / "cgroup").splitlines():
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if "memory" in controllers.split(","):
            roots = [cgroup / "memory"]
        else:
            roots = [] if controllers else [cgroup, cgroup / "unified"]
        inner = PurePosixPath(path.lstrip("/"))
        levels = [] if ".." in inner.parts else [inner, *inner.parents]
        for root in roots:
            yield from (root / level for level in levels or [PurePosixPath()])


def _cpu_name(proc: Path) -> str:
    for line in _read(proc / "cpuinfo").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name" and value.strip():
            return value.strip()
    return platform.processor() or platform.machine() or "CPU"


def _field(text: str, name: str) -> int:
    """The number after `name` in lines of `name number`; 0 if it is not there."""
    for line in text.splitlines():
        field, _, value = line.partition(" ")
        if field == name:
            return _number(value) or 0
    return 0


def _number(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() else None


def _read(path: Path) -> str:
    """The first 16 kB of a small system file (the kernel makes it while it is read), or nothing."""
    try:
        with path.open("rb") as file:
            return file.read(16 * 1024).decode(errors="replace")
    except OSError:
        return ""
