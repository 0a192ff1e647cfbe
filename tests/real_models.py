"""Real weights for the tests marked `real`: what the shipped profiles name, fetched at first use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from specgen.loading import sources
from specgen.loading.gguf import read_header
from specgen.loading.models import load_model
from specgen.loading.tokenizer import Tokenizer
from specgen.profiles import find_profile


@cache
def real_file(profile: str) -> Path:
    """The GGUF file of that profile's target."""
    return sources.fetch(find_profile(profile).targets[0].source)


@cache
def real_tokenizer(profile: str) -> Tokenizer:
    return Tokenizer.from_gguf(read_header(real_file(profile)))


@cache
def real_weights(profile: str) -> Any:
    """The model of transformers, float32; shared, so that gigabytes are read once."""
    return load_model(real_file(profile), device="cpu", dtype="float32")


def generated(profile: str, ids: Sequence[int], length: int) -> list[int]:
    """What transformers' own greedy `generate` writes with these weights."""
    import torch

    model, tokenizer = real_weights(profile), real_tokenizer(profile)
    before = model.config._attn_implementation
    model.set_attn_implementation("sdpa")
    try:
        with torch.inference_mode():
            out = model.generate(
                torch.tensor([list(ids)]),
                max_new_tokens=length,
                do_sample=False,
                eos_token_id=sorted(tokenizer.end_ids),
                suppress_tokens=list(range(tokenizer.size, model.config.vocab_size)) or None,
            )
    finally:
        model.set_attn_implementation(before)
    return out[0, len(ids) :].tolist()
