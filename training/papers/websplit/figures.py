"""Figures of the benchmark (section 3.3 of the paper) and of systems on it (Table 3)."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rewrite.evaluate.harness import require_outputs, text_table
from rewrite.evaluate.multi_bleu import BLEU, References, mean_bleu, split_words
from training.papers.websplit.benchmark import ComplexSentence, WebSplit, used_parts
from training.papers.websplit.webnlg import segment

Statistics = dict[str, float]
"""What is counted of a benchmark or a part of it, by what it is called in the table.

`pairs` are ⟨(M_C, C), {(M_1, T_1) … (M_n, T_n)}⟩, those within entries have one meaning for all texts; distinct pairs
are of texts, ⟨C, T⟩. Rephrasings per sentence are distinct texts. Words are those of mteval's 13a rules, as they are
written.
"""
SYSTEMS = ("source", "hybridsimpl", "seq2seq", "multiseq2seq", "split-multiseq2seq", "split-seq2seq")
"""In the order of Table 3."""


def count(sentences: Iterable[ComplexSentence], benchmark: WebSplit) -> Statistics:
    """The statistics of `sentences`; every rephrasing is made once and none is kept."""
    within = pairs = 0
    distinct: list[int] = []
    lengths: Counter[int] = Counter()
    said: set[str] = set()
    for sentence in sentences:
        texts: set[int] = set()
        for rephrasing in benchmark.rephrasings(sentence):
            within += len(rephrasing.parts) == 1
            # The hash alone: tens of thousands of texts would take a hundred times as much.
            text = hash(rephrasing.text)
            if text not in texts:
                texts.add(text)
                lengths[len(rephrasing.sentences)] += 1
        pairs += benchmark.count(sentence)
        distinct.append(len(texts))
        said.add(sentence.text)
        said.update(s for part in used_parts([sentence]) for text in benchmark.parts[part].texts for s in text)
    total = sum(distinct)
    return {
        "distinct complex sentences": len(distinct),
        "pairs": pairs,
        "pairs within entries": within,
        "distinct pairs of texts": total,
        "rephrasings: min": min(distinct, default=0),
        "rephrasings: median": statistics.median(distinct or [0]),
        "rephrasings: mean": total / max(1, len(distinct)),
        "rephrasings: max": max(distinct, default=0),
        "their sentences: min": min(lengths, default=0),
        "their sentences: mean": sum(length * times for length, times in lengths.items()) / max(1, total),
        "their sentences: max": max(lengths, default=0),
        "vocabulary": len({word for sentence in said for word in split_words(sentence)}),
    }


def statistics_table(columns: Mapping[str, Statistics]) -> str:
    """The statistics side by side, a column each under its name."""
    labels = next(iter(columns.values()))
    rows = [[label, *(_shown(column[label]) for column in columns.values())] for label in labels]
    return text_table(["", *columns], rows)


def _shown(figure: float) -> str:
    return f"{figure:,.2f}" if isinstance(figure, float) and not figure.is_integer() else f"{figure:,.0f}"


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
    outputs: Mapping[str, Sequence[str]], benchmark: WebSplit, sentences: Sequence[ComplexSentence]
) -> dict[str, Figures]:
    """Figures of systems, given by name what each wrote for each sentence, in order.

    The references are all distinct rephrasings of a sentence, each made once for all systems. Raises `BadInput` where
    there are no sentences, or not one output for each.
    """
    require_outputs(outputs, len(sentences))
    rows: dict[str, list[np.ndarray]] = {name: [] for name in outputs}
    exact = dict.fromkeys(outputs, 0)
    for place, sentence in enumerate(sentences):
        known = {rephrasing.text for rephrasing in benchmark.rephrasings(sentence)}
        references = References(known)
        for name, texts in outputs.items():
            rows[name].append(references.statistics(texts[place]))
            exact[name] += texts[place] in known
    return {
        name: _figures(np.array(rows[name]), exact[name], out, benchmark, sentences) for name, out in outputs.items()
    }


def _figures(
    rows: np.ndarray, exact: int, texts: Sequence[str], benchmark: WebSplit, sentences: Sequence[ComplexSentence]
) -> Figures:
    triples = [benchmark.parts[sentence.readings[0].meaning].triples for sentence in sentences]
    cut = segment(list(zip(texts, triples, strict=True)))
    count = sum(map(len, cut))
    words = sum(len(split_words(sentence)) for text in cut for sentence in text)
    return Figures(BLEU.of(rows)["bleu"], mean_bleu(rows), count / len(texts), words / count, exact / len(texts))


def table(figures: Mapping[str, Figures]) -> str:
    """The rows in the paper's order, then others; the paper's three columns, then two more."""
    rows = []
    for name in [*(name for name in SYSTEMS if name in figures), *(name for name in figures if name not in SYSTEMS)]:
        row = figures[name]
        cells = (row.bleu, row.sentences, row.words, row.mean_bleu)
        rows.append([name.upper(), *(f"{cell:.2f}" for cell in cells), f"{100 * row.exact:.1f}"])
    return text_table(["Model", "BLEU", "#S/C", "#Tokens/S", "mean BLEU", "exact %"], rows)
