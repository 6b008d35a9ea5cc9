"""An engine as a model of plain text, for the component `fluency`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rewrite.engines.base import Engine, ModelInput
from rewrite.errors import BadModel

__all__ = ["EngineTextModel"]


class _ScoringEngine(Engine, Protocol):
    def logprobs(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[tuple[float, int]]: ...


class EngineTextModel:
    """Asks a causal model of `engine` (`ct2` or `hf`) how probable a text is by itself; see `rerank.fluency`."""

    def __init__(self, engine: Engine) -> None:
        self._engine: _ScoringEngine = engine  # type: ignore[assignment]  # the spec admits only engines that score

    def signature(self) -> str:
        """Model, numbers and version."""
        return ",".join(f"{name}={value}" for name, value in self._engine.describe().items())

    def text_logprobs(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        """See `rerank.fluency.TextModel`. Raises `BadModel` for a model that is not causal."""
        if self._engine.info.kind != "causal":
            raise BadModel(f"{self._engine.info.name}: fluency needs a causal model, such as a GPT-2.")
        return self._engine.logprobs([ModelInput(source="")] * len(texts), texts)
