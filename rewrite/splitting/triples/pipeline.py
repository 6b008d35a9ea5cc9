"""Partition and generate for `Splitter`: candidates from templates beside the splitter's own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rerank.splits import Splits
from rerank.types import Candidate
from rewrite.splitting.triples.facts import check_sentences, strangers
from rewrite.splitting.triples.generate import Draft, Generator
from rewrite.splitting.triples.templates import load_templates, signature
from rewrite.splitting.triples.triple import Triple

__all__ = ["TriplesPool"]

_PER_UNSEEN = 1.0
"""Risk, in nats, of each property that no template was learnt for."""


class TriplesPool:
    """What the triples of a sentence add to its candidates. Nothing is loaded before the first sentence."""

    @cached_property
    def _generator(self) -> Generator:
        return Generator(load_templates())

    @property
    def signature(self) -> str:
        """Name and checksum of the templates."""
        return f"templates@{signature()}"

    def problem(self, sentence: str, triples: Sequence[Triple]) -> str:
        """Why the triples cannot be the sentence's; empty where they can."""
        return strangers(sentence, triples)

    def candidates(self, sentence: str, triples: Sequence[Triple], n: int, wanted: int | None) -> list[Candidate]:
        """At most n candidates, a sentence a line each, the best first; those of `wanted` sentences before others."""
        if len(triples) < 2:
            # One triple is one sentence: there is nothing to split by.
            return []
        return [_candidate(draft) for draft in self._generator.drafts(sentence, triples, n, wanted)]

    def target(self, candidates: Sequence[Candidate]) -> Splits | None:
        """How many sentences are wanted where nobody said: as many as the best candidate has; `None` without one."""
        return Splits(candidates[0].text.count("\n") + 1) if candidates else None

    def blocked(self, sentence: str, triples: Sequence[Triple], candidate: Candidate) -> str:
        """Why a candidate of templates may not be chosen; empty where it may."""
        return "; ".join(v.message for v in check_sentences(sentence, triples, candidate.text))


def _candidate(draft: Draft) -> Candidate:
    unseen = sum(not known for *_, known in draft.blocks)
    return Candidate(
        "\n".join(draft.sentences),
        generator="templates",
        logprob=draft.logprob,
        tokens=1,
        edits=tuple(f"wrote “{template}” for {told}" for told, template, _ in draft.blocks),
        risk=_PER_UNSEEN * unseen,
    )
