"""Stop strings in drafted blocks: the text and the ids are those of plain decoding, wherever the block borders lie."""

from __future__ import annotations

import pytest
import tiny
from tokenizers import Tokenizer
from tokenizers.decoders import ByteLevel
from tokenizers.models import WordLevel

from specgen.decode.types import Drafter, Round
from specgen.stopping import StopRules
from specgen.text import Detokenizer

PROMPT = tiny.prompt_ids(24)
LENGTH = 60
BLOCK = 8


def spelled(token: int) -> str:
    """Every token is one to three letters that no other token has in this order."""
    return "abcdefghijklmnopqrst"[token % 20] + "xyz"[: token // 20]


@pytest.fixture(scope="module")
def backend() -> Tokenizer:
    tokenizer = Tokenizer(WordLevel({spelled(token): token for token in range(60)} | {"\u0120": 60}, unk_token="a"))
    tokenizer.decoder = ByteLevel()
    return tokenizer


def write(backend: Tokenizer, drafter: Drafter, *strings: str) -> tuple[list[int], str, list[Round], StopRules]:
    """Ids, shown text, rounds and the rules after the end."""
    stop = StopRules(
        end_ids=frozenset(),
        max_tokens=LENGTH,
        strings=strings,
        detokenizer=Detokenizer(backend, special_ids=frozenset()),
    )
    ids, rounds = tiny.run(tiny.target_of("llama"), drafter, PROMPT, length=LENGTH, num_draft_tokens=BLOCK, stop=stop)
    return ids, stop.take_text(), rounds, stop


@pytest.mark.parametrize("first", range(1, 20))
@pytest.mark.parametrize("tokens", [1, 2, 4])
def test_a_stop_string_anywhere_in_a_block(backend: Tokenizer, first: int, tokens: int) -> None:
    """A perfect drafter's blocks begin at 1, 10, 19: the string begins, lies and ends first, last and across."""
    full = tiny.reference("llama", PROMPT, LENGTH)
    text = backend.decode(full)
    string = backend.decode(full[first : first + tokens])
    cut = text.index(string)
    drafter = tiny.ScriptedDrafter(full, len(PROMPT))
    ids, shown, rounds, stop = write(backend, drafter, string, "never there")
    assert shown == text[:cut]
    assert (rounds[-1].finish, stop.matched) == ("stop", string)
    assert ids == full[: len(ids)]
    assert backend.decode(ids[:-1]).find(string) == -1 < backend.decode(ids).find(string), "the last id completed it"


@pytest.mark.parametrize("name", ["lookup", "draft_model", "lookup,draft_model"])
@pytest.mark.parametrize("first", [0, 3, 9, 10, 17])
def test_every_drafter_stops_where_plain_decoding_stops(backend: Tokenizer, name: str, first: int) -> None:
    full = tiny.reference("llama", PROMPT, LENGTH)
    string = backend.decode(full[first : first + 2])
    plain = write(backend, tiny.registered("none"), string)
    itself = tiny.registered("draft_model", "llama", 0)
    for drafter in (tiny.registered(name), itself, tiny.ScriptedDrafter(full, len(PROMPT), width=3)):
        assert write(backend, drafter, string)[:2] == plain[:2]


def test_without_a_match_all_text_is_shown(backend: Tokenizer) -> None:
    full = tiny.reference("llama", PROMPT, LENGTH)
    begun = backend.decode(full[-2:]) + "more"  # the text ends within it: what was held back is shown at last
    ids, shown, rounds, _ = write(backend, tiny.ScriptedDrafter(full, len(PROMPT)), "never there", begun)
    assert (ids, shown) == (full, backend.decode(full))
    assert rounds[-1].finish == "length"
