"""The evaluator as components of reranking: `quality`, `grammar` and `content`, by one model for all three."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rerank.errors import BadModel, RewriteError, UnknownName
from rerank.evaluator.base import Evaluator
from rerank.evaluator.registry import Evaluators
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["COMPONENTS", "EvaluatorScorer"]

COMPONENTS = ("quality", "grammar", "content")
_FLOOR = 1e-3


class EvaluatorScorer:
    """f(source, candidate) of a learned evaluator, in [0.001, 1], by its output `name`.

    `quality` learns from all mutations of good rewrites, `grammar` from those of words (a text that is its own source
    it tells by how likely the words of its sentences are), `content` from those that make a text say something else.
    `evaluators` may be shared; otherwise `model` and `language` are as in `Evaluators`.
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
        return f"{self.name}:2:{self._evaluators.signature()}"

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
