"""The small file beside an output file: what the answers were made with, and the lock of the run that writes them.

It must not know what the settings mean.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from specgen.errors import SpecgenError, UsageError

if sys.platform != "win32":
    import fcntl

SUFFIX = ".specgen.json"
_VERSION = 1
_LOCKED = (errno.EWOULDBLOCK, errno.EACCES)


def sidecar_path(output: Path) -> Path:
    """Where the sidecar of `output` is."""
    return output.with_name(output.name + SUFFIX)


class Sidecar:
    """Opened and locked until `close` or the end of the process, however it ends."""

    def __init__(self, output: Path) -> None:
        """Raises `UsageError` while another run holds it."""
        self._output = output
        try:
            self._file = os.open(sidecar_path(output), os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise SpecgenError(f"cannot write {sidecar_path(output)}: {(error.strerror or '').lower()}") from error
        try:
            _lock(self._file)
        except OSError as error:
            os.close(self._file)
            raise UsageError(
                f"{output} is being written by another run", hint="wait for it, or give another output with -o"
            ) from error

    def settings(self) -> Mapping[str, Any] | None:
        """What `write` got; `None` where that is not known."""
        try:
            content = json.loads(os.pread(self._file, 1 << 24, 0))
            return dict(content["settings"]) if content["version"] == _VERSION else None
        except (ValueError, KeyError, TypeError):
            return None

    def write(self, settings: Mapping[str, Any]) -> None:
        """Replace the content (in place: the lock belongs to this very file)."""
        content = json.dumps({"version": _VERSION, "settings": dict(settings)}, indent=1) + "\n"
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, content.encode(), 0)
        os.fsync(self._file)

    def close(self) -> None:
        """Release the lock. The file stays for a later run that resumes, unless this run never came to write it."""
        if os.fstat(self._file).st_size == 0:
            sidecar_path(self._output).unlink(missing_ok=True)
        os.close(self._file)


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What differs, each as `name was X, is Y`."""
    now: dict[str, Any] = json.loads(json.dumps(dict(new)))
    names = list(dict.fromkeys((*old, *now)))
    return [f"{name} was {_show(old, name)}, is {_show(now, name)}" for name in names if old.get(name) != now.get(name)]


def _show(settings: Mapping[str, Any], name: str) -> str:
    return json.dumps(settings[name], ensure_ascii=False) if settings.get(name) is not None else "not set"


def _lock(file: int) -> None:
    """Raises `OSError` while another process has it. File systems that have no locks are used without one."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _LOCKED:
            raise
