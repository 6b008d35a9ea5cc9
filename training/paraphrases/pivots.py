"""Phrases of one language that share translations in another, with pivot probabilities.

Bannard and Callison-Burch (2005), equation 2: p(e2 | e1) = Σ_f p(f | e1) p(e2 | f), over the phrases f of the other
language, the pivots; both factors are relative frequencies of phrase pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations

__all__ = ["Found", "Pair", "Translation", "paraphrases", "translations"]

Pair = tuple[str, str]
"""A phrase and its translation, or two phrases of a language; the words of each with a space between."""


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
class Found:
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
    found: defaultdict[str, list[Translation]] = defaultdict(list)
    for (phrase, pivot), count in counts.items():
        of_pivot, of_phrase = count / phrases[phrase], count / pivots[pivot]
        if of_pivot < least_of_pivot or of_phrase < least_of_phrase or of_phrase == 1 or not takes(phrase):
            continue
        lexical = weight(phrase, pivot)
        if lexical >= least_weight:
            found[pivot].append(Translation(phrase, of_pivot, of_phrase, count, lexical))
    return {pivot: several for pivot, several in found.items() if len(several) > 1}


def paraphrases(
    table: Mapping[str, list[Translation]], *, name: Callable[[str], str], may: Callable[[str, str], bool]
) -> dict[Pair, Found]:
    """By phrase and paraphrase what is found of it; `may` is asked once for a pair, in the order of the alphabet.

    Pivots with the same `name`, such as a word with an article and without it, are one and the same evidence; their
    probabilities add up all the same.
    """
    found: defaultdict[Pair, Found] = defaultdict(Found)
    answers: dict[Pair, bool] = {}
    for pivot, one, other in _pairs(table):
        key = min((one.phrase, other.phrase), (other.phrase, one.phrase))
        if key not in answers:
            answers[key] = may(*key)
        if answers[key]:
            pair = found[one.phrase, other.phrase]
            pair.probability += one.of_pivot * other.of_phrase
            pair.common += one.of_pivot
            pair.lexical = max(pair.lexical, min(one.lexical, other.lexical))
            named, times = name(pivot), min(one.count, other.count)
            pair.pivots[named] = max(times, pair.pivots.get(named, 0))
    return dict(found)


def _pairs(table: Mapping[str, list[Translation]]) -> Iterator[tuple[str, Translation, Translation]]:
    for pivot, several in table.items():
        for one, other in permutations(several, 2):
            yield pivot, one, other
