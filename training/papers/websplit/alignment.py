"""Word alignment of two texts in one language, and the phrase pairs that are consistent with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

__all__ = ["align", "model_1", "phrase_pairs"]

Pair = tuple[Sequence[str], Sequence[str]]
Lexicon = dict[str, dict[str, float]]
_NULL = ""


def model_1(pairs: Sequence[Pair], *, rounds: int = 4) -> Lexicon:
    """IBM Model 1, P(target word | source word), started where a word most likely stands for itself."""
    table: Lexicon = {}
    for _ in range(rounds):
        counts: dict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        for source, target in pairs:
            words = (_NULL, *source)
            for word in target:
                weights = [_probability(table, s, word) for s in words]
                total = sum(weights)
                for s, weight in zip(words, weights, strict=True):
                    counts[s][word] += weight / total
        table = {s: _normal(found) for s, found in counts.items()}
    return table


def _probability(table: Lexicon, source: str, target: str) -> float:
    if not table:
        return 1.0 if source == target else 0.05
    return table[source].get(target, 1e-9) if source in table else 1e-9


def _normal(counts: Mapping[str, float]) -> dict[str, float]:
    total = sum(counts.values())
    # What is left out would be looked up as the least probability anyway.
    return {word: count / total for word, count in counts.items() if count > 1e-4 * total}


def align(source: Sequence[str], target: Sequence[str], forth: Lexicon, back: Lexicon) -> set[tuple[int, int]]:
    """Places (source, target) that both directions agree on, and free neighbours of these that one of them has."""
    one = {(_best(forth, source, word), j) for j, word in enumerate(target)}
    other = {(i, _best(back, target, word)) for i, word in enumerate(source)}
    links = {(i, j) for i, j in one & other if i >= 0 and j >= 0}
    # Grow: the neighbour of a link, where one direction has it and neither word is aligned yet.
    for i, j in sorted(one | other):
        beside = any((i + a, j + b) in links for a in (-1, 0, 1) for b in (-1, 0, 1))
        free = all(i != a for a, _ in links) or all(j != b for _, b in links)
        if i >= 0 and j >= 0 and beside and free:
            links.add((i, j))
    return links


def _best(table: Lexicon, words: Sequence[str], word: str) -> int:
    """The place of the word that `word` is most likely a translation of; −1 for none."""
    scores = [_probability(table, one, word) for one in words]
    place = max(range(len(words)), key=lambda i: scores[i])
    return place if scores[place] > _probability(table, _NULL, word) else -1


def phrase_pairs(
    source: Sequence[str], target: Sequence[str], links: set[tuple[int, int]], *, longest: int = 4
) -> Iterator[tuple[str, str]]:
    """Phrases of at most `longest` words whose words are aligned with each other alone (Koehn et al., 2003)."""
    for start in range(len(source)):
        for stop in range(start + 1, min(start + longest, len(source)) + 1):
            linked = [j for i, j in links if start <= i < stop]
            if not linked:
                continue
            first, last = min(linked), max(linked)
            outside = any(first <= j <= last and not start <= i < stop for i, j in links)
            if last - first < longest and not outside:
                yield " ".join(source[start:stop]), " ".join(target[first : last + 1])
