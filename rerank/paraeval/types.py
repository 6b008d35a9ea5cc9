"""What a table of paraphrases is, and what is found with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, runtime_checkable

__all__ = ["Link", "Paraphrases", "Phrase"]

Phrase = tuple[str, ...]
"""Words next to one another: lower-case, ё as е, none of them a mark."""


@runtime_checkable
class Paraphrases(Protocol):
    """Which phrases say the same, and how surely."""

    @property
    def longest(self) -> int:
        """Words of the longest phrase; 0 for a table without any."""
        ...

    def of(self, phrase: Phrase) -> Mapping[Phrase, float]:
        """The paraphrases of `phrase` with their probabilities in (0, 1]; empty where it has none."""
        ...

    def signature(self) -> str:
        """Name and version: equal signatures mean equal paraphrases."""
        ...


class Link(NamedTuple):
    """Words `start` to `stop` of a reference and `peer_start` to `peer_stop` of a peer that say the same."""

    start: int
    stop: int
    peer_start: int
    peer_stop: int
    probability: float = 1.0

    @property
    def words(self) -> int:
        """Words of the reference."""
        return self.stop - self.start

    @property
    def peer_words(self) -> int:
        """Words of the peer."""
        return self.peer_stop - self.peer_start
