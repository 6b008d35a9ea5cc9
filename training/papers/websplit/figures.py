"""Figures of the benchmark (section 3.3 of the paper) and of systems on it (Table 3), the paper's own beside them."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from rerank.errors import BadInput
from rewrite.evaluate.multi_bleu import References, corpus_bleu, mean_bleu, split_words
from training.papers.websplit.benchmark import ComplexSentence, WebSplit, used_parts
from training.papers.websplit.segmentation import segment

_ROWS = (
    ("distinct complex sentences", "sentences", ",d"),
    ("pairs", "pairs", ",d"),
    ("  within entries", "within", ",d"),
    ("  across entries", "across", ",d"),
    ("distinct pairs of texts", "distinct", ",d"),
    ("rephrasings of a sentence: min", "rephrasings_min", ",d"),
    ("  median", "rephrasings_median", ",g"),
    ("  mean", "rephrasings_mean", ",.2f"),
    ("  max", "rephrasings_max", ",d"),
    ("sentences of a rephrasing: min", "length_min", "d"),
    ("  mean", "length_mean", ".2f"),
    ("  max", "length_max", "d"),
    ("vocabulary", "vocabulary", ",d"),
)
Statistics = dict[str, Any]
"""Counts of a benchmark or a part of it, by the second names of `_ROWS`, and sentences by `categories`.

`pairs` are ⟨(M_C, C), {(M_1, T_1) … (M_n, T_n)}⟩, `within` those of one entry, `distinct` pairs of texts ⟨C, T⟩.
Rephrasings per sentence are distinct texts. Words are those of mteval's 13a rules, as they are written.
"""
PAPER_STATISTICS: Statistics = {
    **{"sentences": 5_546, "pairs": 1_100_166, "within": 1_945, "distinct": 1_066_115},
    **{"rephrasings_min": 1, "rephrasings_median": 16, "rephrasings_mean": 192.23, "rephrasings_max": 76_283},
    **{"length_min": 2, "length_mean": 4.99, "length_max": 7, "vocabulary": 3_311},
    **{"categories": {}, "across": 1_098_221},
}
"""The paper's own: a version of WebNLG of February 2017, 8 categories, 13,308 texts."""
TABLE_3: dict[str, tuple[float, float, float]] = {
    "source": (55.67, 1.0, 21.11),
    "hybridsimpl": (39.97, 1.26, 17.55),
    "seq2seq": (48.92, 2.51, 10.32),
    "multiseq2seq": (42.18, 2.53, 10.69),
    "split-multiseq2seq": (77.27, 2.84, 11.63),
    "split-seq2seq": (78.77, 2.84, 9.28),
}
"""Table 3 as printed: BLEU, #S/C, #Tokens/S."""


def count(sentences: Iterable[ComplexSentence], benchmark: WebSplit) -> Statistics:
    """The statistics of `sentences`; every rephrasing is made once and none is kept."""
    within = 0
    pairs: list[int] = []
    distinct: list[int] = []
    lengths: Counter[int] = Counter()
    used: set[int] = set()
    words: set[str] = set()
    categories: Counter[str] = Counter()
    for sentence in sentences:
        texts: set[int] = set()
        for rephrasing in benchmark.rephrasings(sentence):
            within += len(rephrasing.parts) == 1
            # The hash alone: tens of thousands of texts would take a hundred times as much.
            text = hash(rephrasing.text)
            if text not in texts:
                texts.add(text)
                lengths[len(rephrasing.sentences)] += 1
        pairs.append(benchmark.count(sentence))
        distinct.append(len(texts))
        words.update(_words(sentence.text))
        used.update(used_parts([sentence]))
        categories[benchmark.parts[sentence.readings[0].meaning].category] += 1
    for part in used:
        for cut in benchmark.parts[part].texts:
            words.update(*map(_words, cut))
    total = sum(distinct)
    return {
        "sentences": len(distinct),
        "pairs": sum(pairs),
        "within": within,
        "distinct": total,
        "rephrasings_min": min(distinct, default=0),
        "rephrasings_median": statistics.median(distinct or [0]),
        "rephrasings_mean": total / max(1, len(distinct)),
        "rephrasings_max": max(distinct, default=0),
        "length_min": min(lengths, default=0),
        "length_mean": sum(length * times for length, times in lengths.items()) / max(1, total),
        "length_max": max(lengths, default=0),
        "vocabulary": len(words),
        "categories": dict(sorted(categories.items())),
        "across": sum(pairs) - within,
    }


@lru_cache(maxsize=65_536)
def _words(sentence: str) -> frozenset[str]:
    return frozenset(split_words(sentence))


def statistics_table(columns: Mapping[str, Statistics]) -> str:
    """The statistics side by side, a column each under its name."""
    width = max(12, *(len(name) + 2 for name in columns))
    lines = [" " * 32 + "".join(name.rjust(width) for name in columns)]
    for label, key, form in _ROWS:
        lines.append(label.ljust(32) + "".join(format(column[key], form).rjust(width) for column in columns.values()))
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Figures:
    """BLEU and the mean of the sentences' BLEU in [0, 100], sentences an output, words a sentence, share of exact
    references in [0, 1]."""

    bleu: float
    mean_bleu: float
    sentences: float
    words: float
    exact: float


def measure(
    outputs: Mapping[str, Mapping[str, str]], benchmark: WebSplit, sentences: Sequence[ComplexSentence]
) -> dict[str, Figures]:
    """Figures of systems, given by name what each wrote for the id of each sentence.

    The references are all distinct rephrasings of a sentence, each made once for all systems. Raises `BadInput` where
    an output is missing.
    """
    if not sentences:
        raise BadInput("There is no complex sentence to measure on.", hint="Build the benchmark from more files.")
    for name, texts in outputs.items():
        missing = [sentence.id for sentence in sentences if sentence.id not in texts]
        if missing:
            raise BadInput(
                f"{name}: no output for {len(missing):,} of {len(sentences):,} sentences, the first {missing[0]}.",
                hint="Decode the whole side, or give the same --limit.",
            )
    rows: dict[str, list[np.ndarray]] = {name: [] for name in outputs}
    exact = dict.fromkeys(outputs, 0)
    for sentence in sentences:
        known = {rephrasing.text for rephrasing in benchmark.rephrasings(sentence)}
        references = References(known)
        for name, own in outputs.items():
            rows[name].append(references.statistics(own[sentence.id]))
            exact[name] += own[sentence.id] in known
    return {
        name: _figures(np.array(rows[name]), exact[name], [own[s.id] for s in sentences], benchmark, sentences)
        for name, own in outputs.items()
    }


def _figures(
    rows: np.ndarray, exact: int, texts: Sequence[str], benchmark: WebSplit, sentences: Sequence[ComplexSentence]
) -> Figures:
    triples = [benchmark.parts[sentence.readings[0].meaning].triples for sentence in sentences]
    cut = segment(list(zip(texts, triples, strict=True)))
    count = sum(map(len, cut))
    words = sum(len(split_words(sentence)) for text in cut for sentence in text)
    return Figures(corpus_bleu(rows), mean_bleu(rows), count / len(texts), words / count, exact / len(texts))


def table(figures: Mapping[str, Figures]) -> str:
    """The rows in the paper's order, then others; the paper's three columns with its own figures in brackets."""
    lines = [f"{'Model':22}{'BLEU':>16}{'#S/C':>14}{'#Tokens/S':>17}{'mean BLEU':>11}{'exact %':>9}"]
    for name in [*(name for name in TABLE_3 if name in figures), *(name for name in figures if name not in TABLE_3)]:
        own, paper = figures[name], TABLE_3.get(name)
        cells = [f"{own.bleu:.2f}", f"{own.sentences:.2f}", f"{own.words:.2f}"]
        if paper is not None:
            cells = [f"{cell} ({printed:.2f})" for cell, printed in zip(cells, paper, strict=True)]
        lines.append(
            f"{name.upper():22}{cells[0]:>16}{cells[1]:>14}{cells[2]:>17}{own.mean_bleu:>11.2f}{100 * own.exact:>9.1f}"
        )
    return "\n".join(lines)
