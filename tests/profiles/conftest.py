"""Profile tests see only the shipped profiles and what they write themselves, and nothing on disk but what they say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from specgen.profiles import search


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """The folders of the search but the shipped one, empty: `env`, `here` (./profiles), `user`; and the `cwd`."""
    folders = {name: tmp_path / name for name in ("env", "cwd", "config")}
    for folder in folders.values():
        folder.mkdir()
    monkeypatch.chdir(folders["cwd"])
    monkeypatch.setenv(search.ENVIRONMENT, str(folders["env"]))
    monkeypatch.setattr(search, "user_config_dir", lambda name: str(folders["config"]))
    here, user = folders["cwd"] / "profiles", folders["config"] / "profiles"
    here.mkdir()
    user.mkdir()
    return {"env": folders["env"], "here": here, "user": user, "cwd": folders["cwd"]}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a profile with some lines; a target is added unless the lines name one."""

    def write(text: str, *, name: str = "own", folder: Path | None = None) -> Path:
        path = (folder or tmp_path) / f"{name}.toml"
        if "[[target]]" not in text:
            text += '\n[[target]]\nsource = "hub:org/own"\n'
        path.write_text(text)
        return path

    return write
