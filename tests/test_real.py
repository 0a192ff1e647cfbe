"""Losslessness on real weights in float32: the ids of plain decoding, of every drafter and of transformers agree."""

from __future__ import annotations

import pytest
from real_models import generated, real_tokenizer, real_weights
from tiny import ScriptedDrafter, run

from specgen.decode.types import Drafter, SamplingParams
from specgen.drafters.cascade import CascadeDrafter
from specgen.drafters.draft_model import DraftModelDrafter
from specgen.drafters.lookup import LookupDrafter
from specgen.drafters.none import NoneDrafter
from specgen.models.hf import CausalLM
from specgen.models.target import LanguageModelTarget

pytestmark = pytest.mark.real

EDIT = """Rename `n` to `count` and return the whole file:

def tally(items):
    n = 0
    for item in items:
        n += 1
    print(f"{n} items")
    return n
"""
CHAT = ["Why is the sky blue?", EDIT]
PAIR = "qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b"


def language_model(profile: str) -> CausalLM:
    return CausalLM(real_weights(profile), vocab_size=real_tokenizer(profile).size)


def chat_ids(profile: str, prompt: str) -> list[int]:
    return real_tokenizer(profile).encode_chat([{"role": "user", "content": prompt}])


def lookup() -> LookupDrafter:
    return LookupDrafter(ngram_min=2, ngram_max=5)


def draft_model(profile: str, target: LanguageModelTarget) -> DraftModelDrafter:
    return DraftModelDrafter(
        language_model(profile), vocab_size=target.vocab_size, end_ids=real_tokenizer(profile).end_ids
    )


@pytest.mark.parametrize("prompt", CHAT)
def test_smollm2_writes_the_same_ids_with_every_drafter(prompt: str) -> None:
    ids = chat_ids("smollm2", prompt)
    ends = real_tokenizer("smollm2").end_ids
    expected = generated("smollm2", ids, 48)
    target = LanguageModelTarget(language_model("smollm2"))
    drafters: list[Drafter] = [NoneDrafter(), lookup(), draft_model("smollm2", target)]
    drafters += [ScriptedDrafter(expected, len(ids), wrong_at=range(3, 48, 5), width=2)]
    for drafter in drafters:
        for k in (3, 8):
            assert run(target, drafter, ids, length=48, num_draft_tokens=k, end_ids=ends)[0] == expected, drafter.name


def test_smollm2_drafting_for_itself_is_accepted_whole() -> None:
    ids = chat_ids("smollm2", CHAT[0])
    target = LanguageModelTarget(language_model("smollm2"))
    _, rounds = run(target, draft_model("smollm2", target), ids, length=41, num_draft_tokens=4)
    assert sum(outcome.accepted for outcome in rounds) == sum(outcome.drafted for outcome in rounds)
    assert len(rounds) == 1 + 40 // 5


def test_smollm2_seeded_text_does_not_depend_on_the_drafter() -> None:
    ids = chat_ids("smollm2", CHAT[0])
    target = LanguageModelTarget(language_model("smollm2"))
    for seed in (1, 2):
        params = SamplingParams(temperature=0.8, top_p=0.95, seed=seed)
        texts = {
            tuple(run(target, drafter, ids, length=40, num_draft_tokens=k, params=params)[0])
            for drafter in (NoneDrafter(), lookup(), draft_model("smollm2", target))
            for k in (2, 6)
        }
        assert len(texts) == 1


@pytest.mark.parametrize("drafter", ["lookup", "self", "noise"])
def test_gemma_crosses_its_sliding_window(drafter: str) -> None:
    tokenizer = real_tokenizer("gemma-3-270m")
    story = "The river ran past the mill, and the mill ran day and night. " * 60
    ids = tokenizer.encode(story, add_bos=True)[:490]
    expected = generated("gemma-3-270m", ids, 64)
    target = LanguageModelTarget(language_model("gemma-3-270m"))
    choices: dict[str, Drafter] = {
        "lookup": lookup(),
        "self": draft_model("gemma-3-270m", target),
        "noise": ScriptedDrafter(expected, len(ids), noise=True),
    }
    assert run(target, choices[drafter], ids, length=64, num_draft_tokens=7, end_ids=tokenizer.end_ids)[0] == expected


def test_the_qwen_pair_writes_the_same_ids_with_every_drafter() -> None:
    target_name, draft_name = PAIR
    ids = chat_ids(target_name, EDIT)
    ends = real_tokenizer(target_name).end_ids
    expected = generated(target_name, ids, 32)
    target = LanguageModelTarget(language_model(target_name))
    draft = draft_model(draft_name, target)
    for drafter, k in ((NoneDrafter(), 0), (lookup(), 7), (draft, 3), (CascadeDrafter([lookup(), draft]), 5)):
        assert run(target, drafter, ids, length=32, num_draft_tokens=k, end_ids=ends)[0] == expected, drafter.name


@pytest.mark.parametrize(
    ("profile", "ends"),
    [("qwen2.5-coder-0.5b", {151643, 151645}), ("smollm2", {0, 2}), ("gemma-3-270m", {1, 106})],
)
def test_end_ids_are_the_union_of_what_the_file_and_the_template_end_with(profile: str, ends: set[int]) -> None:
    assert ends <= real_tokenizer(profile).end_ids
