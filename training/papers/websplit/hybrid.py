"""HYBRIDSIMPL: a probabilistic split over the graph of the triples, then phrase-based rephrasing (section 5.1).

Narayan & Gardent (2014) split Boxer's graph of a sentence; Boxer is long gone, so the graph is that of the triples
(`training.papers.websplit.cutting`). Each piece is rephrased by a phrase table, learnt from complex sentences so cut beside
their rephrasings, and a trigram language model of the rephrasings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewrite.datasets import read_text
from training.disk import write_text
from training.papers.websplit.alignment import align, model_1, phrase_pairs
from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.cutting import Cutter, learn_cutter
from training.papers.websplit.ngrams import Trigrams
from training.papers.websplit.options import SystemRecipe
from training.papers.websplit.phrases import PhraseTable, rephrase
from training.papers.websplit.triples import Triple

__all__ = ["Hybrid", "learn_hybrid", "load_hybrid"]

_FILE = "hybrid.json"
_WORD = re.compile(r"(?:[^\W\d_]{1,2}\.){1,4}(?=\s\S)|\w+(?:[.'’/&–-]\w+)*|\S")
_GLUED = re.compile(r"\s+([.,;:!?)\]])|([(\[])\s+")
# Enough for phrases that come up; word alignment takes most of the time.
_PAIRS = 8_000


def words_of(text: str) -> list[str]:
    """Words and marks; the stops of initials stay with them."""
    return _WORD.findall(text)


def text_of(words: Sequence[str]) -> str:
    """The words as a text, marks at the words they belong to."""
    return _GLUED.sub(lambda m: m[1] or m[2], " ".join(words)).replace(" 's ", "'s ")


class Hybrid:
    """Cuts a sentence and rephrases the pieces."""

    def __init__(self, cutter: Cutter, table: PhraseTable, model: Trigrams) -> None:
        self._cutter = cutter
        self._table = table
        self._model = model

    def __call__(self, sentences: Sequence[tuple[str, Sequence[Triple]]]) -> list[str]:
        return [" ".join(map(self._rephrase, self._cutter.cut(text, triples))) for text, triples in sentences]

    def _rephrase(self, piece: str) -> str:
        return text_of(rephrase(words_of(piece), self._table, self._model))


def _parallel(
    benchmark: WebSplit, sentences: Sequence[ComplexSentence], cutter: Cutter, recipe: SystemRecipe
) -> list[tuple[list[str], list[str]]]:
    """Each complex sentence, cut, beside the one of its drawn rephrasings that has most words in common with it."""
    pairs = []
    for sentence in sentences[:_PAIRS]:
        cut = cutter.cut(sentence.text, benchmark.parts[sentence.readings[0].meaning].triples)
        source = [word for piece in cut for word in words_of(piece)]
        drawn = [words_of(r.text) for r in benchmark.sample(sentence, recipe.rephrasings, recipe.seed)]
        pairs.append((source, max(drawn, key=lambda words: len(set(words) & set(source)) / len(words))))
    return pairs


def learn_hybrid(benchmark: WebSplit, sentences: Sequence[ComplexSentence], recipe: SystemRecipe, out: Path) -> None:
    """Learn all three models and write them to `out`."""
    cutter = learn_cutter(benchmark, sentences)
    pairs = _parallel(benchmark, sentences, cutter, recipe)
    forth, back = model_1(pairs), model_1([(target, source) for source, target in pairs])
    links = ((source, target, align(source, target, forth, back)) for source, target in pairs)
    table = PhraseTable.learn(pair for source, target, found in links for pair in phrase_pairs(source, target, found))
    used = sorted({n for s in sentences for reading in s.readings for p in reading.partitions for n in p})
    model = Trigrams.learn(words_of(one) for n in used for text in benchmark.parts[n].texts for one in text)
    print(f"{len(cutter.counts)} features, {len(pairs):,} pairs, {len(table.entries):,} phrases", flush=True)
    told: dict[str, Any] = {
        "cutter": [[*feature, *counts] for feature, counts in cutter.counts.items()],
        "verbs": sorted(cutter.verbs),
        "phrases": table.entries,
        "trigrams": model.to_json(),
    }
    write_text(out / _FILE, json.dumps(told, ensure_ascii=False) + "\n")


def load_hybrid(folder: Path) -> Hybrid:
    """The system that `learn_hybrid` has written."""
    told = json.loads(read_text(folder / _FILE))
    cutter = Cutter(
        {(relation, word): (parted, total) for relation, word, parted, total in told["cutter"]},
        frozenset(told["verbs"]),
    )
    entries = {source: [tuple(target) for target in found] for source, found in told["phrases"].items()}
    return Hybrid(cutter, PhraseTable(entries), Trigrams.from_json(told["trigrams"]))
