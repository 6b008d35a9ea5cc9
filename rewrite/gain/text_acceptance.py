"""How likely an editor is to pass a text that a language model drew: learnt from texts that readers judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rerank.analysis import Analysis
from rerank.frequency import Wordfreq, WordFrequencies
from rerank.likelihood import Caution
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.forest import stored_arrays
from rewrite.gain.scorer import is_drawn
from rewrite.gain.text_features import TEXT_FEATURES, ParsedSource, ParsedText, PoolWords, text_features
from rewrite.generators.edits.acceptance import Acceptance, risk
from rewrite.generators.edits.model import EditModel
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["DrawnTextReader", "TextAcceptance", "TextCaution"]

_FILE = Path(__file__).parent.parent / "models" / "texts_ru.npz"
_FLOOR = 1e-6
_WIDEST = 6.0


@dataclass(frozen=True)
class TextAcceptance:
    """P(an editor passes a drawn text) = σ(z·w + b), z its features in standard deviations; logistic regression.

    Shapes: `mean`, `scale`, `weights` [n features]; made by `training/text_acceptance.py`.
    """

    mean: FloatArray
    scale: FloatArray
    weights: FloatArray
    bias: float

    @classmethod
    def load(cls, path: Path = _FILE) -> TextAcceptance:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for other features."""
        arrays = stored_arrays(path, "acceptance model of drawn texts", TEXT_FEATURES)
        mean, scale, weights = (arrays[name].astype(np.float64) for name in ("mean", "scale", "weights"))
        return cls(mean, scale, weights, float(arrays["bias"]))

    def save(self, path: Path) -> None:
        """Write an `.npz` file that `load` takes back."""
        arrays: dict[str, Any] = {"mean": self.mean, "scale": self.scale, "weights": self.weights, "bias": self.bias}
        np.savez_compressed(path, names=np.array(TEXT_FEATURES), **arrays)

    def predict(self, features: FloatArray) -> FloatArray:
        """A probability for each row, shape `[n, len(TEXT_FEATURES)]` → `[n]`."""
        chances: FloatArray = 1.0 / (1.0 + np.exp(-(self.standard(features) @ self.weights + self.bias)))
        return chances

    def standard(self, features: FloatArray) -> FloatArray:
        """What the regression sees of `features`."""
        # A feature further from its mean says no more than one at that distance.
        z: FloatArray = np.clip((features - self.mean) / self.scale, -_WIDEST, _WIDEST)
        return z


class DrawnTextReader:
    """Measures the drawn texts of a pool; parts given by keyword replace the bundled ones."""

    def __init__(
        self,
        *,
        edits: EditModel | None = None,
        acceptance: Acceptance | None = None,
        frequencies: WordFrequencies | None = None,
    ) -> None:
        self._given = (edits, acceptance)
        self.frequencies = frequencies or Wordfreq()
        self._valency: Valency | None = None

    @cached_property
    def _edits(self) -> EditModel:
        return self._given[0] or EditModel.load()

    @cached_property
    def _acceptance(self) -> Acceptance:
        return self._given[1] or Acceptance.load()

    def features(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        """Features of candidates of one source, all of them drawn, shape `[n, len(TEXT_FEATURES)]`."""
        if not candidates:
            return np.zeros((0, len(TEXT_FEATURES)))
        analyzer = context.analyzer
        self._valency = self._valency or Valency(analyzer.morphology)
        analysis = analyzer.analyze_one(source, ("morph", "syntax", "entities"))
        read = self._source(analysis, self._valency, analyzer.navec)
        parsed = analyzer.analyze([c.text for c in candidates], ("morph", "syntax"))
        texts = [ParsedText(one) for one in parsed]
        frequency = self.frequencies.lookup({word for text in texts for word in text.words})
        pool = PoolWords.of(candidates, texts)
        rows = [
            text_features(read, candidate, text, pool, frequency=frequency, valency=self._valency, navec=analyzer.navec)
            for candidate, text in zip(candidates, texts, strict=True)
        ]
        return np.array(rows)

    def _source(self, analysis: Analysis, valency: Valency, navec: Any) -> ParsedSource:
        text = ParsedText(analysis)
        trees = tuple(Tree(sentence, analysis.entities) for sentence in analysis.sentences)
        keep: list[float] = []
        risks: list[float] = []
        for tree in trees:
            own = [i for i, t in enumerate(tree.tokens) if any(c.isalnum() for c in t.text)]
            shares = self._edits.keep(tree, valency, navec)
            keep += shares[own].tolist()
            # What the tagger takes for punctuation is no subtree of words, and its cut no risk.
            nodes = [i for i in own if tree.words(i)]
            passed = dict(zip(nodes, self._acceptance.cuts(tree, nodes, valency, navec).tolist(), strict=True))
            risks += [risk(passed.get(i, 1.0)) for i in own]
        vectors = {
            word: navec[word] / (np.linalg.norm(navec[word]) + 1e-9) for word in set(text.words) if word in navec
        }
        return ParsedSource(
            text=text,
            trees=trees,
            keep=np.array(keep),
            risk=np.array(risks),
            lemmas=frozenset(valency.lemma(t) for t in text.tokens),
            vectors=vectors,
        )


class TextCaution(Caution):
    """As `Caution`; for a text that a language model drew, the chance that an editor passes it, as learnt.

    The pool counts too: what other draws agree on is surer. Learnt on Russian.
    """

    needs = frozenset({"morph", "syntax", "entities", "candidates"})

    def __init__(self, model: TextAcceptance | None = None, *, reader: DrawnTextReader | None = None) -> None:
        self._given = model
        self._reader = reader or DrawnTextReader()

    @cached_property
    def _model(self) -> TextAcceptance:
        return self._given or TextAcceptance.load()

    def signature(self) -> str:
        return f"{super().signature()}:texts:1:{self._reader.frequencies.signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        values = super().score(source, candidates, context)
        places = [i for i, candidate in enumerate(candidates) if is_drawn(candidate)]
        if places:
            features = self._reader.features(source, [candidates[i] for i in places], context)
            values[places] = self._model.predict(features).clip(_FLOOR, 1.0)
        return values
