"""What CTranslate2 draws: a text token by token."""

from __future__ import annotations

from collections.abc import Sequence, Set

from rewrite.engines.base import Sample, first_stop
from rewrite.engines.tokens import Tokens

__all__ = ["Draft"]


class Draft:
    """Collects the tokens of one sample until it ends: by an end token, a stop string, or its limit.

    The first `skip` tokens were forced on the model, so they are part of no text and no probability.
    """

    def __init__(self, tokens: Tokens, ends: Set[str], stops: Sequence[str], limit: int, skip: int = 0) -> None:
        self._tokens = tokens
        self._ends = ends
        self._stops = stops
        self._limit = limit
        self._skip = skip
        self._drawn: list[str] = []
        self._logprob = 0.0
        self._least: float | None = None
        self._finish: str | None = None

    def add(self, token: str, logprob: float) -> bool:
        """Take the next token; whether the text is over. What comes after its end is left out."""
        if self._finish:
            return True
        if self._skip:
            self._skip -= 1
            return False
        self._drawn.append(token)
        self._logprob += logprob
        self._least = logprob if self._least is None else min(self._least, logprob)
        if token in self._ends or (self._stops and first_stop(self._decoded(), self._stops) is not None):
            self._finish = "stop"
        elif len(self._drawn) >= self._limit:
            self._finish = "length"
        return self._finish is not None

    def sample(self) -> Sample:
        """The text so far, with its figures."""
        text = self._decoded()
        return Sample(
            text[: first_stop(text, self._stops)],
            logprob=self._logprob,
            tokens=len(self._drawn),
            least_logprob=self._least,
            finish_reason=self._finish or "length",
        )

    def _decoded(self) -> str:
        return self._tokens.decode([token for token in self._drawn if token not in self._ends])
