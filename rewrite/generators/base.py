"""What a generator is: sources in, candidates out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from rerank.types import Candidate
from rewrite.errors import BadOption, RewriteError

__all__ = ["Generator", "Sampling", "SourcesFailed"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How candidates are drawn. Raises `BadOption` for a value out of range.

    - `n` ≥ 1: candidates for each source (a generator that finds fewer gives fewer).
    - `seed` ≥ 0: fixes the draw; with the same seed the same generator draws the same.
    - `temperature` ≥ 0: above 1 more varied, below 1 more like the most probable text; at 0 a language model is greedy.
    - `own_temperature`: whether a generator that has a temperature of its own takes that instead.
    - `top_p` in (0, 1]: nucleus sampling, from the most probable tokens that together hold this probability.
    - `top_k` ≥ 0: only from so many most probable tokens; 0 is all of them.
    - `max_tokens`: new tokens at most: an `int` is their number, a `float` their ratio to the tokens of the source.
    - `stop`: strings at which a text ends; they are not part of it.

    The last five are of language models alone; other generators have no use for them.
    """

    n: int = 30
    seed: int = 0
    temperature: float = 1.0
    top_p: float = 0.95
    top_k: int = 200
    max_tokens: int | float = 1.5
    stop: tuple[str, ...] = ()
    own_temperature: bool = False

    def __post_init__(self) -> None:
        _require(_is_int(self.n) and self.n >= 1, "n", self.n, "a whole number of 1 or more")
        _require(_is_int(self.seed) and self.seed >= 0, "seed", self.seed, "a whole number of 0 or more")
        _require(_is_finite(self.temperature) and self.temperature >= 0, "temperature", self.temperature, "0 or more")
        _require(_is_finite(self.top_p) and 0 < self.top_p <= 1, "top_p", self.top_p, "above 0 and at most 1")
        _require(_is_int(self.top_k) and self.top_k >= 0, "top_k", self.top_k, "a whole number of 0 or more")
        _require(_is_finite(self.max_tokens) and self.max_tokens > 0, "max_tokens", self.max_tokens, "above 0")
        _require(
            not isinstance(self.stop, str) and all(isinstance(s, str) and s for s in self.stop),
            "stop",
            self.stop,
            "a sequence of non-empty strings",
        )

    @property
    def greedy(self) -> bool:
        """Whether there is only one text to draw: the most probable token at each step."""
        return self.temperature == 0 or self.top_k == 1

    def limit(self, source_tokens: int) -> int:
        """New tokens at most for a source of `source_tokens`; a ratio leaves room for eight more, for short sources."""
        if isinstance(self.max_tokens, int):
            return self.max_tokens
        return math.ceil(self.max_tokens * source_tokens) + 8


class SourcesFailed(RewriteError):
    """Some sources got no candidates. `errors` says why, by index; `candidates` holds what the others got."""

    def __init__(self, errors: Mapping[int, RewriteError], candidates: Sequence[list[Candidate]]) -> None:
        first = min(errors)
        others = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"Source {first + 1}{others}: {errors[first].message}", hint=errors[first].hint)
        self.errors = dict(errors)
        self.candidates = list(candidates)


@runtime_checkable
class Generator(Protocol):
    """Proposes rewrites. Candidates of one source are distinct, in the generator's own order of preference."""

    @property
    def name(self) -> str: ...

    def describe(self) -> Mapping[str, object]:
        """What decides the draw beside `Sampling`, such as a model's name, for the signature of a result."""
        ...

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """At most `sampling.n` candidates for each source, nested in the order of `sources`, also where n is 1.

        Raises `SourcesFailed`, with the candidates of the others, where some sources cannot be rewritten.
        """
        ...


def _require(fine: bool, name: str, value: object, wanted: str) -> None:
    if not fine:
        raise BadOption(f"Sampling got {name}={value!r}.", hint=f"{name} is {wanted}.")


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_finite(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
