"""From bilingual lines to paraphrases of one of their languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from training.paraphrases.aligning import Links, align, read_links, write_links
from training.paraphrases.grammar import english_grammar, names_in, russian_grammar
from training.paraphrases.lexical import LexicalWeights
from training.paraphrases.phrases import phrase_pairs
from training.paraphrases.pivots import Found, Pair, paraphrases, translations
from training.paraphrases.pruning import Language, Pruning
from training.paraphrases.reading import Line
from training.paraphrases.words import Normaliser, normaliser, words_of

__all__ = ["Limits", "Sides", "aligned", "build", "read_sides"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a paraphrase has to reach; see docs/paraphrases.md for how these were found.

    `longest`: words of a phrase. `translation`: of p(f | e) and p(e | f). `lexical`: of a phrase and its translation
    word by word. `single`, `several`: the probability of a paraphrase in both directions, of two single words and of
    others, with two pivots or more, forms of a word being one; `lone_single`, `lone_several`: with one alone.
    """

    longest: int = 5
    translation: float = 0.003
    lexical: float = 0.1
    single: float = 0.01
    several: float = 0.04
    lone_single: float = 0.05
    lone_several: float = 0.3

    def least(self, pair: Pair, pivots: int) -> float:
        """The probability that a pair with so many pivots has to reach in both directions."""
        if any(" " in phrase for phrase in pair):
            return self.several if pivots > 1 else self.lone_several
        return self.single if pivots > 1 else self.lone_single


@dataclass
class Sides:
    """The sentences in the language of the table and in the other one, word by word, and as the aligner sees them."""

    language: str
    own: list[tuple[str, ...]] = field(default_factory=list)
    other: list[tuple[str, ...]] = field(default_factory=list)
    bitext: list[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    names: frozenset[str] = frozenset()


def read_sides(lines: Sequence[Line], language: str) -> Sides:
    """Both sides of the lines; `language` is `en` or `ru`."""
    other = "ru" if language == "en" else "en"
    normalise = {code: normaliser(code) for code in ("en", "ru")}
    sides = Sides(language)
    for line in lines:
        words = {"en": words_of(line.english, "en"), "ru": words_of(line.russian, "ru")}
        sides.own.append(words[language])
        sides.other.append(words[other])
        # The aligner works from English, so one alignment does for the tables of both languages.
        sides.bitext.append((_seen(words["en"], normalise["en"]), _seen(words["ru"], normalise["ru"])))
    texts = (line.english if language == "en" else line.russian for line in lines)
    sides.names = names_in(texts, language)
    return sides


def _seen(sentence: Sequence[str], normalise: Normaliser) -> tuple[str, ...]:
    return tuple(normalise(word) or word for word in sentence)


def aligned(sides: Sides, aligner: str, kept: Path | None = None) -> list[Links]:
    """The links from English to Russian words; read from the file `kept` where it is there, else written to it."""
    if kept is not None and kept.is_file():
        return read_links(kept, sides.bitext)
    links = align(sides.bitext, aligner)
    if kept is not None:
        write_links(links, kept)
    return links


def build(sides: Sides, links: Sequence[Links], limits: Limits) -> tuple[dict[Pair, float], Counter[str]]:
    """By phrase and paraphrase its probability, and how many phrases and pairs each rule refused."""
    weights = LexicalWeights(sides.bitext, links)
    normalise = {code: normaliser(code) for code in ("en", "ru")}
    own, other = (normalise[code] for code in (("en", "ru") if sides.language == "en" else ("ru", "en")))
    grammar = english_grammar(sides.own) if sides.language == "en" else russian_grammar()
    pruning = Pruning(Language(sides.language, grammar, own, sides.names))

    def trusts(phrase: str, pivot: str) -> bool:
        seen = _seen(phrase.split(" "), own), _seen(pivot.split(" "), other)
        return weights.weight(*(seen if sides.language == "en" else seen[::-1])) >= limits.lexical

    table = translations(
        _counted(sides, links, limits.longest),
        least_of_pivot=limits.translation,
        least_of_phrase=limits.translation,
        takes=pruning.takes,
        trusts=trusts,
    )
    found = paraphrases(table, name=lambda pivot: " ".join(_seen(pivot.split(" "), other)), may=pruning.may)
    return _pooled(found, own, limits), pruning.refused


def _counted(sides: Sides, links: Sequence[Links], longest: int) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for own, other, found in zip(sides.own, sides.other, links, strict=True):
        turned = found if sides.language == "en" else [(j, i) for i, j in found]
        pairs = phrase_pairs(own, other, turned, longest=longest)
        counts.update((" ".join(phrase), " ".join(pivot)) for phrase, pivot in pairs)
    return counts


def _pooled(found: Mapping[Pair, Found], normalise: Normaliser, limits: Limits) -> dict[Pair, float]:
    """Those that reach the limits; forms of the same words vouch for one another with their pivots."""
    pivots: dict[tuple[tuple[str, ...], ...], set[str]] = {}
    keys = {pair: tuple(_seen(phrase.split(" "), normalise) for phrase in pair) for pair in found}
    for pair, one in found.items():
        pivots.setdefault(keys[pair], set()).update(one.pivots)
    return {
        (phrase, other): one.probability
        for (phrase, other), one in found.items()
        if min(one.probability, found[other, phrase].probability)
        >= limits.least((phrase, other), len(pivots[keys[phrase, other]]))
    }
