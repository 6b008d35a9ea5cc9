"""Both sides of bilingual lines as words, as the aligner sees them, and as keys that all forms of a word share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rerank.morphology import Morphology
from rerank.paraeval.porter import inflection_stem
from training.paraphrases.aligning import Bitext
from training.paraphrases.grammar import (
    Grammar,
    Tags,
    english_grammar,
    names_in,
    russian_grammar,
    russian_tag,
    tag_english,
)
from training.paraphrases.reading import Line
from training.paraphrases.words import Normaliser, normaliser, words_of

__all__ = ["Sides", "read_sides"]

Sentences = Sequence[tuple[str, ...]]
_INFLECTED = ("N", "V")


@dataclass(frozen=True)
class Sides:
    """The sentences in the language of the table: words, and keys of the words; the keys of the other language's;
    and from English to Russian the words as the aligner sees them, stems and lemmas.

    A key is `lemma|tag` in Russian. In English it is `stem|tag`, so that a noun and a verb are two; stems are those of
    `inflection_stem` for nouns and verbs, and other words are their own.
    """

    language: str
    own: Sentences
    keys: Sentences
    other: Sentences
    bitext: Bitext
    grammar: Grammar
    names: frozenset[str]


def read_sides(lines: Sequence[Line], language: str) -> Sides:
    """Both sides of the lines; `language` is `en` or `ru`."""
    texts = {"en": [line.english for line in lines], "ru": [line.russian for line in lines]}
    words = {code: [words_of(text, code) for text in texts[code]] for code in texts}
    tags = list(tag_english(words["en"]))
    seen = {code: _seen(words[code], normaliser(code)) for code in words}
    keys = {"en": _english_keys(words["en"], tags), "ru": _russian_keys(words["ru"])}
    own, other = ("en", "ru") if language == "en" else ("ru", "en")
    return Sides(
        language=language,
        own=words[own],
        keys=keys[own],
        other=keys[other],
        # The aligner works from English, so one alignment does for the tables of both languages.
        bitext=list(zip(seen["en"], seen["ru"], strict=True)),
        grammar=english_grammar(words["en"], tags) if language == "en" else russian_grammar(),
        names=names_in(texts[own], own),
    )


def _seen(sentences: Iterable[Sequence[str]], normalise: Normaliser) -> Sentences:
    return [tuple(normalise(word) or word for word in sentence) for sentence in sentences]


def _english_keys(words: Sentences, tags: Iterable[Tags]) -> Sentences:
    return [
        tuple(
            f"{inflection_stem(word) if tag in _INFLECTED else word}|{tag}" for word, (tag, _) in zip(*one, strict=True)
        )
        for one in zip(words, tags, strict=True)
    ]


def _russian_keys(words: Sentences) -> Sentences:
    morphology = Morphology(cache_size=1)

    @lru_cache(200_000)
    def key(word: str) -> str:
        likeliest = morphology.parse(word)[0]
        return f"{likeliest.lemma}|{russian_tag(likeliest)}"

    return [tuple(map(key, sentence)) for sentence in words]
