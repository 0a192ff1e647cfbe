"""Tokenizers: the right ids from GGUF metadata and from folders, chat templates, end ids, comparison."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from real_models import real_file
from small_gguf import (
    CONTROL,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    byte_level_tokenizer,
    sentencepiece_tokenizer,
    tokenizer_of,
)
from tokenizers import pre_tokenizers

from specgen.errors import ModelError
from specgen.loading.gguf import read_header
from specgen.loading.tokenizer import Tokenizer, compare

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
SYSTEM = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi é"}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tokenizers")


def pieces(tokenizer: Tokenizer, text: str) -> list[str]:
    """What the splitting rule makes of a text, before any merge."""
    return [piece for piece, _ in tokenizer.backend.pre_tokenizer.pre_tokenize_str(text)]


class TestByteLevel:
    def test_merges_apply_and_bytes_remain(self, folder: Path) -> None:
        tokenizer = tokenizer_of(folder, byte_level_tokenizer())
        ids = tokenizer.encode("hello é", add_bos=False)
        assert [tokenizer.vocabulary[id_] for id_ in ids] == ["hell", "o", "Ġ", "Ã", "©"]
        assert tokenizer.decode(ids) == "hello é"

    @given(text=TEXT)
    def test_any_text_comes_back(self, folder: Path, text: str) -> None:
        tokenizer = tokenizer_of(folder, byte_level_tokenizer())
        assert tokenizer.decode(tokenizer.encode(text, add_bos=False)) == text

    @given(text=TEXT)
    def test_splits_equal_the_libraries_own(self, folder: Path, text: str) -> None:
        words = pre_tokenizers.ByteLevel(add_prefix_space=False)
        digits = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), words])
        for pre, own in (("gpt-2", words), ("smollm", digits)):
            tokenizer = tokenizer_of(folder, byte_level_tokenizer(pre=pre))
            assert pieces(tokenizer, text) == [piece for piece, _ in own.pre_tokenize_str(text)]

    @pytest.mark.parametrize(
        ("pre", "text", "expected"),
        [
            ("llama-bpe", "I'LL pay 12345\n\n  now", ["I", "'LL", "Ġpay", "Ġ", "123", "45", "ĊĊ", "Ġ", "Ġnow"]),
            ("qwen2", "I'll pay 12\n", ["I", "'ll", "Ġpay", "Ġ", "1", "2", "Ċ"]),
            ("smollm", "a 12  b", ["a", "Ġ", "1", "2", "Ġ", "Ġb"]),
            ("gpt-2", "a 123'll", ["a", "Ġ123", "'ll"]),
            ("tekken", "CamelCase 12a/\n", ["Camel", "Case", "Ġ", "1", "2", "a", "/Ċ"]),
            ("gpt-4o", "It's HTTPServer2024", ["It's", "ĠHTTPServer", "202", "4"]),
            ("deepseek-coder", "x += 10;\n", ["x", "Ġ+=Ġ", "1", "0", ";", "Ċ"]),
            ("deepseek-v3", "foo_bar 12345", ["foo", "_bar", "Ġ", "123", "45"]),
            ("default", "a+=12345 b", ["a", "+=", "123", "45", "Ġb"]),
        ],
    )
    def test_each_rule_cuts_its_way(self, folder: Path, pre: str, text: str, expected: list[str]) -> None:
        assert pieces(tokenizer_of(folder, byte_level_tokenizer(pre=pre)), text) == expected

    def test_whole_words_only_where_the_rule_says_so(self, folder: Path) -> None:
        unreachable = {"abcde": NORMAL}
        llama = tokenizer_of(folder, byte_level_tokenizer(pre="llama-bpe", extra=unreachable))
        qwen = tokenizer_of(folder, byte_level_tokenizer(pre="qwen2", extra=unreachable))
        assert len(llama.encode("abcde", add_bos=False)) == 1
        assert len(qwen.encode("abcde", add_bos=False)) == 5

    @example(text="\u1100\u1161\u11a8")
    @given(text=st.text("ae\u0301\u0308\u1100\u1161\u11a8", max_size=20))
    def test_qwen_composes_characters(self, folder: Path, text: str) -> None:
        """One token for a composed syllable of three characters is the worst case of `longest_token`."""
        metadata = byte_level_tokenizer(pre="qwen2", extra={"ê°": NORMAL, "ê°ģ": NORMAL})
        metadata["tokenizer.ggml.merges"] += ["ê °", "ê° ģ"]
        tokenizer = tokenizer_of(folder, metadata)
        ids = tokenizer.encode(text, add_bos=False)
        assert tokenizer.decode(ids) == unicodedata.normalize("NFC", text)
        assert len(ids) * tokenizer.longest_token >= len(text.encode())

    def test_special_tokens_only_when_asked(self, folder: Path) -> None:
        metadata = byte_level_tokenizer(extra={"<|im_end|>": CONTROL, "<think>": USER_DEFINED})
        tokenizer = tokenizer_of(folder, metadata)
        end, think = 259, 260
        assert tokenizer.encode("a<|im_end|><think>", add_bos=False, parse_special=True)[1:] == [end, think]
        plain = tokenizer.encode("a<|im_end|><think>", add_bos=False)
        assert end not in plain
        assert plain[-1] == think
        assert tokenizer.decode(plain) == "a<|im_end|><think>"
        assert tokenizer.decode([end, think, 10**6]) == "<think>"
        assert tokenizer.special_ids == {end}

    def test_padding_at_the_end_is_no_vocabulary(self, folder: Path) -> None:
        extra = {"<|a|>": CONTROL, "[PAD260]": UNUSED, "<|b|>": CONTROL, "[PAD262]": UNUSED, "[PAD263]": UNUSED}
        tokenizer = tokenizer_of(folder, byte_level_tokenizer(extra=extra))
        assert tokenizer.size == len(tokenizer.vocabulary) == 262
        assert tokenizer.decode([262]) == ""

    @pytest.mark.parametrize(
        ("pre", "setting", "adds"),
        [("llama-bpe", None, True), ("llama-bpe", False, False), ("gpt-2", None, False), ("gpt-2", True, True)],
    )
    def test_bos_once_and_where_the_file_wants_it(
        self, folder: Path, pre: str, setting: bool | None, adds: bool
    ) -> None:
        metadata = byte_level_tokenizer(pre=pre, extra={"<s>": CONTROL}) | {"tokenizer.ggml.bos_token_id": 259}
        metadata |= {} if setting is None else {"tokenizer.ggml.add_bos_token": setting}
        tokenizer = tokenizer_of(folder, metadata)
        assert (tokenizer.bos_id, tokenizer.adds_bos) == (259, adds)
        assert (tokenizer.encode("a", add_bos=True)[0] == 259) is adds
        assert tokenizer.encode("<s>a", add_bos=True, parse_special=True).count(259) == 1
        assert 259 not in tokenizer.encode("a", add_bos=False)

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"tokenizer.ggml.pre": "brand-new"}, "pre-tokenizer 'brand-new'"),
            ({"tokenizer.ggml.pre": None}, "pre-tokenizer"),
            ({"tokenizer.ggml.model": "t5"}, "tokenizer 't5'"),
            ({"tokenizer.ggml.tokens": None}, "no tokenizer"),
            ({"tokenizer.ggml.tokens": ["a", "b", "a"], "tokenizer.ggml.token_type": None}, "'a' occurs twice"),
            ({"tokenizer.ggml.merges": ["h q"]}, "merges"),
            ({"tokenizer.ggml.merges": ["he"]}, "merges"),
            ({"tokenizer.ggml.token_type": np.array([1, 1], np.int32)}, "types"),
        ],
    )
    def test_what_would_give_wrong_ids_is_refused(self, folder: Path, changes: dict[str, Any], problem: str) -> None:
        metadata = {k: v for k, v in {**byte_level_tokenizer(), **changes}.items() if v is not None}
        with pytest.raises(ModelError, match=problem):
            tokenizer_of(folder, metadata)


def sentencepiece_reference(tokens: list[str], scores: Mapping[str, float], text: str) -> list[str]:
    """SentencePiece BPE as published: join the best-scored adjacent pair, leftmost first, until none is a token."""
    symbols = list(text)
    while True:
        pairs = [left + right for left, right in pairwise(symbols)]
        best = max((scores[pair] for pair in pairs if pair in scores), default=None)
        if best is None:
            break
        at = next(i for i, pair in enumerate(pairs) if scores.get(pair) == best)
        symbols[at : at + 2] = [pairs[at]]
    known = set(tokens)
    bytes_of = {symbol: [f"<0x{byte:02X}>" for byte in symbol.encode()] for symbol in symbols}
    return [token for symbol in symbols for token in ([symbol] if symbol in known else bytes_of[symbol])]


class TestSentencePiece:
    SPECIAL: Mapping[str, int] = {"<unk>": UNKNOWN, "<s>": CONTROL, "</s>": CONTROL, "  ": USER_DEFINED}

    def tokenizer(self, folder: Path, words: list[str], **settings: Any) -> Tokenizer:
        singles = dict.fromkeys("abc\u2581" + "".join(words), -1000.0)
        pieces = {**{word: -float(i) for i, word in enumerate(words)}, **singles}
        pieces = {token: score - i / 64 for i, (token, score) in enumerate(pieces.items())}
        return tokenizer_of(folder, sentencepiece_tokenizer(pieces, self.SPECIAL, **settings))

    @settings(max_examples=60)
    @given(
        words=st.lists(st.text("ab\u2581", min_size=2, max_size=4), min_size=3, max_size=12, unique=True),
        text=st.text("ab cé", max_size=20).filter(lambda text: "  " not in text),
    )
    def test_merges_follow_the_scores(self, folder: Path, words: list[str], text: str) -> None:
        tokenizer = self.tokenizer(folder, words, add_space_prefix=False)
        scores = {word: -float(i) for i, word in enumerate(words)}
        expected = sentencepiece_reference(list(tokenizer.vocabulary), scores, text.replace(" ", "\u2581"))
        ids = tokenizer.encode(text, add_bos=False)
        assert [tokenizer.vocabulary[id_] for id_ in ids] == expected
        assert tokenizer.decode(ids) == text

    @given(text=TEXT)
    def test_any_text_comes_back_through_bytes(self, folder: Path, text: str) -> None:
        tokenizer = self.tokenizer(folder, ["ab"], add_space_prefix=False)
        text = text.replace("\u2581", "_")
        assert tokenizer.decode(tokenizer.encode(text, add_bos=False)) == text

    def test_user_defined_tokens_are_taken_whole_longest_first(self, folder: Path) -> None:
        tokenizer = self.tokenizer(folder, ["\u2581a"], add_space_prefix=False)
        ids = tokenizer.encode("     a", add_bos=False)
        assert [tokenizer.vocabulary[id_] for id_ in ids] == ["  ", "  ", "\u2581a"]
        assert tokenizer.decode(ids) == "     a"

    def test_special_tokens_are_never_merged_from_text(self, folder: Path) -> None:
        tokenizer = self.tokenizer(folder, ["<s", "s>", "</"], add_space_prefix=False)
        ids = tokenizer.encode("<s>", add_bos=False)
        assert [tokenizer.vocabulary[id_] for id_ in ids] == ["<s", ">"]
        assert tokenizer.encode("<s>", add_bos=False, parse_special=True) == [1]

    def test_space_prefix_and_default_ids(self, folder: Path) -> None:
        tokenizer = self.tokenizer(folder, ["\u2581a"])
        ids = tokenizer.encode("ab", add_bos=True)
        assert [tokenizer.vocabulary[id_] for id_ in ids] == ["<s>", "\u2581a", "b"]
        assert tokenizer.decode(ids) == "ab"
        assert tokenizer.end_ids == {2}

    def test_scores_are_needed(self, folder: Path) -> None:
        metadata = sentencepiece_tokenizer({"a": 0.0}, self.SPECIAL)
        del metadata["tokenizer.ggml.scores"]
        with pytest.raises(ModelError, match="0 scores"):
            tokenizer_of(folder, metadata)


class TestEndIds:
    def ends(self, folder: Path, extra: dict[str, int], **named: int) -> set[str]:
        metadata = byte_level_tokenizer(extra=extra)
        metadata |= {f"tokenizer.ggml.{role}_token_id": id_ for role, id_ in named.items()}
        tokenizer = tokenizer_of(folder, metadata)
        return {tokenizer.vocabulary[id_] for id_ in tokenizer.end_ids}

    def test_named_and_known_tokens_are_joined(self, folder: Path) -> None:
        extra = {"<|endoftext|>": CONTROL, "<|im_start|>": CONTROL, "<|im_end|>": CONTROL, "<|stop|>": CONTROL}
        assert self.ends(folder, extra, eos=261) == {"<|endoftext|>", "<|im_end|>"}
        assert self.ends(folder, extra, eos=261, eot=262) == {"<|endoftext|>", "<|im_end|>", "<|stop|>"}

    def test_only_special_tokens_end_a_text(self, folder: Path) -> None:
        assert self.ends(folder, {"</s>": NORMAL, "<eos>": USER_DEFINED, "<|eot_id|>": CONTROL}) == {"<|eot_id|>"}
        assert self.ends(folder, {"</s>": CONTROL}) == {"</s>"}

    def test_a_harmony_message_end_is_no_turn_end(self, folder: Path) -> None:
        harmony = {"<|end|>": CONTROL, "<|return|>": CONTROL, "<|call|>": CONTROL}
        assert self.ends(folder, harmony) == {"<|return|>", "<|call|>"}
        assert self.ends(folder, {"<|end|>": CONTROL}) == {"<|end|>"}

    def test_ids_beyond_the_vocabulary_are_ignored(self, folder: Path) -> None:
        assert self.ends(folder, {}, eos=10**6) == set()


class TestCompare:
    def tokenizer(self, folder: Path, extra: dict[str, int]) -> Tokenizer:
        return tokenizer_of(folder, byte_level_tokenizer(extra=extra))

    def test_padding_is_no_difference(self, folder: Path) -> None:
        plain = self.tokenizer(folder, {"<|a|>": CONTROL})
        padded = self.tokenizer(folder, {"<|a|>": CONTROL, "[PAD1]": UNUSED, "[PAD2]": UNUSED})
        assert compare(plain, padded) is None
        assert compare(padded, plain) is None

    def test_added_tokens_at_the_end_are_allowed(self, folder: Path) -> None:
        small = self.tokenizer(folder, {"<|a|>": CONTROL})
        large = self.tokenizer(folder, {"<|a|>": CONTROL, "<think>": USER_DEFINED, "<|b|>": CONTROL})
        assert compare(small, large) is None
        assert compare(large, small) is None

    def test_spaces_spelled_as_in_sentencepiece_are_the_same(self, folder: Path) -> None:
        spelled = [
            tokenizer_of(folder, sentencepiece_tokenizer({"a": 0.0}, {"<unk>": UNKNOWN, spaces: USER_DEFINED}))
            for spaces in ("  ", "\u2581\u2581")
        ]
        assert compare(*spelled) is None

    def test_ordinary_tokens_at_the_end_are_not(self, folder: Path) -> None:
        small = self.tokenizer(folder, {})
        large = self.tokenizer(folder, {"word": NORMAL})
        mismatch = compare(small, large)
        assert mismatch is not None
        assert (mismatch.id, mismatch.target_token, mismatch.draft_token) == (259, None, "word")
        mirrored = compare(large, small)
        assert mirrored is not None
        assert mirrored.describe() == "260 tokens against 259; id 259 is 'word' in the target only"

    def test_the_first_difference_is_named(self, folder: Path) -> None:
        mismatch = compare(
            self.tokenizer(folder, {"a\n": NORMAL}), self.tokenizer(folder, {"bb": NORMAL, "cc": NORMAL})
        )
        assert mismatch is not None
        assert mismatch.describe() == "260 tokens against 261; first difference at id 259: 'a\\n' against 'bb'"


CODE = "def f(x):\n    return x**2  # 1234"
MIXED = "naïve café 日本語 👨\u200d👩\u200d👧\n\n\n\t\tend"
SPACES = " " * 40 + "x"
REAL_IDS = {
    "smollm2": {
        CODE: "1604 275 24 104 727 472 1003 1792 828 34 216 907 216 33 34 35 36",
        MIXED: "3546 46494 37366 17097 241 115 40993 179 120 248 15107 235 118 321 231 10813 235 119 321 231 10813 235 "
        "117 1116 3354 197 486",
        SPACES: "12427 415 1792",
    },
    "qwen2.5-coder-0.5b": {
        CODE: "750 282 2075 982 262 470 856 334 17 220 671 220 16 17 18 19",
        MIXED: "3376 37572 586 51950 75402 21894 102819 61804 101 378 235 145233 378 235 145665 1406 197 6246",
        SPACES: "2559 856",
    },
    "gemma-3-270m": {
        CODE: "2063 517 236769 236781 1473 107 140 2060 1123 1018 236778 138 236865 236743 236770 236778 236800 236812",
        MIXED: "1789 238527 560 33443 33375 238582 236743 243874 237243 243767 237243 244814 109 255969 643",
        SPACES: "167 145 236781",
    },
}


@pytest.fixture(scope="module")
def tokenizers() -> dict[str, Tokenizer]:
    names = ("smollm2", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "gemma-3-270m")
    return {name: Tokenizer.from_gguf(read_header(real_file(name))) for name in names}


@pytest.mark.real
class TestRealFiles:
    """Expected ids are llama.cpp's for the same file and text."""

    @pytest.mark.parametrize("name", REAL_IDS)
    def test_ids(self, tokenizers: dict[str, Tokenizer], name: str) -> None:
        for text, expected in REAL_IDS[name].items():
            ids = [int(id_) for id_ in expected.split()]
            assert tokenizers[name].encode(text, add_bos=False) == ids
            assert tokenizers[name].decode(ids) == text

    def test_ends_bos_and_size(self, tokenizers: dict[str, Tokenizer]) -> None:
        facts = {name: (set(t.end_ids), t.adds_bos, t.size) for name, t in tokenizers.items()}
        assert facts == {
            "smollm2": ({0, 2}, False, 49152),
            "qwen2.5-coder-0.5b": ({151643, 151645}, False, 151665),
            "qwen2.5-coder-1.5b": ({151643, 151645}, False, 151665),
            "gemma-3-270m": ({1, 106}, True, 262144),
        }

    def test_bos_and_chat_templates(self, tokenizers: dict[str, Tokenizer]) -> None:
        assert tokenizers["gemma-3-270m"].chat_template is None
        assert tokenizers["gemma-3-270m"].encode("<bos>a", add_bos=True, parse_special=True).count(2) == 1
        chat = tokenizers["qwen2.5-coder-0.5b"].encode_chat(SYSTEM)
        assert tokenizers["qwen2.5-coder-0.5b"].decode(chat) == "system\nBe brief.\nuser\nHi é\nassistant\n"
        assert chat.count(151644) == 3
        assert tokenizers["smollm2"].encode_chat(SYSTEM).count(1) == 3

    def test_the_qwen_pair_fits_and_smollm_does_not(self, tokenizers: dict[str, Tokenizer]) -> None:
        assert compare(tokenizers["qwen2.5-coder-1.5b"], tokenizers["qwen2.5-coder-0.5b"]) is None
        mismatch = compare(tokenizers["qwen2.5-coder-1.5b"], tokenizers["smollm2"])
        assert mismatch is not None
        assert mismatch.describe() == (
            "151665 tokens against 49152; first difference at id 0: '!' against '<|endoftext|>'"
        )
