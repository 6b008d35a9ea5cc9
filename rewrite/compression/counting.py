"""How long a text is: the words that a compression ratio counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rerank.analysis import Analysis
from rerank.masked.words import split

__all__ = ["WordCount", "count_words", "is_word"]


def is_word(text: str) -> bool:
    """Whether a token is counted: it has a letter or a digit."""
    return any(character.isalnum() for character in text)


def count_words(text: str, language: str) -> int:
    """How many words a text has: those of `rerank.masked.words.split` that are counted."""
    return sum(is_word(token.word.text) for token in split(text, language))


class WordCount:
    """The words of a text, however an analyser cuts it into tokens: those of `rerank.masked.words.split`.

    Punctuation is not counted; in Chinese every character is a word. A word is there as long as all its tokens are.
    """

    def __init__(self, analysis: Analysis, language: str) -> None:
        tokens = analysis.tokens
        self._word_of: dict[int, int] = {}
        first = 0
        words = [word for word in split(analysis.text, language) if is_word(word.word.text)]
        for number, word in enumerate(words):
            while first < len(tokens) and tokens[first].stop <= word.start:
                first += 1
            for token in tokens[first:]:
                if token.start >= word.stop:
                    break
                self._word_of.setdefault(token.start, number)
        self.total = len(set(self._word_of.values()))

    def gone(self, removed: Iterable[int]) -> int:
        """How many words are not there without the tokens that start at `removed`."""
        return len({self._word_of[start] for start in removed if start in self._word_of})

    def left(self, removed: Iterable[int]) -> int:
        """How many words there are without those tokens."""
        return self.total - self.gone(removed)

    def lost(self, starts: Collection[int], removed: frozenset[int]) -> int:
        """How many more words go with the tokens at `starts`."""
        return self.gone(removed.union(starts)) - self.gone(removed)
