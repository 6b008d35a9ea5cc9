"""Plain data passed between generators, scorers and selection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed rewrite of a source.

    `logprob` is the natural-log probability that the generator gave to the whole text, `tokens` its length in the
    generator's own tokens, `least_logprob` the log-probability of the least probable of these, `certainty` in [0, 1]
    how sure a model that learnt from verdicts is of it, `count` how often the same text was drawn, `first` the number,
    from 0, of the draw that brought it first (`None`: draws are in the order of the candidates, each once), `edits`
    what was done to the source, in words (for `--explain`), `risk` (≥ 0) what the generator itself holds against the
    candidate, `source_logprob` the log-probability that it gives to leaving the source as it is and `source_tokens` the
    tokens of that, `cleaned` the rules of cleaning that changed a language model's raw text, `controls` the control
    values that it was drawn with (`rewrite.controls`), `dropped` why that cleaning rejects it (empty where it does not:
    only such candidates are scored), `cuts` the spans of the source that it is without (the words, the round from 1,
    the distance that it cost); unknown values are `None`, empty or 0.
    """

    text: str
    generator: str = ""
    logprob: float | None = None
    tokens: int | None = None
    seed: int | None = None
    finish_reason: str | None = None
    count: int = 1
    first: int | None = None
    edits: tuple[str, ...] = ()
    risk: float = 0.0
    source_logprob: float | None = None
    source_tokens: int | None = None
    cleaned: tuple[str, ...] = ()
    dropped: str = ""
    controls: str = ""
    least_logprob: float | None = None
    certainty: float | None = None
    cuts: tuple[tuple[str, int, float], ...] = ()


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Component values of the candidates of one source; knows nothing of weights.

    `values[i, j]` is component `components[j]` of `candidates[i]`, shape `[n_candidates, n_components]`, each within
    its scorer's range. `source_values` (shape `[n_components]`) holds the source scored as a candidate of itself.
    `blocked[i]` is the reason why candidate i may not be chosen, or an empty string.
    """

    source: str
    candidates: tuple[Candidate, ...]
    components: tuple[str, ...]
    values: FloatArray
    source_values: FloatArray
    blocked: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        expected = (len(self.candidates), len(self.components))
        if self.values.shape != expected:
            raise ValueError(f"values have shape {self.values.shape}, expected {expected}")
        if self.source_values.shape != expected[1:]:
            raise ValueError(f"source_values have shape {self.source_values.shape}, expected {expected[1:]}")
        if not self.blocked:
            object.__setattr__(self, "blocked", ("",) * len(self.candidates))
        elif len(self.blocked) != len(self.candidates):
            raise ValueError(f"{len(self.blocked)} block reasons for {len(self.candidates)} candidates")
        for array in (self.values, self.source_values):
            if not np.isfinite(array).all():
                raise ValueError(f"component values must be finite, got {array.tolist()}")
            array.flags.writeable = False

    def select(self, rows: Sequence[int]) -> ScoreTable:
        """The same table with only the candidates at `rows`, in that order."""
        return ScoreTable(
            source=self.source,
            candidates=tuple(self.candidates[i] for i in rows),
            components=self.components,
            values=self.values[list(rows)].copy(),
            source_values=self.source_values.copy(),
            blocked=tuple(self.blocked[i] for i in rows),
        )
