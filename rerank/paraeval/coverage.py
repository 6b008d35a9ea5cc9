"""How much of the source's content a candidate still says, seen through paraphrases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from rerank.masked.words import guess_language
from rerank.paraeval.links import Expanded, expand, find_links
from rerank.paraeval.loading import BUNDLED, bundled_paraphrases, open_paraphrases
from rerank.paraeval.pairs import NO_PARAPHRASES
from rerank.paraeval.search import choose
from rerank.paraeval.types import Paraphrases
from rerank.paraeval.weighing import Weighing
from rerank.paraeval.words import Text, lemma_keys, read, stem_keys
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["Coverage"]

_FLOOR = 0.001


class Coverage:
    """Σ w over the source's words that the candidate says / Σ w over all of them. Range [0.001, 1]; 1 for the source.

    A word is said where the candidate has it, in any form of it (Russian by lemma, English by stem), once for all its
    places in the source; or where it stands in a phrase with a paraphrase in the candidate. These phrases are chosen as
    in tier 1 of ParaEval, but of one word and more, and for the most weight: no word of either text is in two of them.
    w is how much a word tells (`rerank.paraeval.weighing`): a name or a number fifty times as much as *and*. A source
    without words is covered by anything.

    `table` is a file of pairs or a table; without it the one that the package carries for the source's language is
    taken, and where there is none, only the words count. `language` is guessed of each source without it.
    """

    name = "coverage"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(self, *, table: str | Path | Paraphrases | None = None, language: str | None = None) -> None:
        self._given = open_paraphrases(table) if isinstance(table, (str, Path)) else table
        self._language = language
        self._weighing = Weighing()
        self._table = lru_cache(maxsize=4)(self._find_table)

    def signature(self) -> str:
        tables = [self._table(language) for language in sorted(BUNDLED)] if self._given is None else [self._given]
        named = "+".join(table.signature() for table in tables) or "no-paraphrases"
        return f"coverage:2,{self._language or 'guessed'},{self._weighing.signature()},{named}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        language = self._language or guess_language(source)
        keys = {"ru": lemma_keys(context.analyzer.morphology), "en": stem_keys}.get(language, list)
        said = expand(read(source, language), self._table(language))
        own = keys(said.text.words)
        weights = self._weighing.weights(said.text.words, own, language)
        peers = [read(candidate.text, language) for candidate in candidates]
        lost = [_lost(said, own, weights, peer, set(keys(peer.words))) for peer in peers]
        values: FloatArray = 1.0 - np.array(lost, dtype=np.float64) / max(1, sum(weights))
        return values.clip(_FLOOR, 1.0)

    def _find_table(self, language: str) -> Paraphrases:
        if self._given is not None:
            return self._given
        return bundled_paraphrases(language) or NO_PARAPHRASES


def _lost(source: Expanded, keys: Sequence[str], weights: Sequence[int], peer: Text, known: set[str]) -> int:
    """The weight of the words that the peer, whose words are `known`, does not say."""
    missing = [0 if key in known else weight for key, weight in zip(keys, weights, strict=True)]
    links = find_links(source, peer)
    return sum(missing) - choose(links, [sum(missing[link.start : link.stop]) for link in links]).value
