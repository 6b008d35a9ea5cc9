"""What a generator is: sources in, candidates out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from rerank.types import Candidate

__all__ = ["Generator", "Sampling"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How candidates are drawn: `seed` fixes the draw, `temperature` > 1 makes it more varied."""

    seed: int = 0
    temperature: float = 1.0


@runtime_checkable
class Generator(Protocol):
    """Proposes rewrites. Candidates of one source are distinct, in the generator's own order of preference."""

    @property
    def name(self) -> str: ...

    def generate(self, sources: Sequence[str], n: int, sampling: Sampling) -> list[list[Candidate]]:
        """At most `n` candidates for each source, nested in the order of `sources`."""
        ...
