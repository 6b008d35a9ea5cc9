"""Words of a sentence as phrases have them, and as the aligner sees them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from rerank.frequency import fold
from rerank.masked.words import split
from rerank.morphology import Morphology
from rerank.paraeval.words import read
from rewrite.errors import MissingExtra

__all__ = ["Normaliser", "is_word", "normaliser", "spelled", "words_of"]

Normaliser = Callable[[str], str]
"""What the aligner sees of a word: words that are translated alike should look alike."""
_KEPT = 200_000


def words_of(text: str, language: str) -> tuple[str, ...]:
    """The tokens of a sentence in lower case, marks too, which end phrases; in Russian е stands for ё."""
    return tuple(fold(token.word.text) for token in split(text, language))


def is_word(token: str) -> bool:
    """Whether a token has a letter or a digit, as those of phrases must."""
    return any(character.isalnum() for character in token)


def spelled(phrase: str, language: str) -> str:
    """A phrase of `words_of` in the words of ParaEval, which cuts `long-term` in two."""
    return " ".join(read(phrase, language).words)


def normaliser(language: str) -> Normaliser:
    """Dictionary forms for Russian, which has ten times the forms of English, and stems for English.

    Raises `MissingExtra` where nltk, which has the stemmer, is not installed.
    """
    if language == "ru":
        return lru_cache(_KEPT)(Morphology(cache_size=1).lemma)
    try:
        from nltk.stem.snowball import EnglishStemmer
    except ImportError:
        raise MissingExtra("The stemmer is nltk's.", hint="Install it: pip install 'rewrite-rerank[align]'") from None
    stemmer: Any = EnglishStemmer()
    return lru_cache(_KEPT)(lambda word: str(stemmer.stem(word)))
