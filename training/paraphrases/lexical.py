"""How well two phrases translate each other word by word, to tell apart what was aligned by chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from training.paraphrases.aligning import Bitext, Links

__all__ = ["LexicalWeights"]

_NONE = ""
_LEAST = 1e-4
_KEPT = 300_000


class LexicalWeights:
    """Shares of the links of each word, after Koehn, Och and Marcu (2003), section 4, with the best link of a word."""

    def __init__(self, bitext: Bitext, links: Sequence[Links]) -> None:
        self._links: Counter[tuple[str, str]] = Counter()
        for (source, target), found in zip(bitext, links, strict=True):
            self._links.update((source[i], target[j]) for i, j in found)
            linked, reached = {i for i, _ in found}, {j for _, j in found}
            self._links.update((word, _NONE) for i, word in enumerate(source) if i not in linked)
            self._links.update((_NONE, word) for j, word in enumerate(target) if j not in reached)
        self._sources: Counter[str] = Counter()
        self._targets: Counter[str] = Counter()
        for (source_word, target_word), count in self._links.items():
            self._sources[source_word] += count
            self._targets[target_word] += count
        self.weight = lru_cache(_KEPT)(self._weight)

    def _weight(self, source: tuple[str, ...], target: tuple[str, ...]) -> float:
        """The lower one of both directions, in (0, 1]: the geometric mean over the words of a phrase of what share of
        a word's links leads to the likeliest word of the other phrase, or to none.
        """
        one = [max(self._share(word, other, word) for other in (*target, _NONE)) for word in source]
        two = [max(self._share(other, word, word, back=True) for other in (*source, _NONE)) for word in target]
        return min(_mean(one), _mean(two))

    def _share(self, source: str, target: str, of: str, *, back: bool = False) -> float:
        total = (self._targets if back else self._sources)[of]
        return self._links[source, target] / total if total else 0.0


def _mean(shares: Sequence[float]) -> float:
    return math.exp(sum(math.log(max(share, _LEAST)) for share in shares) / len(shares))
