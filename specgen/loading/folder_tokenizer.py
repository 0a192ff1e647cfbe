"""The tokenizer of a model folder: tokenizer.json as it is, or what transformers makes of older files.

Torch-free; transformers is imported only for a folder without tokenizer.json. Code from the folder never runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from specgen.errors import ModelError
from specgen.loading.model_files import id_set, read_json, text_config
from specgen.loading.vocabulary import Vocabulary

if TYPE_CHECKING:
    import tokenizers

_ROLES = ("bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token", "mask_token")


def read_vocabulary(folder: Path) -> Vocabulary:
    """The vocabulary of a model folder. Raises ModelError when it has no tokenizer or one that cannot be used."""
    settings = read_json(folder / "special_tokens_map.json") | read_json(folder / "tokenizer_config.json")
    backend = _backend(folder)
    _add_missing(backend, settings)
    names = {role: text for role in _ROLES if (text := _text(settings.get(role))) is not None}
    added = backend.get_added_tokens_decoder()
    config, generation = text_config(folder), read_json(folder / "generation_config.json")
    ends = id_set(config.get("eos_token_id")) | id_set(generation.get("eos_token_id"))
    if "eos_token" in names:
        ends |= id_set(backend.token_to_id(names["eos_token"]))
    bos = _bos_id(backend, names, config)
    return Vocabulary(
        backend=backend,
        tokens=_tokens(backend),
        special_ids=frozenset(id_ for id_, token in added.items() if token.special),
        added_ids=frozenset(added),
        bos_id=bos,
        adds_bos=bos is not None and _adds(backend, bos, settings.get("add_bos_token")),
        declared_ends=ends,
        chat_template=_chat_template(folder, settings),
        names=names,
    )


def _backend(folder: Path) -> tokenizers.Tokenizer:
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    if not path.is_file():
        return _through_transformers(folder)
    try:
        backend = Tokenizer.from_file(str(path))
    except Exception as error:
        raise ModelError(f"cannot read {str(path)!r}: {error}", hint="download the model again") from error
    backend.no_truncation()
    backend.no_padding()
    return backend


def _through_transformers(folder: Path) -> tokenizers.Tokenizer:
    from tokenizers import Tokenizer

    try:
        from transformers import AutoTokenizer

        loaded = AutoTokenizer.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
    except Exception as error:
        reason = str(error).strip().partition("\n")[0]
        raise ModelError(
            f"no usable tokenizer in {str(folder)!r}: {reason}", hint="a tokenizer.json is enough"
        ) from error
    backend = getattr(loaded, "backend_tokenizer", None)
    if not isinstance(backend, Tokenizer):
        raise ModelError(
            f"the tokenizer of {str(folder)!r} ({type(loaded).__name__}) has no fast form",
            hint="convert it to a tokenizer.json",
        )
    return backend


def _add_missing(backend: tokenizers.Tokenizer, settings: dict[str, Any]) -> None:
    """Tokens that only tokenizer_config.json knows, at the ids that it gives them."""
    from tokenizers import AddedToken

    listed = settings.get("added_tokens_decoder")
    for id_, entry in sorted((listed if isinstance(listed, dict) else {}).items(), key=lambda item: int(item[0])):
        text = _text(entry)
        if text is None or backend.token_to_id(text) is not None or int(id_) != backend.get_vocab_size():
            continue
        backend.add_tokens([AddedToken(text, normalized=False, special=bool(entry.get("special")))])


def _text(entry: Any) -> str | None:
    """A token in a configuration: a string, or an object with its content."""
    content = entry.get("content") if isinstance(entry, dict) else entry
    return content if isinstance(content, str) else None


def _tokens(backend: tokenizers.Tokenizer) -> list[str]:
    vocabulary = backend.get_vocab(with_added_tokens=True)
    tokens = [""] * (max(vocabulary.values(), default=-1) + 1)
    for text, id_ in vocabulary.items():
        tokens[id_] = text
    return tokens


def _bos_id(backend: tokenizers.Tokenizer, names: dict[str, str], config: dict[str, Any]) -> int | None:
    if "bos_token" in names:
        id_ = backend.token_to_id(names["bos_token"])
        return id_ if isinstance(id_, int) else None
    return min(id_set(config.get("bos_token_id")), default=None)


def _adds(backend: tokenizers.Tokenizer, bos: int, setting: Any) -> bool:
    """The explicit setting, else what tokenizer.json's own post-processor does."""
    if isinstance(setting, bool):
        return setting
    return list(backend.encode("", add_special_tokens=True).ids[:1]) == [bos]


def _chat_template(folder: Path, settings: dict[str, Any]) -> str | None:
    file = folder / "chat_template.jinja"
    if file.is_file():
        return file.read_text(encoding="utf-8", errors="replace")
    value = settings.get("chat_template") or read_json(folder / "chat_template.json").get("chat_template")
    if isinstance(value, list):
        named = {entry.get("name"): entry.get("template") for entry in value if isinstance(entry, dict)}
        value = named.get("default")
    return value if isinstance(value, str) else None
