"""One model, many ways to feed it: in one pass, in blocks, as a tree, rolled back. The logits are the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import tiny
import torch

from specgen.decode.types import ANCHOR, Acceptance, Proposal
from specgen.models import hf
from specgen.models.hf import CausalLM
from specgen.models.target import LanguageModelTarget

IDS = tiny.prompt_ids(44)


def one_pass(kind: str, ids: Sequence[int]) -> torch.Tensor:
    """(M, V) logits of transformers' own forward, without any cache."""
    with torch.inference_mode():
        return tiny.build(tiny.configs()[kind])(torch.tensor([list(ids)]), use_cache=False).logits[0]


def assert_close(found: torch.Tensor, expected: torch.Tensor) -> None:
    assert found.shape == expected.shape
    assert (found - expected).abs().max() < 2e-5 * expected.abs().max()


@torch.inference_mode()
def in_blocks(lm: CausalLM, ids: Sequence[int], size: int) -> torch.Tensor:
    rows = []
    for start in range(0, len(ids), size):
        block = ids[start : start + size]
        rows.append(lm.forward(block)[0])
        lm.keep(range(len(block)))
    return torch.cat(rows)


@pytest.mark.parametrize("kind", tiny.KINDS)
@pytest.mark.parametrize("size", [1, 3, 16, 17, 40, 44])
def test_blocks_equal_one_pass(kind: str, size: int) -> None:
    assert_close(in_blocks(tiny.causal_lm(kind), IDS, size), one_pass(kind, IDS))


@pytest.mark.parametrize("kind", tiny.KINDS)
@pytest.mark.parametrize("before", [1, 10, 14, 30])
def test_every_path_of_a_tree_is_a_chain(kind: str, before: int) -> None:
    """Windows of 16 end before, within and after the block."""
    parents = (-1, -1, 0, 0, 1, 2, 2, 5, 4, 7, 9, 10)
    tokens = [int(token) for token in torch.randint(0, tiny.VOCAB, (13,), generator=torch.Generator().manual_seed(1))]
    lm = tiny.causal_lm(kind)
    with torch.inference_mode():
        lm.prefill(IDS[:before])
        logits, _ = lm.forward(tokens, parents=parents)
    for leaf in (3, 6, 8, 11):
        path = [leaf]
        while parents[path[0]] != ANCHOR:
            path.insert(0, parents[path[0]])
        rows = [0, *(draft + 1 for draft in path)]
        chain = [tokens[row] for row in rows]
        assert_close(logits[rows], one_pass(kind, [*IDS[:before], *chain])[before:])


@pytest.mark.parametrize("kind", tiny.KINDS)
def test_an_accepted_path_goes_on_like_the_chain(kind: str) -> None:
    """After `commit` the cache holds the path, in order, and nothing of its siblings."""
    target = tiny.target_of(kind)
    proposal = Proposal((7, 9, 11, 13, 15, 17), None, (-1, -1, 1, 1, 3, 4))
    with torch.inference_mode():
        target.prefill(IDS[:12])
        target.verify(5, proposal)
        target.commit(Acceptance((1, 3, 4), (9, 13, 15, 20)))
        assert target.length == 16
        after = target.verify(20, Proposal((21, 22))).logits
    assert_close(after, one_pass(kind, [*IDS[:12], 5, 9, 13, 15, 20, 21, 22])[-3:])


@pytest.mark.parametrize("kind", ["llama", "gemma3"])
def test_rolling_back_is_free_of_traces(kind: str) -> None:
    lm = tiny.causal_lm(kind)
    in_blocks(lm, IDS, 8)
    lm.truncate(20)
    assert lm.length == 20
    other = [3, 1, 4, 1, 5, 9, 2, 6]
    assert_close(in_blocks(lm, other, 5), one_pass(kind, [*IDS[:20], *other])[20:])
    lm.truncate(0)
    assert_close(in_blocks(lm, other, 8), one_pass(kind, other))


@pytest.mark.parametrize("block", [5, 22, 44, 512])
def test_prefill_returns_the_last_row_and_all_taps(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hf, "_PREFILL_BLOCK", block)
    lm = CausalLM(tiny.model("qwen3"), vocab_size=tiny.VOCAB, taps=(0, 2))
    with torch.inference_mode():
        logits, taps = lm.prefill(IDS)
        untouched = tiny.build(tiny.configs()["qwen3"])(torch.tensor([IDS]), output_hidden_states=True)
    assert_close(logits, untouched.logits[0, -1])
    assert taps is not None
    assert_close(taps, torch.stack([untouched.hidden_states[tap][0] for tap in (0, 2)], 1))


def test_only_the_last_row_of_a_prompt_gets_logits() -> None:
    """All rows of a long prompt over a large vocabulary would not fit into memory."""
    lm = CausalLM(tiny.build(tiny.configs()["llama"]), vocab_size=tiny.VOCAB)
    rows: list[int] = []
    lm.model.get_output_embeddings().register_forward_hook(lambda module, given, output: rows.append(output.shape[-2]))
    with torch.inference_mode():
        lm.prefill(IDS)
    assert rows == [1]


# --- vocabularies -----------------------------------------------------------------------------------------------------


def padded(rows: int) -> torch.nn.Module:
    """A Llama with `rows` more rows in its head, all of which look better than any real token."""
    config = tiny.configs()["llama"]
    config.vocab_size = tiny.VOCAB + rows
    config.tie_word_embeddings = False
    model = tiny.build(config)
    head = model.get_output_embeddings()
    bias = torch.zeros(config.vocab_size)
    bias[tiny.VOCAB :] = 1e4
    head.bias = torch.nn.Parameter(bias)
    return model


def test_padding_is_never_written() -> None:
    prompt = tiny.prompt_ids(20)
    target = LanguageModelTarget(CausalLM(padded(7), vocab_size=tiny.VOCAB))
    assert target.vocab_size == tiny.VOCAB
    plain, _ = tiny.run(target, tiny.registered("none"), prompt, length=60)
    assert max(plain) < tiny.VOCAB
    assert len(set(plain)) > 10
    for name in ("lookup", "draft_model", "lookup,draft_model"):
        assert tiny.run(target, tiny.registered(name), prompt, length=60)[0] == plain


def test_a_tokenizer_larger_than_the_head_is_cut_to_the_head() -> None:
    lm = CausalLM(tiny.model("llama"), vocab_size=tiny.VOCAB + 100)
    assert lm.vocab_size == tiny.VOCAB
    with torch.inference_mode():
        assert lm.prefill([1, 2])[0].shape == (tiny.VOCAB,)


def test_the_context_length_is_known() -> None:
    assert tiny.causal_lm("gemma3").max_positions == 1024
