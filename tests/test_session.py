"""A session on a small random model in a folder: from a prompt to chunks of text, as the command line uses it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import CONFIG_MAPPING, AutoModelForCausalLM

from specgen.errors import DoesNotFit, ModelError, PromptTooLong, UsageError
from specgen.loading.device import Device
from specgen.profiles import Overrides, resolve
from specgen.session import Message, Prompt, Session
from specgen.stats import GenerationStats
from specgen.tasks import detect

TEMPLATE = (
    "{% for m in messages %}<s>{{ m['role'] }}:{{ m['content'] }}<e>{% endfor %}<s>assistant:"
    "{% if enable_thinking is defined and enable_thinking %}<think>{% endif %}"
)
SPECIAL = ("<s>", "<e>")
CONTEXT = 192
Opened = tuple[Session, Callable[..., Any]]


def write_tokenizer(folder: Path, *, template: bool = True, words: tuple[str, ...] = ()) -> int:
    """A byte-level tokenizer with two special tokens; returns its size."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: index for index, token in enumerate((*alphabet, *words))}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.add_special_tokens(list(SPECIAL))
    backend.save(str(folder / "tokenizer.json"))
    settings: dict[str, Any] = {"eos_token": "<e>", "tokenizer_class": "PreTrainedTokenizerFast"}
    if template:
        settings["chat_template"] = TEMPLATE
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return backend.get_vocab_size()


def write_model(folder: Path, kind: str = "llama", *, seed: int = 0, template: bool = True, **sizes: Any) -> Path:
    folder.mkdir()
    size = write_tokenizer(folder, template=template, words=sizes.pop("words", ()))
    wanted = {**tiny.SIZES, "vocab_size": size + 3, "max_position_embeddings": CONTEXT, **sizes}
    torch.manual_seed(seed)
    AutoModelForCausalLM.from_config(CONFIG_MAPPING[kind](**wanted), dtype=torch.float32).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "target")


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "draft", seed=5, num_hidden_layers=1)


def opened(model: Path, notes: list[str] | None = None, **flags: Any) -> Session:
    load = resolve(Overrides(model=str(model), **flags), detect("")).load
    return Session.open(load, note=(notes if notes is not None else []).append)


def answer(session: Session, prompt: str, model: Path, **flags: Any) -> tuple[str, GenerationStats]:
    settings = resolve(Overrides(model=str(model), **{"max_tokens": 40, **flags}), detect(prompt)).generation
    return "".join(chunk.text for chunk in session.stream(Prompt.of(prompt), settings)), session.stats


def test_nothing_heavy_is_imported_before_the_first_answer(folder: Path) -> None:
    code = (
        "import sys; from specgen.profiles import *; from specgen.session import *; from specgen.tasks import detect\n"
        f"settings = resolve(Overrides(model={str(folder)!r}), detect('hi'))\n"
        "Session.open(settings.load).encode(Prompt.of('hi'), settings.generation)\n"
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_text_is_that_of_generate(folder: Path) -> None:
    session = opened(folder)
    text, stats = answer(session, "hello there", folder)
    settings = resolve(Overrides(model=str(folder)), detect("hello there")).generation
    ids = session.encode(Prompt.of("hello there"), settings)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    with torch.inference_mode():
        out = model.generate(torch.tensor([ids]), max_new_tokens=40, do_sample=False, eos_token_id=None)
    assert text == Tokenizer.from_file(str(folder / "tokenizer.json")).decode(out[0, len(ids) :].tolist())
    assert (stats.prompt_tokens, stats.new_tokens, stats.finish) == (len(ids), 40, "length")
    assert stats.load_s > 0


def test_answers_do_not_depend_on_what_was_answered_before(folder: Path) -> None:
    prompts = ["abcabcabc" * 3, "x", "one two three " * 4]
    alone = {prompt: answer(opened(folder), prompt, folder, drafter="lookup") for prompt in prompts}
    session = opened(folder)
    for prompt in (*prompts, *reversed(prompts)):
        text, stats = answer(session, prompt, folder, drafter="lookup")
        assert text == alone[prompt][0]
        assert stats.spec_dict() == alone[prompt][1].spec_dict()
    assert stats.load_s == 0, "weights are loaded once"


@pytest.mark.parametrize("flags", [{}, {"temperature": 0.9, "seed": 7}, {"temperature": 1.3, "top_p": 0.8, "seed": 1}])
def test_every_drafter_gives_the_same_text(folder: Path, draft: Path, flags: dict[str, Any]) -> None:
    session = opened(folder, draft_model=str(draft))
    texts = {answer(session, "abab", folder, drafter="none", **flags)[0]}
    for drafter in ("lookup", "draft_model", "lookup,draft_model"):
        for k in (1, 4, 9):
            named = {} if drafter == "lookup" else {"draft_model": str(draft)}
            text, stats = answer(session, "abab", folder, drafter=drafter, num_draft_tokens=k, **named, **flags)
            texts.add(text)
            assert stats.drafted == stats.accepted + stats.rejected + stats.discarded
            assert max(stats.histogram) >= 0
            assert len(stats.histogram) <= k + 1
    assert len(texts) == 1


def test_a_stop_string_ends_text_counts_and_stream_alike(folder: Path) -> None:
    session = opened(folder)
    whole, _ = answer(session, "abab", folder)
    stop = whole[10:13]
    for drafter in ("none", "lookup"):
        text, stats = answer(session, "abab", folder, drafter=drafter, stop=(stop,))
        assert text == whole[: whole.index(stop)]
        assert stats.finish == "stop"


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_small_limits_are_exact(folder: Path, limit: int) -> None:
    text, stats = answer(opened(folder), "abab", folder, max_tokens=limit, drafter="lookup")
    assert (stats.new_tokens, stats.finish) == (limit, "length")
    assert bool(text) <= (limit > 0)


def test_the_draft_model_is_checked_before_weights_are_read(folder: Path, tmp_path: Path) -> None:
    other = write_model(tmp_path / "other", words=("ab", "cd"))
    session = opened(folder, draft_model=str(other))
    with pytest.raises(ModelError, match=r"other cannot draft for target: .*first difference at id \d+") as caught:
        answer(session, "hi", folder, drafter="draft_model", draft_model=str(other))
    assert "--drafter lookup" in (caught.value.hint or "")
    assert session.describe().get("torch_version") is None or session._target is None


def test_drafting_for_itself_must_be_asked_for(folder: Path) -> None:
    flags = {"drafter": "draft_model", "draft_model": str(folder)}
    with pytest.raises(ModelError, match="is the target itself"):
        answer(opened(folder, draft_model=str(folder)), "hi", folder, **flags)
    session = opened(folder, draft_model=str(folder), allow_self_draft=True)
    _, stats = answer(session, "hi", folder, allow_self_draft=True, **flags)
    assert stats.draft_acceptance_rate == 1


def test_a_broken_draft_model_costs_nothing_but_a_note(folder: Path, draft: Path, tmp_path: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(draft)
    model.get_output_embeddings().weight.data.fill_(float("nan"))
    broken = tmp_path / "broken"
    model.save_pretrained(broken)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (broken / name).write_bytes((draft / name).read_bytes())
    notes: list[str] = []
    session = opened(folder, notes, draft_model=str(broken))
    text, stats = answer(session, "hi", folder, drafter="draft_model", draft_model=str(broken))
    assert text == answer(opened(folder), "hi", folder)[0]
    assert stats.drafted == 0
    assert len([note for note in notes if "draft model" in note]) == 1


def test_a_running_state_is_named_and_decoded_plainly(tmp_path: Path) -> None:
    model = write_model(tmp_path / "mamba", "mamba", state_size=8, time_step_rank=4)
    notes: list[str] = []
    text, stats = answer(opened(model, notes), "abcabcabc", model, drafter="lookup")
    assert stats.drafted == 0
    assert text
    assert [note for note in notes if "mamba is decoded plainly" in note and "running state" in note]


def test_prompts_that_are_empty_or_too_long_are_refused_with_both_counts(folder: Path) -> None:
    session = opened(folder)
    for text in ("", " \n"):
        with pytest.raises(UsageError, match="the prompt is empty"):
            answer(session, text, folder)
    for text in ("y" * CONTEXT, "y" * 100_000):
        with pytest.raises(PromptTooLong, match=rf"has .*\d+ tokens, but .*target holds {CONTEXT}"):
            answer(session, text, folder)


def test_a_prompt_just_below_the_limit_has_room_for_one_token(folder: Path) -> None:
    session = opened(folder)
    settings = resolve(Overrides(model=str(folder)), detect("")).generation
    frame = len(session.encode(Prompt.of("y"), settings)) - 1
    _, stats = answer(session, "y" * (CONTEXT - 1 - frame), folder)
    assert (stats.prompt_tokens, stats.new_tokens, stats.finish) == (CONTEXT - 1, 1, "length")
    with pytest.raises(PromptTooLong):
        answer(session, "y" * (CONTEXT - frame), folder)


def test_truncation_is_announced_and_keeps_both_ends(folder: Path) -> None:
    notes: list[str] = []
    session = opened(folder, notes)
    settings = replace(resolve(Overrides(model=str(folder)), detect("")).generation, truncate=True, max_tokens=20)
    ids = session.encode(Prompt.of("BEGIN" + "y" * 500 + "FINISH"), settings)
    text = Tokenizer.from_file(str(folder / "tokenizer.json")).decode(ids)
    assert len(ids) <= CONTEXT - 20
    assert "BEGIN" in text
    assert "FINISH" in text
    assert len([note for note in notes if note.startswith("prompt truncated")]) == 1


def test_thinking_is_kept_out_of_the_answer_when_asked(folder: Path) -> None:
    session = opened(folder)
    flags = {"think": True, "hide_thinking": True}
    settings = resolve(Overrides(model=str(folder), max_tokens=12, **flags), detect("hi")).generation
    chunks = list(session.stream(Prompt.of("hi"), settings))
    assert "".join(chunk.text for chunk in chunks) == ""
    assert "".join(chunk.thinking for chunk in chunks)


def test_without_a_template_the_raw_text_is_continued(tmp_path: Path) -> None:
    model = write_model(tmp_path / "base", template=False)
    notes: list[str] = []
    session = opened(model, notes)
    settings = resolve(Overrides(model=str(model)), detect("hi")).generation
    assert len(session.encode(Prompt.of("hi"), settings)) == 2
    assert [note for note in notes if "no chat template" in note]
    with pytest.raises(UsageError, match="--system has no effect"):
        session.encode(Prompt.of("hi"), replace(settings, system="be brief"))
    with pytest.raises(UsageError, match="a conversation needs a chat template"):
        session.encode(Prompt((Message("user", "a"), Message("assistant", "b"), Message("user", "c"))), settings)


def test_what_does_not_fit_is_refused_before_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("specgen.session.cpu", lambda: Device("cpu", "small", 1 << 20, 1 << 20))
    with pytest.raises(DoesNotFit, match=r"target needs about 1\.0 GiB as float32, and 0\.0 GiB are free"):
        answer(opened(folder), "hi", folder)


def test_padding_rows_are_never_written(folder: Path, tmp_path: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(folder)
    size = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab_size()
    model.get_output_embeddings().weight.data[size:] *= 50
    padded = tmp_path / "padded"
    model.save_pretrained(padded)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (padded / name).write_bytes((folder / name).read_bytes())
    assert answer(opened(padded), "hi", padded)[0] == answer(opened(folder), "hi", folder)[0]


def test_a_logit_bias_beyond_the_vocabulary_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="logit bias for token 99999"):
        answer(opened(folder), "hi", folder, logit_bias={99999: 1.0})


def test_weights_that_are_missing_are_named(folder: Path, tmp_path: Path) -> None:
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with pytest.raises(ModelError):
        answer(opened(tmp_path), "hi", tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0{}      ")
    with pytest.raises(ModelError):
        answer(opened(tmp_path), "hi", tmp_path)
