"""The metrics that the probes on STS-B compare: how alike a masked language model finds two texts, by each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from itertools import groupby

import numpy as np

from rerank.analysis import Analyzer
from rerank.masked.base import MaskedModel
from rerank.masked.words import split_words
from rerank.ndd.bertscore import BERTScore
from rerank.ndd.distance import Ndd
from rerank.ndd.scorers import CosineScorer, PerplexityScorer
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from training.papers.probes.report import watched

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
        groups = [(source, [text for _, text in own]) for source, own in groupby(pairs, key=lambda pair: pair[0])]
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
    own: list[list[int]] = [[] for _ in names]
    for place, name in enumerate(clusters):
        own[names[name]].append(place)
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(samples):
        places = [place for cluster in generator.integers(0, len(own), len(own)).tolist() for place in own[cluster]]
        found.append(pearson(values[places], labels[places]))
    low, high = np.nanpercentile(found, (2.5, 97.5)).tolist()
    return low, high
