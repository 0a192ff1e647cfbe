"""Where profiles are found: `$SPECGEN_PROFILES`, `./profiles`, the user's config folder, the package; first one wins.

`./profiles` may belong to anything, so it is looked into only for a profile that was asked for by name.
It must not know what is done with a profile.
"""

from __future__ import annotations

import difflib
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_config_dir

from specgen.errors import UsageError
from specgen.profiles.profile import Profile, expand

ENVIRONMENT = "SPECGEN_PROFILES"
EMBEDDED = "smollm2"
"""The profile that works on any machine."""
_PACKAGE = Path(__file__).parents[1]
_SUFFIX = ".toml"


@dataclass(frozen=True, slots=True)
class Folder:
    """One place of the search."""

    path: Path
    origin: str
    """For people."""
    trusted: bool = True
    """Whether its profiles may be used without having been asked for by name."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A profile file that was found: readable, or not and why."""

    name: str
    path: Path
    origin: str
    profile: Profile | None
    problem: str | None = None


def folders() -> list[Folder]:
    """The places that are searched, in order; they need not exist."""
    chosen = os.environ.get(ENVIRONMENT, "").split(os.pathsep)
    places = [Folder(expand(each), f"${ENVIRONMENT}") for each in chosen if each]
    places.append(Folder(Path("profiles"), "./profiles", trusted=False))
    places.append(Folder(Path(user_config_dir("specgen")) / "profiles", "user"))
    return [*places, Folder(_shipped_folder(), "shipped")]


def find_profile(name: str) -> Profile:
    """The profile that a user means by a name, or by the path of a `.toml` file.

    Raises:
        UsageError: there is none (names similar ones), or it is not valid.
    """
    if _is_path(name):
        path = expand(name)
        if not _is_file(path):
            raise UsageError(f"no profile file: {name}", hint="check the spelling of the path")
        return Profile.load(path)
    path_of_name = lookup(name)
    if path_of_name is None:
        known = sorted({path.stem for folder in folders() for path in _files(folder.path)})
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"no profile named {name}", hint=f"{hint}known profiles: {', '.join(known)}")
    return Profile.load(path_of_name)


def lookup(name: str) -> Path | None:
    """The file of the profile with this name, `None` if there is none."""
    if not name or _is_path(name):
        return None
    paths = (folder.path / f"{name}{_SUFFIX}" for folder in folders())
    return next((path for path in paths if _is_file(path)), None)


def list_profiles() -> list[Listed]:
    """Every profile that can be asked for by name, in the order of the search; none is hidden for being invalid."""
    found: dict[str, Listed] = {}
    for folder in folders():
        for path in _files(folder.path):
            if path.stem not in found:
                found[path.stem] = _listed(path, folder.origin)
    return list(found.values())


def shipped_profiles() -> list[Profile]:
    """The profiles that come with specgen, in the order of their names."""
    return [Profile.load(path) for path in _files(_shipped_folder())]


def trusted_profiles() -> list[Profile]:
    """The profiles that may be used without having been named: all but those of `./profiles` and invalid ones."""
    found: dict[str, Profile] = {}
    for folder in folders():
        for path in _files(folder.path) if folder.trusted else ():
            if path.stem not in found:
                with suppress(UsageError):
                    found[path.stem] = Profile.load(path)
    return list(found.values())


def _shipped_folder() -> Path:
    """Inside the installed package, or beside it in a checkout of the source."""
    installed = _PACKAGE / "_profiles"
    return installed if installed.is_dir() else _PACKAGE.parent / "profiles"


def _is_path(name: str) -> bool:
    return name.endswith(_SUFFIX) or "/" in name or os.sep in name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # longer than a name may be, or with a null byte
        return False


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == _SUFFIX and path.is_file())
    except OSError:
        return []


def _listed(path: Path, origin: str) -> Listed:
    try:
        return Listed(path.stem, path, origin, Profile.load(path))
    except UsageError as error:
        return Listed(path.stem, path, origin, None, error.message)
