"""Tiny random models, scripted drafters and plain references for the tests of the loop."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

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

from specgen.decode.governor import FixedGovernor
from specgen.decode.loop import decode
from specgen.decode.sampling import Sampler
from specgen.decode.types import Acceptance, Drafter, Finish, Proposal, Round, SamplingParams, Verification
from specgen.models.hf import CausalLM
from specgen.models.target import LanguageModelTarget

VOCAB = 61

_SIZES = {
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
    """One configuration for each supported attention pattern; windows are far shorter than the tests' texts."""
    sliding = {**_SIZES, "sliding_window": 16}
    layers = ["sliding_attention", "full_attention", "sliding_attention"]
    return {
        "llama": LlamaConfig(**_SIZES),
        "qwen2": Qwen2Config(**_SIZES),
        "qwen3": Qwen3Config(**_SIZES),
        "gemma3": Gemma3TextConfig(**sliding, layer_types=layers, query_pre_attn_scalar=8),
        "gemma2": Gemma2Config(**sliding, layer_types=layers[:2] + ["sliding_attention"], query_pre_attn_scalar=8),
        "mistral": MistralConfig(**sliding),
    }


def model(kind: str, seed: int = 0) -> torch.nn.Module:
    """A random float32 model of that architecture."""
    torch.manual_seed(seed)
    return AutoModelForCausalLM.from_config(configs()[kind], dtype=torch.float32).eval()


def greedy_reference(kind: str, prompt: Sequence[int], length: int, seed: int = 0, **options: object) -> list[int]:
    """What transformers' own greedy `generate` writes, on a fresh copy of the model."""
    with torch.inference_mode():
        out = model(kind, seed).generate(
            torch.tensor([list(prompt)]), max_new_tokens=length, do_sample=False, **options
        )
    return out[0, len(prompt) :].tolist()


def prompt_ids(length: int, seed: int = 0) -> list[int]:
    """Random ids in which later parts repeat earlier ones."""
    source = random.Random(seed)
    phrase = [source.randrange(VOCAB) for _ in range(max(1, length // 3))]
    return (phrase * 4)[:length]


@dataclass
class TokenStop:
    """The stop rules that need no text: end ids and a limit."""

    max_tokens: int
    end_ids: frozenset[int] = frozenset()
    finish: Finish | None = None
    count: int = 0

    @property
    def room(self) -> int:
        return self.max_tokens - self.count

    def apply(self, acceptance: Acceptance) -> Acceptance:
        for index, token in enumerate(acceptance.tokens[: self.room]):
            if token in self.end_ids:
                self.finish = "stop"
                self.count += index + 1
                return acceptance.cut(index + 1)
        kept = acceptance.cut(min(self.room, len(acceptance.tokens)))
        self.count += len(kept.tokens)
        if self.room == 0:
            self.finish = "length"
        return kept


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
        tokens: list[int] = []
        parents: list[int] = []
        parent = -1
        for token in chain:
            siblings = [self.random.randrange(VOCAB) for _ in range(self.width - 1)]
            place = self.random.randrange(self.width)
            siblings.insert(place, token)
            if len(tokens) + len(siblings) > limit:
                break
            tokens += siblings
            parents += [parent] * len(siblings)
            parent = len(tokens) - len(siblings) + place
        return Proposal(tuple(tokens), None, tuple(parents), drafter=self.name)

    def observe(self, acceptance: Acceptance, verification: Verification) -> None:
        pass


def target_of(kind: str, seed: int = 0) -> LanguageModelTarget:
    return LanguageModelTarget(CausalLM(model(kind, seed), vocab_size=VOCAB))


def run(
    target: LanguageModelTarget,
    drafter: Drafter,
    prompt: Sequence[int],
    *,
    length: int,
    num_draft_tokens: int = 5,
    params: SamplingParams | None = None,
    end_ids: frozenset[int] = frozenset(),
) -> tuple[list[int], list[Round]]:
    """Decode and return the new ids and the rounds, after checking what holds for every generation."""
    params = params or SamplingParams()
    context = list(prompt)
    sampler = Sampler(params, vocab_size=target.vocab_size, prompt=prompt, end_ids=end_ids)
    stop = TokenStop(length, end_ids)
    rounds: list[Round] = []
    for outcome in decode(
        context,
        target=target,
        drafter=drafter,
        sampler=sampler,
        stop=stop,
        governor=FixedGovernor(num_draft_tokens),
    ):
        rounds.append(outcome)
        assert target.length == len(context) - 1
        assert sampler.history.length == len(context)
        assert outcome.rejected >= 0
        assert outcome.drafted == outcome.accepted + outcome.rejected + outcome.discarded
    new = context[len(prompt) :]
    assert new == [token for outcome in rounds for token in outcome.tokens]
    return new, rounds
