"""Runs the command line inside the test process, on real file descriptors, over a scripted answer."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest
from command_run import Ran, Run
from scripted import SCRIPT, ScriptedSession

from specgen.cli import main


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Iterator[Run]:
    """`run(*args, stdin=b"", **script)`; every call is a fresh command."""
    monkeypatch.setattr("specgen.session.Session", ScriptedSession)
    monkeypatch.setattr(ScriptedSession, "prompts", ())
    real_stdin = os.dup(0)

    def command(*args: str, stdin: bytes | int = b"", profile: bool = True, **script: Any) -> Ran:
        monkeypatch.setenv(SCRIPT, json.dumps(script))
        _give_stdin(stdin)
        with pytest.raises(SystemExit) as ended:
            main([*(["--profile", "smollm2"] if profile else []), *args])
        out, err = capfdbinary.readouterr()
        return Ran(int(ended.value.code or 0), out.decode(), err.decode())

    yield command
    os.dup2(real_stdin, 0)
    os.close(real_stdin)


def _give_stdin(stdin: bytes | int) -> None:
    if isinstance(stdin, int):
        os.dup2(stdin, 0)
        return
    with tempfile.TemporaryFile() as file:
        file.write(stdin)
        file.seek(0)
        os.dup2(file.fileno(), 0)
