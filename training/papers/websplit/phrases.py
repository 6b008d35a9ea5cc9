"""Phrase-based rephrasing: word alignment, a phrase table, a trigram model and a monotone beam search with both."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Pair = tuple[Sequence[str], Sequence[str]]
Lexicon = dict[str, dict[str, float]]
_NULL = ""
_BEGIN, _END = "<s>", "</s>"
_KEY = "\t"
_KEPT = 8
_LONGEST = 4
# Of the language model, the two phrase probabilities, and each word written: not tuned.
_LANGUAGE, _FORTH, _BACK, _WORD = 0.5, 0.4, 0.4, 0.5
_UNKNOWN = math.log(0.05)


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


@dataclass(frozen=True)
class PhraseTable:
    """For each source phrase its targets, with the logarithms of P(target | source) and P(source | target)."""

    entries: dict[str, list[tuple[str, float, float]]]

    @staticmethod
    def learn(pairs: Iterable[tuple[str, str]], *, least: int = 2) -> PhraseTable:
        """From phrase pairs, those seen at least `least` times, the most frequent targets of each source."""
        counts = Counter(pairs)
        sources: Counter[str] = Counter()
        targets: Counter[str] = Counter()
        for (source, target), count in counts.items():
            sources[source] += count
            targets[target] += count
        entries: dict[str, list[tuple[str, float, float]]] = defaultdict(list)
        for (source, target), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            if count >= least and len(entries[source]) < _KEPT:
                forth, back = math.log(count / sources[source]), math.log(count / targets[target])
                entries[source].append((target, round(forth, 4), round(back, 4)))
        return PhraseTable({source: found for source, found in entries.items() if found})

    def options(self, phrase: str) -> list[tuple[str, float, float]]:
        """What may be written for a phrase; a single word may always stay."""
        found = list(self.entries.get(phrase, ()))
        if " " not in phrase and all(target != phrase for target, *_ in found):
            found.append((phrase, _UNKNOWN, 0.0))
        return found


def rephrase(words: Sequence[str], table: PhraseTable, model: Trigrams, *, beam: int = 12) -> list[str]:
    """The best rephrasing of a sentence, phrase by phrase from left to right."""
    # For each number of words covered: last two words written → (score, all words written).
    stacks: list[dict[tuple[str, ...], tuple[float, list[str]]]] = [{} for _ in range(len(words) + 1)]
    stacks[0][()] = (0.0, [])
    for place in range(len(words)):
        best = sorted(stacks[place].values(), key=lambda item: -item[0])[:beam]
        for stop in range(place + 1, min(place + _LONGEST, len(words)) + 1):
            for target, forth, back in table.options(" ".join(words[place:stop])):
                for score, written in best:
                    _extend(stacks[stop], score + _FORTH * forth + _BACK * back, written, target.split(), model)
    ended = [(score + _LANGUAGE * model.log_end(written), written) for score, written in stacks[-1].values()]
    return max(ended)[1] if ended else list(words)


def _extend(
    stack: dict[tuple[str, ...], tuple[float, list[str]]],
    score: float,
    written: list[str],
    target: Sequence[str],
    model: Trigrams,
) -> None:
    longer = list(written)
    for word in target:
        score += _LANGUAGE * model.log(longer[-2:], word) + _WORD
        longer.append(word)
    state = tuple(longer[-2:])
    if state not in stack or score > stack[state][0]:
        stack[state] = (score, longer)
