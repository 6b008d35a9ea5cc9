"""Predicate detection (Table 8): a word that changes more of what is expected around it is likelier a predicate."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from rerank.masked.base import MaskedModel, Word
from rerank.ndd.attention import Balanced
from rerank.ndd.distance import Comparison, Ndd, SourceReading
from rerank.ndd.reading import predicted
from rerank.types import FloatArray
from rewrite.compression.sentences import language_of, problem
from rewrite.errors import BadInput, BadOption
from rewrite.evaluate.resampling import area_under_curve
from training.papers.probes.report import (
    PAPER,
    PREDICATES,
    Cell,
    ProbeReport,
    Table,
    drawn,
    masked_model,
    run_signature,
    watched,
)
from training.papers.probes.treebank import MarkedSentence, read_conll2009, read_treebank, verbs_of

METHODS = tuple(PREDICATES)
"""Metric and edit."""
_MU = 0.9
_LONGEST = 50
SETS: Mapping[str, tuple[int, str, str]] = {
    "eng-id": (0, "en", "a"),
    "eng-ood": (2, "en", "that"),
    "spa": (4, "es", "el"),
}
"""Where the figures of a set of the paper begin in a row of Table 8, its language and its stop word."""


def detected(model: MaskedModel, words: Sequence[Word], stop_word: str) -> dict[tuple[str, str], FloatArray]:
    """How far each edit of each word moves the sentence, by `METHODS`, shape `[words]`; higher for predicates.

    NDD is by KL divergence and balanced attention, as in compression. ΔPPL is of the edited sentence less the sentence;
    of a masked one the mask itself does not count. The ensemble is the mean of the three distances.
    """
    ndd = Ndd(model, divergence="kl", attention=Balanced(_MU))
    source = ndd.read(words)
    places = range(len(words))
    edits: dict[str, list[Comparison]] = {
        "delete": [source.keep([k for k in places if k != place]) for place in places],
        "mask": [source.mask([place]) for place in places],
        "stop word": [source.compare(_with_stop_word(words, place, stop_word)) for place in places],
    }
    found = {("NDD", edit): ndd.distances([(source, compared)])[0] for edit, compared in edits.items()}
    found["NDD", "ensemble"] = np.mean(list(found.values()), axis=0)
    found["PPL", "delete"] = _growth(model, source, edits["delete"], masked=False)
    found["PPL", "mask"] = _growth(model, source, edits["mask"], masked=True)
    return found


def _with_stop_word(words: Sequence[Word], place: int, stop_word: str) -> list[Word]:
    return [*words[:place], Word(stop_word, words[place].spaced), *words[place + 1 :]]


def _growth(model: MaskedModel, source: SourceReading, compared: Sequence[Comparison], *, masked: bool) -> FloatArray:
    """PPL (section 2.1: a mean of −log p over sub-words) of each edited sentence, less that of the source."""
    readings = [source.reading, *(one.reading for one in compared)]
    left_out = [None, *(place if masked else None for place in range(len(compared)))]
    rows = [
        ((number, token), row)
        for number, (reading, without) in enumerate(zip(readings, left_out, strict=True))
        for place, tokens in enumerate(reading.tokens)
        if place != without
        for token, row in zip(tokens, reading.rows(place, "piece"), strict=True)
    ]
    totals, sizes = np.zeros(len(readings)), np.zeros(len(readings))
    for (number, token), answer in predicted(model, rows):
        totals[number] -= float(answer[0, token])
        sizes[number] += 1
    values = totals / np.maximum(sizes, 1)
    growth: FloatArray = values[1:] - values[0]
    return growth


def predicates(
    model: MaskedModel, sentences: Sequence[MarkedSentence], *, stop_word: str, beside: int | None, title: str
) -> Table:
    """Table 8 for one set: mAP and AUC · 100, means over sentences; `beside` is where the paper's figures begin."""
    from sklearn.metrics import average_precision_score

    figures: dict[tuple[str, str], list[tuple[float, float]]] = {method: [] for method in METHODS}
    for sentence in watched(sentences, "predicates"):
        wanted = np.array(sentence.predicates, dtype=bool)
        for method, values in detected(model, sentence.words, stop_word).items():
            area = area_under_curve(values[wanted], values[~wanted])
            figures[method].append((average_precision_score(wanted, values), area))
    rows: list[list[Cell]] = []
    for method in METHODS:
        printed = (None, None) if beside is None else PREDICATES[method][beside : beside + 2]
        means = 100.0 * np.nanmean(np.array(figures[method]), axis=0)
        rows.append([*method, float(means[0]), printed[0], float(means[1]), printed[1]])
    return Table(f"Table 8: predicates, {title}", ("metric", "edit", "mAP", "mAP" + PAPER, "AUC", "AUC" + PAPER), rows)


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for."""
    if (given.conll is None) == (given.conllu is None):
        raise BadOption("Predicates are read from one file.", hint="Give --conll FILE or --conllu FILE.")
    path: Path = given.conll or given.conllu
    read = read_conll2009(path) if given.conll else verbs_of(read_treebank(path))
    beside, lang, stop_word = SETS.get(given.set, (None, "", ""))
    some = " ".join(word.text for one in read[:100] for word in one.words)
    lang = language_of(some, given.lang or lang or None)
    stop_word = given.stop_word or stop_word
    if not stop_word.strip() or len(stop_word.split()) != 1:
        raise BadOption(f"The stop word is {stop_word!r}.", hint="Give --stop-word, a word such as a, that, el or и.")
    model = masked_model(given.masked_model, language=lang, device=given.device)
    # Where all words are predicates, none can be ranked before another.
    usable = [s for s in read if len(s.words) <= _LONGEST and any(s.predicates) and not all(s.predicates)]
    wanted = drawn(usable, given.limit, given.seed)
    sentences = [one for one in wanted if problem(one.words, model) is None]
    if not sentences:
        raise BadInput(f"{path}: no sentence with a predicate that the model can read.", hint="Give another file.")
    table = predicates(model, sentences, stop_word=stop_word, beside=beside, title=f"{path.name} ({given.set})")
    notes = [
        f"{len(sentences):,} sentences of at most {_LONGEST} words with a predicate, "
        f"{sum(sum(one.predicates) for one in sentences):,} predicates among "
        f"{sum(len(one.words) for one in sentences):,} words; "
        f"{len(wanted) - len(sentences)} sentences that the model cannot read. Stop word: {stop_word}.",
    ]
    settings = {"data": path.name, "limit": given.limit, "seed": given.seed, "stop-word": stop_word}
    return ProbeReport([table], notes, run_signature("predicates", model, settings))
