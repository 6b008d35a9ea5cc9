"""How likely an editor is to pass a text that a language model drew: learnt from texts that readers judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from rerank.likelihood import Caution
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.acceptance.text_features import is_drawn
from rewrite.forest import Boosting, stored_arrays

_MODELS = Path(__file__).parent.parent / "models"
_FLOOR = 1e-6


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


@dataclass(frozen=True)
class TextAcceptance:
    """P(an editor passes a drawn text) = σ(what boosted trees say of its features `names`).

    Made by `training/text_acceptance.py`.
    """

    names: tuple[str, ...]
    trees: Boosting

    @classmethod
    def load(cls, names: tuple[str, ...], path: Path) -> TextAcceptance:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for features of other `names`."""
        return cls(names, Boosting.load(stored_arrays(path, "acceptance model of drawn texts", names)))

    def save(self, path: Path) -> None:
        """Write an `.npz` file that `load` takes back."""
        arrays: dict[str, Any] = self.trees.arrays()
        np.savez_compressed(path, names=np.array(self.names), **arrays)

    def predict(self, features: FloatArray) -> FloatArray:
        """A probability for each row, shape `[n, len(names)]` → `[n]`."""
        chances: FloatArray = 1.0 / (1.0 + np.exp(-self.trees.predict(features)))
        return chances


class TextCaution(Caution):
    """As `Caution`; for a text that a language model drew, the chance that an editor passes it, as learnt.

    The pool counts too: what other draws agree on is surer. Learnt in the language of `reader`.
    """

    def __init__(self, reader: DrawnTextReader, model: TextAcceptance | None = None) -> None:
        self._given = model
        self._reader = reader
        self.needs = Caution.needs | reader.needs

    @cached_property
    def _model(self) -> TextAcceptance:
        reader = self._reader
        return self._given or TextAcceptance.load(reader.names, _MODELS / f"texts_{reader.language}.npz")

    def signature(self) -> str:
        return f"{super().signature()}:texts:3:{self._reader.signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        values = super().score(source, candidates, context)
        places = [i for i, candidate in enumerate(candidates) if is_drawn(candidate)]
        if places:
            features = self._reader.features(source, [candidates[i] for i in places], context)
            values[places] = self._model.predict(features).clip(_FLOOR, 1.0)
        return values
