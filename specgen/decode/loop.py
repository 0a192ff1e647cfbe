"""The decoding loop: propose, verify, accept, commit, observe. It knows no drafter by name and no model class.

Every `yield` is a consistent state: the target has cached exactly the context without its last token, the anchor.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import torch

from specgen.decode import tree
from specgen.decode.accept import accept
from specgen.decode.sampling import Sampler
from specgen.decode.types import Drafter, Governor, Proposal, Round, Stop, Target, Verification


@torch.inference_mode()
def decode(
    context: list[int], *, target: Target, drafter: Drafter, sampler: Sampler, stop: Stop, governor: Governor
) -> Iterator[Round]:
    """Continue `context` (prompt ids, extended in place) until `stop` ends it; one `Round` per target forward.

    The first round is the prefill: it commits one token, so its end is the time to the first token.
    """
    if stop.finish is not None:
        return
    started = perf_counter()
    logits, taps = target.prefill(context)
    read = perf_counter()
    first = stop.apply(accept(Proposal(), Verification(logits[None]), sampler))
    context.extend(first.tokens)
    sampler.commit(first.tokens)
    if stop.finish is None:
        drafter.begin(context, taps, sampler)
    other = perf_counter() - read
    yield Round(first.tokens, verify_s=read - started, other_s=other, prefill=True, finish=stop.finish)

    while stop.finish is None:
        assert target.length == len(context) - 1, "the anchor is never cached"
        started = perf_counter()
        limit = max(0, min(governor.next(), stop.room - 1, target.max_draft))
        proposal = drafter.propose(context, limit) if limit else Proposal()
        drafted = perf_counter()
        tree.check(proposal, limit=limit, vocab_size=target.vocab_size)
        verification = target.verify(context[-1], proposal)
        verified = perf_counter()
        agreed = accept(proposal, verification, sampler)
        acceptance = stop.apply(agreed)
        target.commit(acceptance)
        context.extend(acceptance.tokens)
        sampler.commit(acceptance.tokens)
        observing = perf_counter()
        drafter.observe(acceptance, verification)
        ended = perf_counter()
        outcome = Round(
            acceptance.tokens,
            drafted=len(proposal),
            accepted=acceptance.accepted,
            discarded=agreed.accepted - acceptance.accepted,
            drafter=proposal.drafter,
            draft_s=drafted - started + ended - observing,
            verify_s=verified - drafted,
            other_s=observing - verified,
            finish=stop.finish,
            note=proposal.note,
        )
        governor.update(outcome)
        yield outcome
