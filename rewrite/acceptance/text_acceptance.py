"""How likely an editor is to pass a text that a language model drew: learnt from texts that readers judged
(`training.text_acceptance`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from rerank.likelihood import Caution
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.acceptance.text_features import is_drawn
from rewrite.acceptance.verdict import VERDICT_MODELS, LineAcceptance
from rewrite.forest import TreeAcceptance

_MODELS = Path(__file__).parent.parent / "models"
_FLOOR = 1e-6


class Acceptance(Protocol):
    """Chances from features, `[n, n_features]`."""

    def predict(self, features: FloatArray) -> FloatArray: ...


class DrawnTextReader(Protocol):
    """Measures the drawn texts of a pool, in one language; `names` are those of the features.

    `needs` are the layers of analysis that it reads from the context's analyser.
    """

    names: tuple[str, ...]
    language: str
    needs: frozenset[str]

    def features(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        """Features of candidates of one source, all of them drawn, shape `[n, len(names)]`."""
        ...

    def signature(self) -> str:
        """What the features depend on."""
        ...


class TextCaution(Caution):
    """As `Caution`; for a text that a language model drew, the chance that an editor passes it, as learnt.

    The pool counts too: what other draws agree on is surer. Learnt in the language of `reader`.
    """

    def __init__(self, reader: DrawnTextReader, model: Acceptance | None = None) -> None:
        self._given = model
        self._reader = reader
        self.needs = Caution.needs | reader.needs

    @cached_property
    def _model(self) -> Acceptance:
        if self._given is not None:
            return self._given
        reader = self._reader
        if reader.language in VERDICT_MODELS:
            return LineAcceptance.load(_MODELS / f"texts_{reader.language}.json", reader.names)
        return TreeAcceptance.load(_MODELS / f"texts_{reader.language}.npz", reader.names)

    def signature(self) -> str:
        return f"{super().signature()}:texts:4:{self._reader.signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        values = super().score(source, candidates, context)
        places = [i for i, candidate in enumerate(candidates) if is_drawn(candidate)]
        if places:
            features = self._reader.features(source, [candidates[i] for i in places], context)
            values[places] = self._model.predict(features).clip(_FLOOR, 1.0)
        return values
