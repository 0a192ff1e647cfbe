"""The one acceptance rule: which drafts the target agrees with, and the token that it adds.

Walk from the anchor. Each child of the current node is accepted with probability min(1, p / q); after a rejection p
becomes the residual and the next sibling is tried; with no child left, the next token is drawn from what remains.
One child with probabilities is the rule of Leviathan et al. and Chen et al. (2023), one without (q = 1) is prompt
lookup, several are a token tree (SpecInfer, Miao et al., 2024). Greedy and seeded decoding are the case of a p that is
a point mass. The committed text follows the target's law exactly, whatever the drafter proposed.
"""

from __future__ import annotations

from specgen.decode import tree
from specgen.decode.sampling import Sampler
from specgen.decode.types import ANCHOR, Acceptance, Proposal, Verification


def accept(proposal: Proposal, verification: Verification, sampler: Sampler) -> Acceptance:
    """Choose the accepted path and exactly one token more."""
    rows = sampler.rows(verification.logits)
    followers = tree.children(proposal)
    path: list[int] = []
    tokens: list[int] = []
    node = ANCHOR
    while True:
        law = rows.law(node + 1, tokens)
        for draft in followers.get(node, ()):
            token = proposal.tokens[draft]
            q = None if proposal.probs is None else proposal.probs[draft]
            ratio = law.prob(token) if q is None else law.prob(token) / float(q[token])
            if sampler.uniform() < ratio:
                break
            law = law.without(token) if q is None else law.minus(q)
        else:
            return Acceptance(tuple(path), (*tokens, law.draw(sampler.uniform())))
        path.append(draft)
        tokens.append(token)
        node = draft
