"""A trigram language model with Witten-Bell interpolation, for the phrase-based decoder."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["Trigrams"]

_BEGIN, _END = "<s>", "</s>"
_KEY = "\t"


class Trigrams:
    """P(w | u, v) = λ·count(u, v, w)/count(u, v) + (1 − λ)·P(w | v), with λ = count/(count + types) of the history."""

    def __init__(self, counts: Counter[tuple[str, ...]]) -> None:
        self._counts = counts
        self._totals: Counter[tuple[str, ...]] = Counter()
        self._types: Counter[tuple[str, ...]] = Counter()
        for ngram, count in counts.items():
            self._totals[ngram[:-1]] += count
            self._types[ngram[:-1]] += 1
        self._words = 1 + self._types[()]

    @staticmethod
    def learn(texts: Iterable[Sequence[str]]) -> Trigrams:
        """Count the words of texts."""
        counts: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            words = [_BEGIN, _BEGIN, *text, _END]
            for place in range(2, len(words)):
                for order in range(3):
                    counts[tuple(words[place - order : place + 1])] += 1
        return Trigrams(counts)

    def log(self, history: Sequence[str], word: str) -> float:
        """Natural logarithm of P(word | the last two words of `history`); a text begins with an empty history."""
        before = tuple([_BEGIN, _BEGIN, *history][-2:])
        probability = 1 / self._words
        for context in (before[2:], before[1:], before):
            total, types = self._totals[context], self._types[context]
            if total:
                ngram = (*context, word)
                probability = (self._counts[ngram] + types * probability) / (total + types)
        return math.log(probability)

    def log_end(self, history: Sequence[str]) -> float:
        """Natural logarithm of the probability that the text ends here."""
        return self.log(history, _END)

    def to_json(self) -> dict[str, int]:
        """Counts by the words of each n-gram, joined by tabs."""
        return {_KEY.join(ngram): count for ngram, count in self._counts.items()}

    @staticmethod
    def from_json(table: dict[str, Any]) -> Trigrams:
        """What `to_json` has given."""
        return Trigrams(Counter({tuple(key.split(_KEY)): int(count) for key, count in table.items()}))
