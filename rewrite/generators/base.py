"""What a generator is: sources in, candidates out; several generators as one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from rerank.types import Candidate
from rewrite.errors import RewriteError


@dataclass(frozen=True, slots=True)
class Sampling:
    """How candidates are drawn; what a user asks for was checked as `DrawingOptions`.

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


class JoinedGenerator:
    """Draws from each of `parts` in turn; a text that several propose keeps the account of the first, and all counts.

    A source that one part fails on still has the candidates of the others; the failure is reported all the same.
    """

    def __init__(self, parts: Sequence[Generator]) -> None:
        self._parts = tuple(parts)

    @property
    def name(self) -> str:
        return "+".join(part.name for part in self._parts)

    def describe(self) -> Mapping[str, object]:
        """What the parts say, each name with its part's in front."""
        return {f"{part.name}.{key}": value for part in self._parts for key, value in part.describe().items()}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """See `Generator.generate`; at most `sampling.n` from each part."""
        pools: list[dict[tuple[str, str], Candidate]] = [{} for _ in sources]
        errors: dict[int, RewriteError] = {}
        for part in self._parts:
            drawn, failed = generate_all(part, sources, sampling)
            errors.update(failed)
            for pool, candidates in zip(pools, drawn, strict=True):
                for candidate in candidates:
                    key = candidate.text, candidate.dropped
                    before = pool.get(key)
                    pool[key] = replace(before, count=before.count + candidate.count) if before else candidate
        joined = [list(pool.values()) for pool in pools]
        if errors:
            raise SourcesFailed(errors, joined)
        return joined


def generate_all(
    generator: Generator, sources: Sequence[str], sampling: Sampling
) -> tuple[list[list[Candidate]], dict[int, RewriteError]]:
    """What `generator` gives for all sources, and the error of each that it fails on, without an exception."""
    try:
        return generator.generate(sources, sampling), {}
    except SourcesFailed as failed:
        return failed.candidates, failed.errors
