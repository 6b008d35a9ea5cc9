"""Choosing from many score tables at once: what a setting of weights makes of a whole corpus, in a ms or two.

The choice of a sentence is the candidate with the highest log S = Σⱼ wⱼ log vⱼ that is not blocked, if that is above
log threshold + log S(source); else the source. Equal totals go by text. Here the candidates of all sentences stand in
one array `[k, n]`, those of a sentence together and in the order of ties, so that a choice is one sum, one segmented
maximum and the first place that reaches it. Components are added in the order of `log_totals`, so the totals are the
same to the last bit, and so is the choice.

SARI comes from statistics counted once for each text that is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from rerank.select import log_threshold, tie_key
from rerank.types import FloatArray, ScoreTable
from rewrite.errors import BadInput
from rewrite.evaluate.sari import SariSource, sari_of_totals
from rewrite.result import Result

IntArray = npt.NDArray[np.int64]
# Texts of one source whose statistics are remembered.
_REMEMBERED = 4_096


@dataclass(frozen=True, eq=False)
class _Unit:
    """A sentence: its candidates that are not blocked, in the order of ties.

    `rows` are their rows in the table, `logs [n, k]` the logarithms of their values, `own [k]` those of the source.
    """

    table: ScoreTable
    rows: tuple[int, ...]
    logs: FloatArray
    source_logs: FloatArray

    @classmethod
    def of(cls, table: ScoreTable) -> _Unit:
        free = [i for i, reason in enumerate(table.blocked) if not reason]
        rows = tuple(sorted(free, key=lambda i: tie_key(table.candidates[i])))
        with np.errstate(divide="ignore"):
            return cls(table, rows, np.log(table.values)[list(rows)], np.log(table.source_values))

    def text(self, place: int) -> str:
        """The candidate at `place` among those in order, or the source at −1."""
        return self.table.source if place < 0 else self.table.candidates[self.rows[place]].text


class Contest:
    """One source: its sentences that have a choice, and the SARI statistics of whatever is chosen."""

    def __init__(self, result: Result, references: Sequence[str]) -> None:
        self.result = result
        self.units = tuple(_Unit.of(s.table) for s in result.sentences if s.table is not None)
        self._scored = SariSource(result.source, references)
        self.statistics = lru_cache(maxsize=_REMEMBERED)(self._statistics)

    def text(self, places: Sequence[int]) -> str:
        """The whole text with the choice of each sentence: a place among its candidates, or −1 for its source."""
        chosen = iter(unit.text(place) for unit, place in zip(self.units, places, strict=True))
        sentences = tuple(s.source if s.table is None else next(chosen) for s in self.result.sentences)
        return self.result.layout.join(sentences)

    def _statistics(self, places: tuple[int, ...]) -> FloatArray:
        """SARI statistics `[3, 4, 3]` of that text."""
        return self._scored.statistics(self.text(places))


def contests(results: Iterable[Result], references: Sequence[Sequence[str]]) -> list[Contest]:
    """A contest for each result, with the references of its source."""
    return [Contest(result, texts) for result, texts in zip(results, references, strict=True)]


class Arena:
    """Many contests in one set of arrays. Raises `BadInput` for none, or for tables of different components."""

    def __init__(self, contested: Sequence[Contest]) -> None:
        self.contests = tuple(contested)
        units = [unit for contest in self.contests for unit in contest.units]
        kinds = {unit.table.components for unit in units}
        if len(kinds) != 1:
            raise BadInput(
                "There is no sentence to choose for." if not kinds else f"Tables of different components: {kinds}.",
                hint="Weights are searched on sources that the generator has candidates for.",
            )
        (self.components,) = kinds
        self._floor = log_threshold(self.contests[0].result.options.source_share)
        sizes = np.array([len(unit.rows) for unit in units], dtype=np.int64)
        self._units = len(units)
        self._offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self._with_candidates = np.flatnonzero(sizes)
        self._unit_of = np.repeat(np.arange(len(units)), sizes)
        # Candidates of all units, then the sources: one sum serves both.
        rows = np.vstack([*(unit.logs for unit in units), *(unit.source_logs[np.newaxis] for unit in units)])
        self._logs = np.ascontiguousarray(rows.T)
        self._values = np.exp(self._logs)
        self._candidates = int(sizes.sum())

    def __len__(self) -> int:
        return len(self.contests)

    @property
    def size(self) -> int:
        """Candidates that may be chosen, of all sources together."""
        return self._candidates

    @property
    def choosable(self) -> int:
        """Sources with a candidate that may be chosen."""
        return sum(any(unit.rows for unit in contest.units) for contest in self.contests)

    def subset(self, indices: Iterable[int]) -> Arena:
        """An arena of some of the contests."""
        return Arena([self.contests[i] for i in indices])

    def _places(self, weights: FloatArray) -> IntArray:
        """The choice of each unit, `[n_units]`: a place among its candidates, −1 for the source; weights are `[k]`."""
        used = np.flatnonzero(weights > 0)
        totals = np.zeros(self._logs.shape[1])
        term = np.empty_like(totals)
        for column in used:
            totals += np.multiply(self._logs[column], weights[column], out=term)
        of_sources, of_candidates = totals[self._candidates :], totals[: self._candidates]
        places = np.full(self._units, -1, dtype=np.int64)
        if not self._candidates:
            return places
        best = np.full(self._units, -np.inf)
        best[self._with_candidates] = np.maximum.reduceat(of_candidates, self._offsets[self._with_candidates])
        reached = np.flatnonzero(of_candidates == best[self._unit_of])
        # Backwards, so that the first of equals is written last.
        places[self._unit_of[reached[::-1]]] = reached[::-1]
        places -= self._offsets
        places[~(best > self._floor + of_sources)] = -1
        return places

    def _chosen(self, weights: FloatArray) -> Iterator[tuple[Contest, tuple[int, ...]]]:
        """Each source with the places that `weights [k]` choose for its sentences."""
        places = iter(self._places(weights).tolist())
        return ((contest, tuple(islice(places, len(contest.units)))) for contest in self.contests)

    def texts(self, weights: FloatArray) -> list[str]:
        """What `weights [k]` make of each source."""
        return [contest.text(places) for contest, places in self._chosen(weights)]

    def statistics(self, weights: FloatArray) -> FloatArray:
        """SARI statistics of what `weights [k]` choose for each source, `[n_sources, 3, 4, 3]`."""
        return np.array([contest.statistics(places) for contest, places in self._chosen(weights)])

    def sari(self, weights: FloatArray) -> FloatArray:
        """SARI in [0, 100] of all sources together under each of the settings `weights [m, k]`, shape `[m]`."""
        return np.array([sari_of_totals(self.statistics(setting).sum(axis=0)) for setting in weights])

    def means(self, weights: FloatArray) -> FloatArray:
        """Mean value of each component over what `weights [m, k]` choose, shape `[m, k]`; a kept source counts too."""
        chosen = (self._places(setting) for setting in weights)
        sources = self._candidates + np.arange(self._units)
        columns = (np.where(places >= 0, self._offsets + places, sources) for places in chosen)
        return np.array([self._values[:, each].mean(axis=1) for each in columns])
