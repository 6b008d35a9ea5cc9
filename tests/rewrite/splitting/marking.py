"""Sentences parsed by the bundled models, and splits of them written as marks in their text."""

from __future__ import annotations

from functools import cache

from rerank.english import EnglishAnalyzer
from rewrite.splitting.parsed_words import Words, read_words, sentence_analyzer
from rewrite.splitting.split import Split, render

__all__ = ["analyzer", "marked", "number", "rendered", "words_in"]


@cache
def analyzer() -> EnglishAnalyzer:
    """The bundled models, loaded once for all tests."""
    return sentence_analyzer()


def words_in(text: str) -> Words:
    """The words of a sentence."""
    (words,) = read_words([text], analyzer())
    return words


def number(words: Words, text: str) -> int:
    """The number of the only word with this text."""
    (place,) = (i for i, word in enumerate(words.tokens) if word.text == text)
    return place


def marked(text: str, opener: str = "", *, of: str = "", lead: int = 0, logprob: float = -1.0) -> tuple[Words, Split]:
    """A sentence with a split: `Tom came{, and| he saw it}.` takes out what is in braces and drops what is before `|`.

    `opener` comes before the others; `of` is the noun whose phrase it says again.
    """
    before, gone, kept, after = _parts(text)
    words = words_in(before + gone + kept + after)
    start, first, stop = (
        sum(word.start < place for word in words.tokens)
        for place in (len(before), len(before + gone), len(before + gone + kept))
    )
    antecedent = number(words, of) if of else -1
    return words, Split(start, stop, first - start, tuple(opener.split()), antecedent, logprob, lead)


def _parts(text: str) -> tuple[str, str, str, str]:
    before, rest = text.split("{")
    gone, kept = rest.split("|")
    kept, after = kept.split("}")
    return before, gone, kept, after


def rendered(text: str, opener: str = "", *, of: str = "", lead: int = 0) -> tuple[str, str] | None:
    """The two sentences of a split that `marked` reads."""
    return render(*marked(text, opener, of=of, lead=lead))
