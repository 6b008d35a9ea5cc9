"""The sensitivity tests on STS-B (Table 1): which metric tells replacements that keep the sense from others."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rerank.analysis import Analysis
from rerank.english import EnglishAnalyzer
from rerank.masked.base import MaskedModel
from rerank.ndd.distance import Ndd
from rerank.types import FloatArray
from rewrite.errors import BadInput
from training.papers.probes.metrics import METRICS, Metrics, overlap_ratio, pearson, pearson_interval
from training.papers.probes.overlap import RatedPair, load_stsb, sentences_of, stsb_file
from training.papers.probes.replacing import (
    EditTest,
    Vocabulary,
    edited_pairs,
    lemma,
    part_of_speech,
    synonym_antonym,
    term,
)
from training.papers.probes.report import (
    PAPER,
    SENSITIVITY,
    Cell,
    ProbeReport,
    Table,
    drawn,
    masked_model,
    run_signature,
)
from training.papers.probes.wordnet import DEBIAN, WordNet

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
            row += [pearson(values[metric], kept_labels), SENSITIVITY.get(metric, {}).get(name)]
            both_ends += pearson_interval(values[metric], kept_labels, clusters, samples=samples, seed=seed)
        counts.append([name, len(kept), len(pairs) - len(kept)])
    head = ["metric", *(column for name in labelled for column in (name, name + PAPER))]
    ends = ["metric", *(f"{name} {end}" for name in labelled for end in ("from", "to"))]
    return (
        Table("Table 1: Pearson's correlation · 100", head, rows),
        Table(f"Intervals of 95 %: {samples:,} draws of as many sentences", ends, limits),
        Table("Pairs", ("test", "pairs", "too long for the model"), counts),
    )


def overlapping(pairs: Sequence[RatedPair], model: MaskedModel, *, least: float = _OVERLAP) -> list[RatedPair]:
    """The pairs whose longest common subsequence has at least the share `least` of the shorter sentence's words."""
    ndd = Ndd(model)
    return [pair for pair in pairs if overlap_ratio(ndd, pair.first, pair.second) >= least - 1e-9]


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for."""
    path = stsb_file(given.data, given.part)
    pairs = load_stsb(path)
    model = masked_model(given.masked_model, device=given.device)
    tests = [TESTS[key] for key in dict.fromkeys(given.tests or TESTS)]
    wordnet = WordNet(given.wordnet) if "Syn-Ant" in tests else None
    labelled: dict[str, Labelled] = {}
    edits = [name for name in tests if name != "Sup."]
    pipeline = ""
    if edits:
        analyzer = EnglishAnalyzer(given.pipeline)
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
    found: dict[str, Labelled] = {}
    for name in names:
        edited = list(edited_pairs(analyses, tests[name](), seed=seed))
        if not edited:
            raise BadInput(f"No sentence has a word for the test {name}.", hint="Give more sentences.")
        # The two texts of a sentence stay together.
        twos = drawn(list(zip(edited[::2], edited[1::2], strict=True)), limit, seed)
        kept = [pair for two in twos for pair in two]
        labels = np.array([float(pair.positive) for pair in kept])
        found[name] = [(pair.source, pair.text) for pair in kept], labels
    return found


def _notes(metrics: Metrics) -> list[str]:
    notes = ["Syn-Ant, POS, Term, Lemma: two pairs a sentence. Sup.: pairs with an overlap of 80 % or more."]
    notes.append("NDD + S_C: 1 : 0.0025 as printed; S_C + NDD: the other way round (docs/probes.md).")
    if not metrics.has_bertscore:
        notes.append("BERTScore: needs a model of hf and pip install 'rewrite-rerank[ndd]'.")
    return notes
