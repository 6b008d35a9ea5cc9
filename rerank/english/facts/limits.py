"""What limits speak of in English: see `rerank.limits`, and the lists `limit …` of `en.txt`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rerank.english.facts.guard_words import FUNCTION, LISTS, Text, Word
from rerank.guard import Facts
from rerank.limits import Limit, LimitRule

_NEXT = 4
_ENDS = frozenset(". ? ! , ; : ( )".split())


class _EnglishLimits(LimitRule[Word]):
    lost = "'{}' is gone"
    new = "the source does not say '{}'"

    def keys(self, word: Word) -> frozenset[str]:
        return frozenset() if word.kind == "mark" or word.low in FUNCTION else frozenset({word.stem})

    def next(self, words: Sequence[Word], start: int) -> Iterator[int]:
        """The first word that says something."""
        for j in range(start, min(start + _NEXT, len(words))):
            if words[j].low in _ENDS:
                return
            if self.keys(words[j]):
                yield j
                return

    def fresh(self, name: str, text: Facts[Sequence[Word]], other: Facts[Sequence[Word]]) -> bool:
        # Here kin words excuse a loss also where the source had them: blocking fewer right texts counts more.
        return bool(self.kept[name].starts(text.words))

    def is_new(self, limit: Limit, text: Facts[Sequence[Word]], other: Facts[Sequence[Word]]) -> bool:
        return not self.kept[limit.name].starts(other.words)

    def is_none(self, words: Sequence[Word], i: int, length: int) -> bool:
        # A capital within a sentence is a name's: *May*.
        is_name = isinstance(words, Text) and words[i].cap and not words.first[i]
        return is_name or super().is_none(words, i, length)


changed_limits = _EnglishLimits(LISTS)
