"""What a model on disk must look like: a folder with a config and weights, or one GGUF file.

Looks at names and index files only; it must not know where a model came from, and reads no weights.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from specgen.errors import ModelError

CONFIG = "config.json"
GGUF = ".gguf"
_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth")
_SHARD = re.compile(r"(?P<head>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})(?P<tail>\.\w+)")
_LANGUAGE_MODEL = re.compile(r"CausalLM|LMHeadModel|ForConditionalGeneration")


def check(path: Path) -> Path:
    """Return `path` if it is a GGUF file or a complete model folder.

    Raises:
        ModelError: nothing is there, or what is there is not usable; says what is missing.
    """
    try:
        if path.is_dir():
            _check_folder(path)
        elif path.is_file():
            _check_file(path)
        else:
            raise ModelError(f"no such file or folder: {path}", hint="check the spelling of the path")
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror or error}") from error
    return path


def missing(folder: Path) -> str | None:
    """Name the first file that a model folder lacks, or `None` if it is complete.

    A sharded model is complete when every shard is there, so a download that was cut off is noticed.
    """
    if not (folder / CONFIG).is_file():
        return CONFIG
    names = {path.name for path in folder.iterdir() if path.suffix in _WEIGHTS and path.is_file()}
    indexes = [path for tail in ("safetensors", "bin") for path in folder.glob(f"*.{tail}.index.json")]
    wanted = {name for name in names for name in _shards_of(name)}
    if indexes:
        wanted |= _indexed(indexes[0])
    absent = sorted(wanted - names)
    if absent:
        return absent[0]
    return None if names else "weights (*.safetensors)"


def holds_language_model(folder: Path) -> bool:
    """Whether the folder's config names a model that writes text left to right."""
    config = _read_json(folder / CONFIG)
    if config.get("is_encoder_decoder"):
        return False
    architectures = config.get("architectures")
    return any(_LANGUAGE_MODEL.search(str(name)) for name in architectures or ())


def refuse_split(name: str) -> None:
    """Raise ModelError for one piece of a GGUF that was split into several files."""
    shard = _SHARD.fullmatch(name)
    if name.endswith(GGUF) and shard and int(shard["count"]) > 1:
        raise ModelError(
            f"split GGUF files are not supported: {name}",
            hint="join the pieces first (llama-gguf-split --merge FIRST-PIECE OUT.gguf)",
        )


def _check_folder(folder: Path) -> None:
    lacking = missing(folder)
    if lacking is None:
        return
    files = sorted(path.name for path in folder.glob(f"*{GGUF}"))
    hint = (
        f"pass the file itself: {folder / files[0]}" if files else "a model folder holds config.json and *.safetensors"
    )
    raise ModelError(f"model folder {folder} has no {lacking}", hint=hint)


def _check_file(path: Path) -> None:
    refuse_split(path.name)
    if path.suffix == GGUF:
        return
    if path.suffix in _WEIGHTS:
        raise ModelError(f"{path} is a weights file, not a model", hint=f"pass its folder: {path.parent}")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ModelError(f"{path} is not a GGUF file", hint="pass a .gguf file or a folder with config.json")


def _shards_of(name: str) -> list[str]:
    """All names of the set that a shard belongs to; nothing for an unsharded file."""
    shard = _SHARD.fullmatch(name)
    if shard is None:
        return []
    count = int(shard["count"])
    return [f"{shard['head']}-{number:05d}-of-{shard['count']}{shard['tail']}" for number in range(1, count + 1)]


def _indexed(index: Path) -> set[str]:
    weight_map = _read_json(index).get("weight_map")
    return {str(name) for name in weight_map.values()} if isinstance(weight_map, dict) else set()


def _read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; empty when it cannot be read, because its reader will say so better."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
