"""Any decoder-only model of transformers as a block function: ids and tree shape in, logits and taps out.

`CausalLM` owns the model and its KV cache and is what both a target and a draft model stand on. Architectures whose
state cannot be rolled back (linear attention, state-space hybrids), or whose attention cannot be replaced, get
`SteppingLM`: one token at a time on the architecture's own cache, never wrong, never speculative.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch

from specgen.decode import tree
from specgen.errors import ModelError
from specgen.models.attention import NAME as ATTENTION
from specgen.models.attention import Block, block_of
from specgen.models.cache import KVCache

_PREFILL_BLOCK = 512
_STATE_LAYERS = ("linear", "mamba", "conv", "recurrent", "ssm", "rwkv", "hybrid", "indexed", "compressed")


class CausalLM:
    """A decoder with a rollback-free KV cache. One sequence; not thread-safe.

    `vocab_size` is the number of ids that the tokenizer knows: rows of the head beyond it are padding and cut off.
    """

    max_draft = 64
    trees = True

    def __init__(self, model: Any, *, vocab_size: int, taps: Sequence[int] = ()) -> None:
        model.set_attn_implementation(ATTENTION)
        self.model = model
        self.vocab_size = min(vocab_size, model.get_output_embeddings().weight.shape[0])
        self.max_positions: int | None = getattr(model.config.get_text_config(), "max_position_embeddings", None)
        self.device: torch.device = model.get_input_embeddings().weight.device
        self.taps = tuple(taps)
        self.cache = KVCache()
        self._cache_keyword = _cache_keyword(model)

    @property
    def length(self) -> int:
        """Cached positions."""
        return self.cache.length

    def prefill(self, ids: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Cache `ids` after what is there. Returns the last row's logits (V,) and taps (len(ids), T, H)."""
        parts: list[torch.Tensor] = []
        for start in range(0, len(ids), _PREFILL_BLOCK):
            block = ids[start : start + _PREFILL_BLOCK]
            logits, taps = self.forward(block, last_only=True)
            self.keep(range(len(block)))
            if taps is not None:
                parts.append(taps)
        return logits[-1], torch.cat(parts) if parts else None

    def forward(
        self, ids: Sequence[int], *, parents: tuple[int, ...] | None = None, last_only: bool = False
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """One forward over M ids after the cached ones; the block is kept only by a following `keep`.

        With `parents` the ids are an anchor and a tree of drafts (see `Proposal.parents`).
        Returns logits (M, V), or (1, V) with `last_only`, and taps (M, T, H).
        """
        start = self.cache.length
        depths = range(len(ids)) if parents is None else tree.depths(parents)
        positions = torch.tensor([start + depth for depth in depths], device=self.device)
        ancestors = None if parents is None else torch.tensor(tree.ancestors(parents), device=self.device)
        arguments = {
            "input_ids": torch.tensor([list(ids)], device=self.device),
            "position_ids": positions[None],
            "use_cache": True,
            "logits_to_keep": 1 if last_only else 0,
            "output_hidden_states": bool(self.taps),
            self._cache_keyword: self.cache,
        }
        with block_of(Block(positions, start, ancestors)):
            output = self.model(**arguments)
        taps = torch.stack([output.hidden_states[tap][0] for tap in self.taps], 1) if self.taps else None
        return output.logits[0, :, : self.vocab_size], taps

    def keep(self, rows: Sequence[int]) -> None:
        """Keep these rows of the last forward."""
        self.cache.keep(rows)

    def truncate(self, length: int) -> None:
        """Roll back to `length` cached positions."""
        self.cache.truncate(length)


class SteppingLM:
    """A decoder whose state only moves forward: the prompt in one pass, then one id at a time."""

    max_draft = 0
    trees = False

    def __init__(self, model: Any, *, vocab_size: int) -> None:
        self.model = model
        self.vocab_size = min(vocab_size, model.get_output_embeddings().weight.shape[0])
        self.max_positions: int | None = getattr(model.config.get_text_config(), "max_position_embeddings", None)
        self.device: torch.device = model.get_input_embeddings().weight.device
        self.taps: tuple[int, ...] = ()
        self.length = 0
        self._state: Any = None
        self._cache_keyword = _cache_keyword(model)
        self._accepted = inspect.signature(model.forward).parameters

    def prefill(self, ids: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Read `ids` in one pass: chunked kernels of these architectures may start from an empty state only."""
        logits, _ = self.forward(ids, last_only=True)
        self.keep(range(len(ids)))
        return logits[-1], None

    def forward(
        self, ids: Sequence[int], *, parents: tuple[int, ...] | None = None, last_only: bool = False
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """One forward; the state has moved when it returns. Returns logits (M or 1, V) and no taps."""
        assert parents is None, "this state cannot be rolled back"
        assert self.length == 0 or len(ids) == 1, "this state moves one id at a time"
        output = self.model(**self._arguments(ids, last_only=last_only))
        self._state = getattr(output, self._cache_keyword, None)
        if self._state is None:
            kind = self.model.config.model_type
            raise ModelError(f"{kind} hands out no state to continue from", hint="choose another architecture")
        logits = output.logits[0, -1:] if last_only else output.logits[0]
        return logits[:, : self.vocab_size], None

    def _arguments(self, ids: Sequence[int], *, last_only: bool) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "input_ids": torch.tensor([list(ids)], device=self.device),
            # some architectures count from 0 in every forward when they are not told
            "position_ids": torch.arange(self.length, self.length + len(ids), device=self.device)[None],
            "logits_to_keep": 1 if last_only else 0,
        }
        arguments = {name: value for name, value in arguments.items() if name in self._accepted}
        if self._state is not None:
            arguments[self._cache_keyword] = self._state
        return {**arguments, "use_cache": True}

    def keep(self, rows: Sequence[int]) -> None:
        """All rows of the last forward are part of the state already."""
        self.length += len(rows)

    def truncate(self, length: int) -> None:
        """Start again; a state cannot be shortened."""
        assert length in {0, self.length}, "this state cannot be rolled back"
        if length == 0:
            self._state, self.length = None, 0


def cannot_roll_back(model: Any) -> str | None:
    """Why this architecture can only be decoded plainly, or `None` if its KV cache can be rolled back."""
    kind = model.config.model_type
    layers = set(getattr(model.config.get_text_config(), "layer_types", None) or ())
    state = sorted(layer for layer in layers if any(word in str(layer) for word in _STATE_LAYERS))
    if state or getattr(model, "_is_stateful", False):
        return f"{kind} keeps a running state ({', '.join(map(str, state)) or 'recurrent layers'})"
    if _rescales_positions(model.config.get_text_config()):
        return f"{kind} turns all positions of a block by its longest one (longrope)"
    if not getattr(model, "_supports_attention_backend", False):
        return f"the attention of {kind} cannot be replaced"
    return None


def _rescales_positions(config: Any) -> bool:
    """Whether a row's rotation depends on the other rows of its block: a straddling block would change the text."""
    rope = getattr(config, "rope_parameters", None) or {}
    types = [rope.get("rope_type"), *(part.get("rope_type") for part in rope.values() if isinstance(part, dict))]
    return "longrope" in types


def _cache_keyword(model: Any) -> str:
    """The cache argument is being renamed in transformers 5.x."""
    return "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"
