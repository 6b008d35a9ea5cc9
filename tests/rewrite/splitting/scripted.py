"""A splitter's model that knows by heart where to cut, in place of a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rewrite.splitting.model import SplitModel
from rewrite.splitting.parsed_words import Words
from rewrite.splitting.split import Split

__all__ = ["ScriptedModel"]


class ScriptedModel(SplitModel):
    """Cuts before a comma and a conjunction of `cuts`, which go, but *but* stays, with the log-probability there.

    `opener` begins every second sentence. `asked` are the sentences that each call was of.
    """

    def __init__(self, cuts: Mapping[str, float], *, opener: tuple[str, ...] = (), none: float = -3.0) -> None:
        self.name = "scripted"
        self.asked: list[list[str]] = []
        self._cuts, self._opener, self._none = cuts, opener, none

    def signature(self) -> str:
        return self.name

    def propose(self, sentences: Sequence[Words]) -> list[tuple[list[Split], float]]:
        self.asked.append([words.text for words in sentences])
        return [(self._splits(words), self._none) for words in sentences]

    def _splits(self, words: Words) -> list[Split]:
        splits = [
            Split(number - 1, words.end, 1 if word.lower == "but" else 2, self._opener, -1, self._cuts[word.lower])
            for number, word in enumerate(words.tokens)
            if word.lower in self._cuts and number and words[number - 1].text == ","
        ]
        return sorted(splits, key=lambda split: -split.logprob)
