"""The sentences of Table 10: whether an edit that changes the sense more is the farther one."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from rerank.masked.base import MaskedModel
from rerank.masked.words import split_words
from rerank.ndd.attention import attention_called
from rerank.ndd.distance import Ndd
from rerank.ndd.scorers import CosineScorer, PerplexityScorer
from training.papers.probes.report import (
    PAPER,
    SENTENCES,
    SOURCE,
    Cell,
    ProbeReport,
    Table,
    masked_model,
    run_signature,
)

DIVERGENCES = ("kl", "hellinger")
"""The first is what Table 10 must have: a mean of Hellinger's distances is at most 1, and 13.04 is printed."""

_COOL, _HOT, _HE_AM = (next(e.text for e in SENTENCES if part in e.text) for part in (" cool ", " hot ", "He am"))


def distances(model: MaskedModel, divergence: str, attention: str = "mean") -> dict[str, float]:
    """NDD of the initial sentence of Table 10 and each edited one, by text."""
    ndd = Ndd(model, divergence=divergence, attention=attention_called(attention))
    source = ndd.read(split_words(SOURCE.text, "en"))
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
    own = ranks(values)
    groups = list(dict.fromkeys(edit.group for edit in SENTENCES))
    kept = [g for g in groups if all(own[e.text] == _PAPER[e.text] for e in SENTENCES if e.group == g)]
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
    """A table for each of `DIVERGENCES`, the paper's figures beside ours, and what they come to."""
    texts = [SOURCE.text, *(edit.text for edit in SENTENCES)]
    perplexities = np.exp(PerplexityScorer(model=model, language="en").perplexities(texts, "en")).tolist()
    cosines = CosineScorer(model=model, language="en").similarities(SOURCE.text, texts).tolist()
    tables, notes = [], []
    for divergence in DIVERGENCES:
        values = distances(model, divergence, attention)
        own = ranks(values)
        rows: list[Sequence[Cell]] = []
        for edit, perplexity, cosine in zip((SOURCE, *SENTENCES), perplexities, cosines, strict=True):
            others = (perplexity, edit.ppl, cosine, edit.cosine)
            if edit is SOURCE:
                rows.append(["", edit.text, 0.0, edit.ndd, None, None, None, *others])
                continue
            rank, printed = own[edit.text], _PAPER[edit.text]
            rows.append([edit.group, edit.text, values[edit.text], edit.ndd, rank, printed, rank == printed, *others])
        tables.append(Table(f"Table 10, NDD by {divergence} and {attention} attention", _HEAD, rows, decimals=3))
        notes += [f"{divergence}: {line}" for line in verdicts(values)]
    return tables, notes


_HEAD = (
    "group",
    "sentence",
    "NDD",
    "NDD" + PAPER,
    "rank",
    "rank" + PAPER,
    "kept",
    "PPL",
    "PPL" + PAPER,
    "S_C",
    "S_C" + PAPER,
)


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for."""
    model = masked_model(given.masked_model, device=given.device)
    tables, notes = examples(model, given.attention)
    return ProbeReport(tables, notes, run_signature("examples", model, {"attention": given.attention}))
