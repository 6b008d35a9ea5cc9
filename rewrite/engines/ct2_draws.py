"""What CTranslate2 draws: a text token by token, and the runner of the next one made ahead."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

from rewrite.engines.base import Sample, first_stop
from rewrite.engines.tokens import Tokens

__all__ = ["Draft", "Spare"]

_T = TypeVar("_T")


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


class Spare(Generic[_T]):
    """At most one ready thing that serves only once, made by `make` for a key; safe to use from several threads."""

    def __init__(self, make: Callable[[int], _T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._ready: tuple[int, Future[_T]] | None = None

    def prepare(self, key: int) -> None:
        """Begin to make one for `key` in the background, unless there is one already."""
        with self._lock:
            if self._ready is None:
                thread = ThreadPoolExecutor(1)
                self._ready = key, thread.submit(self._make, key)
                thread.shutdown(wait=False)

    def take(self, key: int) -> _T:
        """The one that was prepared for `key`, else a new one; raises what `make` raises."""
        with self._lock:
            ready, self._ready = self._ready, None
        if ready is None or ready[0] != key or ready[1].exception() is not None:
            # What failed ahead may go well now, or fails where somebody is there to be told.
            return self._make(key)
        return ready[1].result()

    def drop(self) -> None:
        """Forget what was prepared."""
        with self._lock:
            self._ready = None
