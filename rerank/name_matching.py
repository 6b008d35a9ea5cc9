"""When two mentions name the same thing, whatever their case forms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from rerank.frequency import fold
from rerank.morphology import Morphology

Name = tuple[str, ...]
"""The folded words of a mention."""

_WORD = re.compile(r"[^\W_]+")


class NameMatcher:
    """Compares names word by word: equal, or with a lemma in common. The dictionary of `morphology` is read when two
    words first differ in form; the last 10,000 words looked up are remembered. Without one words have no forms."""

    def __init__(self, morphology: Morphology | None) -> None:
        self._morphology = morphology
        self._lemmas = lru_cache(maxsize=10_000)(self._look_up)

    def _look_up(self, word: str) -> frozenset[str]:
        return frozenset(map(fold, self._morphology.lemmas(word)) if self._morphology else ())

    @staticmethod
    def name(mention: str) -> Name:
        """Folded words of a mention; short lower-case ones (в, и, де) only where there is no other."""
        words = _WORD.findall(mention)
        telling = [word for word in words if len(word) > 3 or not word.islower()]
        return tuple(fold(word) for word in telling or words)

    def same_word(self, left: str, right: str) -> bool:
        """Whether two folded words are forms of one word."""
        if left == right:
            return True
        # Case endings leave the start of a name alone: most pairs are told apart without a dictionary.
        shared = min(3, len(left) - 1, len(right) - 1)
        if shared < 1 or left[:shared] != right[:shared]:
            return False
        return not self._lemmas(left).isdisjoint(self._lemmas(right))

    def shares_word(self, left: Name, right: Name) -> bool:
        """Whether some word of `left` is a form of some word of `right`."""
        return any(self.same_word(a, b) for a in left for b in right)

    def same(self, left: Name, right: Name) -> bool:
        """Whether the two are the same words in the same order, in whatever forms."""
        return len(left) == len(right) and all(map(self.same_word, left, right))

    def distinct(self, mentions: Iterable[str]) -> list[Name]:
        """The names among `mentions`, each once."""
        names: list[Name] = []
        for name in dict.fromkeys(map(self.name, mentions)):
            if name and not any(self.same(name, other) for other in names):
                names.append(name)
        return names
