"""Simple scorers and generators with known answers, for tests only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rerank.rank import score_tables
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, FloatArray, ScoreTable
from rewrite.engines.base import ModelInput
from rewrite.errors import ContextTooLong
from rewrite.generators.base import Sampling

__all__ = ["FakeScorer", "ListGenerator", "WordModel", "column", "score_table", "table"]


@dataclass
class FakeScorer:
    """Looks values up by text; `calls` records what it was asked."""

    name: str
    values: Mapping[str, float]
    needs: frozenset[str] = frozenset()
    range: tuple[float, float] = (0.0, 1.0)
    default: float = 1.0
    calls: list[tuple[str, ...]] = field(default_factory=list)

    def signature(self) -> str:
        return f"{self.name}:fake"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        self.calls.append(tuple(c.text for c in candidates))
        return np.array([self.values.get(c.text, self.default) for c in candidates], dtype=np.float64)


class ListGenerator:
    """Proposes the candidates it was given for each source, none for others."""

    name = "list"

    def __init__(self, candidates: Mapping[str, Sequence[str]]) -> None:
        self._candidates = candidates

    def describe(self) -> Mapping[str, object]:
        return {}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        return [
            [Candidate(text, generator=self.name) for text in self._candidates.get(s, ())][: sampling.n]
            for s in sources
        ]


class WordModel:
    """Finds each word of a text likely, −0.1, unless `words` says otherwise, and its end, −0.5, unless `ends` does.

    It takes texts of `window` characters, and `asked` records what it read: the input and the text.
    """

    def __init__(
        self, *, words: Mapping[str, float] | None = None, ends: Mapping[str, float] | None = None, window: int = 100
    ) -> None:
        self._words, self._ends, self._window = words or {}, ends or {}, window
        self.asked: list[tuple[str, str]] = []

    def describe(self) -> dict[str, object]:
        return {"model": "words"}

    def close(self) -> None: ...

    def too_long(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> dict[int, Exception]:
        return {i: ContextTooLong(9, 8) for i, text in enumerate(texts) if len(text) > self._window}

    def token_logprobs(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[list[tuple[str, float]]]:
        self.asked += [(asked.text, text) for asked, text in zip(inputs, texts, strict=True)]
        return [
            [*((word, self._words.get(word, -0.1)) for word in text.split()), ("<eos>", self._ends.get(text, -0.5))]
            for text in texts
        ]


def table(
    values: Sequence[Sequence[float]],
    components: Sequence[str],
    *,
    texts: Sequence[str] | None = None,
    own: Sequence[float] | None = None,
    blocked: Sequence[str] = (),
) -> ScoreTable:
    """A score table written out by hand; texts are `t0`, `t1`, … unless given, the source has value 1 throughout."""
    names = texts if texts is not None else [f"t{i}" for i in range(len(values))]
    return ScoreTable(
        source="source",
        candidates=tuple(Candidate(text) for text in names),
        components=tuple(components),
        values=np.array(values, dtype=np.float64).reshape(len(values), len(components)),
        source_values=np.array(own if own is not None else [1.0] * len(components), dtype=np.float64),
        blocked=tuple(blocked),
    )


def score_table(
    source: str, candidates: Sequence[Candidate], scorers: Sequence[Scorer], context: Context
) -> ScoreTable:
    """The table of one source."""
    return score_tables([(source, candidates)], scorers, context)[0]


def column(table: ScoreTable, component: str) -> FloatArray:
    """Values of one component, shape `[n_candidates]`."""
    values: FloatArray = table.values[:, table.components.index(component)]
    return values
