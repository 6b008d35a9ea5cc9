"""NDD as a component of reranking, alone and together with the cosine; its sisters stand in files of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rerank.errors import BadWeights
from rerank.masked.base import MaskedModel
from rerank.masked.words import split_words
from rerank.ndd.attention import attention_called
from rerank.ndd.base import MaskedScorer
from rerank.ndd.cosine import CosineScorer
from rerank.ndd.distance import Ndd
from rerank.ndd.perplexity import PerplexityScorer
from rerank.ndd.reading import Masking
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["CosineScorer", "NddCosineScorer", "NddScorer", "PerplexityScorer"]


class NddScorer(MaskedScorer):
    """Neighbouring Distribution Divergence, mapped to [0, 1]; 1 for the same text.

    With a KL divergence exp(−NDD). With Hellinger's distance 1 − Σ a_w H_w / Σ a_w, the weights being taken for shares,
    since only a mean of H is bounded. Options are those of `rerank.ndd.distance.Ndd`; `attention` is a name for
    `attention_called`, `mu` its rate. Raises `UnknownName`, `BadWeights`.
    """

    name = "ndd"

    def __init__(
        self,
        *,
        model: MaskedModel | str = "bundled",
        divergence: str = "hellinger",
        attention: str = "mean",
        mu: float = 0.9,
        bias: float = 1.0,
        masking: Masking = "word",
        language: str | None = None,
        device: str = "cpu",
    ) -> None:
        super().__init__(model=model, language=language, device=device)
        self._divergence = divergence
        self._attention = attention_called(attention, mu=mu)
        self._bias = bias
        self._masking: Masking = masking
        self._metrics: dict[MaskedModel, Ndd] = {}

    def _settings(self) -> tuple[str, ...]:
        return (self._divergence, self._attention.signature(), f"bias({self._bias:g})", self._masking)

    @property
    def bounded(self) -> bool:
        """Whether distances have an upper bound."""
        return self._divergence == "hellinger"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        distances = self.distances(source, [candidate.text for candidate in candidates])
        return 1.0 - distances if self.bounded else np.exp(-distances)

    def distances(self, source: str, texts: Sequence[str]) -> FloatArray:
        """NDD of the source and each text, ≥ 0, shape `[n]`; with Hellinger's distance a mean of it, in [0, 1]."""
        language = self.language_of(source)
        metric = self._metric(language)
        reading = metric.read(split_words(source, language))
        comparisons = [reading.compare(split_words(text, language)) for text in texts]
        (values,) = metric.distances([(reading, comparisons)])
        if not self.bounded:
            return values
        totals = np.array([metric.weights(one).sum() for one in comparisons], dtype=np.float64)
        shares = np.divide(values, totals, out=np.zeros_like(values), where=totals > 0)
        return np.clip(shares, 0.0, 1.0)

    def _metric(self, language: str) -> Ndd:
        model = self.model_for(language)
        if model not in self._metrics:
            self._metrics[model] = Ndd(
                model,
                divergence=self._divergence,
                attention=self._attention,
                bias=self._bias,
                masking=self._masking,
            )
        return self._metrics[model]


class NddCosineScorer(MaskedScorer):
    """The ensemble of NDD and S_C (section 3), NDD + ratio · (1 − S_C), mapped to [0, 1] as NDD is.

    `ratio` is the weight of S_C for each 1 of NDD, 0.0025 as printed; other options are those of `NddScorer`. Raises
    `BadWeights` for a ratio that is no finite number of 0 or more.
    """

    name = "ndd_cosine"

    def __init__(
        self,
        *,
        model: MaskedModel | str = "bundled",
        ratio: float = 0.0025,
        divergence: str = "hellinger",
        attention: str = "mean",
        mu: float = 0.9,
        bias: float = 1.0,
        masking: Masking = "word",
        pooling: str = "cls",
        language: str | None = None,
        device: str = "cpu",
    ) -> None:
        if not (np.isfinite(ratio) and ratio >= 0):
            raise BadWeights(f"ratio is {ratio:g}.", hint="Give a number of 0 or more, such as 0.0025.")
        super().__init__(model=model, language=language, device=device)
        self._ratio = ratio
        self._ndd = NddScorer(
            model=model,
            divergence=divergence,
            attention=attention,
            mu=mu,
            bias=bias,
            masking=masking,
            language=language,
            device=device,
        )
        self._cosine = CosineScorer(model=model, pooling=pooling, language=language, device=device)
        # One model in memory for both.
        self._ndd._loaded = self._cosine._loaded = self._loaded

    def _settings(self) -> tuple[str, ...]:
        return (f"1:{self._ratio:g}", *self._ndd._settings(), *self._cosine._settings())

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        distances = self.distances(source, [candidate.text for candidate in candidates])
        return 1.0 - distances / (1.0 + self._ratio) if self._ndd.bounded else np.exp(-distances)

    def distances(self, source: str, texts: Sequence[str]) -> FloatArray:
        """NDD + ratio · (1 − max(0, S_C)) of each text, ≥ 0, shape `[n]`."""
        cosines = np.maximum(self._cosine.similarities(source, texts), 0.0)
        return self._ndd.distances(source, texts) + self._ratio * (1.0 - cosines)
