"""What the pretrained base says of a rewrite: whether a reader would pass it, as it learnt from readers' verdicts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np

from rerank.errors import install_again
from rerank.types import FloatArray
from rewrite.controls import Controls
from rewrite.engines.base import ModelInput, TokenScoring
from rewrite.errors import BadModel
from rewrite.prompting import Prompt, load_prompt
from rewrite.specs import Spec

VERDICT_MODELS: Mapping[str, Spec] = {"en": Spec("ct2", "verdict-en")}
"""By language. After a source and a rewrite the model says the end token where a reader would pass it."""
_SUREST = 7.0
ASKED = Controls("split", 10, 2, 4)
"""What the model is asked for, whatever is to be judged."""

Scored = Sequence[tuple[str, float]]
"""The tokens of a text and their log-probabilities; the last is the end token's: ln P(a reader passes the text)."""


class VerdictModel:
    """The model of the verdicts in `language`, run by `engine`."""

    def __init__(self, engine: TokenScoring, language: str = "en") -> None:
        self._engine, self._language = engine, language

    def describe(self) -> Mapping[str, object]:
        """The model and its numbers."""
        return {f"verdicts.{key}": value for key, value in self._engine.describe().items()}

    def chances(self, source: str, texts: Sequence[str]) -> list[float | None]:
        """How probable it is that a reader would print each text for the source, in [0, 1].

        `None` for one that does not fit the model's window.
        """
        too_long = self._engine.too_long(*self._asked(source, texts))
        fitting = [i for i in range(len(texts)) if i not in too_long]
        chances: list[float | None] = [None] * len(texts)
        (scored,) = self.scored([(source, [texts[i] for i in fitting])])
        for i, tokens in zip(fitting, scored, strict=True):
            chances[i] = min(1.0, math.exp(tokens[-1][1]))
        return chances

    def close(self) -> None:
        """Free what the engine holds."""
        self._engine.close()

    def fits(self, source: str, texts: Sequence[str]) -> bool:
        """Whether the window holds the source with each of the texts."""
        return not self._engine.too_long(*self._asked(source, texts))

    def scored(self, asked: Sequence[tuple[str, Sequence[str]]]) -> Iterator[list[Scored]]:
        """For each source with its texts what the model says of them, all read at once; all must fit."""
        parts = [self._asked(source, texts) for source, texts in asked]
        inputs, answers = (list(chain(*part)) for part in zip(*parts, strict=True)) if parts else ([], [])
        said = iter(self._engine.token_logprobs(inputs, answers))
        for _, texts in asked:
            yield [next(said) for _ in texts]

    @cached_property
    def _prompt(self) -> Prompt:
        return load_prompt(f"gemma_{self._language}")

    def _asked(self, source: str, texts: Sequence[str]) -> tuple[list[ModelInput], list[str]]:
        return [self._prompt.render(source, ASKED.text)] * len(texts), list(texts)


def log_odds(chance: float | None) -> float:
    """Of a probability, within ±7; 0 where it is not known."""
    if chance is None:
        return 0.0
    return float(np.clip(math.log(max(chance, 1e-9)) - math.log(max(1.0 - chance, 1e-9)), -_SUREST, _SUREST))


@dataclass(frozen=True)
class LineAcceptance:
    """How likely a reader is to pass a text: σ(offset + Σ weight · feature), a logistic regression.

    Features count from `low` to `high`, between which nearly all lay that it learnt from: other models than the one
    that drew those have other probabilities.
    """

    weights: Mapping[str, float]
    offset: float
    low: Mapping[str, float]
    high: Mapping[str, float]

    def predict(self, features: FloatArray) -> FloatArray:
        """The chances of texts from their features, `[n, len(weights)]`, in [0, 1]."""
        weights, low, high = (
            np.array([part[name] for name in self.weights]) for part in (self.weights, self.low, self.high)
        )
        chances: FloatArray = 1.0 / (1.0 + np.exp(-(self.offset + features.clip(low, high) @ weights)))
        return chances

    def save(self, file: Path) -> None:
        """Write it as JSON."""
        file.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, file: Path, names: Sequence[str]) -> LineAcceptance:
        """The one in `file`, for features of these `names`. Raises `BadModel` where it cannot be read or has others."""
        try:
            given = json.loads(file.read_text(encoding="utf-8"))
            weights, low, high = (
                {name: float(given[part][name]) for name in names} for part in ("weights", "low", "high")
            )
            line = cls(weights, float(given["offset"]), low, high)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadModel(f"{file}: it cannot be read: {error}.", hint=install_again("rewrite/models")) from None
        if len(given["weights"]) != len(names):
            raise BadModel(f"{file}: it was learnt from other features.", hint=install_again("rewrite/models"))
        return line
