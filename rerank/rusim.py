"""RuSimScore: the six functions of Orzhenovskii, "RuSimScore: unsupervised scoring function for Russian sentence
simplification quality" (Dialogue 2021, section 3.1).

    RuSimScore(c, s) = LS^α · DD^β · LeS^γ · RS^δ · SimS^ε · NS^ζ

c is the source (complex), s a candidate (simple). Each function is a scorer here; the weighted product is composed
elsewhere. Two variants: `paper` is what section 3.1 prints, `released` what the author's published code computes; where
the two differ, each class says how. `docs/similarity.md` sets our figures beside the paper's Table 1.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from rerank.analysis import Analysis, Analyzer, Sentence
from rerank.encoders import create_encoder, embedded_encoder
from rerank.errors import UnknownName
from rerank.frequency import WordFrequencies, shared_wordfreq
from rerank.name_matching import Name, NameMatcher
from rerank.scorer import Context, Scorer
from rerank.similarity import SentenceEncoder, similarities
from rerank.types import Candidate, FloatArray

VARIANTS = ("paper", "released")

_CALIBRATION = ((0.55, 2.0), (0.6, 1.9), (0.65, 1.8), (0.7, 1.7), (0.8, 1.4), (0.9, 1.1))
_VOWELS = re.compile("[аяоёуюиыеэ]", re.IGNORECASE)
_ENGLISH_VOWELS = re.compile(r"(?!(?<!l)e\b)[aeiouy]+", re.IGNORECASE)
# Of the reading ease: at no words, taken off for each word of a sentence, for each syllable of a word.
_EASE = {"ru": (206.835, 1.52, 65.14), "en": (206.835, 1.015, 84.6)}
# Of the grade: for each word of a sentence, for each syllable of a word, taken off.
_GRADE = {"ru": (0.36, 5.76, 11.97), "en": (0.39, 11.8, 15.59)}
_BRACKETS = re.compile(r"\([^()]*\)")
_DEPTH_VALUES = {0: 1.0, 1: 1.0, 2: 1.0, 3: 0.9, 4: 0.7}


def calibrate(values: FloatArray) -> FloatArray:
    """The released code's stretch of values around 0.5, v → (v − 0.5)/d + 0.5.

    d is 2, 1.9, 1.8, 1.7, 1.4, 1.1 for v below 0.55, 0.6, 0.65, 0.7, 0.8, 0.9, and 1 above. Monotone; keeps [0, 1].
    """
    bounds = np.array([bound for bound, _ in _CALIBRATION])
    divisors = np.array([divisor for _, divisor in _CALIBRATION] + [1.0])
    result: FloatArray = (values - 0.5) / divisors[np.searchsorted(bounds, values, side="right")] + 0.5
    return result


class _Component(ABC):
    """What the six share: one value in [0, 1] per candidate, finite whatever the text, calibrated in `released`."""

    name = ""
    needs: frozenset[str] = frozenset()
    range = (0.0, 1.0)

    def __init__(self, *, variant: str = "released") -> None:
        if variant not in VARIANTS:
            raise UnknownName(f"Unknown RuSimScore variant {variant!r}.", hint=f"Known: {', '.join(VARIANTS)}.")
        self.variant = variant

    @property
    def released(self) -> bool:
        return self.variant == "released"

    def signature(self) -> str:
        """That of Russian texts."""
        return self.signature_in("ru")

    def signature_in(self, language: str) -> str:
        """Component and variant, with whatever model or list the value depends on; see `rerank.scorer.signature_in`."""
        return f"rusim.{self.name}:{self.variant}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        """Values in [0, 1], shape `[n_candidates]`."""
        if not candidates:
            return np.zeros(0)
        analyses = context.analyzer.analyze([source, *(c.text for c in candidates)], sorted(self.needs))
        values = np.clip(np.nan_to_num(self._values(analyses[0], analyses[1:], context)), 0.0, 1.0)
        return self._calibrated(values) if self.released else values

    @abstractmethod
    def _values(self, source: Analysis, texts: Sequence[Analysis], context: Context) -> FloatArray:
        """The printed values, one per text; not yet clipped or calibrated."""

    def _calibrated(self, values: FloatArray) -> FloatArray:
        return calibrate(values)


class LexicalScore(_Component):
    """LS = 1 + α · Σ log fᵢ / N + β · min log fᵢ over the words of a text: how common its words are.

    fᵢ is the share of the i-th word in a corpus. Unknown words, named entities, pronouns, numbers and punctuation are
    left out; a text with no other word gets 1. The paper does not print α and β: the released code's 1/40 and 1/1600
    serve for both. `released` is, per sentence,

        LS = 1 + (clip(mean log f, −24, −4) + 4)/40 + 0.0025 + clip(worst, −200, 0)/1600

    where worst is not the least log f but the least running sum of them, that is their whole sum, as the code has it;
    prepositions are left out too. The code keeps the value of the last sentence; here sentences are averaged, which
    gives the same for one sentence and does not let a text hide its rare words in the first of two.
    """

    name = "lexical"
    needs = frozenset({"morph", "entities"})

    def __init__(self, *, variant: str = "released", frequencies: WordFrequencies | None = None) -> None:
        super().__init__(variant=variant)
        self._lists = {language: frequencies or shared_wordfreq(language) for language in ("ru", "en")}
        skipped = {"PRON", "NUM", "PROPN", "PUNCT", "SYM"}
        self._skipped = frozenset(skipped | {"ADP"}) if self.released else frozenset(skipped)

    def signature_in(self, language: str) -> str:
        return f"{super().signature_in(language)}:{self._lists[language].signature()}"

    def _values(self, source: Analysis, texts: Sequence[Analysis], context: Context) -> FloatArray:
        counted = [self._words(text) for text in texts]
        frequencies = self._lists[context.analyzer.language]
        known = frequencies.lookup({word for text in counted for sentence in text for word in sentence})
        logs = {word: math.log(frequency) for word, frequency in known.items() if frequency > 0.0}
        return np.array([self._text([[logs[w] for w in s if w in logs] for s in text]) for text in counted])

    def _words(self, text: Analysis) -> list[list[str]]:
        named = [(entity.start, entity.stop) for entity in text.entities]
        return [
            [
                token.text
                for token in sentence.tokens
                if token.pos not in self._skipped and not any(a <= token.start < b for a, b in named)
            ]
            for sentence in text.sentences
        ]

    def _text(self, sentences: list[list[float]]) -> float:
        if not self.released:
            logs = [log for sentence in sentences for log in sentence]
            return 1.0 + sum(logs) / len(logs) / 40 + min(logs) / 1600 if logs else 1.0
        values = [_released_lexical(logs) for logs in sentences if logs]
        return sum(values) / len(values) if values else 1.0


def _released_lexical(logs: list[float]) -> float:
    total = sum(logs)
    mean = total / len(logs)
    return 1.0 + (min(max(mean, -24.0), -4.0) + 4.0) / 40 + 0.0025 + max(total, -200.0) / 1600


def tree_depth(sentence: Sentence) -> int:
    """Most arcs from a token up to its root; a cycle among the heads counts each of its arcs once, a self-loop none."""
    heads = [token.head if token.head != i else -1 for i, token in enumerate(sentence.tokens)]
    known: dict[int, int] = {-1: -1}
    deepest = 0
    for start in range(len(heads)):
        path: list[int] = []
        node = start
        while node not in known:
            known[node] = 0
            path.append(node)
            node = heads[node] if heads[node] < len(heads) else -1
        below = known[node]
        for node in reversed(path):
            below += 1
            known[node] = below
        deepest = max(deepest, below)
    return deepest


class DepthScore(_Component):
    """DD = 1, 0.9, 0.7, 0.5 for a dependency tree of depth ≤ 2, 3, 4, more.

    The depth is the number of arcs from the root to the farthest token, punctuation included, in the deepest sentence.
    """

    name = "depth"
    needs = frozenset({"syntax"})

    def _values(self, source: Analysis, texts: Sequence[Analysis], context: Context) -> FloatArray:
        depths = (max(map(tree_depth, text.sentences), default=0) for text in texts)
        return np.array([_DEPTH_VALUES.get(depth, 0.5) for depth in depths])


_FIRST = {"ru": re.compile("[а-яё0-9]", re.IGNORECASE), "en": re.compile("[^\\W_]")}
"""What a word begins with: a Cyrillic letter or a digit, as the released code counts, in English any of both."""


def _word_count(text: Analysis, language: str) -> int:
    begins = _FIRST[language].match
    return sum(begins(token.text) is not None for sentence in text.sentences for token in sentence.tokens)


class LengthScore(_Component):
    """LeS rewards candidates shorter than the source, but not below six words. With n and m the word counts of s and c:

        paper:     0.5 if n > m; 1 − n/(2m) if n > 6; n/6 otherwise
        released:  0.5 if n > m; 1 if m < 6; 1 − n/(2m) if n ≥ 6; n/6 otherwise

    A word starts with a Cyrillic letter or a digit. A candidate without a word gets 0 if the source has one.
    """

    name = "length"

    def _values(self, source: Analysis, texts: Sequence[Analysis], context: Context) -> FloatArray:
        language = context.analyzer.language
        count = _word_count(source, language)
        return np.array([self._value(_word_count(text, language), count) for text in texts])

    def _value(self, n: int, m: int) -> float:
        if n > m:
            return 0.5
        if n == 0:
            return 0.0 if m else 1.0
        if self.released and m < 6:
            return 1.0
        if n > 6 or (self.released and n == 6):
            return 1.0 - n / (2 * m)
        return n / 6


class ReadabilityScore(_Component):
    """RS = 0.75 + 0.25 · clip(206.835 − 1.52 · WC/sentences − 65.14 · SC/WC, −100, 100)/100, in [0.5, 1].

    Flesch reading ease with Oborneva's coefficients for Russian; WC words (as in `LengthScore`), SC vowel letters. A
    text without words has an ease of 0, hence 0.75. In English the coefficients are Flesch's own, 1.015 and 84.6, and
    SC counts runs of vowels but for an e at the end of a word, other than -le; a word has one at least.
    """

    name = "readability"

    def _values(self, source: Analysis, texts: Sequence[Analysis], context: Context) -> FloatArray:
        language = context.analyzer.language
        return np.array([0.75 + min(max(_reading_ease(text, language), -100.0), 100.0) / 400 for text in texts])


def _reading_ease(text: Analysis, language: str) -> float:
    words = _word_count(text, language)
    if not words:
        return 0.0
    base, per_word, per_syllable = _EASE[language]
    return base - per_word * words / len(text.sentences) - per_syllable * _syllables(text, language) / words


def grade(text: Analysis, sentences: int | None = None, *, language: str = "en") -> float:
    """The grade of school that an English or Russian text is for; 0 for a text without words.

    English: 0.39 · words/sentences + 11.8 · syllables/words − 15.59 (Kincaid, Fishburne, Rogers and Chissom, 1975:
    "Derivation of new readability formulas", Research Branch Report 8-75). Russian: 0.36, 5.76 and 11.97 (Solnyshkina,
    Ivanov and Solovyev, 2018: "Readability formula for Russian texts: a modified version", fitted to school textbooks).
    Words and syllables as in `ReadabilityScore`. The easiest texts are below 0. `sentences` says how many there are,
    where that is known better than from the analysis.
    """
    words = _word_count(text, language)
    if not words:
        return 0.0
    per_word, per_syllable, base = _GRADE[language]
    share = _syllables(text, language) / words
    return per_word * words / (sentences or len(text.sentences)) + per_syllable * share - base


def _syllables(text: Analysis, language: str) -> int:
    return _english_syllables(text) if language == "en" else len(_VOWELS.findall(text.text))


def _english_syllables(text: Analysis) -> int:
    words = (token.text for token in text.tokens if any(map(str.isalpha, token.text)))
    return sum(max(1, len(_ENGLISH_VOWELS.findall(word))) for word in words)


class SimilarityScore(_Component):
    """SimS: cosine of the sentence vectors of c and s, negative ones as 0.

    The paper uses LASER; here any `SentenceEncoder` serves, the embedded one by default. `released` calibrates on the
    scale (cosine + 1)/2 and maps back.
    """

    name = "similarity"

    def __init__(self, *, variant: str = "released", encoder: SentenceEncoder | None = None) -> None:
        super().__init__(variant=variant)
        self._encoder = encoder
        self._embedded: tuple[Analyzer, SentenceEncoder] | None = None

    def signature_in(self, language: str) -> str:
        encoder = self._encoder or embedded_encoder(language)
        return f"{super().signature_in(language)}:{encoder.signature()}"

    def _bound(self, analyzer: Analyzer) -> SentenceEncoder:
        # The embedded encoder works on the vectors and tokens of the analyser that comes with the texts.
        if self._encoder is not None:
            return self._encoder
        if self._embedded is None or self._embedded[0] is not analyzer:
            self._embedded = (analyzer, create_encoder(analyzer=analyzer))
        return self._embedded[1]

    def _values(self, source: Analysis, texts: Sequence[Analysis], context: Context) -> FloatArray:
        return similarities(self._bound(context.analyzer), source.text, [text.text for text in texts])

    def _calibrated(self, values: FloatArray) -> FloatArray:
        return (calibrate(values / 2 + 0.5) - 0.5) * 2


class EntityScore(_Component):
    """NS: how well the named entities of c and s agree. With k those of s found in c, and n those of either:

        paper:     min(3, k)/min(3, n)
        released:  1 − 0.5 · |k' − n'|/max(k', n'), where k' = min(4, k), n' = min(4, n)

    1 where neither names anything. An entity is found where one word of it is, in any form of that word (Оскар
    Александрович Шефер → Шефер). In `paper` a found entity counts once in n; in `released`, as in the code, only the
    same entity in full does, so that a shortened name costs a little, and names in brackets are passed over. In English
    it is 1 − 0.5 · l where that is less, l being the share of the source's numbers that a text leaves out, as the guard
    reads them: a figure is missed as a name is.
    """

    name = "entities"
    needs = frozenset({"entities"})

    def __init__(self, *, variant: str = "released") -> None:
        super().__init__(variant=variant)
        self._matching: tuple[Analyzer, NameMatcher] | None = None

    def _values(self, source: Analysis, texts: Sequence[Analysis], context: Context) -> FloatArray:
        matcher = self._bound(context.analyzer)
        names = self._names_of(source, matcher)
        values = np.array([self._value(names, self._names_of(text, matcher), matcher) for text in texts])
        if context.analyzer.language != "en":
            return values
        from rerank.english.facts.number_rules import lost_shares

        lost = np.array(lost_shares(source.text, [text.text for text in texts]), dtype=np.float64)
        kept: FloatArray = np.minimum(values, 1.0 - 0.5 * lost)
        return kept

    def signature_in(self, language: str) -> str:
        return super().signature_in(language) + (":numbers" if language == "en" else "")

    def _bound(self, analyzer: Analyzer) -> NameMatcher:
        if self._matching is None or self._matching[0] is not analyzer:
            self._matching = (analyzer, NameMatcher(analyzer.morphology if analyzer.language == "ru" else None))
        return self._matching[1]

    def _names_of(self, text: Analysis, matcher: NameMatcher) -> list[Name]:
        entities = text.entities
        if self.released:
            brackets = [match.span() for match in _BRACKETS.finditer(text.text)]
            entities = tuple(e for e in entities if not any(a <= e.start < b for a, b in brackets))
        return matcher.distinct(entity.text for entity in entities)

    def _value(self, source: list[Name], candidate: list[Name], matcher: NameMatcher) -> float:
        shared = sum(any(matcher.shares_word(name, other) for other in source) for name in candidate)
        if not self.released:
            either = len(source) + len(candidate) - shared
            return min(3, shared, either) / min(3, either) if either else 1.0
        either = len(source) + sum(not any(matcher.same(name, other) for other in source) for name in candidate)
        k, n = min(4, shared), min(4, either)
        return 1.0 - 0.5 * abs(k - n) / max(k, n) if either else 1.0


_KINDS: Mapping[str, type[_Component]] = MappingProxyType(
    {
        kind.name: kind
        for kind in (LexicalScore, DepthScore, LengthScore, ReadabilityScore, SimilarityScore, EntityScore)
    }
)
COMPONENTS = tuple(_KINDS)


def component(
    name: str,
    *,
    variant: str = "released",
    frequencies: WordFrequencies | None = None,
    encoder: SentenceEncoder | None = None,
) -> Scorer:
    """One of `COMPONENTS` by name; `UnknownName` for another name or variant.

    `frequencies` (default: wordfreq's list) serves `lexical`, `encoder` (default: the embedded one) `similarity`.
    """
    if name == "lexical":
        return LexicalScore(variant=variant, frequencies=frequencies)
    if name == "similarity":
        return SimilarityScore(variant=variant, encoder=encoder)
    if name not in _KINDS:
        raise UnknownName(f"Unknown RuSimScore component {name!r}.", hint=f"Known: {', '.join(COMPONENTS)}.")
    return _KINDS[name](variant=variant)


def components(
    *,
    variant: str = "released",
    frequencies: WordFrequencies | None = None,
    encoder: SentenceEncoder | None = None,
) -> tuple[Scorer, ...]:
    """All six, in the order of `COMPONENTS`."""
    return tuple(component(name, variant=variant, frequencies=frequencies, encoder=encoder) for name in COMPONENTS)
