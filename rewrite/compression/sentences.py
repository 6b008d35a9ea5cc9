"""A text cut into the sentences to compress, and why some of them cannot be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rerank.errors import RewriteError
from rerank.masked.base import MaskedModel, Word
from rerank.masked.words import LANGUAGES, guess_language, sentence_spans, split
from rerank.ndd.reading import Reading, foreign
from rewrite import layout as by_razdel
from rewrite.compression.analyzer import count_words
from rewrite.errors import BadInput, TextTooLong
from rewrite.layout import Layout

_FEWEST = 3
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")


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
    if language == "ru":
        return by_razdel.split(text)
    tokens = split(text, language)
    sentences, gaps, position = [], [], 0
    for first, stop in sentence_spans([token.word for token in tokens]):
        start, end = tokens[first].start, tokens[stop - 1].stop
        sentences.append(text[start:end])
        gaps.append(text[position:start])
        position = end
    return Layout(sentences=tuple(sentences), gaps=(*gaps, text[position:]))


def skip_reason(sentence: str, language: str) -> str:
    """Why `sentence` is passed through unchanged, or an empty string where it may be compressed."""
    if _CONTROL.search(sentence):
        return "control characters"
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
    if not reading.fits:
        shown = " ".join(word.text for word in words[:8])
        length = len(model.prefix) + len(model.suffix) + sum(map(len, reading.tokens))
        return TextTooLong(
            f"The sentence {shown!r} … has {length:,} tokens, the model {model.name} takes {model.window:,}.",
            hint="Split it.",
        )
    return foreign(reading)
