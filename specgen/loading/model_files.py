"""The JSON files beside a model's weights: read them, or say what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from specgen.errors import ModelError


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; {} when there is no such file. Raises ModelError when it is not a JSON object."""
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"cannot read {str(path)!r}: {error}", hint="download the model again") from error
    if not isinstance(content, dict):
        raise ModelError(f"cannot read {str(path)!r}: not a JSON object", hint="download the model again")
    return content


def text_config(folder: Path) -> dict[str, Any]:
    """The language model's part of config.json (models that also see or hear nest it)."""
    config = read_json(folder / "config.json")
    for key in ("text_config", "llm_config"):
        if isinstance(config.get(key), dict):
            return {**config, **config[key]}
    return config


def id_set(value: Any) -> frozenset[int]:
    """Ids in a setting that may be an id, a list of ids or nothing."""
    values = value if isinstance(value, list) else [value]
    return frozenset(id_ for id_ in values if isinstance(id_, int) and not isinstance(id_, bool) and id_ >= 0)
