"""What there is to compute with: memory limits, visibility of CUDA devices, and silence when nothing can be asked."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from specgen.loading import device
from specgen.loading.device import Device, cpu, cuda, probe

GIB = 1 << 30
MEMINFO = (
    "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\nHugePages_Total:       0\n"
)


class Machine:
    """A made-up /proc and /sys/fs/cgroup."""

    def __init__(self, folder: Path) -> None:
        self.proc, self.cgroup = folder / "proc", folder / "cgroup"
        self.write("proc/meminfo", MEMINFO)

    def write(self, name: str, text: str) -> None:
        path = self.proc.parent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def cpu(self) -> Device:
        return cpu(proc=self.proc, cgroup=self.cgroup)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_available_memory_counts(machine: Machine) -> None:
    machine.write("proc/cpuinfo", "processor : 0\nmodel name\t: A CPU @ 3 GHz\n\nprocessor : 1\n")
    assert machine.cpu() == Device("cpu", "A CPU @ 3 GHz", 8 * GIB, 16 * GIB)


def test_an_old_kernel_tells_only_what_is_free(machine: Machine) -> None:
    machine.write("proc/meminfo", MEMINFO.replace("MemAvailable", "Else"))
    assert machine.cpu().free_bytes == GIB


@pytest.mark.parametrize("mount", ["", "unified/"])
def test_a_version_2_limit_lowers_both(machine: Machine, mount: str) -> None:
    machine.write("proc/self/cgroup", "0::/box/inner\n")
    machine.write(f"cgroup/{mount}box/inner/memory.max", "max\n")
    machine.write(f"cgroup/{mount}box/memory.max", f"{4 * GIB}\n")
    machine.write(f"cgroup/{mount}box/memory.current", f"{3 * GIB}\n")
    machine.write(f"cgroup/{mount}box/memory.stat", f"anon 5\ninactive_file {2 * GIB}\n")
    assert (machine.cpu().free_bytes, machine.cpu().total_bytes) == (3 * GIB, 4 * GIB)


def test_a_version_1_limit_lowers_both(machine: Machine) -> None:
    machine.write("proc/self/cgroup", "5:devices:/x\n4:cpu,memory:/box\n0::/\n")
    machine.write("cgroup/memory/box/memory.limit_in_bytes", f"{2 * GIB}\n")
    machine.write("cgroup/memory/box/memory.usage_in_bytes", f"{5 * GIB}\n")
    machine.write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
    assert (machine.cpu().free_bytes, machine.cpu().total_bytes) == (0, 2 * GIB)


@pytest.mark.parametrize("path", ["/docker/not/visible/here", "/../outside"])
def test_inside_a_container_the_root_is_the_limit(machine: Machine, path: str) -> None:
    machine.write("proc/self/cgroup", f"0::{path}\n")
    machine.write("cgroup/memory.max", f"{GIB}\n")
    machine.write("cgroup/memory.current", "0\n")
    assert machine.cpu().total_bytes == GIB


@pytest.mark.parametrize("cgroup", ["", "garbage", "::", "0::/", "1:memory:/"])
def test_unreadable_limits_are_none(machine: Machine, cgroup: str) -> None:
    machine.write("proc/self/cgroup", cgroup)
    machine.write("cgroup/memory.max", "a lot")
    assert machine.cpu().total_bytes == 16 * GIB


def test_without_proc_the_system_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device.os, "sysconf", {"SC_PHYS_PAGES": 8, "SC_PAGE_SIZE": GIB}.__getitem__)
    assert (cpu(proc=tmp_path, cgroup=tmp_path).free_bytes, cpu(proc=tmp_path, cgroup=tmp_path).total_bytes) == (
        4 * GIB,
        8 * GIB,
    )

    def refuse(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(device.os, "sysconf", refuse)
    found = cpu(proc=tmp_path, cgroup=tmp_path)
    assert (found.free_bytes, found.total_bytes) == (0, 0)
    assert found.name


class Nvml:
    """NVML with two devices; `fail` names a function that returns an error."""

    def __init__(self, *, fail: str = "") -> None:
        self.fail = fail
        self.opened = 0

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: 999 if name == self.fail else getattr(self, f"_{name}")(*arguments)

    def _nvmlInit_v2(self) -> int:  # noqa: N802
        self.opened += 1
        return 0

    def _nvmlShutdown(self) -> int:  # noqa: N802
        self.opened -= 1
        return 0

    def _nvmlDeviceGetHandleByIndex_v2(self, index: ctypes.c_uint, handle: Any) -> int:  # noqa: N802
        handle._obj.value = index.value + 1
        return 0 if index.value < 2 else 2

    def _nvmlDeviceGetHandleByUUID(self, uuid: bytes, handle: Any) -> int:  # noqa: N802
        handle._obj.value = 2
        return 0 if uuid == b"GPU-7" else 6

    def _nvmlDeviceGetMemoryInfo(self, handle: ctypes.c_void_p, memory: Any) -> int:  # noqa: N802
        memory._obj.total, memory._obj.free = 80 * GIB, (handle.value or 0) * GIB
        return 0

    def _nvmlDeviceGetName(self, handle: ctypes.c_void_p, name: Any, size: ctypes.c_uint) -> int:  # noqa: N802
        name.value = f"GPU number {handle.value}".encode()
        return 0


@pytest.fixture
def _torch_with_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_torch_has_cuda", lambda: True)


@pytest.mark.usefixtures("_torch_with_cuda")
@pytest.mark.parametrize(
    ("environ", "number"),
    [
        ({}, 1),
        ({"CUDA_VISIBLE_DEVICES": "0"}, 1),
        ({"CUDA_VISIBLE_DEVICES": "1,0"}, 2),
        ({"CUDA_VISIBLE_DEVICES": "GPU-7"}, 2),
        ({"CUDA_VISIBLE_DEVICES": ""}, None),
        ({"CUDA_VISIBLE_DEVICES": "-1"}, None),
        ({"CUDA_VISIBLE_DEVICES": "7,0"}, None),
        ({"CUDA_VISIBLE_DEVICES": "GPU-8"}, None),
        ({"CUDA_VISIBLE_DEVICES": "99999999999999999999"}, None),
    ],
)
def test_the_first_visible_device(environ: dict[str, str], number: int | None) -> None:
    library = Nvml()
    found = cuda(load=lambda name: library, environ=environ)
    expected = None if number is None else Device("cuda", f"GPU number {number}", number * GIB, 80 * GIB)
    assert found == expected
    assert library.opened == 0


@pytest.mark.usefixtures("_torch_with_cuda")
@pytest.mark.parametrize("fail", ["nvmlInit_v2", "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetMemoryInfo"])
def test_a_failing_driver_means_no_device(fail: str) -> None:
    library = Nvml(fail=fail)
    assert cuda(load=lambda name: library, environ={}) is None
    assert library.opened == 0


@pytest.mark.usefixtures("_torch_with_cuda")
def test_a_device_without_a_name_is_still_one() -> None:
    found = cuda(load=lambda name: Nvml(fail="nvmlDeviceGetName"), environ={})
    assert found is not None
    assert found.name == "CUDA device"


@pytest.mark.usefixtures("_torch_with_cuda")
def test_no_library_or_an_old_one_means_no_device() -> None:
    def absent(name: str) -> Any:
        raise OSError(name)

    assert cuda(load=absent, environ={}) is None
    assert cuda(load=lambda name: object(), environ={}) is None


def test_a_torch_without_cuda_is_not_asked_for_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_torch_has_cuda", lambda: False)
    assert cuda(load=lambda name: Nvml(), environ={}) is None


def test_probe_falls_back_to_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    found = probe()
    assert found.kind == "cpu"
    assert 0 <= found.free_bytes <= found.total_bytes


def test_probing_imports_no_torch() -> None:
    code = "import sys; from specgen.loading.device import probe; probe(); print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
