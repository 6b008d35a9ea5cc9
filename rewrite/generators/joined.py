"""Several generators as one: each draws its n candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rerank.errors import RewriteError
from rerank.types import Candidate
from rewrite.generators.base import Generator, Sampling, SourcesFailed

__all__ = ["JoinedGenerator", "generate_all"]


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
        found = [list(pool.values()) for pool in pools]
        if errors:
            raise SourcesFailed(errors, found)
        return found


def generate_all(
    generator: Generator, sources: Sequence[str], sampling: Sampling
) -> tuple[list[list[Candidate]], dict[int, RewriteError]]:
    """What `generator` gives for all sources, and the error of each that it fails on, without an exception."""
    try:
        return generator.generate(sources, sampling), {}
    except SourcesFailed as failed:
        return failed.candidates, failed.errors
