"""From flags, profile and task to settings: who wins, and what is refused by name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profile_standins import cpu, cuda, detected, nowhere, refusal, settle

from specgen.decode.types import SamplingParams
from specgen.errors import SpecgenError, UsageError
from specgen.loading.device import Device
from specgen.profiles import Overrides, resolve, select
from specgen.profiles.options import Layer

Write = Callable[..., Path]
PAIR = "qwen2.5-coder-1.5b"
LOOKUP_TASKS = ("summarize", "code_edit", "copy_heavy")

LEVELS = ("flag", "task", "profile")


@pytest.mark.parametrize("said", [[], *([one] for one in LEVELS), list(LEVELS[1:]), list(LEVELS), ["flag", "profile"]])
@pytest.mark.parametrize(
    ("name", "section", "values", "default"),
    [
        ("max_tokens", "defaults", {"flag": 0, "task": 2, "profile": 3}, 1024),
        ("num_draft_tokens", "defaults", {"flag": 0, "task": 2, "profile": 3}, 5),
        ("ngram_min", "defaults", {"flag": 1, "task": 4, "profile": 3}, 2),
        ("ngram_max", "defaults", {"flag": 4, "task": 3, "profile": 6}, 5),
        ("stop", "defaults", {"flag": ("a",), "task": ("b",), "profile": ("c", "d")}, ()),
        ("temperature", "sampling", {"flag": 0.0, "task": 0.5, "profile": 1.0}, 0.0),
        ("repetition_penalty", "sampling", {"flag": 1.1, "task": 1.2, "profile": 1.3}, 1.0),
        ("top_k", "sampling", {"flag": 0, "task": 5, "profile": 6}, 0),
        ("seed", "sampling", {"flag": 0, "task": 5, "profile": 6}, None),
    ],
)
def test_flag_then_task_then_profile_then_default(
    write: Write, *, said: list[str], name: str, section: str, values: dict[str, Any], default: Any
) -> None:
    lines = {"task": "task.general", "profile": section}
    text = [f"[{lines[level]}]\n{name} = {json.dumps(values[level])}" for level in said if level in lines]
    path = write("\n".join(text))
    flags = {name: values["flag"]} if "flag" in said else {}
    generation = settle(profile=str(path), **flags).generation
    effective = generation.sampling if section == "sampling" else generation
    assert getattr(effective, name) == (values[said[0]] if said else default)
    assert settle("summarize", profile=str(path)).generation.task == "summarize"


@pytest.mark.parametrize(
    ("name", "flag", "written", "default"),
    [
        ("system", "from the flag", "from the file", None),
        ("system", "", "from the file", None),
        ("think", False, True, None),
        ("hide_thinking", False, True, False),
        ("raw", False, True, False),
    ],
)
def test_template_options(write: Write, name: str, flag: object, written: object, default: object) -> None:
    path = str(write(f"[template]\n{name} = {json.dumps(written)}"))
    assert getattr(settle(profile=path, **{name: flag}).generation, name) == flag
    assert getattr(settle(profile=path).generation, name) == written
    assert getattr(settle(profile=str(write(""))).generation, name) == default


@pytest.mark.parametrize("name", ["quant", "dtype"])
def test_compute(write: Write, name: str) -> None:
    value, other = {"quant": ("nf4", "int8"), "dtype": ("float16", "float64")}[name]
    path = str(write(f"[device.cuda]\n{name} = '{value}'"))
    default = {"quant": "none", "dtype": "bfloat16"}[name]
    assert getattr(settle(profile=path, device=cuda(), **{name: other}).load, name) == other
    assert getattr(settle(profile=path, device=cuda()).load, name) == value
    assert getattr(settle(profile=path, device=cuda(), **{name: "auto"}).load, name) == value
    assert getattr(settle(profile=str(write("")), device=cuda()).load, name) == default
    assert (settle(profile=path).load.quant, settle(profile=path).load.dtype) == ("none", "float32")


def test_what_else_is_loaded_with() -> None:
    load = settle(threads=3, offline=True, allow_self_draft=True).load
    assert (load.threads, load.offline, load.allow_self_draft) == (3, True, True)
    load = settle().load
    assert (load.threads, load.offline, load.allow_self_draft) == (None, False, False)


def test_a_device_that_was_asked_for() -> None:
    assert settle(device=cuda()).load.device == "cuda"
    assert settle(device=cuda(), profile="qwen3-8b").load.quant == "nf4"
    overrides = Overrides(device="cpu", profile="qwen3-8b")
    assert resolve(overrides, detected(), device=cuda(), locate=nowhere).load.quant == "none"
    overrides = Overrides(device="cuda")
    assert resolve(overrides, detected(), device=cpu(), locate=nowhere).load.device == "cuda"
    overrides = Overrides(device="auto")
    assert resolve(overrides, detected(), device=cpu(), locate=nowhere).load.device == "cpu"


def test_quantizing_on_a_cpu_is_refused(write: Write) -> None:
    assert refusal(quant="nf4").message == "--quant nf4 needs a CUDA device"
    path = write("[device.cpu]\nquant = 'int8'")
    assert refusal(profile=str(path)).message == "profile own: quant int8 needs a CUDA device"
    assert settle(profile=str(path), quant="none").load.quant == "none"


# What contradicts itself


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"ngram_max": 1}, (1, 1)),
        ({"ngram_min": 9}, (9, 9)),
        ({"ngram_min": 3, "ngram_max": 4}, (3, 4)),
    ],
)
def test_a_bound_from_a_lesser_layer_gives_way(flags: dict[str, int], expected: tuple[int, int]) -> None:
    generation = settle(**flags).generation
    assert (generation.ngram_min, generation.ngram_max) == expected


def test_bounds_of_one_layer_must_agree(write: Write) -> None:
    assert refusal(ngram_min=4, ngram_max=3).message == "ngram_min 4 is more than ngram_max 3"
    assert refusal(min_tokens=4, max_tokens=3).message == "min_tokens 4 is more than max_tokens 3"
    assert settle(min_tokens=2000).generation.max_tokens == 2000
    path = str(write("[sampling]\nmin_tokens = 20"))
    assert settle(profile=path, max_tokens=5).generation.sampling.min_tokens == 5


@pytest.mark.parametrize(("name", "value", "flag"), [("system", "s", "--system"), ("think", False, "--no-think")])
def test_template_options_with_raw_text_are_refused(name: str, value: object, flag: str) -> None:
    assert refusal(raw=True, **{name: value}).message == f"{flag} would be ignored: --raw uses no chat template"
    error = refusal(profile="gemma-3-270m", **{name: value})
    assert error.message == f"{flag} would be ignored: profile gemma-3-270m completes raw text"


def test_raw_text_has_no_template_options_from_the_profile() -> None:
    generation = settle(profile="qwen3-8b", raw=True).generation
    assert (generation.raw, generation.think, generation.system) == (True, None, None)
    assert settle(profile="gemma-3-270m").generation.raw is True
    assert settle(profile="gemma-3-270m", raw=False, system="s").generation.system == "s"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"temperature": -1}, "--temp must be a number of at least 0, not -1"),
        ({"temperature": 10**400}, "--temp must be a number of at least 0, not 1000000"),
        ({"top_p": 0}, "--top-p must be a number above 0 and at most 1, not 0"),
        ({"seed": -1}, "--seed must be a whole number from 0 to 9223372036854775807, not -1"),
        ({"logit_bias": {5: float("inf")}}, "--logit-bias must be token ids with finite numbers"),
        ({"logit_bias": {-5: 1.0}}, "--logit-bias must be token ids with finite numbers"),
        ({"stop": ("a", "")}, "--stop must be a list of strings that are not empty"),
        ({"dtype": "fp8"}, "--dtype must be one of float32"),
        ({"model": " "}, "-m must be a name, not ' '"),
        ({"draft_model": ""}, "-d must be a name, not ''"),
        ({"threads": 0}, "--threads must be a whole number from 1 to 4096, not 0"),
    ],
)
def test_bad_values_name_their_flag(flags: dict[str, Any], message: str) -> None:
    assert refusal(**flags).message.startswith(message)


# The whole


def test_one_selection_serves_many_prompts() -> None:
    flags = Overrides(profile=PAIR)
    selection = select(flags, device=cpu(), locate=nowhere)
    for task in ("general", *LOOKUP_TASKS):
        assert selection.settings(flags, detected(task)) == settle(task, profile=PAIR)
    row = selection.settings(Overrides(profile=PAIR, max_tokens=3), detected())
    assert (row.generation.max_tokens, row.load) == (3, selection.load)


def test_effective_settings_are_strict_json() -> None:
    generation = settle(logit_bias={5: 1, 7: -2.5}, stop=("a",), seed=3, temperature=0.5).generation
    document = json.loads(json.dumps(generation.to_dict(), allow_nan=False))
    assert document["sampling"]["logit_bias"] == {"5": 1.0, "7": -2.5}
    assert (document["stop"], document["drafter"], document["max_tokens"]) == (["a"], "none", 1024)
    assert set(document["sampling"]) == {field.name for field in fields(SamplingParams)}


GOOD: dict[str, st.SearchStrategy[Any]] = {
    "num_draft_tokens": st.integers(0, 256),
    "ngram_min": st.integers(1, 64),
    "ngram_max": st.integers(1, 64),
    "max_tokens": st.integers(0, 10**6),
    "stop": st.lists(st.text(min_size=1), min_size=1, max_size=3).map(tuple),
    "system": st.text(),
    "raw": st.booleans(),
    "think": st.booleans(),
    "hide_thinking": st.booleans(),
    "truncate": st.booleans(),
    "logit_bias": st.dictionaries(st.integers(0, 10**6), st.floats(-100, 100), max_size=3),
    "repetition_penalty": st.floats(0.1, 10),
    "presence_penalty": st.floats(-2, 2),
    "frequency_penalty": st.integers(-2, 2),
    "no_repeat_ngram": st.integers(0, 9),
    "min_tokens": st.integers(0, 10**6),
    "temperature": st.floats(0, 5),
    "top_k": st.integers(0, 10**6),
    "top_p": st.floats(0.001, 1),
    "min_p": st.floats(0, 1),
    "seed": st.integers(0, 2**63 - 1),
}
WHERE: dict[str, st.SearchStrategy[Any]] = {
    "profile": st.sampled_from(["smollm2", PAIR, "qwen3-8b", "gemma-3-270m"]),
    "model": st.sampled_from(["org/other", "Qwen/Qwen3-8B", "smollm2"]),
    "draft_model": st.sampled_from(["org/small", "qwen2.5-coder-0.5b"]),
    "drafter": st.sampled_from(["auto", "none", "lookup", "draft_model", "lookup,draft_model", "other"]),
    "quant": st.sampled_from(["auto", "none", "nf4"]),
    "device": st.sampled_from(["auto", "cpu", "cuda"]),
    "dtype": st.sampled_from(["auto", "float32", "float16"]),
    "threads": st.integers(1, 64),
}
DEVICES = st.sampled_from([cpu(), cuda(), cpu(0)])
TASKS = st.sampled_from([*LOOKUP_TASKS, "general", "some later task"])


def test_the_strategies_know_every_option() -> None:
    assert set(GOOD) == {field.name for field in fields(Layer)}


@given(flags=st.fixed_dictionaries({}, optional={**GOOD, **WHERE}), device=DEVICES, task=TASKS)
def test_flags_always_win(flags: dict[str, Any], device: Device, task: str) -> None:
    try:
        settings = resolve(Overrides(**flags), detected(task), device=device, locate=nowhere)
    except UsageError as error:
        refused = error.message
    else:
        refused = ""
    assert not refused or re.search("ignored|more than|CUDA|no draft model", refused)
    if refused:
        return
    effective = {**settings.generation.to_dict(), **settings.generation.to_dict()["sampling"]}
    for name in GOOD.keys() & flags.keys() - {"logit_bias", "stop"}:
        assert effective[name] == flags[name]
    assert settings.generation.stop == flags.get("stop", ())
    for name in ("quant", "device", "dtype"):
        assert flags.get(name, "auto") in ("auto", getattr(settings.load, name))
    if flags.get("drafter", "auto") != "auto":
        assert settings.generation.drafter == flags["drafter"]
    if "draft_model" in settings.generation.drafter:
        assert settings.load.draft_model is not None
    if "draft_model" in flags:
        assert "draft_model" in settings.generation.drafter
    assert "\n" not in settings.profile_reason + settings.generation.drafter_reason


ANYTHING = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9), st.just(("a",)))


@given(flags=st.dictionaries(st.sampled_from([field.name for field in fields(Overrides)]), ANYTHING, max_size=4))
def test_nothing_but_our_own_errors(flags: dict[str, Any]) -> None:
    try:
        settings = resolve(Overrides(**flags), detected(), device=cpu(), locate=nowhere)
    except SpecgenError:
        return
    assert json.loads(json.dumps(settings.generation.to_dict(), allow_nan=False))["task"] == "general"
