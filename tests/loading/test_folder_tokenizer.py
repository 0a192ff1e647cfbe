"""The tokenizer of a model folder: tokenizer.json and the settings around it, as transformers reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_gguf import CONTROL, UNUSED, USER_DEFINED, byte_level_tokenizer, tokenizer_of
from tokenizers import processors

from specgen.errors import ModelError
from specgen.loading.tokenizer import Tokenizer, compare

ASK = [{"role": "user", "content": "Hi é"}]


class TestFolder:
    @pytest.fixture
    def model(self, tmp_path: Path) -> Path:
        """A folder with the tokenizer of a small GGUF file, as transformers would have saved it."""
        extra = {"<s>": CONTROL, "<|im_end|>": CONTROL, "</s>": CONTROL, "<think>": USER_DEFINED}
        backend = tokenizer_of(tmp_path, byte_level_tokenizer(extra=extra)).backend
        backend.post_processor = processors.TemplateProcessing(
            single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", 259)]
        )
        backend.enable_truncation(3)
        backend.enable_padding(length=50)
        backend.save(str(tmp_path / "tokenizer.json"))
        self.write(tmp_path, "config.json", model_type="llama", eos_token_id=7)
        self.write(tmp_path, "generation_config.json", eos_token_id=[7, 8])
        self.write(
            tmp_path,
            "tokenizer_config.json",
            bos_token="<s>",
            eos_token={"content": "</s>", "special": True},
            chat_template="from the configuration",
        )
        return tmp_path

    def write(self, folder: Path, name: str, **content: Any) -> None:
        (folder / name).write_text(json.dumps(content))

    def test_ids_specials_and_ends(self, model: Path) -> None:
        tokenizer = Tokenizer.from_folder(model)
        text = "hello hello hello"
        assert tokenizer.decode(tokenizer.encode(text, add_bos=True)) == text
        assert (tokenizer.bos_id, tokenizer.adds_bos, tokenizer.size) == (259, True, 263)
        assert tokenizer.encode("a", add_bos=True)[0] == 259
        assert tokenizer.special_ids == {259, 260, 261}
        assert tokenizer.end_ids == {7, 8, 260, 261}

    def test_equals_the_gguf_file_of_the_same_model(self, model: Path) -> None:
        extra = {"<s>": CONTROL, "<|im_end|>": CONTROL, "</s>": CONTROL, "<think>": USER_DEFINED, "[PAD]": UNUSED}
        assert compare(Tokenizer.from_folder(model), tokenizer_of(model, byte_level_tokenizer(extra=extra))) is None

    def test_the_setting_beats_the_post_processor(self, model: Path) -> None:
        self.write(model, "tokenizer_config.json", bos_token="<s>", add_bos_token=False)
        assert not Tokenizer.from_folder(model).adds_bos

    def test_where_the_chat_template_may_be(self, model: Path) -> None:
        assert Tokenizer.from_folder(model).chat_template == "from the configuration"
        named = [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}]
        self.write(model, "tokenizer_config.json", chat_template=named)
        assert Tokenizer.from_folder(model).chat_template == "d"
        (model / "chat_template.jinja").write_text("{{ 'own file' }}")
        assert Tokenizer.from_folder(model).render(ASK) == "own file"

    def test_tokens_that_only_the_configuration_knows(self, model: Path) -> None:
        listed = {"263": {"content": "<|new|>", "special": True}, "0": {"content": "!", "special": False}}
        self.write(model, "tokenizer_config.json", added_tokens_decoder=listed)
        tokenizer = Tokenizer.from_folder(model)
        assert tokenizer.encode("<|new|>", add_bos=False, parse_special=True) == [263]
        assert 263 in tokenizer.special_ids

    def test_nested_text_configuration(self, model: Path) -> None:
        self.write(model, "config.json", model_type="gemma3", text_config={"eos_token_id": [5]})
        assert 5 in Tokenizer.from_folder(model).end_ids

    def test_older_files_go_through_transformers(self, model: Path) -> None:
        state = json.loads((model / "tokenizer.json").read_text())["model"]
        for name in ("tokenizer.json", "config.json"):
            (model / name).unlink()
        self.write(model, "config.json", model_type="gpt2")
        self.write(model, "vocab.json", **state["vocab"])
        (model / "merges.txt").write_text("\n".join(["#version: 0.2", *map(" ".join, state["merges"])]))
        self.write(model, "tokenizer_config.json", tokenizer_class="GPT2Tokenizer", eos_token="</s>", bos_token="<s>")
        tokenizer = Tokenizer.from_folder(model)
        assert [tokenizer.vocabulary[id_] for id_ in tokenizer.encode("hello", add_bos=False)] == ["hell", "o"]

    @pytest.mark.parametrize("name", ["tokenizer.json", "config.json", "tokenizer_config.json"])
    @pytest.mark.parametrize("content", ["{", "[]", '{"model": 3}\0', "\udcff"])
    def test_damaged_files_are_named(self, model: Path, name: str, content: str) -> None:
        (model / name).write_text(content, errors="surrogateescape")
        with pytest.raises(ModelError, match=name):
            Tokenizer.from_folder(model)

    def test_no_tokenizer_at_all(self, tmp_path: Path) -> None:
        self.write(tmp_path, "config.json", model_type="llama")
        with pytest.raises(ModelError, match="no usable tokenizer"):
            Tokenizer.from_folder(tmp_path)
