"""What a cut costs: the objectives of the deletion search that need a masked language model.

All give minus a distance from the text as it stands, or with `initial` from the source; the text as it stands has 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rerank.analysis import Analysis, Analyzer
from rerank.masked.base import MaskedModel, Word
from rerank.ndd.attention import Adjacent, Balanced
from rerank.ndd.distance import Ndd, PartialSum, SourceReading
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, FloatArray
from rewrite.compression.compression_options import CompressOptions
from rewrite.generators.deletion import Objective, Trial

_MU = 0.9
_ROUND = 64


def objective_of(options: CompressOptions, model: MaskedModel, *, language: str, analyzer: Analyzer) -> Objective:
    """The objective that `options.method` names; `language` is one of `rerank.masked.words.LANGUAGES`."""
    initial = options.compare == "initial"
    if options.method in ("ndd", "fast-ndd"):
        attention = Balanced(_MU) if options.method == "ndd" else Adjacent(Balanced(_MU))
        # The prediction for the initial text is the approximating distribution (section 4.2).
        return NddObjective(Ndd(model, divergence="kl", attention=attention, bias=options.bias), initial=initial)
    if options.method == "ppl":
        return PerplexityObjective(model, language=language, initial=initial)
    return ScorerDistance(_scorer(options, model, language), analyzer=analyzer, initial=initial)


def _scorer(options: CompressOptions, model: MaskedModel, language: str) -> Scorer:
    if options.method == "cosine":
        from rerank.ndd.scorers import CosineScorer

        return CosineScorer(model=model, language=language)
    from rerank.ndd.bertscore import BERTScore

    return BERTScore(model=options.masked_model, language=language, device=options.device)


def words_of(analysis: Analysis) -> tuple[Word, ...]:
    """The tokens of a text as a masked model reads them."""
    text = analysis.text
    return tuple(
        Word(token.text, spaced=not number or text[token.start - 1].isspace())
        for number, token in enumerate(analysis.tokens)
    )


class NddObjective:
    """Minus the NDD of the text as it stands (or the source) and the text without a span.

    Where a value is below a trial's floor, only the words nearest to the cut were asked about, as many as it took to
    know that; asked again with a lower floor, it goes on from there. A source's distributions are computed once and
    kept as long as its text stands.
    """

    def __init__(self, ndd: Ndd, *, initial: bool = False) -> None:
        self.ndd = ndd
        self._initial = initial

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        groups = [self._sums(trial) for trial in trials]
        waiting = [(distance, -trial.floor) for group, trial in zip(groups, trials, strict=True) for distance in group]
        while waiting := [
            (distance, limit) for distance, limit in waiting if not distance.exact and distance.value <= limit
        ]:
            bounded = [distance for distance, limit in waiting if limit < math.inf]
            # A few words more than it takes cost less than a batch that is half empty.
            self.ndd.advance(bounded, words=-(-_ROUND // max(1, len(bounded))))
            self.ndd.advance([distance for distance, limit in waiting if limit == math.inf], words=None)
        return [np.array([0.0, *(-distance.value for distance in group)]) for group in groups]

    def _sums(self, trial: Trial) -> list[PartialSum]:
        """The distance of each text, as far as it is known from an earlier call."""
        base = frozenset[int]() if self._initial else trial.removed[0]
        known: _Known | None = trial.memory.get(self)
        if known is None or known.base != base:
            known = trial.memory[self] = _known(self.ndd, trial, base)
        for removed in trial.removed[1:]:
            if removed not in known.sums:
                kept = [place for place, start in enumerate(known.starts) if start not in removed]
                known.sums[removed] = self.ndd.begin(known.source, known.source.keep(kept))
        return [known.sums[removed] for removed in trial.removed[1:]]


@dataclass(slots=True)
class _Known:
    """A text without the tokens at `base`, where the others start, and its distances from shorter ones."""

    base: frozenset[int]
    starts: Sequence[int]
    source: SourceReading
    sums: dict[frozenset[int], PartialSum] = field(default_factory=dict)


def _known(ndd: Ndd, trial: Trial, base: frozenset[int]) -> _Known:
    assert trial.analysis is not None
    words = zip(trial.analysis.tokens, words_of(trial.analysis), strict=True)
    left = [(token.start, word) for token, word in words if token.start not in base]
    return _Known(base, [start for start, _ in left], ndd.read([word for _, word in left]))


class PerplexityObjective:
    """Minus the growth of perplexity from the text as it stands (or the source) to the text without a span.

    The PPL Deleter of Niu et al. (2019) as the NDD paper has it: cuts that lower the perplexity of what is left come
    first. Perplexity is a mean of −log p as in section 2.1, so a value above 0 is a gain.
    """

    def __init__(self, model: MaskedModel, *, language: str, initial: bool = False) -> None:
        from rerank.ndd.scorers import PerplexityScorer

        self._scorer = PerplexityScorer(model=model, language=language)
        self._language = language
        self._initial = initial

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        texts = [(trial.source if self._initial else trial.texts[0], *trial.texts[1:]) for trial in trials]
        flat: Any = self._scorer.perplexities([text for group in texts for text in group], self._language)
        ends = np.cumsum([len(group) for group in texts])[:-1]
        return [np.concatenate(([0.0], values[0] - values[1:])) for values in np.split(flat, ends)]


class ScorerDistance:
    """Minus one less a scorer's value of the text without a span as a candidate for the text as it stands."""

    def __init__(self, scorer: Scorer, *, analyzer: Analyzer, initial: bool = False) -> None:
        self._scorer = scorer
        self._context = Context(analyzer)
        self._initial = initial

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        return [np.concatenate(([0.0], self._values(trial))) for trial in trials]

    def _values(self, trial: Trial) -> FloatArray:
        base = trial.source if self._initial else trial.texts[0]
        candidates = [Candidate(text) for text in trial.texts[1:]]
        if not candidates:
            return np.zeros(0)
        return np.asarray(self._scorer.score(base, candidates, self._context) - 1.0, dtype=np.float64)
