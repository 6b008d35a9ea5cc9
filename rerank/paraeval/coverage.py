"""How much of the source's content a candidate still says, seen through paraphrases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log10
from pathlib import Path

import numpy as np

from rerank.frequency import common_words, shared_wordfreq
from rerank.masked.words import guess_language
from rerank.paraeval.match import Expanded, expand, find_links
from rerank.paraeval.search import choose
from rerank.paraeval.table import BUNDLED, PairTable, bundled, open_paraphrases
from rerank.paraeval.word_keys import Text, lemma_keys, read, stem_keys
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

_FLOOR = 0.001
# A word of every thousand tells least, one of every million, or that no list has, most.
_COMMON, _RARE = 3.0, 6.0
_LEAST, _MOST = 1, 50
# The lists have both parts of `don't` and `they've` joined.
_PARTS = frozenset(
    """
    s re ve ll d m t don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn mustn needn ain
    """.split()
)


class Coverage:
    """Σ w over the source's words that the candidate says / Σ w over all of them. Range [0.001, 1]; 1 for the source.

    A word is said where the candidate has it, in any form of it (Russian by lemma, English by stem), once for all its
    places in the source; or where it stands in a phrase with a paraphrase in the candidate. These phrases are chosen as
    in tier 1 of ParaEval, but of one word and more, and for the most weight: no word of either text is in two of them.
    w is how much a word tells (`Weighing`): a name or a number fifty times as much as *and*. A source
    without words is covered by anything.

    `table` is a file of pairs or a table; without it the one that the package carries for the source's language is
    taken, and where there is none, only the words count. `language` is guessed of each source without it.
    """

    name = "coverage"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(self, *, table: str | Path | PairTable | None = None, language: str | None = None) -> None:
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
        source_keys = keys(said.text.words)
        weights = self._weighing.weights(said.text.words, source_keys, language)
        peers = [read(candidate.text, language) for candidate in candidates]
        lost = [_lost(said, source_keys, weights, peer, set(keys(peer.words))) for peer in peers]
        values: FloatArray = 1.0 - np.array(lost, dtype=np.float64) / max(1, sum(weights))
        return values.clip(_FLOOR, 1.0)

    def _find_table(self, language: str) -> PairTable:
        if self._given is not None:
            return self._given
        return bundled(language) if language in BUNDLED else PairTable([])


def _lost(source: Expanded, keys: Sequence[str], weights: Sequence[int], peer: Text, known: set[str]) -> int:
    """The weight of the words that the peer, whose words are `known`, does not say."""
    missing = [0 if key in known else weight for key, weight in zip(keys, weights, strict=True)]
    links = find_links(source, peer)
    return sum(missing) - choose(links, [sum(missing[link.start : link.stop]) for link in links]).value


class Weighing:
    """round(50 · clip((−log₁₀ f − 3)/3, 0.02, 1)), so from 1 to 50, f being the share of a word in running text.

    A word with a digit has 50. English and Russian have lists of frequencies, read at the first text; in all other
    languages every word has 50.
    """

    def signature(self) -> str:
        """Name and version of the lists: equal signatures mean equal weights."""
        return shared_wordfreq("ru").signature()

    def weights(self, words: Sequence[str], lemmas: Sequence[str], language: str) -> list[int]:
        """The weight of each word; of a word and its lemma the commoner counts."""
        if language == "en":
            return [_LEAST if word in _PARTS else _weight(word, common_words("en").get(word, 0.0)) for word in words]
        if language == "ru":
            shares = shared_wordfreq("ru").lookup({*words, *lemmas})
            pairs = zip(words, lemmas, strict=True)
            return [_weight(word, max(shares[word], shares[lemma])) for word, lemma in pairs]
        return [_MOST] * len(words)


def _weight(word: str, share: float) -> int:
    if share <= 0 or any(character.isdigit() for character in word):
        return _MOST
    rarity = (-log10(share) - _COMMON) / (_RARE - _COMMON)
    return min(_MOST, max(_LEAST, round(_MOST * rarity)))
