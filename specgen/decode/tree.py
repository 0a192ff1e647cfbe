"""Shape of a proposal: children, depths and ancestors from parent indices, chains included."""

from __future__ import annotations

from specgen.decode.types import ANCHOR, Proposal


def children(proposal: Proposal) -> dict[int, list[int]]:
    """Drafts that follow each node, in the order in which they were proposed; `ANCHOR` is the anchor."""
    if proposal.parents is None:
        return {draft - 1: [draft] for draft in range(len(proposal))}
    found: dict[int, list[int]] = {}
    for draft, parent in enumerate(proposal.parents):
        found.setdefault(parent, []).append(draft)
    return found


def depths(parents: tuple[int, ...]) -> list[int]:
    """Distance of every row of the verified block from the anchor: row 0 is the anchor, row i + 1 draft i."""
    found = [0]
    for parent in parents:
        found.append(found[parent + 1] + 1)
    return found


def ancestors(parents: tuple[int, ...]) -> list[list[bool]]:
    """(n + 1, n + 1): whether row j lies on the path from the anchor to row i, i itself included."""
    size = len(parents) + 1
    rows = [[False] * size for _ in range(size)]
    rows[0][0] = True
    for draft, parent in enumerate(parents):
        rows[draft + 1] = list(rows[parent + 1])
        rows[draft + 1][draft + 1] = True
    return rows


def check(proposal: Proposal, *, limit: int, vocab_size: int) -> None:
    """Assert what every drafter owes: size, vocabulary, parents before children, laws of the right shape."""
    n = len(proposal)
    assert n <= limit, f"{proposal.drafter}: {n} drafts where {limit} were allowed"
    assert all(0 <= token < vocab_size for token in proposal.tokens), f"{proposal.drafter}: an id out of range"
    if proposal.parents is not None:
        assert len(proposal.parents) == n, f"{proposal.drafter}: one parent for each draft"
        assert all(ANCHOR <= p < i for i, p in enumerate(proposal.parents)), f"{proposal.drafter}: parents come first"
    if proposal.probs is not None:
        assert tuple(proposal.probs.shape) == (n, vocab_size), f"{proposal.drafter}: probs must be (n, V)"
