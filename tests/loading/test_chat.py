"""Chat templates: what transformers renders, and nothing that was asked for gets lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_gguf import CONTROL, byte_level_tokenizer, tokenizer_of

from specgen.errors import ModelError, UsageError
from specgen.loading.tokenizer import Tokenizer

ASK = [{"role": "user", "content": "Hi é"}]
SYSTEM = [{"role": "system", "content": "Be brief."}, *ASK]

TEMPLATES = {
    "plain": "{% for m in messages %}<|{{ m.role }}|>{{ m['content'] }}\n{% endfor %}{{ eos_token }}",
    "blocks": (
        "{%- for m in messages %}\n    {%- if m.role == 'system' %}{% continue %}{% endif %}\n"
        "    {% generation %}{{ m.content | trim }}{% endgeneration %}\n{%- endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
    ),
    "json": "{{ messages | tojson }}{{ messages[0] | tojson(indent=2) }}{% if tools is none %}no tools{% endif %}",
    "namespace": (
        "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}"
        "{{ ns.n }}{{ messages[-1].content.split('i')[0] }}{{ bos_token is defined }}"
    ),
    "date": "{{ strftime_now('%Y') }}",
}


class TestChat:
    def tokenizer(self, tmp_path: Path, template: str | None, **metadata: Any) -> Tokenizer:
        content = byte_level_tokenizer(extra={"<s>": CONTROL, "<|im_end|>": CONTROL})
        content |= {"tokenizer.ggml.bos_token_id": 259, "tokenizer.ggml.eos_token_id": 260, **metadata}
        return tokenizer_of(tmp_path, content | ({} if template is None else {"tokenizer.chat_template": template}))

    @pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
    def test_renders_what_transformers_renders(self, tmp_path: Path, template: str) -> None:
        from transformers.utils.chat_template_utils import render_jinja_template

        names = {"bos_token": "<s>", "eos_token": "<|im_end|>"}
        expected, _ = render_jinja_template([ASK], chat_template=template, add_generation_prompt=True, **names)
        assert self.tokenizer(tmp_path, template).render(ASK) == expected[0]

    def test_bos_of_the_template_is_not_doubled(self, tmp_path: Path) -> None:
        template = "{{ bos_token }}{{ messages[0].content }}<|im_end|>"
        tokenizer = self.tokenizer(tmp_path, template, **{"tokenizer.ggml.add_bos_token": True})
        assert tokenizer.adds_bos
        ids = tokenizer.encode_chat(ASK)
        assert (ids[0], ids.count(259), ids[-1]) == (259, 1, 260)

    @pytest.mark.parametrize("switch", ["enable_thinking", "thinking"])
    def test_thinking_switch(self, tmp_path: Path, switch: str) -> None:
        template = f"{{% if {switch} is defined and not {switch} %}}off{{% else %}}on{{% endif %}}"
        tokenizer = self.tokenizer(tmp_path, template)
        assert tokenizer.can_switch_thinking
        assert [tokenizer.render(ASK, think=think) for think in (None, True, False)] == ["on", "on", "off"]

    def test_no_thinking_switch_is_said(self, tmp_path: Path) -> None:
        tokenizer = self.tokenizer(tmp_path, "{# enable_thinking #}{{ messages[0].content }}")
        assert not tokenizer.can_switch_thinking
        for think in (True, False):
            with pytest.raises(UsageError, match="cannot switch thinking"):
                tokenizer.render(ASK, think=think)

    @pytest.mark.parametrize(
        "template",
        [
            "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}"
            "{% endif %}{{ m.content }}{% endfor %}",
            "{% for m in messages %}{% if m.role != 'system' %}{{ m.content }}{% endif %}{% endfor %}",
        ],
        ids=["raises", "drops it"],
    )
    def test_a_system_message_is_never_lost(self, tmp_path: Path, template: str) -> None:
        tokenizer = self.tokenizer(tmp_path, template)
        assert tokenizer.render(ASK) == "Hi é"
        with pytest.raises(UsageError, match="takes no system message"):
            tokenizer.render(SYSTEM)

    def test_other_refusals_keep_their_words(self, tmp_path: Path) -> None:
        tokenizer = self.tokenizer(tmp_path, "{{ raise_exception('roles must alternate') }}")
        with pytest.raises(UsageError, match="roles must alternate"):
            tokenizer.render(SYSTEM)

    def test_no_template(self, tmp_path: Path) -> None:
        tokenizer = self.tokenizer(tmp_path, None)
        assert tokenizer.chat_template is None
        with pytest.raises(UsageError, match="no chat template"):
            tokenizer.encode_chat(ASK)

    @pytest.mark.parametrize("template", ["{% for %}", "{{ messages[0].content + 1 }}", "{{ messages.append(1) }}"])
    def test_broken_and_malicious_templates_are_one_error(self, tmp_path: Path, template: str) -> None:
        with pytest.raises((ModelError, UsageError), match="chat template"):
            self.tokenizer(tmp_path, template).render(ASK)
