"""The components that ask a masked language model: NDD, perplexity and the cosine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rerank.errors import RewriteError, TextTooLong, UnknownName
from rerank.masked.base import LogProbs, MaskedModel
from rerank.masked.registry import create_masked_model, parse_masked_name
from rerank.masked.words import guess_language, split_words
from rerank.ndd.attention import attention_called
from rerank.ndd.distance import Ndd
from rerank.ndd.reading import Masking, Reading, predicted
from rerank.scorer import Context
from rerank.similarity import cosines
from rerank.types import Candidate, FloatArray

_POOLINGS = ("cls", "mean")


class MaskedScorer:
    """A scorer with a masked language model: a `MaskedModel`, or the name of one for `create_masked_model`.

    `language` is one of `rerank.masked.words.LANGUAGES`; without it, that of each source is guessed from its script,
    and the model called `bundled` or `hf` is the one of that language. Models are loaded when they are first needed.
    Raises `UnknownName` for a name that stands for no model.
    """

    name: str
    range = (0.0, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(
        self, *, model: MaskedModel | str = "bundled", language: str | None = None, device: str = "cpu"
    ) -> None:
        self._model = model
        self._named = parse_masked_name(model) if isinstance(model, str) else None
        self._language = language
        self._device = device
        self._loaded: dict[str, MaskedModel] = {}

    def signature(self) -> str:
        return ":".join((self.name, *self._settings(), self._language or "guessed", self._model_signature()))

    def _model_signature(self) -> str:
        if not isinstance(self._model, str):
            return self._model.signature()
        # Which model a bare name stands for differs from text to text; those in the package go with its version.
        plain = self._named is None or self._named.is_in_package or not self._named.for_all_languages
        return self._model if plain else self.model_for("en").signature()

    def _settings(self) -> tuple[str, ...]:
        return ()

    def language_of(self, source: str) -> str:
        """The language in which `source` and its candidates are read."""
        return self._language or guess_language(source)

    def model_for(self, language: str) -> MaskedModel:
        """The model that scores texts of `language`."""
        if not isinstance(self._model, str):
            return self._model
        key = "" if self._named is not None and self._named.for_all_languages else language
        if key not in self._loaded:
            self._loaded[key] = create_masked_model(self._model, language=language, device=self._device)
        return self._loaded[key]

    def read(self, texts: Sequence[str], language: str) -> list[Reading]:
        """The texts as the model of `language` reads them. Raises `TextTooLong` for a sentence beyond its window."""
        model = self.model_for(language)
        readings = [Reading.of(model, split_words(text, language)) for text in texts]
        for reading in readings:
            _ = reading.fits or reading.sentences
        return readings

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of `texts` cannot be scored, by index.

        A sentence in them is longer than the model's window, or their language was guessed and has no bundled model.
        """
        return {index: error for index, text in enumerate(texts) if (error := self._unreadable(text)) is not None}

    def _unreadable(self, text: str) -> RewriteError | None:
        try:
            self.read([text], self.language_of(text))
        except TextTooLong as error:
            return error
        except UnknownName as error:
            if self._language is not None:
                raise
            return error
        return None


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
        totals = np.array([metric.weights(comparison).sum() for comparison in comparisons], dtype=np.float64)
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


class PerplexityScorer(MaskedScorer):
    """exp(−|PPL(W′) − PPL(W)|), in [0, 1]; 1 for the same text.

    PPL(W) = 1/n Σ −log pᵢ over the n sub-words of W, where pᵢ is the probability of sub-word i with it alone masked
    (section 2.1 of the paper). That is the logarithm of what is usually called perplexity, and of what Table 10 prints.
    """

    name = "ppl"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        texts = [candidate.text for candidate in candidates]
        gaps = np.abs(self.differences(source, texts))
        return np.exp(-gaps)

    def differences(self, source: str, texts: Sequence[str]) -> FloatArray:
        """ΔPPL = PPL(W′) − PPL(W) of each text, shape `[n]`: negative where it is the more probable one."""
        of_source, *values = self.perplexities([source, *texts], self.language_of(source)).tolist()
        return np.array([0.0 if value == of_source else value - of_source for value in values], dtype=np.float64)

    def perplexities(self, texts: Sequence[str], language: str) -> FloatArray:
        """PPL as printed, a mean of −log p ≥ 0, of each text, shape `[n]`; infinite for a text without words."""
        readings = self.read(texts, language)
        rows = [
            ((number, token), row)
            for number, reading in enumerate(readings)
            for place, tokens in enumerate(reading.tokens)
            for token, row in zip(tokens, reading.rows(place, "piece", by_sentence=not reading.fits), strict=True)
        ]
        totals = np.zeros(len(texts))
        for (number, token), logprobs in predicted(self.model_for(language), rows):
            totals[number] -= float(logprobs[0, token])
        sizes = np.array([sum(map(len, reading.tokens)) for reading in readings], dtype=np.float64)
        means: FloatArray = np.divide(totals, sizes, out=np.full(len(texts), np.inf), where=sizes > 0)
        return means


class CosineScorer(MaskedScorer):
    """max(0, S_C), in [0, 1]; 1 for the same text (section 2.1 of the paper).

    `pooling` is what stands for a text: `cls`, the last layer's vector of the token before it ([CLS], <s>), or `mean`,
    the mean of its sub-words' vectors (of all tokens where it has none). For a text longer than the window it is the
    mean over its sentences, or over the sub-words of all. Raises `UnknownName` for another pooling.
    """

    name = "cosine"

    def __init__(
        self,
        *,
        model: MaskedModel | str = "bundled",
        pooling: str = "cls",
        language: str | None = None,
        device: str = "cpu",
    ) -> None:
        if pooling not in _POOLINGS:
            raise UnknownName(f"Unknown pooling {pooling!r}.", hint=f"Known: {', '.join(_POOLINGS)}.")
        super().__init__(model=model, language=language, device=device)
        self._pooling = pooling

    def _settings(self) -> tuple[str, ...]:
        return (self._pooling,)

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        return np.maximum(self.similarities(source, [candidate.text for candidate in candidates]), 0.0)

    def similarities(self, source: str, texts: Sequence[str]) -> FloatArray:
        """S_C of the source and each text, shape `[n]`, in [−1, 1]; exactly 1 for the same words."""
        if not texts:
            return np.zeros(0)
        language = self.language_of(source)
        model = self.model_for(language)
        distinct = list(dict.fromkeys((source, *texts)))
        readings = self.read(distinct, language)
        pooled = np.stack([self._pool(model, vectors) for vectors in _context_vectors(model, readings)])
        values = cosines(pooled[:1], pooled)
        same = [reading.tokens == readings[0].tokens for reading in readings]
        places = {text: number for number, text in enumerate(distinct)}
        similarities: FloatArray = np.where(same, 1.0, values)[[places[text] for text in texts]]
        return similarities

    def _pool(self, model: MaskedModel, contexts: Sequence[LogProbs]) -> LogProbs:
        before, after = len(model.prefix), len(model.suffix)
        if self._pooling == "cls":
            chosen = [vectors[before - 1] for vectors in contexts]
        else:
            inner = [vector for vectors in contexts for vector in vectors[before : len(vectors) - after]]
            chosen = inner or [vector for vectors in contexts for vector in vectors]
        pooled: LogProbs = np.mean(chosen, axis=0)
        return pooled


def _context_vectors(model: MaskedModel, readings: Sequence[Reading]) -> list[list[LogProbs]]:
    """The last layer's vectors of each text: one array `[tokens, size]`, or one per sentence of a text too long."""
    rows = [reading.contexts(by_sentence=not reading.fits) for reading in readings]
    vectors = iter(model.vectors([row for group in rows for row in group]))
    return [[next(vectors) for _ in group] for group in rows]
