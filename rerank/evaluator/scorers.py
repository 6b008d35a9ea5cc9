"""The evaluator as components of reranking: `quality`, `grammar` and `content`, by one model for all three."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rerank.errors import BadModel, RewriteError, UnknownName
from rerank.evaluator.base import Evaluator
from rerank.evaluator.registry import create_evaluator, is_bundled
from rerank.masked.words import guess_language
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["COMPONENTS", "EvaluatorScorer", "Evaluators"]

COMPONENTS = ("quality", "grammar", "content")
_FLOOR = 1e-3


class Evaluators:
    """The evaluator for the language of each source, loaded when it is first asked; `spec` as in `create_evaluator`.

    Scorers that share one score each text once.
    """

    def __init__(self, spec: str | Evaluator = "bundled", *, language: str | None = None) -> None:
        self.spec, self._language = spec, language
        self._loaded: dict[str, Evaluator] = {}

    def signature(self) -> str:
        """Which model a bare name stands for differs from text to text; those in the package go with its version."""
        if isinstance(self.spec, str) and is_bundled(self.spec):
            return f"{self.spec}:{self._language or 'guessed'}"
        return self.of("").signature()

    def of(self, source: str) -> Evaluator:
        """The evaluator for rewrites of `source`. Raises `UnknownName` where none is bundled for its language."""
        if not isinstance(self.spec, str):
            return self.spec
        language = (self._language or guess_language(source)) if self.spec == "bundled" else ""
        if language not in self._loaded:
            self._loaded[language] = create_evaluator(self.spec, language=language)
        return self._loaded[language]


class EvaluatorScorer:
    """f(source, candidate) of a learned evaluator, in [0.001, 1], by its output `name`.

    `quality` learns from all mutations of good rewrites, `grammar` from those of words, `content` from those that make
    a text say something else. `evaluators` may be shared; otherwise `model` and `language` are as in `Evaluators`.
    Raises `BadModel` for an evaluator that was not taught to tell this.
    """

    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(
        self,
        name: str = "quality",
        *,
        model: str | Evaluator = "bundled",
        language: str | None = None,
        evaluators: Evaluators | None = None,
    ) -> None:
        self.name = name
        self._evaluators = evaluators or Evaluators(model, language=language)

    def signature(self) -> str:
        return f"{self.name}:1:{self._evaluators.signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        evaluator = self._evaluators.of(source)
        if self.name not in evaluator.outputs:
            raise BadModel(
                f"The evaluator {evaluator.name} does not tell {self.name}.",
                hint=f"It tells {', '.join(evaluator.outputs)}; outputs are named in the recipe it was trained by.",
            )
        column = evaluator.outputs.index(self.name)
        values = evaluator.judge([(source, candidate.text) for candidate in candidates])[:, column]
        return np.clip(values, _FLOOR, 1.0)

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of `texts` cannot be scored, by index: their language was guessed and has no bundled evaluator."""
        found = {index: self._unreadable(text) for index, text in enumerate(texts)}
        return {index: error for index, error in found.items() if error is not None}

    def _unreadable(self, text: str) -> RewriteError | None:
        try:
            self._evaluators.of(text)
        except UnknownName as error:
            return error
        return None
