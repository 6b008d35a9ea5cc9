"""Phrase-based rephrasing: a phrase table and a monotone beam search with a language model."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from training.papers.websplit.ngrams import Trigrams

__all__ = ["PhraseTable", "rephrase"]

_KEPT = 8
_LONGEST = 4
# Of the language model, the two phrase probabilities, and each word written: not tuned.
_LANGUAGE, _FORTH, _BACK, _WORD = 0.5, 0.4, 0.4, 0.5
_UNKNOWN = math.log(0.05)


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
