"""The words of a set of sentences, tagged and counted: where the words come from that replace others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rerank.analysis import Analysis, Token

__all__ = ["TaggedWord", "Vocabulary", "tagged"]

_TRIES = 8


@dataclass(frozen=True, slots=True)
class TaggedWord:
    """A form with its part of speech, lemma and features; in lower case, but for the forms of names."""

    form: str
    pos: str
    lemma: str
    features: tuple[tuple[str, str], ...] = ()

    def feature(self, name: str) -> str:
        """The value of a feature of Universal Dependencies, an empty string where there is none."""
        return dict(self.features).get(name, "")


def tagged(token: Token) -> TaggedWord | None:
    """The word that a token is; `None` for what is not all letters."""
    if not token.text.isalpha():
        return None
    lemma = getattr(token, "lemma", "") or token.text
    form = token.text if token.pos == "PROPN" else token.text.lower()
    return TaggedWord(form, token.pos, lemma.lower(), tuple(sorted(token.feats.items())))


class Vocabulary:
    """The words of analysed sentences, with their numbers of occurrences."""

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        words = (tagged(token) for analysis in analyses for token in analysis.tokens)
        counts = Counter(word for word in words if word is not None)
        # In a fixed order, so that a seed draws the same words each time.
        self._words = sorted(counts.items(), key=lambda item: (-item[1], repr(item[0])))
        self._groups: dict[tuple[str, ...], dict[object, _Group]] = {}

    def draw(
        self, rng: random.Random, like: TaggedWord, *same: str, accepts: Callable[[TaggedWord], bool]
    ) -> TaggedWord | None:
        """A word that `accepts` takes, drawn by frequency, with another form than `like`; `None` where there is none.

        `same` names fields in which it is as `like`.
        """
        group = self._grouped(same).get(_values(like, same))
        if group is None:
            return None
        # Most draws are accepted at once, and each has the distribution of those that are: the whole list is looked
        # through only where few words would do.
        for word in rng.choices(group.words, cum_weights=group.sums, k=_TRIES):
            if word.form != like.form and accepts(word):
                return word
        found = [(w, count) for w, count in group.counted() if w.form != like.form and accepts(w)]
        if not found:
            return None
        words, counts = zip(*found, strict=True)
        drawn: TaggedWord = rng.choices(words, counts)[0]
        return drawn

    def _grouped(self, fields: tuple[str, ...]) -> dict[object, _Group]:
        if fields not in self._groups:
            groups: dict[object, _Group] = {}
            for word, count in self._words:
                groups.setdefault(_values(word, fields), _Group()).add(word, count)
            self._groups[fields] = groups
        return self._groups[fields]


class _Group:
    """Words and the sums of their counts up to each."""

    def __init__(self) -> None:
        self.words: list[TaggedWord] = []
        self.sums: list[int] = []

    def add(self, word: TaggedWord, count: int) -> None:
        self.words.append(word)
        self.sums.append(count + (self.sums[-1] if self.sums else 0))

    def counted(self) -> Iterator[tuple[TaggedWord, int]]:
        before = 0
        for word, total in zip(self.words, self.sums, strict=True):
            yield word, total - before
            before = total


def _values(word: TaggedWord, fields: tuple[str, ...]) -> object:
    return tuple(getattr(word, field) for field in fields)
