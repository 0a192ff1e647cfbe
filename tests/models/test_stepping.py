"""Architectures that cannot go back: named at load, then decoded plainly with the text of `generate`."""

from __future__ import annotations

from typing import Any

import pytest
import tiny
import torch
from transformers import CONFIG_MAPPING, AutoConfig

from specgen.errors import ModelError
from specgen.models.hf import CausalLM, SteppingLM, cannot_roll_back
from specgen.models.target import LanguageModelTarget

PROMPT = tiny.prompt_ids(20)
ALTERNATING = ["linear_attention", "full_attention"] * 2
SIZES = {**tiny.SIZES, "num_hidden_layers": 4}
LINEAR = {
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "layer_types": ALTERNATING,
}
EXPERTS = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
MAMBA_HEADS = {"mamba_n_heads": 12, "mamba_d_head": 8, "mamba_d_state": 8, "mamba_n_groups": 1}

STATEFUL: dict[str, dict[str, Any]] = {
    "qwen3_next": {**SIZES, **LINEAR, **EXPERTS, "shared_expert_intermediate_size": 32},
    "qwen3_5_text": {**SIZES, **LINEAR},
    "mamba": {**SIZES, "state_size": 8, "time_step_rank": 4},
    "mamba2": {**SIZES, "state_size": 8, "num_heads": 12, "n_groups": 1},
    "jamba": {
        **SIZES,
        "attn_layer_period": 2,
        "attn_layer_offset": 1,
        "num_experts": 2,
        "mamba_d_state": 8,
        "mamba_dt_rank": 4,
        "use_mamba_kernels": False,
    },
    "bamba": {**SIZES, **MAMBA_HEADS, "attn_layer_indices": [1, 3]},
    "falcon_h1": {**SIZES, **MAMBA_HEADS, "mamba_d_ssm": 96},
    "minimax": {**SIZES, "layer_types": ALTERNATING, "num_local_experts": 4, "num_experts_per_tok": 2},
    "lfm2": {**SIZES, "layer_types": ["conv", "full_attention"] * 2, "block_dim": 48, "conv_dim": 48},
}
FIXED_ATTENTION: dict[str, dict[str, Any]] = {
    "bloom": {**SIZES, "n_layer": 3, "n_head": 6},
    "falcon": {key: value for key, value in SIZES.items() if key != "head_dim"} | {"alibi": True},
}
LONGROPE = {
    **SIZES,
    "original_max_position_embeddings": 40,
    "rope_parameters": {
        "rope_type": "longrope",
        "rope_theta": 10000.0,
        "short_factor": [1.0, 1.0, 1.0, 1.0],
        "long_factor": [4.0, 8.0, 16.0, 32.0],
        "original_max_position_embeddings": 40,
    },
}


def build(kind: str, options: dict[str, Any]) -> torch.nn.Module:
    options = {**options, "bos_token_id": None, "eos_token_id": None, "pad_token_id": None}
    return tiny.build(AutoConfig.for_model(kind, **options))


def assert_steps_like_generate(kind: str, options: dict[str, Any], length: int = 40) -> None:
    expected = tiny.generate(build(kind, options), PROMPT, length)
    target = LanguageModelTarget(SteppingLM(build(kind, options), vocab_size=tiny.VOCAB))
    for _ in range(2):  # the second generation starts from nothing again
        drafter = tiny.ScriptedDrafter(expected, len(PROMPT))
        ids, rounds = tiny.run(target, drafter, PROMPT, length=length)
        assert ids == expected
        assert sum(outcome.drafted for outcome in rounds) == 0
    assert len(set(expected)) > 3


@pytest.mark.parametrize("kind", [kind for kind in STATEFUL if kind in CONFIG_MAPPING])
def test_running_states_are_named_and_stepped(kind: str) -> None:
    reason = cannot_roll_back(build(kind, STATEFUL[kind]))
    assert reason is not None
    assert reason.startswith(f"{kind} keeps a running state")
    assert_steps_like_generate(kind, STATEFUL[kind])


@pytest.mark.parametrize("kind", FIXED_ATTENTION)
def test_attention_of_their_own_is_named_and_stepped(kind: str) -> None:
    assert cannot_roll_back(build(kind, FIXED_ATTENTION[kind])) == f"the attention of {kind} cannot be replaced"
    assert_steps_like_generate(kind, FIXED_ATTENTION[kind])


def test_rotations_that_depend_on_the_block_are_named() -> None:
    """Below and above the switch of its factors the text is that of `generate`."""
    assert "longrope" in str(cannot_roll_back(build("phi3", LONGROPE)))
    assert_steps_like_generate("phi3", LONGROPE, length=20)
    longer = {**LONGROPE, "original_max_position_embeddings": 10}
    longer["rope_parameters"] = {**LONGROPE["rope_parameters"], "original_max_position_embeddings": 10}
    assert_steps_like_generate("phi3", longer)


def test_a_straddling_block_would_change_the_text() -> None:
    """Why longrope is on the list: rows before the switch would be turned by the long factors."""
    plain, drafted = (CausalLM(build("phi3", LONGROPE), vocab_size=tiny.VOCAB) for _ in range(2))
    ids = tiny.prompt_ids(42)
    with torch.inference_mode():
        for lm in (plain, drafted):
            lm.prefill(ids[:36])
        row, _ = plain.forward(ids[36:37])
        block, _ = drafted.forward(ids[36:42])
    assert (row[0] - block[0]).abs().max() > 0.1


@pytest.mark.parametrize("kind", tiny.KINDS)
def test_plain_attention_rolls_back(kind: str) -> None:
    assert cannot_roll_back(tiny.model(kind)) is None


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("rwkv", {"vocab_size": 61, "hidden_size": 48, "num_hidden_layers": 2, "attention_hidden_size": 48}),
        ("openai-gpt", {"vocab_size": 61, "n_embd": 48, "n_layer": 2, "n_head": 6}),
    ],
)
def test_without_a_state_to_hand_on_it_is_one_clear_line(kind: str, options: dict[str, Any]) -> None:
    model = tiny.build(AutoConfig.for_model(kind, **options))
    assert cannot_roll_back(model) is not None
    lm = SteppingLM(model, vocab_size=tiny.VOCAB)
    with torch.inference_mode(), pytest.raises(ModelError, match=kind) as caught:
        lm.prefill([1, 2, 3])
    assert caught.value.hint


def test_a_state_only_moves_forward() -> None:
    lm = SteppingLM(build("mamba", STATEFUL["mamba"]), vocab_size=tiny.VOCAB)
    with torch.inference_mode():
        lm.prefill([1, 2, 3])
        with pytest.raises(AssertionError, match="rolled back"):
            lm.truncate(2)
        with pytest.raises(AssertionError, match="one id at a time"):
            lm.forward([4, 5])
        with pytest.raises(AssertionError, match="rolled back"):
            lm.forward([4], parents=())
        lm.truncate(3)
        lm.truncate(0)
    assert lm.length == 0


def test_only_the_last_row_of_a_prompt_gets_logits() -> None:
    """All rows of a long prompt over a large vocabulary would not fit into memory."""
    lm = SteppingLM(build("qwen3_next", STATEFUL["qwen3_next"]), vocab_size=tiny.VOCAB)
    rows: list[int] = []
    lm.model.get_output_embeddings().register_forward_hook(lambda module, given, output: rows.append(output.shape[-2]))
    with torch.inference_mode():
        lm.prefill(PROMPT)
    assert rows == [1]
