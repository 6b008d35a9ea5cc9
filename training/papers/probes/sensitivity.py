"""The sensitivity tests on STS-B (Table 1): which metric tells replacements that keep the sense from others.

In each test a sentence is edited twice at the same places, so that the two texts differ in nothing but the kind of
replacement. Only words are replaced for which there is one of either kind; a sentence without any is left out.
Replacements are drawn from the words of the set, tagged and counted.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from rerank.analysis import Analysis, Token
from rerank.english import EnglishAnalyzer
from rerank.masked.base import MaskedModel
from rerank.masked.registry import create_masked_model
from rerank.ndd.distance import Ndd
from rerank.types import FloatArray
from rewrite.datasets import RatedPair, load_stsb
from rewrite.errors import BadInput
from training.papers.probes.overlap import (
    METRICS,
    Metrics,
    overlap_ratio,
    pearson,
    pearson_interval,
    sentences_of,
    stsb_file,
)
from training.papers.probes.report import Cell, ProbeReport, Table, run_signature
from training.papers.probes.wordnet import DEBIAN, WordNet
from training.records import drawn

_TRIES = 8
_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class TaggedWord:
    """A form with its part of speech, lemma and features; in lower case, but for the forms of names."""

    form: str
    pos: str
    lemma: str
    features: tuple[tuple[str, str], ...] = ()

    def feature(self, name: str) -> str:
        """The value of a feature of Universal Dependencies, an empty string where there is none."""
        return dict(self.features).get(name, "")


def tagged(token: Token) -> TaggedWord | None:
    """The word that a token is; `None` for what is not all letters."""
    if not token.text.isalpha():
        return None
    lemma = getattr(token, "lemma", "") or token.text
    form = token.text if token.pos == "PROPN" else token.text.lower()
    return TaggedWord(form, token.pos, lemma.lower(), tuple(sorted(token.feats.items())))


class Vocabulary:
    """The words of analysed sentences, with their numbers of occurrences."""

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        words = (tagged(token) for analysis in analyses for token in analysis.tokens)
        counts = Counter(word for word in words if word is not None)
        # In a fixed order, so that a seed draws the same words each time.
        self._counts = dict(sorted(counts.items(), key=lambda item: (-item[1], repr(item[0]))))
        # By fields and their values: words, and the sums of their counts up to each.
        self._groups: dict[tuple[str, ...], dict[object, tuple[list[TaggedWord], list[int]]]] = {}

    def draw(
        self, rng: random.Random, like: TaggedWord, *same: str, accepts: Callable[[TaggedWord], bool]
    ) -> TaggedWord | None:
        """A word that `accepts` takes, drawn by frequency, with another form than `like`; `None` where there is none.

        `same` names fields in which it is as `like`.
        """
        words, sums = self._grouped(same).get(_values(like, same), ([], []))
        if not words:
            return None
        # Most draws are accepted at once, and each has the distribution of those that are: the whole list is looked
        # through only where few words would do.
        for word in rng.choices(words, cum_weights=sums, k=_TRIES):
            if word.form != like.form and accepts(word):
                return word
        accepted = [word for word in words if word.form != like.form and accepts(word)]
        return rng.choices(accepted, [self._counts[word] for word in accepted])[0] if accepted else None

    def _grouped(self, fields: tuple[str, ...]) -> dict[object, tuple[list[TaggedWord], list[int]]]:
        if fields not in self._groups:
            groups: dict[object, list[TaggedWord]] = {}
            for word in self._counts:
                groups.setdefault(_values(word, fields), []).append(word)
            self._groups[fields] = {
                values: (words, list(accumulate(self._counts[word] for word in words)))
                for values, words in groups.items()
            }
        return self._groups[fields]


def _values(word: TaggedWord, fields: tuple[str, ...]) -> object:
    return tuple(getattr(word, field) for field in fields)


@dataclass(frozen=True, slots=True)
class EditedPair:
    """A sentence, its edited text, and whether the replacements are of the kind that keeps more of it."""

    source: str
    text: str
    positive: bool


Replacements = Callable[[TaggedWord, random.Random], tuple[TaggedWord, TaggedWord] | None]
"""Draws a word that counts as positive and one that does not; `None` for a word that cannot be replaced by both."""


@dataclass(frozen=True, slots=True)
class EditTest:
    """What replaces words in a test, and the share of a sentence's words to replace, in (0, 1]."""

    replacements: Replacements
    share: float = _SHARE


def synonym_antonym(vocabulary: Vocabulary, wordnet: WordNet) -> EditTest:
    """WordNet's synonyms (positive) and antonyms, with the part of speech and features of the word."""

    def draw(word: TaggedWord, rng: random.Random) -> tuple[TaggedWord, TaggedWord] | None:
        antonyms = wordnet.antonyms(word.lemma, word.pos)
        synonyms = wordnet.synonyms(word.lemma, word.pos) - antonyms
        if not antonyms or not synonyms:  # most words
            return None
        alike = vocabulary.draw(rng, word, "pos", "features", accepts=lambda w: w.lemma in synonyms)
        opposite = vocabulary.draw(rng, word, "pos", "features", accepts=lambda w: w.lemma in antonyms)
        return _both(alike, opposite)

    return EditTest(draw)


def part_of_speech(vocabulary: Vocabulary) -> EditTest:
    """Words of the same part of speech (positive) and of another one."""

    def draw(word: TaggedWord, rng: random.Random) -> tuple[TaggedWord, TaggedWord] | None:
        same = vocabulary.draw(rng, word, "pos", accepts=lambda w: True)
        return _both(same, vocabulary.draw(rng, word, accepts=lambda w: w.pos != word.pos))

    return EditTest(draw)


def term(vocabulary: Vocabulary) -> EditTest:
    """All verbs: other verbs in the same form (positive), and verbs in another tense or kind of form."""

    def draw(word: TaggedWord, rng: random.Random) -> tuple[TaggedWord, TaggedWord] | None:
        if word.pos != "VERB":
            return None
        same = vocabulary.draw(rng, word, "pos", "features", accepts=lambda w: w.lemma != word.lemma)
        return _both(
            same,
            vocabulary.draw(rng, word, "pos", accepts=lambda w: w.lemma != word.lemma and _term(w) != _term(word)),
        )

    return EditTest(draw, share=1.0)


def lemma(vocabulary: Vocabulary) -> EditTest:
    """Other forms of the same lemma (positive), and words of another lemma in the form that those have."""

    def draw(word: TaggedWord, rng: random.Random) -> tuple[TaggedWord, TaggedWord] | None:
        same = vocabulary.draw(rng, word, "lemma", "pos", accepts=lambda w: True)
        if same is None:
            return None
        other = vocabulary.draw(rng, same, "pos", "features", accepts=lambda w: word.lemma != w.lemma)
        return _both(same, other)

    return EditTest(draw)


def _term(word: TaggedWord) -> tuple[str, str]:
    return word.feature("VerbForm"), word.feature("Tense")


def _both(positive: TaggedWord | None, negative: TaggedWord | None) -> tuple[TaggedWord, TaggedWord] | None:
    return None if positive is None or negative is None else (positive, negative)


def edited_pairs(analyses: Sequence[Analysis], test: EditTest, *, seed: int) -> Iterator[EditedPair]:
    """Two pairs for each sentence that can be edited, the positive one first; at least one word is replaced."""
    rng = random.Random(seed)
    for analysis in analyses:
        words = {n: word for n, token in enumerate(analysis.tokens) if (word := tagged(token)) is not None}
        wanted = max(1, round(test.share * len(words)))
        replaced: dict[int, tuple[TaggedWord, TaggedWord]] = {}
        for place in rng.sample(list(words), len(words)):
            if len(replaced) < wanted and (pair := test.replacements(words[place], rng)) is not None:
                replaced[place] = pair
        for kind in (0, 1) if replaced else ():
            text = _replaced(analysis, {place: pair[kind].form for place, pair in replaced.items()})
            yield EditedPair(analysis.text, text, positive=kind == 0)


def _replaced(analysis: Analysis, forms: Mapping[int, str]) -> str:
    """The text with other forms for some of its tokens, capitalised as they were."""
    parts, position = [], 0
    for place, token in enumerate(analysis.tokens):
        if place in forms:
            form = forms[place]
            parts += [
                analysis.text[position : token.start],
                form[:1].upper() + form[1:] if token.text[:1].isupper() else form,
            ]
            position = token.stop
    return "".join([*parts, analysis.text[position:]])


TESTS = {"syn-ant": "Syn-Ant", "pos": "POS", "term": "Term", "lemma": "Lemma", "supervised": "Sup."}
"""What the command calls each test, and its name in Table 1."""
_OVERLAP = 0.8

Labelled = tuple[list[tuple[str, str]], FloatArray]
"""Pairs of texts, and for each how alike they are said to be, shape `[pairs]`."""


def sensitivity(
    labelled: Mapping[str, Labelled], metrics: Metrics, *, samples: int = 1000, seed: int = 0
) -> tuple[Table, Table, Table]:
    """Table 1, its intervals of 95 % by `samples` draws, and the number of pairs of each test, given by its name in
    the table.
    """
    rows: list[list[Cell]] = [[metric] for metric in METRICS]
    limits: list[list[Cell]] = [[metric] for metric in METRICS]
    counts: list[list[Cell]] = []
    for name, (pairs, labels) in labelled.items():
        fits = metrics.fitting(pairs)
        kept = [pair for pair, fit in zip(pairs, fits, strict=True) if fit]
        kept_labels = labels[np.array(fits)]
        values = metrics.similarities(kept, name) if kept else dict.fromkeys(METRICS, kept_labels)
        # What is made of one sentence is drawn together.
        clusters = [first for first, _ in kept]
        for metric, row, both_ends in zip(METRICS, rows, limits, strict=True):
            row.append(pearson(values[metric], kept_labels))
            both_ends += pearson_interval(values[metric], kept_labels, clusters, samples=samples, seed=seed)
        counts.append([name, len(kept), len(pairs) - len(kept)])
    ends = ["metric", *(f"{name} {end}" for name in labelled for end in ("from", "to"))]
    return (
        Table("Table 1: Pearson's correlation · 100", ["metric", *labelled], rows),
        Table(f"Intervals of 95 %: {samples:,} draws of as many sentences", ends, limits),
        Table("Pairs", ("test", "pairs", "too long for the model"), counts),
    )


def overlapping(pairs: Sequence[RatedPair], model: MaskedModel) -> list[RatedPair]:
    """The pairs whose longest common subsequence has at least 80 % of the shorter sentence's words."""
    ndd = Ndd(model)
    return [pair for pair in pairs if overlap_ratio(ndd, pair.first, pair.second) >= _OVERLAP - 1e-9]


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for."""
    path = stsb_file(given.data, given.part)
    pairs = load_stsb(path)
    model = create_masked_model(given.masked_model, device=given.device)
    tests = [TESTS[key] for key in dict.fromkeys(given.tests or TESTS)]
    wordnet = WordNet(given.wordnet) if "Syn-Ant" in tests else None
    labelled: dict[str, Labelled] = {}
    edits = [name for name in tests if name != "Sup."]
    pipeline = ""
    if edits:
        analyzer = EnglishAnalyzer()
        analyses = analyzer.analyze(sentences_of(pairs))
        pipeline = analyzer.signature
        labelled |= _edited(edits, analyses, wordnet, limit=given.limit, seed=given.seed)
    if "Sup." in tests:
        close = drawn(overlapping(pairs, model), given.limit, given.seed)
        labelled["Sup."] = [(p.first, p.second) for p in close], np.array([p.score for p in close], dtype=np.float64)
    metrics = Metrics(model, spec=given.masked_model, device=given.device)
    settings = {"data": path.name, "limit": given.limit, "seed": given.seed, "tagger": pipeline}
    return ProbeReport(
        sensitivity({name: labelled[name] for name in tests}, metrics, seed=given.seed),
        _notes(metrics),
        run_signature("sensitivity", model, settings),
    )


def _edited(
    names: Sequence[str], analyses: Sequence[Analysis], wordnet: WordNet | None, *, limit: int | None, seed: int
) -> dict[str, Labelled]:
    """The pairs of the tests that edit sentences: 1 for positive ones, 0 for negative ones."""
    vocabulary = Vocabulary(analyses)
    tests: dict[str, Callable[[], EditTest]] = {
        "Syn-Ant": lambda: synonym_antonym(vocabulary, wordnet or WordNet(DEBIAN)),
        "POS": lambda: part_of_speech(vocabulary),
        "Term": lambda: term(vocabulary),
        "Lemma": lambda: lemma(vocabulary),
    }
    labelled: dict[str, Labelled] = {}
    for name in names:
        edited = list(edited_pairs(analyses, tests[name](), seed=seed))
        if not edited:
            raise BadInput(f"No sentence has a word for the test {name}.", hint="Give more sentences.")
        # The two texts of a sentence stay together.
        twos = drawn(list(zip(edited[::2], edited[1::2], strict=True)), limit, seed)
        kept = [pair for two in twos for pair in two]
        labels = np.array([float(pair.positive) for pair in kept])
        labelled[name] = [(pair.source, pair.text) for pair in kept], labels
    return labelled


def _notes(metrics: Metrics) -> list[str]:
    notes = ["Syn-Ant, POS, Term, Lemma: two pairs a sentence. Sup.: pairs with an overlap of 80 % or more."]
    notes.append("NDD + S_C: 1 : 0.0025 as printed; S_C + NDD: the other way round (docs/probes.md).")
    if not metrics.has_bertscore:
        notes.append("BERTScore: needs a model of hf and pip install 'rewrite-rerank[ndd]'.")
    return notes
