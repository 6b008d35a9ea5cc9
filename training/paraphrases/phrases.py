"""Phrase pairs that agree with an alignment (Och and Ney, 2004), their lexical weights and pivot probabilities.

Bannard and Callison-Burch (2005), equation 2: p(e2 | e1) = Σ_f p(f | e1) p(e2 | f), over the phrases f of the other
language, the pivots; both factors are relative frequencies of phrase pairs.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations, product

from training.paraphrases.aligning import Bitext, Link, Links
from training.paraphrases.grammar import is_word

Span = tuple[int, int]
_NONE = ""
_LEAST = 1e-4
_KEPT = 300_000
Pair = tuple[str, str]
"""A phrase and its translation, or two phrases of a language; the words of each with a space between."""


def phrase_spans(
    source: Sequence[str], target: Sequence[str], links: Collection[Link], *, longest: int
) -> Iterator[tuple[Span, Span]]:
    """Every pair of stretches of `source` and `target`, of up to `longest` words, that agrees with the links.

    It agrees if at least one link is within it and none leads from a word of one stretch to a word outside the other.
    Words without links around the stretch of `target` may belong to it or not, so there is a pair for each way. No
    stretch has a mark in it.
    """
    by_source: list[list[int]] = [[] for _ in source]
    by_target: list[list[int]] = [[] for _ in target]
    for i, j in links:
        by_source[i].append(j)
        by_target[j].append(i)
    for start in range(len(source)):
        first, last = len(target), -1
        for stop in range(start + 1, min(start + longest, len(source)) + 1):
            if not is_word(source[stop - 1]):
                break
            linked = by_source[stop - 1]
            first, last = min([first, *linked]), max([last, *linked])
            if last < 0:
                continue
            if last - first >= longest:
                break
            if all(start <= i < stop for j in range(first, last + 1) for i in by_target[j]):
                for a, b in _widened(first, last + 1, target, by_target, longest):
                    yield (start, stop), (a, b)


def _widened(
    first: int, stop: int, target: Sequence[str], linked: Sequence[Sequence[int]], longest: int
) -> Iterator[tuple[int, int]]:
    """The stretch from `first` to `stop`, and with free words before or after it; none where there is a mark in it."""
    if not all(map(is_word, target[first:stop])):
        return
    starts, stops = [first], [stop]
    while (before := starts[-1] - 1) >= 0 and not linked[before] and is_word(target[before]):
        starts.append(before)
    while (after := stops[-1]) < len(target) and not linked[after] and is_word(target[after]):
        stops.append(after + 1)
    yield from ((a, b) for a, b in product(starts, stops) if b - a <= longest)


class LexicalWeights:
    """Shares of the links of each word, after Koehn, Och and Marcu (2003), section 4, with the best link of a word."""

    def __init__(self, bitext: Bitext, links: Sequence[Links]) -> None:
        self._links: Counter[tuple[str, str]] = Counter()
        for (source, target), linked_places in zip(bitext, links, strict=True):
            self._links.update((source[i], target[j]) for i, j in linked_places)
            linked, reached = {i for i, _ in linked_places}, {j for _, j in linked_places}
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
        forth = [max(self._share(word, other, word) for other in (*target, _NONE)) for word in source]
        back = [max(self._share(other, word, word, back=True) for other in (*source, _NONE)) for word in target]
        return min(_mean(forth), _mean(back))

    def _share(self, source: str, target: str, of: str, *, back: bool = False) -> float:
        total = (self._targets if back else self._sources)[of]
        return self._links[source, target] / total if total else 0.0


def _mean(shares: Sequence[float]) -> float:
    return math.exp(sum(math.log(max(share, _LEAST)) for share in shares) / len(shares))


@dataclass(frozen=True, slots=True)
class Translation:
    """A phrase that a pivot is translated by: p(pivot | phrase) and p(phrase | pivot), both in (0, 1], how often
    the two were found together, and their lexical weight, in (0, 1].
    """

    phrase: str
    of_pivot: float
    of_phrase: float
    count: int
    lexical: float = 1.0


@dataclass(slots=True)
class Evidence:
    """What is known of a phrase as a paraphrase of another one: its probability, in (0, 1], and by the name of each
    pivot how often that translates the rarer one of the two; `lexical` is the highest lexical weight that a pivot has
    with both of them, and `common` what share of the translations of the phrase the pivots are, both in [0, 1].
    """

    probability: float = 0.0
    lexical: float = 0.0
    common: float = 0.0
    pivots: dict[str, int] = field(default_factory=dict)

    @property
    def times(self) -> int:
        """How often the rarer one of the two was translated by a pivot of both, all pivots together."""
        return sum(self.pivots.values())


def translations(
    counts: Mapping[Pair, int],
    *,
    least_of_pivot: float = 0.0,
    least_of_phrase: float = 0.0,
    takes: Callable[[str], bool] = lambda phrase: True,
    least_weight: float = 0.0,
    weight: Callable[[str, str], float] = lambda phrase, pivot: 1.0,
) -> dict[str, list[Translation]]:
    """The phrases of each pivot that has two or more, of how often each phrase and pivot were found together.

    Shares are of all that was counted. Left out are those with p(pivot | phrase) or p(phrase | pivot) below the least,
    phrases that `takes` refuses and those whose lexical weight with the pivot, told by `weight`, is below the least.
    """
    phrases: Counter[str] = Counter()
    pivots: Counter[str] = Counter()
    for (phrase, pivot), count in counts.items():
        phrases[phrase] += count
        pivots[pivot] += count
    by_pivot: defaultdict[str, list[Translation]] = defaultdict(list)
    for (phrase, pivot), count in counts.items():
        of_pivot, of_phrase = count / phrases[phrase], count / pivots[pivot]
        if of_pivot < least_of_pivot or of_phrase < least_of_phrase or of_phrase == 1 or not takes(phrase):
            continue
        lexical = weight(phrase, pivot)
        if lexical >= least_weight:
            by_pivot[pivot].append(Translation(phrase, of_pivot, of_phrase, count, lexical))
    return {pivot: several for pivot, several in by_pivot.items() if len(several) > 1}


def paraphrases(
    table: Mapping[str, list[Translation]], *, name: Callable[[str], str], may: Callable[[str, str], bool]
) -> dict[Pair, Evidence]:
    """By phrase and paraphrase what is found of it; `may` is asked once for a pair, in the order of the alphabet.

    Pivots with the same `name`, such as a word with an article and without it, are one and the same evidence; their
    probabilities add up all the same.
    """
    evidence: defaultdict[Pair, Evidence] = defaultdict(Evidence)
    answers: dict[Pair, bool] = {}
    for pivot, first, second in _pairs(table):
        key = min((first.phrase, second.phrase), (second.phrase, first.phrase))
        if key not in answers:
            answers[key] = may(*key)
        if answers[key]:
            pair = evidence[first.phrase, second.phrase]
            pair.probability += first.of_pivot * second.of_phrase
            pair.common += first.of_pivot
            pair.lexical = max(pair.lexical, min(first.lexical, second.lexical))
            named, times = name(pivot), min(first.count, second.count)
            pair.pivots[named] = max(times, pair.pivots.get(named, 0))
    return dict(evidence)


def _pairs(table: Mapping[str, list[Translation]]) -> Iterator[tuple[str, Translation, Translation]]:
    for pivot, several in table.items():
        for first, second in permutations(several, 2):
            yield pivot, first, second
