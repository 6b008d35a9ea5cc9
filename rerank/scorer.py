"""What a scorer is, and what it may ask for while it scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from rerank.analysis import Analyzer
from rerank.errors import RewriteError
from rerank.types import Candidate, FloatArray


@dataclass(frozen=True, slots=True)
class Context:
    """What scorers share: the analyser with its cache."""

    analyzer: Analyzer


@runtime_checkable
class Scorer(Protocol):
    """Measures one property of each candidate; a composite of scorers is a scorer too.

    `needs` names what must be at hand before `score` is called: the analysis layers `morph`, `syntax`, `entities`
    (see `rerank.analysis`), or `candidates`, all of a source at once. Whoever runs several scorers analyses all texts
    together first.
    """

    @property
    def name(self) -> str: ...

    @property
    def range(self) -> tuple[float, float]:
        """Lowest and highest value; a factor of a weighted product lies in [0, 1]."""
        ...

    @property
    def needs(self) -> frozenset[str]: ...

    def signature(self) -> str:
        """Name, variant and versions: equal signatures mean equal values for equal input."""
        ...

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        """One value per candidate, shape `[n_candidates]`."""
        ...


def signature_in(scorer: Scorer, language: str) -> str:
    """The signature of what a scorer tells of texts in a language; most have one for all, others a method for that."""
    in_language: Callable[[str], str] | None = getattr(scorer, "signature_in", None)
    return in_language(language) if in_language is not None else scorer.signature()


@runtime_checkable
class Limited(Protocol):
    """A scorer that cannot score every text, such as one longer than its model's window."""

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of `texts` cannot be scored, by index; `score` raises that error for a pool with one of them."""
        ...
