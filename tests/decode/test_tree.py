"""The shape of a proposal: children, depths and ancestors agree with one another, chains included."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from specgen.decode import tree
from specgen.decode.types import ANCHOR, Proposal


@st.composite
def any_parents(draw: st.DrawFn) -> tuple[int, ...]:
    size = draw(st.integers(0, 12))
    return tuple(draw(st.integers(ANCHOR, draft - 1)) for draft in range(size))


def path_to(draft: int, parents: tuple[int, ...]) -> list[int]:
    """From the anchor to that draft, both included."""
    path = [draft]
    while path[0] != ANCHOR:
        path.insert(0, parents[path[0]])
    return path


@given(any_parents())
def test_rows_know_their_path(parents: tuple[int, ...]) -> None:
    depths, ancestors = tree.depths(parents), tree.ancestors(parents)
    for draft in range(ANCHOR, len(parents)):
        path = path_to(draft, parents)
        assert depths[draft + 1] == len(path) - 1
        assert [row - 1 for row, seen in enumerate(ancestors[draft + 1]) if seen] == path


@given(any_parents())
def test_children_come_in_their_order(parents: tuple[int, ...]) -> None:
    children = tree.children(Proposal((0,) * len(parents), None, parents))
    assert sorted(child for siblings in children.values() for child in siblings) == list(range(len(parents)))
    for parent, siblings in children.items():
        assert siblings == [draft for draft, above in enumerate(parents) if above == parent]


@given(st.integers(0, 9))
def test_a_chain_is_a_tree_without_branches(size: int) -> None:
    parents = tuple(range(-1, size - 1))
    tokens = (0,) * size
    assert tree.children(Proposal(tokens)) == tree.children(Proposal(tokens, None, parents))
    assert tree.depths(parents) == list(range(size + 1))
    assert tree.ancestors(parents) == [[column <= row for column in range(size + 1)] for row in range(size + 1)]
