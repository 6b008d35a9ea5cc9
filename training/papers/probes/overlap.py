"""How alike a masked language model finds two texts, by each metric of the probes on STS-B; and the curve of Figure 3:
how well metrics follow people's scores on pairs that share more and more of their words.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from rerank.analysis import Analyzer
from rerank.masked.base import MaskedModel
from rerank.masked.registry import create_masked_model
from rerank.masked.words import split_words
from rerank.ndd.bertscore import BERTScore
from rerank.ndd.distance import Ndd
from rerank.ndd.scorers import CosineScorer, PerplexityScorer
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.datasets import RatedPair, data_folder, load_stsb
from rewrite.errors import BadInput
from training.papers.probes.report import Cell, ProbeReport, Table, run_signature, watched
from training.records import drawn

METRICS = ("ΔPPL", "S_C", "S_C mean", "BERTScore", "NDD", "NDD + S_C", "S_C + NDD")
"""All higher for texts that are more alike: differences and distances have a minus before them."""

_RATIO = 0.0025
_SOURCES = 32


class Metrics:
    """Similarities of pairs of English texts under `model`; BERTScore where it is installed and `spec` is of hf.

    ΔPPL is −|PPL(W′) − PPL(W)|; S_C the cosine of the first token's vectors, or of the means; NDD minus the mean
    Hellinger distance over the common words (section 3 of the paper). NDD + S_C is the ensemble of 1 : 0.0025 in the
    order in which it is printed, S_C + NDD the other way round.
    """

    def __init__(self, model: MaskedModel, *, spec: str = "", device: str = "cpu") -> None:
        self._model = model
        self._ndd = Ndd(model, divergence="hellinger")
        self._perplexity = PerplexityScorer(model=model, language="en")
        self._cosines = {p: CosineScorer(model=model, pooling=p, language="en") for p in ("cls", "mean")}
        usable = spec.partition(":")[0] == "hf" and find_spec("bert_score") is not None
        self._bertscore = BERTScore(model=spec, language="en", device=device) if usable else None
        self._context = Context(Analyzer())

    @property
    def has_bertscore(self) -> bool:
        return self._bertscore is not None

    def fitting(self, pairs: Iterable[tuple[str, str]]) -> list[bool]:
        """Whether each pair has no sentence that is longer than the model's window."""
        known: dict[str, bool] = {}
        for text in dict.fromkeys(text for pair in pairs for text in pair):
            known[text] = not self._perplexity.unfit([text])
        return [known[first] and known[second] for first, second in pairs]

    def similarities(self, pairs: Sequence[tuple[str, str]], what: str) -> dict[str, FloatArray]:
        """The values of `METRICS` for pairs (source, other text), shape `[pairs]`; `nan` for BERTScore without it."""
        groups = [(source, [text for _, text in group]) for source, group in groupby(pairs, key=lambda pair: pair[0])]
        starts = range(0, len(groups), _SOURCES)
        chunks = [self._chunk(groups[start : start + _SOURCES]) for start in watched(starts, what)]
        return {name: np.concatenate([chunk[name] for chunk in chunks]) for name in METRICS}

    def _chunk(self, groups: Sequence[tuple[str, Sequence[str]]]) -> dict[str, FloatArray]:
        cls, mean = (
            np.concatenate([self._cosines[pooling].similarities(source, texts) for source, texts in groups])
            for pooling in ("cls", "mean")
        )
        ndd = self._distances(groups)
        return {
            "ΔPPL": -np.abs(self._differences(groups)),
            "S_C": cls,
            "S_C mean": mean,
            "BERTScore": self._bertscores(groups),
            "NDD": -ndd,
            "NDD + S_C": -(ndd + _RATIO * (1.0 - cls)),
            "S_C + NDD": cls - _RATIO * ndd,
        }

    def _distances(self, groups: Sequence[tuple[str, Sequence[str]]]) -> FloatArray:
        asked = []
        for source, texts in groups:
            reading = self._ndd.read(split_words(source, "en"))
            asked.append((reading, [reading.compare(split_words(text, "en")) for text in texts]))
        return np.concatenate(self._ndd.distances(asked))

    def _differences(self, groups: Sequence[tuple[str, Sequence[str]]]) -> FloatArray:
        values = self._perplexity.perplexities([text for source, texts in groups for text in (source, *texts)], "en")
        of_groups = np.split(values, np.cumsum([1 + len(texts) for _, texts in groups])[:-1])
        return np.concatenate([group[1:] - group[0] for group in of_groups])

    def _bertscores(self, groups: Sequence[tuple[str, Sequence[str]]]) -> FloatArray:
        if self._bertscore is None:
            return np.full(sum(len(texts) for _, texts in groups), np.nan)
        scores = (self._bertscore.score(s, [Candidate(t) for t in texts], self._context) for s, texts in groups)
        return np.concatenate(list(scores))


def overlap_ratio(ndd: Ndd, first: str, second: str) -> float:
    """Words of the longest common subsequence over those of the shorter text, in [0, 1]; words are those of NDD."""
    source = ndd.read(split_words(first, "en"))
    comparison = source.compare(split_words(second, "en"))
    return 0.0 if comparison.bare else len(comparison.alignment) / max(1, min(comparison.alignment.sizes))


def pearson(values: FloatArray, labels: FloatArray) -> float:
    """Pearson's correlation · 100, in [−100, 100]; `nan` where one of the two does not vary or there are no two."""
    if len(values) < 2 or not np.isfinite(values).all() or np.ptp(values) == 0 or np.ptp(labels) == 0:
        return float("nan")
    return float(np.corrcoef(values, labels)[0, 1]) * 100.0


def pearson_interval(
    values: FloatArray, labels: FloatArray, clusters: Sequence[str], *, samples: int, seed: int
) -> tuple[float, float]:
    """Where `pearson` lies in 95 of 100 of `samples` draws, with replacement, of whole clusters.

    `clusters` says for each pair which one it is of. `nan` where there are no two clusters, or `pearson` has no value.
    """
    names = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    if len(names) < 2 or not np.isfinite(pearson(values, labels)):
        return float("nan"), float("nan")
    members: list[list[int]] = [[] for _ in names]
    for place, name in enumerate(clusters):
        members[names[name]].append(place)
    generator = np.random.default_rng(seed)
    coefficients = []
    for _ in range(samples):
        clusters_drawn = generator.integers(0, len(members), len(members)).tolist()
        places = [place for cluster in clusters_drawn for place in members[cluster]]
        coefficients.append(pearson(values[places], labels[places]))
    low, high = np.nanpercentile(coefficients, (2.5, 97.5)).tolist()
    return low, high


PARTS = ("train", "dev", "test")
RATIOS = tuple(step / 10 for step in range(11))
"""The points of the curve: pairs with a higher ratio than that; for 1, with that ratio."""
_NOTES = (
    "r: pairs that share more than that part of the shorter sentence's words; at 1, all of them.",
    "The paper prints no numbers in Figure 3; of its text: S_C drops, to below 0 for r > 0.8, NDD rises with r, and",
    "their ensemble is better than either for r up to 0.8.",
)


def stsb_file(data: str | None, part: str) -> Path:
    """The English file of `part`: `data` itself, or stsb-en-PART.csv in that folder or its folder stsb.

    Without `data` the folder is what REWRITE_DATA names. Raises `BadInput` where there is no such file.
    """
    if data is not None and Path(data).is_file():
        return Path(data)
    folder = data_folder(data)
    name = f"stsb-en-{part}.csv"
    for path in (folder / name, folder / "stsb" / name):
        if path.is_file():
            return path
    raise BadInput(f"There is no {name} in {str(folder)!r}.", hint="Give --data a folder that has it, or the file.")


def sentences_of(pairs: list[RatedPair]) -> list[str]:
    """All different sentences, in their order."""
    return list(dict.fromkeys(text for pair in pairs for text in (pair.first, pair.second)))


def curve(ratios: FloatArray, values: Mapping[str, FloatArray], scores: FloatArray) -> Table:
    """Pearson's correlation · 100 of each metric's `values` with `scores` at each of `RATIOS`; all `[pairs]`.

    The first row is of all pairs, those without a common word among them.
    """
    metrics = [name for name in METRICS if name in values and np.isfinite(values[name]).all()]
    rows: list[list[Cell]] = []
    for ratio in (None, *RATIOS):
        chosen = _chosen(ratios, ratio)
        figures = [pearson(values[name][chosen], scores[chosen]) for name in metrics]
        rows.append(["all" if ratio is None else f"{ratio:.1f}", int(chosen.sum()), *figures])
    return Table("Figure 3: Pearson's correlation · 100 by overlap", ("r", "pairs", *metrics), rows)


def _chosen(ratios: FloatArray, above: float | None) -> Any:
    # Ratios are of whole numbers of words; rounding must not take 8 of 10 for more than 0.8.
    if above is None:
        return np.ones(len(ratios), dtype=bool)
    return ratios >= 1.0 - 1e-9 if above >= 1.0 else ratios > above + 1e-9


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for."""
    path = stsb_file(given.data, given.part)
    pairs = drawn(load_stsb(path), given.limit, given.seed)
    model = create_masked_model(given.masked_model, device=given.device)
    metrics = Metrics(model, spec=given.masked_model, device=given.device)
    texts = [(pair.first, pair.second) for pair in pairs]
    fits = metrics.fitting(texts)
    kept = [pair for pair, fit in zip(texts, fits, strict=True) if fit]
    if not kept:
        raise BadInput(f"{path}: every pair is longer than the model's window.", hint="Give another model.")
    scores = np.array([pair.score for pair in pairs], dtype=np.float64)[np.array(fits)]
    table = curve(_ratios(Ndd(model), kept), metrics.similarities(kept, "overlap"), scores)
    settings = {"data": path.name, "limit": given.limit, "seed": given.seed}
    return ProbeReport([table], _NOTES, run_signature("overlap", model, settings))


def _ratios(ndd: Ndd, pairs: Sequence[tuple[str, str]]) -> FloatArray:
    return np.array([overlap_ratio(ndd, first, second) for first, second in pairs], dtype=np.float64)
