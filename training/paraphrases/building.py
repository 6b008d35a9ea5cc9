"""From bilingual lines to paraphrases of one of their languages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rerank.morphology import Morphology
from training.paraphrases.aligning import Bitext, Links
from training.paraphrases.grammar import (
    Grammar,
    Normaliser,
    Tags,
    english_grammar,
    inflection_stem,
    names_in,
    normaliser,
    russian_grammar,
    russian_tag,
    spelled,
    tag_english,
    words_of,
)
from training.paraphrases.phrases import Evidence, LexicalWeights, Pair, paraphrases, phrase_spans, translations
from training.paraphrases.pruning import Language, Pruning, Unit, agree, read_unit, shares_words
from training.paraphrases.reading import Line

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
    words: Sentences
    keys: Sentences
    pivot_keys: Sentences
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
    code, pivot = ("en", "ru") if language == "en" else ("ru", "en")
    return Sides(
        language=language,
        words=words[code],
        keys=keys[code],
        pivot_keys=keys[pivot],
        # The aligner works from English, so one alignment does for the tables of both languages.
        bitext=list(zip(seen["en"], seen["ru"], strict=True)),
        grammar=english_grammar(words["en"], tags) if language == "en" else russian_grammar(),
        names=names_in(texts[code], code),
    )


def _seen(sentences: Iterable[Sequence[str]], normalise: Normaliser) -> Sentences:
    return [tuple(normalise(word) or word for word in sentence) for sentence in sentences]


def _english_keys(words: Sentences, tags: Iterable[Tags]) -> Sentences:
    return [
        tuple(
            f"{inflection_stem(word) if tag in _INFLECTED else word}|{tag}"
            for word, (tag, _) in zip(*sides, strict=True)
        )
        for sides in zip(words, tags, strict=True)
    ]


def _russian_keys(words: Sentences) -> Sentences:
    morphology = Morphology(cache_size=1)

    @lru_cache(200_000)
    def key(word: str) -> str:
        likeliest = morphology.parse(word)[0]
        return f"{likeliest.lemma}|{russian_tag(likeliest)}"

    return [tuple(map(key, sentence)) for sentence in words]


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

    def least(self, first: Unit, second: Unit, pivots: int) -> float:
        """The probability that a pair with so many pivots has to reach in both directions."""
        single = len(first.words) == len(second.words) == 1
        usual = self.shared if shares_words(first, second) else self.single if single else self.several
        return usual if pivots > 1 else max(usual, self.lone)

    def reached(self, first: Unit, second: Unit, there: Evidence, back: Evidence) -> bool:
        """Whether what was found of a pair in both directions is enough; both have the same pivots."""
        if there.times < self.times or (len(there.pivots) == 1 and there.lexical < self.lone_lexical):
            return False
        if min(there.common, back.common) < self.common:
            return False
        return min(there.probability, back.probability) >= self.least(first, second, len(there.pivots))


def build(sides: Sides, links: Sequence[Links], limits: Limits) -> tuple[dict[Pair, float], Counter[str]]:
    """By phrase and paraphrase its probability, and how many phrases and pairs each rule refused.

    All forms of a phrase are one as long as evidence is counted; at the end every form gets the paraphrases that agree
    with it, as ParaEval reads words.
    """
    turned = links if sides.language == "en" else [frozenset((j, i) for i, j in linked) for linked in links]
    weights = LexicalWeights(list(zip(sides.keys, sides.pivot_keys, strict=True)), turned)
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
    candidates = paraphrases(table, name=_name, may=lambda first, second: pruning.may(unit(first), unit(second)))
    kept = {
        pair: evidence.probability
        for pair, evidence in candidates.items()
        if limits.reached(unit(pair[0]), unit(pair[1]), evidence, candidates[pair[::-1]])
    }
    return _in_all_forms(kept, forms, unit, sides), pruning.refused


def _counted(sides: Sides, links: Sequence[Links], longest: int) -> tuple[Counter[Pair], dict[str, Counter[str]]]:
    """How often each phrase and pivot were found together, as keys, and of each phrase how often each form is there."""
    counts: Counter[Pair] = Counter()
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words, keys, pivot_keys, linked in zip(sides.words, sides.keys, sides.pivot_keys, links, strict=True):
        seen = set()
        for (start, stop), (first, end) in phrase_spans(keys, pivot_keys, linked, longest=longest):
            phrase = " ".join(keys[start:stop])
            counts[phrase, " ".join(pivot_keys[first:end])] += 1
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
    probabilities: dict[Pair, float] = {}
    for (key, other), probability in kept.items():
        for pair in _agreeing(key, other, forms, unit, sides):
            phrase, paraphrase = (spelled(form, sides.language) for form in pair)
            if phrase != paraphrase:
                probabilities[phrase, paraphrase] = max(probability, probabilities.get((phrase, paraphrase), 0.0))
    return probabilities


def _agreeing(
    key: str, other: str, forms: Mapping[str, Counter[str]], unit: Callable[[str], Unit], sides: Sides
) -> Iterator[tuple[str, str]]:
    units = unit(key), unit(other)
    for form in forms[key]:
        for second in forms[other]:
            words = form.split(" "), second.split(" ")
            if units[0].kind != units[1].kind or agree(*words, (units[0].head, units[1].head), sides.grammar):
                yield form, second
