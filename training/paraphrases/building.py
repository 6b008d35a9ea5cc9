"""From bilingual lines to paraphrases of one of their languages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from training.paraphrases.aligning import Links, align, read_links, write_links
from training.paraphrases.lexical import LexicalWeights
from training.paraphrases.phrases import phrase_spans
from training.paraphrases.pivots import Found, Pair, paraphrases, translations
from training.paraphrases.pruning import Language, Pruning, shares_words
from training.paraphrases.shapes import Unit, agree, read_unit
from training.paraphrases.sides import Sides
from training.paraphrases.words import spelled

__all__ = ["Limits", "aligned", "build"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a paraphrase has to reach; see docs/paraphrases.md for how these were found.

    `longest`: words of a phrase. `translation`: of p(f | e) and p(e | f). `lexical`: of a phrase and its translation
    word by word. `seldom`: how often a phrase has to occur. `times`: how often pivots of both have to translate the
    rarer one. `single`, `several`, `shared`: the probability of a paraphrase in both directions, of two single words,
    of phrases, and of phrases that share a word; `lone`, in any case, where one pivot alone stands behind it, and
    `lone_lexical` the lexical weight of that pivot with both phrases. `common`: what share of the translations of
    either phrase the pivots have to be.
    """

    longest: int = 5
    translation: float = 0.003
    lexical: float = 0.05
    seldom: int = 2
    times: int = 2
    single: float = 0.01
    several: float = 0.01
    shared: float = 0.02
    lone: float = 0.02
    lone_lexical: float = 0.18
    common: float = 0.0

    def least(self, one: Unit, other: Unit, pivots: int) -> float:
        """The probability that a pair with so many pivots has to reach in both directions."""
        single = len(one.words) == len(other.words) == 1
        usual = self.shared if shares_words(one, other) else self.single if single else self.several
        return usual if pivots > 1 else max(usual, self.lone)

    def reached(self, one: Unit, other: Unit, there: Found, back: Found) -> bool:
        """Whether what was found of a pair in both directions is enough; both have the same pivots."""
        if there.times < self.times or (len(there.pivots) == 1 and there.lexical < self.lone_lexical):
            return False
        if min(there.common, back.common) < self.common:
            return False
        return min(there.probability, back.probability) >= self.least(one, other, len(there.pivots))


def aligned(sides: Sides, aligner: str, kept: Path | None = None) -> list[Links]:
    """The links from English to Russian words; read from the file `kept` where it is there, else written to it."""
    if kept is not None and kept.is_file():
        return read_links(kept, sides.bitext)
    links = align(sides.bitext, aligner)
    if kept is not None:
        write_links(links, kept)
    return links


def build(sides: Sides, links: Sequence[Links], limits: Limits) -> tuple[dict[Pair, float], Counter[str]]:
    """By phrase and paraphrase its probability, and how many phrases and pairs each rule refused.

    All forms of a phrase are one as long as evidence is counted; at the end every form gets the paraphrases that agree
    with it, as ParaEval reads words.
    """
    turned = links if sides.language == "en" else [frozenset((j, i) for i, j in one) for one in links]
    weights = LexicalWeights(list(zip(sides.keys, sides.other, strict=True)), turned)
    counts, forms = _counted(sides, turned, limits.longest)
    pruning = Pruning(Language(sides.language, sides.grammar, sides.names))

    @lru_cache(None)
    def unit(key: str) -> Unit:
        return read_unit(key, max(sorted(forms[key]), key=lambda form: forms[key][form]), sides.grammar, sides.language)

    def weight(phrase: str, pivot: str) -> float:
        return weights.weight(tuple(phrase.split(" ")), tuple(pivot.split(" ")))

    table = translations(
        counts,
        least_of_pivot=limits.translation,
        least_of_phrase=limits.translation,
        takes=lambda key: forms[key].total() >= limits.seldom and pruning.takes(unit(key)),
        least_weight=limits.lexical,
        weight=weight,
    )
    found = paraphrases(table, name=_name, may=lambda one, other: pruning.may(unit(one), unit(other)))
    kept = {
        pair: one.probability
        for pair, one in found.items()
        if limits.reached(unit(pair[0]), unit(pair[1]), one, found[pair[::-1]])
    }
    return _in_all_forms(kept, forms, unit, sides), pruning.refused


def _counted(sides: Sides, links: Sequence[Links], longest: int) -> tuple[Counter[Pair], dict[str, Counter[str]]]:
    """How often each phrase and pivot were found together, as keys, and of each phrase how often each form is there."""
    counts: Counter[Pair] = Counter()
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words, keys, other, found in zip(sides.own, sides.keys, sides.other, links, strict=True):
        seen = set()
        for (start, stop), (first, end) in phrase_spans(keys, other, found, longest=longest):
            phrase = " ".join(keys[start:stop])
            counts[phrase, " ".join(other[first:end])] += 1
            if (start, stop) not in seen:
                seen.add((start, stop))
                forms[phrase][" ".join(words[start:stop])] += 1
    return counts, forms


def _name(pivot: str) -> str:
    """The pivot without its function words and tags: with an article it is no other evidence."""
    parts = [word.rsplit("|", 1) for word in pivot.split(" ")]
    return " ".join(stem for stem, tag in parts if tag) or pivot


def _in_all_forms(
    kept: Mapping[Pair, float], forms: Mapping[str, Counter[str]], unit: Callable[[str], Unit], sides: Sides
) -> dict[Pair, float]:
    found: dict[Pair, float] = {}
    for (one, other), probability in kept.items():
        for pair in _agreeing(one, other, forms, unit, sides):
            phrase, paraphrase = (spelled(form, sides.language) for form in pair)
            if phrase != paraphrase:
                found[phrase, paraphrase] = max(probability, found.get((phrase, paraphrase), 0.0))
    return found


def _agreeing(
    one: str, other: str, forms: Mapping[str, Counter[str]], unit: Callable[[str], Unit], sides: Sides
) -> Iterator[tuple[str, str]]:
    units = unit(one), unit(other)
    for form in forms[one]:
        for second in forms[other]:
            words = form.split(" "), second.split(" ")
            if units[0].kind != units[1].kind or agree(*words, (units[0].head, units[1].head), sides.grammar):
                yield form, second
