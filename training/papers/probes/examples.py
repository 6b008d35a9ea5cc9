"""The sentences of Table 10: whether an edit that changes the sense more is the farther one."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from rerank.masked.base import MaskedModel
from rerank.masked.registry import create_masked_model
from rerank.masked.words import split_words
from rerank.ndd.attention import attention_called
from rerank.ndd.distance import Ndd
from rerank.ndd.scorers import CosineScorer, PerplexityScorer
from training.papers.probes.report import Cell, ProbeReport, Table, run_signature


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited sentence of Table 10, the group it stands in, and its NDD there."""

    group: str
    text: str
    ndd: float


SOURCE = "I am walking in the cold rain."
"""The initial sentence of Table 10."""

SENTENCES: tuple[Edit, ...] = (
    Edit("adjective", "I am walking in the cool rain.", 0.81),
    Edit("adjective", "I am walking in the freezing rain.", 0.97),
    Edit("adjective", "I am walking in the heavy rain.", 1.82),
    Edit("adjective", "I am walking in the hot rain.", 3.17),
    Edit("noun", "I am walking in the cold snow.", 2.46),
    Edit("noun", "I am walking in the cold night.", 3.52),
    Edit("noun", "I am walking in the cold sunshine.", 4.73),
    Edit("verb", "I am running in the cold rain.", 0.66),
    Edit("verb", "I am wandering in the cold rain.", 0.89),
    Edit("verb", "I am swimming in the cold rain.", 3.29),
    Edit("subject and tense", "I was walking in the cold rain.", 4.72),
    Edit("subject and tense", "He am walking in the cold rain.", 13.04),
    Edit("subject and tense", "He is walking in the cold rain.", 7.22),
)
"""Table 10, without the initial sentence."""

DIVERGENCES = ("kl", "hellinger")
"""The first is what Table 10 must have: a mean of Hellinger's distances is at most 1, and 13.04 is printed."""

_COOL, _HOT, _HE_AM = (next(e.text for e in SENTENCES if part in e.text) for part in (" cool ", " hot ", "He am"))


def distances(model: MaskedModel, divergence: str, attention: str = "mean") -> dict[str, float]:
    """NDD of the initial sentence of Table 10 and each edited one, by text."""
    ndd = Ndd(model, divergence=divergence, attention=attention_called(attention))
    source = ndd.read(split_words(SOURCE, "en"))
    compared = [source.compare(split_words(edit.text, "en")) for edit in SENTENCES]
    (values,) = ndd.distances([(source, compared)])
    return {edit.text: float(value) for edit, value in zip(SENTENCES, values, strict=True)}


def ranks(values: Mapping[str, float]) -> dict[str, int]:
    """The rank of each edited sentence within its group of Table 10: 1 for the nearest."""
    groups = [[edit.text for edit in group] for _, group in groupby(SENTENCES, key=lambda edit: edit.group)]
    return {text: place for group in groups for place, text in enumerate(sorted(group, key=values.__getitem__), 1)}


_PAPER = ranks({edit.text: edit.ndd for edit in SENTENCES})


def verdicts(values: Mapping[str, float]) -> list[str]:
    """In a line each: the groups that are ranked as in the paper, *hot* and *cool*, and what is farthest of all."""
    ours = ranks(values)
    groups = list(dict.fromkeys(edit.group for edit in SENTENCES))
    kept = [g for g in groups if all(ours[e.text] == _PAPER[e.text] for e in SENTENCES if e.group == g)]
    farthest = max(values, key=lambda text: values[text])
    return [
        f"ranked as in the paper: {len(kept)} of {len(groups)} groups ({', '.join(kept) or 'none'})",
        f"cold→hot farther than cold→cool: {_yes(values[_HOT] > values[_COOL])} "
        f"({values[_HOT]:.3f}, {values[_COOL]:.3f})",
        f"He am farthest of all: {_yes(farthest == _HE_AM)} ({values[_HE_AM]:.3f}; farthest: {farthest})",
    ]


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def examples(model: MaskedModel, attention: str = "mean") -> tuple[list[Table], list[str]]:
    """A table for each of `DIVERGENCES`, and what they come to."""
    texts = [SOURCE, *(edit.text for edit in SENTENCES)]
    perplexities = np.exp(PerplexityScorer(model=model, language="en").perplexities(texts, "en")).tolist()
    cosines = CosineScorer(model=model, language="en").similarities(SOURCE, texts).tolist()
    tables, notes = [], []
    for divergence in DIVERGENCES:
        values = distances(model, divergence, attention)
        ours = ranks(values)
        rows: list[Sequence[Cell]] = [["", SOURCE, 0.0, None, None, perplexities[0], cosines[0]]]
        for edit, perplexity, cosine in zip(SENTENCES, perplexities[1:], cosines[1:], strict=True):
            rank = ours[edit.text]
            kept = rank == _PAPER[edit.text]
            rows.append([edit.group, edit.text, values[edit.text], rank, kept, perplexity, cosine])
        tables.append(Table(f"Table 10, NDD by {divergence} and {attention} attention", _HEAD, rows, decimals=3))
        notes += [f"{divergence}: {line}" for line in verdicts(values)]
    return tables, notes


_HEAD = ("group", "sentence", "NDD", "rank", "kept", "PPL", "S_C")
"""A rank is kept that is as in the paper."""


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for."""
    model = create_masked_model(given.masked_model, device=given.device)
    tables, notes = examples(model, given.attention)
    return ProbeReport(tables, notes, run_signature("examples", model, {"attention": given.attention}))
