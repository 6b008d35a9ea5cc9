"""`evaluate`: Table 3 in the paper's layout, its own figures in brackets, the source itself as a baseline."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rerank.errors import BadInput
from rewrite.evaluate.multi_bleu import References, corpus_bleu, mean_bleu, split_words
from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.decode import OUTPUTS, drawn, read_outputs
from training.papers.websplit.files import load_benchmark, load_sentences
from training.papers.websplit.segmentation import Segmenter
from training.papers.websplit.splitting import PROTOCOLS, SIDES

__all__ = ["PAPER", "Figures", "add_arguments", "measure", "run", "table"]

PAPER: dict[str, tuple[float, float, float]] = {
    "source": (55.67, 1.0, 21.11),
    "hybridsimpl": (39.97, 1.26, 17.55),
    "seq2seq": (48.92, 2.51, 10.32),
    "multiseq2seq": (42.18, 2.53, 10.69),
    "split-multiseq2seq": (77.27, 2.84, 11.63),
    "split-seq2seq": (78.77, 2.84, 9.28),
}
"""Table 3 as printed: BLEU, #S/C, #Tokens/S."""


@dataclass(frozen=True, slots=True)
class Figures:
    """BLEU and the mean of the sentences' BLEU in [0, 100], sentences an output, words a sentence, share of exact
    references in [0, 1]."""

    bleu: float
    mean_bleu: float
    sentences: float
    words: float
    exact: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `evaluate`."""
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="folders that decode has written to")
    parser.add_argument(
        "--benchmark", type=Path, required=True, metavar="DIR", help="the folder that build has written"
    )
    parser.add_argument("--side", choices=SIDES, default="test")
    parser.add_argument("--protocol", choices=PROTOCOLS, default="paper")
    parser.add_argument("--limit", type=int, metavar="N", help="only N complex sentences, drawn by their hashes")


def run(given: argparse.Namespace) -> None:
    """Measure the outputs of the runs and print the table."""
    benchmark = load_benchmark(given.benchmark)
    sentences = drawn(load_sentences(given.benchmark, given.protocol, given.side, benchmark), given.limit)
    name = OUTPUTS.format(protocol=given.protocol, side=given.side)
    outputs = {"source": {sentence.id: sentence.text for sentence in sentences}}
    outputs.update({folder.name: read_outputs(folder / name) for folder in given.runs})
    print(table(measure(outputs, benchmark, sentences)))


def measure(
    outputs: Mapping[str, Mapping[str, str]], benchmark: WebSplit, sentences: Sequence[ComplexSentence]
) -> dict[str, Figures]:
    """Figures of systems, given by name what each wrote for the id of each sentence.

    The references are all distinct rephrasings of a sentence, each made once for all systems. Raises `BadInput` where
    an output is missing.
    """
    if not sentences:
        raise BadInput("There is no complex sentence to measure on.", hint="Build the benchmark from more files.")
    for name, texts in outputs.items():
        missing = [sentence.id for sentence in sentences if sentence.id not in texts]
        if missing:
            raise BadInput(
                f"{name}: no output for {len(missing):,} of {len(sentences):,} sentences, the first {missing[0]}.",
                hint="Decode the whole side, or give the same --limit.",
            )
    rows: dict[str, list[np.ndarray]] = {name: [] for name in outputs}
    exact = dict.fromkeys(outputs, 0)
    for sentence in sentences:
        known = {rephrasing.text for rephrasing in benchmark.rephrasings(sentence)}
        references = References(known)
        for name, own in outputs.items():
            rows[name].append(references.statistics(own[sentence.id]))
            exact[name] += own[sentence.id] in known
    return {
        name: _figures(np.array(rows[name]), exact[name], [own[s.id] for s in sentences], benchmark, sentences)
        for name, own in outputs.items()
    }


def _figures(
    rows: np.ndarray, exact: int, texts: Sequence[str], benchmark: WebSplit, sentences: Sequence[ComplexSentence]
) -> Figures:
    triples = [benchmark.parts[sentence.readings[0].meaning].triples for sentence in sentences]
    cut = Segmenter().segment(list(zip(texts, triples, strict=True)))
    count = sum(map(len, cut))
    words = sum(len(split_words(sentence)) for text in cut for sentence in text)
    return Figures(corpus_bleu(rows), mean_bleu(rows), count / len(texts), words / count, exact / len(texts))


def table(figures: Mapping[str, Figures]) -> str:
    """The rows in the paper's order, then others; the paper's three columns with its own figures in brackets."""
    lines = [f"{'Model':22}{'BLEU':>16}{'#S/C':>14}{'#Tokens/S':>17}{'mean BLEU':>11}{'exact %':>9}"]
    for name in _ordered(figures):
        own, paper = figures[name], PAPER.get(name)
        cells = [f"{own.bleu:.2f}", f"{own.sentences:.2f}", f"{own.words:.2f}"]
        if paper is not None:
            forms = (f"{paper[0]:.2f}", f"{paper[1]:.2f}", f"{paper[2]:.2f}")
            cells = [f"{cell} ({form})" for cell, form in zip(cells, forms, strict=True)]
        lines.append(
            f"{name.upper():22}{cells[0]:>16}{cells[1]:>14}{cells[2]:>17}{own.mean_bleu:>11.2f}{100 * own.exact:>9.1f}"
        )
    return "\n".join(lines)


def _ordered(names: Iterable[str]) -> list[str]:
    given = list(names)
    return [name for name in PAPER if name in given] + [name for name in given if name not in PAPER]
