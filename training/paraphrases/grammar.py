"""Words of a sentence, and what they are: function words, names, and the grammar that paraphrases have to share."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from rerank.english.analyzer import load_pipeline
from rerank.frequency import fold
from rerank.masked.words import split
from rerank.morphology import Morphology, Parse
from rerank.paraeval.word_keys import read, stemmer
from training.records import WORDS

Normaliser = Callable[[str], str]
"""What the aligner sees of a word: words that are translated alike should look alike."""
_KEPT = 200_000
_SHORT = 2
"""Letters of a word that has no stem but itself, at most."""
_FUNCTION_WORDS, _PREPOSITIONS = WORDS.words("function words"), WORDS.words("prepositions")
_RUSSIAN_FUNCTION = frozenset({"PREP", "CONJ", "PRCL", "NPRO", "NUMR", "PRED"})
_RUSSIAN_LEMMAS = WORDS.words("russian lemmas")
_LEAST_SHARE = 0.4
_LEAST_SCORE = 0.25
_PLURAL = re.compile(r"[^aisu]s$")
_TAGGING = frozenset({"tok2vec", "transformer", "tagger", "morphologizer", "attribute_ruler"})
_FEATURES = (
    frozenset({"nomn", "gent", "datv", "accs", "ablt", "loct"}),
    frozenset({"sing", "plur"}),
    frozenset({"past", "pres", "futr", "impr"}),
    frozenset({"1per", "2per", "3per"}),
    frozenset({"incl", "excl"}),
    frozenset({"actv", "pssv"}),
    frozenset({"tran", "intr"}),
)
_ASPECTS = frozenset({"perf", "impf"})
_OF_OTHERS = (frozenset({"masc", "femn", "neut"}), frozenset({"anim", "inan"}))
"""Nouns of different gender may say the same; what depends on them has theirs."""
_ENGLISH_TAGS = {"NOUN": "N", "PROPN": "N", "VERB": "V", "ADJ": "A", "ADV": "R"}
_RUSSIAN_TAGS = {
    "NOUN": "N", "VERB": "V", "INFN": "V", "ADJF": "A", "ADJS": "A", "PRTF": "P", "PRTS": "P", "GRND": "G", "ADVB": "R",
    "COMP": "C",
}  # fmt: skip
Tags = Sequence[tuple[str, str]]
"""For each word of an English sentence its tag and its kind. A tag is one letter: N for a noun, V for a verb, A for an
adjective, R for an adverb, and in Russian P, G and C for participle, gerund and comparative; empty for other words.
"""


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
    english = stemmer("english")
    return lru_cache(_KEPT)(lambda word: str(english.stem(word)))


@lru_cache(_KEPT)
def inflection_stem(word: str) -> str:
    """A word without the endings of inflection alone, Porter's first step: `travellers` and `traveller` have one stem,
    `travel` another. A final e, in which `observ|ed` and `observe|s` differ, is left out.
    """
    porter = stemmer("porter").stemmer
    first = porter.pool.get(word) or porter._step1c(porter._step1b(porter._step1a(word)))
    return str(word if len(word) <= _SHORT else first).removesuffix("e")


class Grammar:
    """Of a language: which words are function words, and the kinds that a word may be of."""

    def __init__(self, kinds: Mapping[str, frozenset[str]] | None = None) -> None:
        self._tags = kinds
        self._morphology = Morphology()
        self.kinds = lru_cache(100_000)(self._kinds)
        self.is_function = lru_cache(100_000)(self._is_function)
        self.is_preposition = lru_cache(100_000)(self._is_preposition)

    def _is_function(self, word: str) -> bool:
        if self._tags is not None:
            return word in _FUNCTION_WORDS
        parse = self._morphology.parse(word)[0]
        return parse.pos in _RUSSIAN_FUNCTION or fold(parse.lemma) in _RUSSIAN_LEMMAS or len(word) == 1

    def _is_preposition(self, word: str) -> bool:
        if self._tags is not None:
            return word in _PREPOSITIONS
        return self._morphology.parse(word)[0].pos == "PREP"

    def _kinds(self, word: str) -> frozenset[str]:
        if self._tags is not None:
            return self._tags.get(word, frozenset())
        parses = [parse for parse in self._morphology.parse(word) if parse.score >= _LEAST_SCORE]
        # What may be of either aspect (`переводить`) is mostly of the imperfective one, so it goes with its like alone.
        aspects = _ASPECTS.intersection(grammeme for parse in parses for grammeme in parse.grammemes)
        return frozenset(_kind(parse, aspects) for parse in parses)


def _kind(parse: Parse, aspects: frozenset[str]) -> str:
    """Part of speech with case, number, tense, person, voice, transitivity and the aspects of all readings of a verb,
    and but for nouns gender and animacy, as far as the word has them.
    """
    groups = _FEATURES if parse.pos == "NOUN" else (*_FEATURES, *_OF_OTHERS)
    features = [feature for group in groups for feature in group & parse.grammemes]
    if parse.grammemes & _ASPECTS:
        features += sorted(aspects)
    return " ".join([parse.pos, *features])


def russian_grammar() -> Grammar:
    """By the dictionary of pymorphy3: function words by part of speech, kinds by part of speech and form."""
    return Grammar()


def russian_tag(parse: Parse) -> str:
    """The tag of a reading."""
    return _RUSSIAN_TAGS.get(parse.pos, "")


def english_grammar(sentences: Iterable[Sequence[str]], tags: Iterable[Tags]) -> Grammar:
    """By a list of function words, and by what kinds a word often is of in these sentences."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence, of_sentence in zip(sentences, tags, strict=True):
        for word, (_, kind) in zip(sentence, of_sentence, strict=True):
            counts[word][kind] += 1
    return Grammar(
        {
            word: frozenset(tag for tag, count in tags.items() if count >= _LEAST_SHARE * tags.total())
            for word, tags in counts.items()
        }
    )


def tag_english(sentences: Iterable[Sequence[str]]) -> Iterator[Tags]:
    """The tags and kinds of all words, by spaCy."""
    from spacy.tokens import Doc

    nlp: Any = load_pipeline()
    with nlp.select_pipes(enable=[name for name in nlp.pipe_names if name in _TAGGING]):
        docs = (Doc(nlp.vocab, words=list(sentence)) for sentence in sentences)
        for doc in nlp.pipe(docs, batch_size=256):
            yield [(_english_tag(token), sys.intern(_english_kind(token))) for token in doc]


def _english_tag(token: Any) -> str:
    return _ENGLISH_TAGS.get(token.pos_, "") if is_word(token.text) else ""


def _english_kind(token: Any) -> str:
    """Part of speech with what the form says: singular or plural, tense, participle, third person, degree."""
    values = {feature: token.morph.get(feature) for feature in ("Number", "Tense", "VerbForm", "Degree", "Person")}
    # Only the third person of the present looks other than the rest.
    third = values["Person"] == ["3"] and values["Number"] == ["Sing"] and values["Tense"] == ["Pres"]
    if token.pos_ in ("VERB", "AUX"):
        return " ".join(["VERB", *values["Tense"], *values["VerbForm"], *(["3"] if third else [])])
    if token.pos_ in ("NOUN", "PROPN"):
        # The tagger is often wrong about the number of rare words.
        return "NOUN Plur" if _PLURAL.search(token.text) else " ".join(["NOUN", *values["Number"]])
    return " ".join([token.pos_, *values["Number"], *values["Degree"]])


def names_in(texts: Iterable[str], language: str) -> frozenset[str]:
    """Words that have a capital more often than not where they do not begin a sentence; those never there are none."""
    capital: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for text in texts:
        tokens = [token.word.text for token in split(text, language)]
        for before, word in pairwise(tokens):
            if before[0].isalnum() or before == ",":
                (capital if word[0].isupper() else small)[fold(word)] += 1
    return frozenset(word for word, count in capital.items() if count > small[word])
