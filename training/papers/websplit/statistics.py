"""What section 3.3 of the paper tells of WebSplit, for any list of complex sentences."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import lru_cache

from rewrite.evaluate.multi_bleu import split_words
from training.papers.websplit.benchmark import ComplexSentence, WebSplit

__all__ = ["PAPER", "Statistics", "count", "table"]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of a benchmark or a part of it.

    `pairs` are ⟨(M_C, C), {(M_1, T_1) … (M_n, T_n)}⟩, `within` those of one entry, `distinct` pairs of texts ⟨C, T⟩.
    Rephrasings per sentence are distinct texts. Words are those of mteval's 13a rules, as they are written.
    """

    sentences: int = 0
    pairs: int = 0
    within: int = 0
    distinct: int = 0
    rephrasings_min: int = 0
    rephrasings_median: float = 0.0
    rephrasings_mean: float = 0.0
    rephrasings_max: int = 0
    length_min: int = 0
    length_mean: float = 0.0
    length_max: int = 0
    vocabulary: int = 0
    categories: dict[str, int] = field(default_factory=dict)

    @property
    def across(self) -> int:
        """Pairs whose parts come from other entries."""
        return self.pairs - self.within

    def to_json(self) -> dict[str, object]:
        """All numbers by name."""
        return {**asdict(self), "across": self.across}


PAPER = Statistics(5_546, 1_100_166, 1_945, 1_066_115, 1, 16, 192.23, 76_283, 2, 4.99, 7, 3_311)
"""The paper's own: a version of WebNLG of February 2017, 8 categories, 13,308 texts."""


def count(sentences: Iterable[ComplexSentence], benchmark: WebSplit) -> Statistics:
    """The statistics of `sentences`; every rephrasing is made once and none is kept."""
    pairs = within = 0
    distinct: list[int] = []
    lengths: Counter[int] = Counter()
    used: set[int] = set()
    words: set[str] = set()
    categories: Counter[str] = Counter()
    for sentence in sentences:
        texts: set[int] = set()
        for rephrasing in benchmark.rephrasings(sentence):
            pairs += 1
            within += len(rephrasing.parts) == 1
            # The hash alone: tens of thousands of texts would take a hundred times as much.
            text = hash(rephrasing.text)
            if text not in texts:
                texts.add(text)
                lengths[len(rephrasing.sentences)] += 1
        distinct.append(len(texts))
        words.update(_words(sentence.text))
        used.update(part for reading in sentence.readings for blocks in reading.partitions for part in blocks)
        categories[benchmark.parts[sentence.readings[0].meaning].category] += 1
    for part in used:
        for cut in benchmark.parts[part].texts:
            words.update(*map(_words, cut))
    return _statistics(pairs, within, distinct, lengths, len(words), categories)


def _statistics(
    pairs: int, within: int, distinct: list[int], lengths: Counter[int], words: int, categories: Counter[str]
) -> Statistics:
    if not distinct:
        return Statistics()
    total = sum(distinct)
    return Statistics(
        sentences=len(distinct),
        pairs=pairs,
        within=within,
        distinct=total,
        rephrasings_min=min(distinct),
        rephrasings_median=statistics.median(distinct),
        rephrasings_mean=total / len(distinct),
        rephrasings_max=max(distinct),
        length_min=min(lengths),
        length_mean=sum(length * times for length, times in lengths.items()) / total,
        length_max=max(lengths),
        vocabulary=words,
        categories=dict(sorted(categories.items())),
    )


@lru_cache(maxsize=65_536)
def _words(sentence: str) -> frozenset[str]:
    return frozenset(split_words(sentence))


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


def table(columns: dict[str, Statistics]) -> str:
    """The statistics side by side, a column each under its name."""
    width = max(12, *(len(name) + 2 for name in columns))
    lines = [" " * 32 + "".join(name.rjust(width) for name in columns)]
    for label, attribute, form in _ROWS:
        values = (format(getattr(column, attribute), form) for column in columns.values())
        lines.append(label.ljust(32) + "".join(value.rjust(width) for value in values))
    return "\n".join(lines)
