"""The component `gain`: candidates on one scale, by the gain that its bundled model expects of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from rerank.frequency import Wordfreq, WordFrequencies
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.forest import stored_arrays
from rewrite.gain.features import FEATURES, SourceWords, candidate_features, words_of
from rewrite.generators.edits.model import EditModel
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["Gain", "GainModel"]

_FILE = Path(__file__).parent.parent / "models" / "gain_ru.npz"


@dataclass(frozen=True)
class GainModel:
    """`weights`, shape `[len(FEATURES)]`, in points of SARI that a candidate adds to its source's share."""

    weights: FloatArray

    @classmethod
    def load(cls, path: Path = _FILE) -> GainModel:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for other features."""
        return cls(stored_arrays(path, "gain model", FEATURES)["weights"].astype(np.float64))

    def save(self, path: Path) -> None:
        """Write an `.npz` file that `load` takes back."""
        np.savez_compressed(path, names=np.array(FEATURES), weights=self.weights)

    def gain(self, features: FloatArray) -> FloatArray:
        """Expected gains, shape `[n]`, of candidates with `features` `[n, len(FEATURES)]`; known up to a constant."""
        gains: FloatArray = features @ self.weights
        return gains


_FLOOR = 1e-3
# Points of gain, of a sentence, that make a candidate e times as good.
_SCALE = 20.0


class Gain:
    """exp((gᵢ − max g) / 20), where gᵢ is the gain in SARI that the bundled model expects of candidate i, in points.

    The maximum is over the pool, the source among it. Range [0.001, 1]. Learnt on RuSimpleSentEval dev, so for Russian.
    """

    name = "gain"
    range = (_FLOOR, 1.0)
    needs = frozenset({"morph", "syntax", "entities", "candidates"})

    def __init__(
        self,
        model: GainModel | None = None,
        *,
        edits: EditModel | None = None,
        frequencies: WordFrequencies | None = None,
    ) -> None:
        self._given = (model, edits)
        self._frequencies = frequencies or Wordfreq()
        self._valency: Valency | None = None

    @cached_property
    def _model(self) -> GainModel:
        return self._given[0] or GainModel.load()

    @cached_property
    def _edits(self) -> EditModel:
        return self._given[1] or EditModel.load()

    def signature(self) -> str:
        return f"gain:1:{self._frequencies.signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        gains = self._model.gain(self.features(source, candidates, context))
        values: FloatArray = np.exp((gains - gains.max(initial=-np.inf)) / _SCALE).clip(_FLOOR, 1.0)
        return values

    def features(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        """Features of the candidates of one source, shape `[n, len(FEATURES)]`."""
        own = self._source_words(source, context)
        texts = {word for candidate in candidates for word in words_of(candidate.text)} | set(own.words)
        frequency = self._frequencies.lookup(texts)
        rows = [candidate_features(own, candidate, frequency) for candidate in candidates]
        return np.array(rows).reshape(len(candidates), len(FEATURES))

    def _source_words(self, source: str, context: Context) -> SourceWords:
        analysis = context.analyzer.analyze_one(source, ("morph", "syntax", "entities"))
        self._valency = self._valency or Valency(context.analyzer.morphology)
        words: list[str] = []
        keep: list[float] = []
        for sentence in analysis.sentences:
            tree = Tree(sentence, analysis.entities)
            shares = self._edits.keep(tree, self._valency, context.analyzer.navec)
            for token, share in zip(tree.tokens, shares.tolist(), strict=True):
                # A token may be several words here, as in кто-то.
                parts = words_of(token.text)
                words += parts
                keep += [share] * len(parts)
        return SourceWords(source, tuple(words), np.array(keep, dtype=np.float64))
