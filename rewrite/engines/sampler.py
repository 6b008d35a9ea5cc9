"""Draws tokens from a torch model's logits: temperature, top-k, nucleus, with random numbers that belong to one sample.

The random numbers of a sample follow from the seed, its input and its number among the samples of that input. So what
is drawn does not change with the batch it is drawn in, nor with how many others are drawn, and torch's own generator
is left alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rewrite.generators.base import Sampling

__all__ = ["RowEnds", "TokenDrawer", "draw_tokens", "first_stop", "uniforms"]

# A stop string of so many bytes has as many tokens at most, and a few that stand for no text may lie among them.
_SLACK = 8
_COLDEST = 1e-6


def uniforms(seed: int, text: str, sample: int, count: int) -> npt.NDArray[np.float32]:
    """`count` numbers in [0, 1) for one sample of `text`; a greater `count` begins with the same numbers."""
    digest = hashlib.sha256(f"{seed}\n{sample}\n{text}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little"))).random(count, dtype=np.float32)


def draw_tokens(logits: Any, numbers: Any, sampling: Sampling) -> Any:
    """One token for each row of `logits` (`[rows, vocabulary]`), by its number in [0, 1); the most probable if greedy.

    Kept are the `top_k` most probable tokens; of these, at the temperature asked for, the smallest set that holds
    `top_p` of the probability; the number is a place in what that set holds, the most probable token first.
    """
    if sampling.greedy:
        return logits.argmax(dim=-1)
    size = min(sampling.top_k or logits.shape[-1], logits.shape[-1])
    values, tokens = logits.topk(size, dim=-1)
    # Less the greatest first, so that a temperature close to 0 gives it everything, not an overflow.
    probabilities = ((values - values[:, :1]) / max(sampling.temperature, _COLDEST)).softmax(dim=-1)
    cumulative = probabilities.cumsum(dim=-1)
    if sampling.top_p < 1:
        # A token is in where those before it do not hold enough.
        kept = 1 + (cumulative[:, :-1] < sampling.top_p).sum(dim=-1, keepdim=True)
    else:
        kept = cumulative.new_full((len(logits), 1), size).long()
    place = (cumulative <= numbers[:, None] * cumulative.gather(-1, kept - 1)).sum(dim=-1, keepdim=True)
    return tokens.gather(-1, place.minimum(kept - 1)).squeeze(-1)


class TokenDrawer:
    """A logits processor for transformers' greedy search: leaves it nothing but the token that was drawn.

    `numbers` has one row for each row of the batch and a column for each step; `suppressed` are numbers of tokens that
    are never drawn. Of each token drawn the log-probability is kept, at temperature 1, among all that may be drawn.
    """

    def __init__(self, numbers: Any, suppressed: Any, sampling: Sampling) -> None:
        self._numbers = numbers
        self._suppressed = suppressed
        self._sampling = sampling
        self._logprobs: list[Any] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        logits = scores.float()
        allowed = logits.index_fill(-1, self._suppressed, -float("inf"))
        # A search may take one step more than it was told, and drop it.
        step = min(len(self._logprobs), self._numbers.shape[1] - 1)
        drawn = draw_tokens(allowed, self._numbers[:, step], self._sampling)[:, None]
        self._logprobs.append(allowed.gather(-1, drawn).squeeze(-1) - allowed.logsumexp(dim=-1))
        return allowed.fill_(-float("inf")).scatter_(-1, drawn, 0.0)

    def logprobs(self) -> list[list[float]]:
        """Natural logs, by row and step."""
        by_step = [step.tolist() for step in self._logprobs]
        return [list(row) for row in zip(*by_step, strict=True)]


class RowEnds:
    """A stopping criterion for transformers: a row is over at its own limit, or once its text has a stop string.

    The first `prompt` tokens of each row are not its own. `stopped` tells, for rows with a stop string, after how many
    tokens of their own it was complete.
    """

    def __init__(self, tokenizer: Any, prompt: int, limits: Any, stops: Sequence[str], ends: Collection[int]) -> None:
        self._tokenizer = tokenizer
        self._prompt = prompt
        self._limits = limits
        self._stops = tuple(stops)
        self._ends = ends
        self._window = max((len(stop.encode()) for stop in stops), default=0) + _SLACK
        self._over: set[int] = set()
        self.stopped: dict[int, int] = {}

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        length = input_ids.shape[1] - self._prompt
        done = self._limits <= length
        if self._stops:
            self._look_for_stops(input_ids[:, self._prompt :][:, -self._window :].tolist(), length)
            done[list(self.stopped)] = True
        return done

    def _look_for_stops(self, tails: list[list[int]], length: int) -> None:
        for row, tail in enumerate(tails):
            if row in self._over:
                continue
            if tail[-1] in self._ends:
                self._over.add(row)
            elif first_stop(self._tokenizer.decode(tail, clean_up_tokenization_spaces=False), self._stops) is not None:
                self._over.add(row)
                self.stopped[row] = length


def first_stop(text: str, stops: Sequence[str]) -> int | None:
    """Where the first stop string in `text` begins, or `None` where there is none."""
    return min((place for stop in stops if (place := text.find(stop)) >= 0), default=None)
