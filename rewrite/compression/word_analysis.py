"""A text cut into the sentences to compress, and why some of them cannot be; words without a parse.

These are for where there is no parser, where none is needed, and for ratios to count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rerank.analysis import Analysis, Analyzer, Sentence, Token
from rerank.errors import RewriteError
from rerank.masked.base import MaskedModel, Word
from rerank.masked.words import LANGUAGES, guess_language, sentence_places, sentence_spans, split
from rerank.ndd.reading import Reading, foreign
from rewrite.errors import BadInput
from rewrite.layout import Layout, untouchable


class WordAnalyzer(Analyzer):
    """Analyses of texts in one of `rerank.masked.words.LANGUAGES`, with no layer but words and sentences."""

    layers = ()

    def __init__(self, language: str, *, cache_size: int = 4_000) -> None:
        super().__init__(cache_size=cache_size)
        self.language = language

    def _begin(self, texts: list[str]) -> list[Analysis]:
        return [Analysis(text, self._sentences(text)) for text in texts]

    def _sentences(self, text: str) -> list[Sentence]:
        words = split(text, self.language)
        tokens = [Token(word.word.text, word.start, word.stop) for word in words]
        parts = [tokens[first:stop] for first, stop in sentence_spans([word.word for word in words])]
        places = [(part, part[0].start, part[-1].stop) for part in parts]
        return [Sentence(start, stop, text[start:stop], part) for part, start, stop in places]


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


_FEWEST = 3


def language_of(text: str, given: str | None) -> str:
    """One of `rerank.masked.words.LANGUAGES`: `given` where it has rules of its own, else `other`; or guessed.

    A region after a hyphen (`zh-CN`) makes no difference.
    """
    if given is None:
        return guess_language(text)
    language = given.partition("-")[0]
    return language if language in LANGUAGES else "other"


def sentences_of(text: str, language: str) -> Layout:
    """The sentences of `text` and what stands between them; joining them again gives `text`."""
    return Layout.cut(text, sentence_places(text, language) if text.strip() else ())


def skip_reason(sentence: str, language: str) -> str:
    """Why `sentence` is passed through unchanged, or an empty string where it may be compressed."""
    if reason := untouchable(sentence):
        return reason
    words = count_words(sentence, language)
    return "" if words > 1 else "one word" if words else "no words"


def capitals(sentence: str) -> RewriteError | None:
    """Why a sentence of three words or more in capitals cannot be compressed: names look like all other words."""
    if not sentence.isupper() or len(sentence.split()) < _FEWEST:
        return None
    return BadInput("It is all in capitals, so that names look like other words.", hint="Write it in small letters.")


def problem(words: Sequence[Word], model: MaskedModel) -> RewriteError | None:
    """Why `model` cannot read a sentence: it is longer than its window, or has mostly words it does not know."""
    reading = Reading.of(model, words)
    return reading.too_long(0, len(words)) or foreign(reading)
