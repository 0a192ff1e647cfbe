"""Tiny random models, scripted drafters and references for the tests of the loop.

Models are built once per process and shared: they hold no state, their caches do. References come from copies that no
part of specgen has touched.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
from transformers import (
    AutoModelForCausalLM,
    Gemma2Config,
    Gemma3TextConfig,
    LlamaConfig,
    MistralConfig,
    PreTrainedConfig,
    Qwen2Config,
    Qwen3Config,
)

from specgen import drafters
from specgen.decode.governor import FixedGovernor
from specgen.decode.loop import decode
from specgen.decode.sampling import Sampler
from specgen.decode.types import (
    Acceptance,
    Drafter,
    Finish,
    Proposal,
    Round,
    SamplingParams,
    Stop,
    Target,
    Verification,
)
from specgen.drafters.setup import DrafterSetup
from specgen.models.hf import CausalLM
from specgen.models.target import LanguageModelTarget

VOCAB = 61
WINDOW = 16

SIZES: dict[str, Any] = {
    "vocab_size": VOCAB,
    "hidden_size": 48,
    "intermediate_size": 96,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 1024,
    "initializer_range": 0.6,
    "pad_token_id": None,
    "bos_token_id": None,
    "eos_token_id": None,
    "tie_word_embeddings": False,
}


def configs() -> dict[str, PreTrainedConfig]:
    """One configuration for each attention pattern; windows are far shorter than the tests' texts."""
    windowed = {**SIZES, "sliding_window": WINDOW}
    layers = ["sliding_attention", "full_attention", "sliding_attention"]
    # Gemma scales its embeddings up; a smaller spread keeps them from drowning what the layers add.
    gemma3 = {**windowed, "initializer_range": 0.1, "layer_types": layers, "query_pre_attn_scalar": 8}
    return {
        "llama": LlamaConfig(**SIZES),
        "qwen2": Qwen2Config(**SIZES),
        "qwen3": Qwen3Config(**SIZES),
        "gemma3": Gemma3TextConfig(**gemma3),
        "gemma2": Gemma2Config(**windowed, layer_types=layers, query_pre_attn_scalar=8),
        "mistral": MistralConfig(**windowed),
    }


KINDS = tuple(configs())
WINDOWED_KINDS = ("gemma3", "gemma2", "mistral")


def draft_config() -> PreTrainedConfig:
    """One layer, unrelated to every target: it drafts garbage, quickly."""
    return LlamaConfig(**{**SIZES, "num_hidden_layers": 1})


def build(config: PreTrainedConfig, seed: int = 0) -> torch.nn.Module:
    """A random float32 model."""
    torch.manual_seed(seed)
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


@cache
def model(kind: str, seed: int = 0) -> torch.nn.Module:
    """The shared model of one of `configs()`, or of `draft_config()` under the name `draft`."""
    return build(draft_config() if kind == "draft" else configs()[kind], seed)


def causal_lm(kind: str, seed: int = 0) -> CausalLM:
    """A shared model with a cache of its own."""
    return CausalLM(model(kind, seed), vocab_size=VOCAB)


def target_of(kind: str, seed: int = 0) -> LanguageModelTarget:
    return LanguageModelTarget(causal_lm(kind, seed))


def prompt_ids(length: int, seed: int = 0) -> list[int]:
    """Random ids in which later parts repeat earlier ones."""
    source = random.Random(seed)
    phrase = [source.randrange(VOCAB) for _ in range(max(1, length // 3))]
    return (phrase * 4)[:length]


def generate(untouched: torch.nn.Module, prompt: Sequence[int], length: int, **options: Any) -> list[int]:
    """The new ids of transformers' own greedy `generate`."""
    ends = options.pop("end_ids", frozenset())
    if ends:
        options |= {"eos_token_id": sorted(ends), "pad_token_id": 0}
    with torch.inference_mode():
        out = untouched.generate(torch.tensor([list(prompt)]), max_new_tokens=length, do_sample=False, **options)
    return out[0, len(prompt) :].tolist()


@cache
def _untouched(kind: str) -> torch.nn.Module:
    return build(configs()[kind])


@cache
def _reference(kind: str, prompt: tuple[int, ...], length: int, options: tuple[tuple[str, Any], ...]) -> list[int]:
    return generate(_untouched(kind), prompt, length, **dict(options))


def reference(kind: str, prompt: Sequence[int], length: int, **options: Any) -> list[int]:
    """What `generate` writes on that model with these options of its own; computed once, not to be changed."""
    return _reference(kind, tuple(prompt), length, tuple(sorted(options.items())))


def setup(draft_kind: str = "draft", draft_seed: int = 1, **options: Any) -> DrafterSetup:
    """What registered drafters are built from in the tests."""
    return DrafterSetup(vocab_size=VOCAB, draft_model=lambda: causal_lm(draft_kind, draft_seed), **options)


def registered(name: str, draft_kind: str = "draft", draft_seed: int = 1, **options: Any) -> Drafter:
    return drafters.build(name, setup(draft_kind, draft_seed, **options))


@dataclass
class TokenStop:
    """The stop rules that need no text: end ids and a limit."""

    max_tokens: int
    end_ids: frozenset[int] = frozenset()
    finish: Finish | None = None
    count: int = 0

    def __post_init__(self) -> None:
        if self.max_tokens == 0:
            self.finish = "length"

    @property
    def room(self) -> int:
        return self.max_tokens - self.count

    def apply(self, acceptance: Acceptance) -> Acceptance:
        assert self.finish is None, "nothing is applied after the end"
        for length, token in enumerate(acceptance.tokens, start=1):
            self.count += 1
            if token in self.end_ids:
                self.finish = "stop"
            elif self.room == 0:
                self.finish = "length"
            if self.finish is not None:
                return acceptance.cut(length)
        return acceptance


@dataclass
class ScriptedDrafter:
    """Knows the true continuation, and spoils it as told; may dress it as a tree among wrong siblings."""

    truth: Sequence[int]
    prompt_length: int
    wrong_at: Sequence[int] = ()
    width: int = 1
    noise: bool = False
    name: str = "scripted"
    taps: tuple[int, ...] = ()
    random: random.Random = field(default_factory=lambda: random.Random(7))

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Sampler) -> None:
        self.random.seed(7)

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        done = len(context) - self.prompt_length
        chain = [
            (token + 1) % VOCAB if self.noise or done + i in self.wrong_at else token
            for i, token in enumerate(self.truth[done : done + limit])
        ]
        if self.width == 1:
            return Proposal(tuple(chain), drafter=self.name)
        return self._tree(chain, limit)

    def _tree(self, chain: Sequence[int], limit: int) -> Proposal:
        """Siblings are random, so some repeat the true token; wrong ones have children of their own."""
        tokens: list[int] = []
        parents: list[int] = []
        node = -1
        for token in chain:
            siblings = [self.random.randrange(VOCAB) for _ in range(self.width - 1)]
            siblings.insert(self.random.randrange(self.width), token)
            if len(tokens) + len(siblings) + 1 > limit:
                break
            first = len(tokens)
            tokens += siblings
            parents += [node] * len(siblings)
            tokens.append(self.random.randrange(VOCAB))
            parents.append(self.random.randrange(first, len(tokens) - 1))
            node = first + siblings.index(token)
        return Proposal(tuple(tokens), None, tuple(parents), drafter=self.name)

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        pass


@dataclass
class SamplingGarbageDrafter:
    """Draws from random laws that have nothing to do with the target, and says which."""

    vocab_size: int = VOCAB
    name: str = "garbage"
    taps: tuple[int, ...] = ()

    def begin(self, context: Sequence[int], taps: torch.Tensor | None, sampler: Sampler) -> None:
        self.random = torch.Generator().manual_seed(3)

    def propose(self, context: Sequence[int], limit: int) -> Proposal:
        probs = torch.softmax(3 * torch.randn(limit, self.vocab_size, generator=self.random), 1)
        tokens = torch.multinomial(probs, 1, generator=self.random)[:, 0]
        return Proposal(tuple(tokens.tolist()), probs, drafter=self.name)

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        pass


def run(
    target: Target,
    drafter: Drafter,
    prompt: Sequence[int],
    *,
    length: int,
    num_draft_tokens: int = 5,
    params: SamplingParams | None = None,
    end_ids: frozenset[int] = frozenset(),
    stop: Stop | None = None,
) -> tuple[list[int], list[Round]]:
    """Decode and return the new ids and the rounds, after checking what holds for every generation.

    A `stop` of one's own takes the place of the length and the end ids.
    """
    context = list(prompt)
    sampler = Sampler(params or SamplingParams(), vocab_size=target.vocab_size, prompt=prompt, end_ids=end_ids)
    rounds: list[Round] = []
    for outcome in decode(
        context,
        target=target,
        drafter=drafter,
        sampler=sampler,
        stop=stop or TokenStop(length, end_ids),
        governor=FixedGovernor(num_draft_tokens),
    ):
        rounds.append(outcome)
        assert target.length == len(context) - 1
        assert sampler.history.length == len(context)
        assert 0 <= outcome.accepted <= outcome.drafted <= num_draft_tokens
        assert outcome.rejected >= 0
        assert outcome.discarded >= 0
        assert not torch.is_inference_mode_enabled(), "the caller's own code runs as it did"
    new = context[len(prompt) :]
    assert new == [token for outcome in rounds for token in outcome.tokens]
    if rounds:
        assert [outcome.prefill for outcome in rounds] == [True] + [False] * (len(rounds) - 1)
        assert [outcome.finish is not None for outcome in rounds] == [False] * (len(rounds) - 1) + [True]
    return new, rounds
