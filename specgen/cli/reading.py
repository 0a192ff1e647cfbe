"""Where a prompt comes from: words, files and standard input.

Standard input is read when it is a file, or a pipe that delivers. A pipe that another running command may still write
to is waited for; one that nobody seems to write to (a closed one, a terminal, a pipe that only our own parent holds) is
given a second when there is a prompt without it.
"""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from specgen.errors import UsageError
from specgen.progress import Note
from specgen.text import argument_text, join_prompt, read_bytes

STDIN = "-"
_GRACE_S = 1.0
_NOTICE_S = 2.0
_CHUNK = 1 << 20
_WAYS = 'specgen "PROMPT", specgen -f FILE or COMMAND | specgen; if it begins with a dash: specgen -- PROMPT'


@dataclass(frozen=True, slots=True)
class Request:
    """What the user wants answered, its parts still apart for task detection."""

    argument: str
    material: str
    """Files and piped text."""
    name: str | None
    """Of the first file."""

    @property
    def text(self) -> str:
        return join_prompt(self.argument, self.material, ())


def read_request(words: Sequence[str], files: Sequence[str], note: Note) -> Request:
    """Collect the prompt. Raises UsageError when a file cannot be read or there is nothing to answer."""
    argument = " ".join(argument_text(word) for word in words if word != STDIN)
    demanded = STDIN in words or STDIN in files
    texts = [(name, _file_text(name, note)) for name in files if name != STDIN]
    has_prompt = bool(argument.strip()) or bool(texts)
    piped = _decoded(_stdin_bytes(demanded=demanded, has_prompt=has_prompt, note=note), "standard input", note)
    material = join_prompt("", piped, texts)
    if not (argument + material).strip():
        raise UsageError("the prompt is empty", hint=_WAYS)
    return Request(argument, material, texts[0][0] if texts else None)


def _file_text(name: str, note: Note) -> str:
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {name!r}: {(error.strerror or str(error)).lower()}") from error
    return _decoded(data, name, note)


def _decoded(data: bytes, name: str, note: Note) -> str:
    text, remarks = read_bytes(data, name=name)
    for remark in remarks:
        note(remark)
    return text


def _stdin_bytes(*, demanded: bool, has_prompt: bool, note: Note) -> bytes:
    try:
        kind = stat.S_IFMT(os.fstat(0).st_mode) if sys.stdin is not None else 0
    except OSError:
        kind = 0
    if kind == 0 or (os.isatty(0) and not demanded):
        return b""
    if demanded or kind == stat.S_IFREG:
        return _read_all()
    if not _something_comes(kind, note):
        if has_prompt and kind == stat.S_IFIFO:
            note("nothing arrived on standard input: answering without it (- waits for it)")
        return b""
    return _read_all()


def _something_comes(kind: int, note: Note) -> bool:
    """Whether data or the end arrives; waits for as long as another command may still write."""
    if select.select([0], [], [], _GRACE_S)[0]:
        return True
    if kind != stat.S_IFIFO:
        return False
    noticed = False
    started = time.monotonic()
    while _written_by_another_command():
        if select.select([0], [], [], 0.25)[0]:
            return True
        if not noticed and time.monotonic() - started > _NOTICE_S:
            note("waiting for standard input")
            noticed = True
    return bool(select.select([0], [], [], 0)[0])


def _written_by_another_command() -> bool:
    """Whether a process that is no ancestor of ours holds the writing end of our stdin (told by /proc, on Linux)."""
    try:
        pipe = os.readlink("/proc/self/fd/0")
        ours = _ancestors()
        return any(
            entry.isdigit() and int(entry) not in ours and _writes_to(entry, pipe) for entry in os.listdir("/proc")
        )
    except OSError:
        return False


def _writes_to(process: str, pipe: str) -> bool:
    try:
        for descriptor in os.listdir(f"/proc/{process}/fd"):
            if os.readlink(f"/proc/{process}/fd/{descriptor}") == pipe:
                info = Path(f"/proc/{process}/fdinfo/{descriptor}").read_text()
                flags = int(next(line.split()[1] for line in info.splitlines() if line.startswith("flags:")), 8)
                if flags & os.O_ACCMODE != os.O_RDONLY:
                    return True
    except (OSError, StopIteration, ValueError):
        pass  # gone, or somebody else's
    return False


def _ancestors() -> set[int]:
    found, process = {os.getpid()}, os.getppid()
    while process > 1:
        found.add(process)
        try:
            stat_line = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            break
        process = int(stat_line.rpartition(")")[2].split()[1])
    return found


def _read_all() -> bytes:
    parts = []
    while part := os.read(0, _CHUNK):
        parts.append(part)
    return b"".join(parts)
