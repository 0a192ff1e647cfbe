"""The tokenizer inside a GGUF file, rebuilt for the `tokenizers` library.

Two kinds: byte-level BPE ("gpt2", merges in the file) and SentencePiece BPE ("llama", merges follow from the scores).
Torch-free. A vocabulary whose splitting rule is not known for certain is refused: wrong ids would make the model
worse, silently. Rules as in llama.cpp (src/llama-vocab.cpp) and the models' own tokenizer.json.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from specgen.errors import ModelError
from specgen.loading.gguf_header import Header, damaged
from specgen.loading.vocabulary import Vocabulary

if TYPE_CHECKING:
    import tokenizers

_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = range(1, 7)
_FOLDER_HINT = "use the original checkpoint (a folder or a hub name), which brings its own tokenizer"

_WORDS = r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_GPT2 = "'s|'t|'re|'ve|'m|'ll|'d|" + _WORDS
_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_LINES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_START = r"[^\r\n\p{L}\p{N}]?"


def _by_digits(digits: str) -> str:
    return rf"{_CONTRACTION}|{_START}\p{{L}}+|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_LINES}"


def _by_case(digits: str, ending: str) -> str:
    words = f"{_START}{_UPPER}*{_LOWER}+{ending}|{_START}{_UPPER}+{_LOWER}*{ending}"
    return rf"{words}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_LINES}"


@dataclass(frozen=True, slots=True)
class _Split:
    """How a byte-level vocabulary cuts text before merging. Each pattern cuts the pieces of the one before."""

    patterns: tuple[str, ...]
    whole_words: bool = False
    """A piece that is a token is taken whole, merges or not."""
    adds_bos: bool = False
    composed: bool = False
    """Text is brought to NFC first."""


_LLAMA3 = _Split((_by_digits(r"\p{N}{1,3}"),), whole_words=True, adds_bos=True)
_QWEN2 = _by_digits(r"\p{N}")
_DIGITS_APART = _Split((r"\p{N}", _GPT2))

_SPLITS = {
    "llama3": _LLAMA3,
    "llama-v3": _LLAMA3,
    "llama-bpe": _LLAMA3,
    "falcon3": _LLAMA3,
    "smaug-bpe": _Split(_LLAMA3.patterns),
    "dbrx": _Split(_LLAMA3.patterns),
    "qwen2": _Split((_QWEN2,), composed=True),
    "deepseek-r1-qwen": _Split((_QWEN2,)),
    "megrez": _Split((_QWEN2,)),
    "stablelm2": _Split((_QWEN2,)),
    "tekken": _Split((_by_case(r"\p{N}", ""),), whole_words=True, adds_bos=True),
    "gpt-4o": _Split((_by_case(r"\p{N}{1,3}", _CONTRACTION + "?"),)),
    "gpt-2": _Split((_GPT2,)),
    "phi-2": _Split((_GPT2,)),
    "mpt": _Split((_GPT2,)),
    "olmo": _Split((_GPT2,)),
    "smollm": _DIGITS_APART,
    "starcoder": _DIGITS_APART,
    "refact": _DIGITS_APART,
    "command-r": _DIGITS_APART,
    "codeshell": _DIGITS_APART,
    "deepseek-coder": _Split(
        (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+", r"\p{N}")
    ),
    "deepseek-v3": _Split(
        (
            r"\p{N}{1,3}",
            "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
            r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
            rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_LINES}",
        )
    ),
    "default": _Split((r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", "[0-9][0-9][0-9]")),
}
"""By `tokenizer.ggml.pre`."""


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The token table without the padding at its end."""

    texts: list[str]
    kinds: list[int]
    ids: dict[str, int]

    def of_kind(self, *kinds: int) -> list[int]:
        return [id_ for id_, kind in enumerate(self.kinds) if kind in kinds]


def read_vocabulary(header: Header) -> Vocabulary:
    """The vocabulary of a GGUF file (0.3 s for 150k tokens and merges; 1.5 s for Gemma's 262k).

    Raises ModelError when the file has none, when its parts do not fit together, or when its kind or its splitting
    rule is not known.
    """
    model = header.require("tokenizer.ggml.model", str)
    tokens = _tokens(header)
    special = frozenset(tokens.of_kind(_CONTROL, _UNKNOWN))
    roles = _roles(header, tokens, sentencepiece=model == "llama")
    if model == "gpt2":
        split = _split(header)
        backend, adds_bos = _byte_level(header, tokens, split), split.adds_bos
    elif model == "llama":
        backend, adds_bos = _sentencepiece(header, tokens, unknown=roles.get("unk_token")), True
    else:
        raise ModelError(f"{header.path.name!r}: gguf tokenizer {model!r} is not supported", hint=_FOLDER_HINT)
    _add(backend, (tokens.texts[id_] for id_ in sorted(special)), special=True)
    _add(backend, (tokens.texts[id_] for id_ in tokens.of_kind(_USER_DEFINED)), special=False)
    asked = header.find("tokenizer.ggml.add_bos_token", bool)
    bos = roles.get("bos_token")
    return Vocabulary(
        backend=backend,
        tokens=tokens.texts,
        special_ids=special,
        added_ids=special | frozenset(tokens.of_kind(_USER_DEFINED, _UNUSED)),
        bos_id=bos,
        adds_bos=bos is not None and (adds_bos if asked is None else asked),
        declared_ends=frozenset(roles[name] for name in ("eos_token", "eot_token", "eom_token") if name in roles),
        chat_template=header.find("tokenizer.chat_template", str),
        names={name: tokens.texts[id_] for name, id_ in roles.items()},
    )


def _tokens(header: Header) -> _Tokens:
    texts = header.strings("tokenizer.ggml.tokens")
    if not texts:
        raise ModelError(f"{header.path.name!r} has no tokenizer", hint=_FOLDER_HINT)
    types = header.numbers("tokenizer.ggml.token_type")
    if types is not None and len(types) != len(texts):
        raise damaged(header.path, f"{len(texts)} tokens have {len(types)} types")
    kinds = [_NORMAL] * len(texts) if types is None else types.tolist()
    size = len(texts)
    while size > 1 and kinds[size - 1] == _UNUSED:
        size -= 1
    texts = [text or f"[EMPTY_{id_}]" for id_, text in enumerate(texts[:size])]
    ids = {text: id_ for id_, text in enumerate(texts)}
    if len(ids) < size:
        twice = next(text for id_, text in enumerate(texts) if ids[text] != id_)
        raise damaged(header.path, f"token {twice!r} occurs twice")
    return _Tokens(texts, kinds[:size], ids)


def _roles(header: Header, tokens: _Tokens, *, sentencepiece: bool) -> dict[str, int]:
    """ "bos_token", ... -> id, for the ids that the file names. SentencePiece files may leave out the usual three."""
    defaults = {"unk": 0, "bos": 1, "eos": 2} if sentencepiece else {}
    keys = {"unk": "unknown", "pad": "padding"}
    roles = {}
    for role in ("bos", "eos", "unk", "pad", "eot", "eom"):
        id_ = header.find(f"tokenizer.ggml.{keys.get(role, role)}_token_id", int)
        id_ = defaults.get(role) if id_ is None else id_
        if id_ is not None and id_ < len(tokens.texts):
            roles[f"{role}_token"] = id_
    return roles


def _split(header: Header) -> _Split:
    name = header.find("tokenizer.ggml.pre", str)
    if name is None or name not in _SPLITS:
        raise ModelError(
            f"{header.path.name!r}: gguf pre-tokenizer {name or '(none)'!r} is not supported", hint=_FOLDER_HINT
        )
    return _SPLITS[name]


def _byte_level(header: Header, tokens: _Tokens, split: _Split) -> tokenizers.Tokenizer:
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

    pairs = (merge.partition(" ") for merge in header.strings("tokenizer.ggml.merges") or ())
    merges = [(left, right) for left, _, right in pairs]
    try:
        backend = Tokenizer(models.BPE(tokens.ids, merges, ignore_merges=split.whole_words))
    except Exception as error:
        raise damaged(header.path, f"its merges do not fit its tokens ({error})") from error
    if split.composed:
        backend.normalizer = normalizers.NFC()
    cuts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in split.patterns]
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.pre_tokenizer = pre_tokenizers.Sequence([*cuts, byte_level])
    backend.decoder = decoders.ByteLevel()
    return backend


def _sentencepiece(header: Header, tokens: _Tokens, *, unknown: int | None) -> tokenizers.Tokenizer:
    from tokenizers import Tokenizer, decoders, models, normalizers

    scores = header.numbers("tokenizer.ggml.scores")
    if scores is None or len(scores) < len(tokens.texts):
        raise damaged(header.path, f"{len(tokens.texts)} tokens have {0 if scores is None else len(scores)} scores")
    backend = Tokenizer(
        models.BPE(
            tokens.ids,
            _merges_by_score(tokens, scores),
            fuse_unk=True,
            byte_fallback=True,
            unk_token=None if unknown is None else tokens.texts[unknown],
        )
    )
    # Every stretch of text between special tokens gets the leading space, as in SentencePiece itself.
    prefix = header.find("tokenizer.ggml.add_space_prefix", bool) is not False
    spaces = normalizers.Replace(" ", "\u2581")
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), spaces]) if prefix else spaces
    steps = [decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence([*steps, decoders.Strip(" ", 1, 0)] if prefix else steps)
    return backend


def _merges_by_score(tokens: _Tokens, scores: np.ndarray[Any, Any]) -> list[tuple[str, str]]:
    """SentencePiece joins the pair whose token scores best: every way to cut a token in two is a merge of its rank.

    Only ordinary tokens take part; user-defined ones are matched whole, control and byte tokens never in text.
    """
    order = np.argsort(-scores[: len(tokens.texts)].astype(np.float64), kind="stable").tolist()
    ordinary = [tokens.texts[id_] for id_ in order if tokens.kinds[id_] == _NORMAL]
    known = set(ordinary)
    return [
        (left, right)
        for text in ordinary
        for cut in range(1, len(text))
        if (left := text[:cut]) in known and (right := text[cut:]) in known
    ]


def _add(backend: tokenizers.Tokenizer, texts: Iterable[str], *, special: bool) -> None:
    from tokenizers import AddedToken

    added = [AddedToken(text, normalized=False, special=special) for text in texts]
    if special:
        backend.add_special_tokens(added)
    else:
        backend.add_tokens(added)
