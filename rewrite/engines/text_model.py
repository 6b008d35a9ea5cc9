"""An engine as a model of plain text, for the component `fluency`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rewrite.engines.base import Engine, ModelInput
from rewrite.errors import BadInput, BadModel, ContextTooLong, RewriteError

__all__ = ["EngineTextModel"]

# Characters of a text in a message.
_SHOWN = 60


class EngineTextModel:
    """Asks a causal model of `engine` (`ct2` or `hf`) how probable a text is by itself; see `rerank.likelihood`."""

    def __init__(self, engine: Engine) -> None:
        self._engine: Any = engine  # the spec admits only engines that score

    def signature(self) -> str:
        """Model, numbers and version."""
        return ",".join(f"{name}={value}" for name, value in self._engine.describe().items())

    def text_logprobs(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        """See `rerank.likelihood.TextModel`. Raises `BadModel` for a model that is not causal."""
        self._require_causal()
        scored: list[tuple[float, int]] = self._engine.logprobs(_alone(texts), texts)
        return scored

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """See `rerank.likelihood.TextModel`. Raises `BadModel` for a model that is not causal."""
        self._require_causal()
        errors: Mapping[int, ContextTooLong] = self._engine.too_long(_alone(texts), texts)
        return {
            i: BadInput(
                f"{texts[i][:_SHOWN]!r} takes {error.length:,} tokens, the model of --fluency {error.context:,}.",
                hint="Split the text, or leave --fluency out.",
            )
            for i, error in errors.items()
        }

    def _require_causal(self) -> None:
        if self._engine.info.kind != "causal":
            raise BadModel(f"{self._engine.info.name}: fluency needs a causal model, such as a GPT-2.")


def _alone(texts: Sequence[str]) -> list[ModelInput]:
    """What makes an engine score each text by itself."""
    return [ModelInput(source="")] * len(texts)
