"""The winner alone, the same as from the full table, without scoring every candidate in full.

A component cannot exceed its range, so Σ w·log v over the components known so far, with the highest value for the
others, bounds a candidate's total from above. Cheap components (those that need no parse) are computed for all, then
the few candidates with the highest bounds are scored in full; after that, component by component, only those whose
bound still exceeds the best total. Sums are taken in the same order as in `log_totals`, and floating-point addition is
monotone, so the bound holds to the last bit and ties fall as they do in `select`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from rerank.analysis import LAYERS
from rerank.chunks import map_spans
from rerank.combine import geometric_mean, log_totals, weight_vector
from rerank.rank import CANDIDATES, Pair, check_needs, layers_of, own_row, pool_score, source_score
from rerank.scorer import Context, Scorer
from rerank.select import DEFAULT_THRESHOLD, log_threshold, tie_key
from rerank.types import Candidate, FloatArray
from rerank.weights import Weights

__all__ = ["Winner", "winner", "winners"]

# More than for full tables: each round analyses only some of these.
_TEXTS_AT_ONCE = 8_000
# Candidates that are scored in full before the others are held against the best of them.
_FIRST = 3


@dataclass(frozen=True)
class Winner:
    """What `select` would choose: candidate `index`, or the source (`index` None).

    `score` is its weighted geometric mean, `total` and `source_total` are logarithms of the weighted product. `parsed`
    counts the candidates that were analysed.
    """

    candidate: Candidate
    index: int | None
    score: float
    total: float
    source_total: float
    parsed: int = field(compare=False)

    @property
    def fell_back(self) -> bool:
        """Whether the source itself was chosen for want of a candidate."""
        return self.index is None


def winner(
    source: str,
    candidates: Sequence[Candidate],
    scorers: Sequence[Scorer],
    weights: Weights,
    context: Context,
    *,
    threshold: float = DEFAULT_THRESHOLD,
    blocked: Sequence[str] = (),
) -> Winner:
    """The candidate that `select` chooses from the full table; see `winners`."""
    references = [context.references] if context.references else None
    return winners(
        [(source, candidates)],
        scorers,
        weights,
        context,
        threshold=threshold,
        blocked=[blocked] if blocked else None,
        references=references,
    )[0]


def winners(
    pairs: Sequence[Pair],
    scorers: Sequence[Scorer],
    weights: Weights,
    context: Context,
    *,
    threshold: float = DEFAULT_THRESHOLD,
    blocked: Sequence[Sequence[str]] | None = None,
    references: Sequence[Sequence[str]] | None = None,
    processes: int = 1,
) -> list[Winner]:
    """For each (source, candidates) the candidate that `select` chooses from the full table.

    Components of zero weight are not computed at all. `blocked` holds, for each source, the reason why each candidate
    may not be chosen, or an empty string. Other parameters and errors are those of `score_tables` and `select`.
    """
    check_needs(scorers, len(pairs), references)
    plan = _Plan.make(scorers, weights, log_threshold(threshold))

    def work(first: int, last: int) -> FloatArray:
        races = []
        for i in range(first, last):
            own = context if references is None else dataclasses.replace(context, references=tuple(references[i]))
            races.append(_Race(*pairs[i], plan, own, blocked[i] if blocked is not None else ()))
        _run(races, plan, context)
        return np.array([race.outcome() for race in races], dtype=np.float64).ravel()

    sizes = [len(candidates) + 1 for _, candidates in pairs]
    limit = min(_TEXTS_AT_ONCE, context.analyzer.cache_size)
    found = []
    for first, last, flat in map_spans(work, sizes, limit=limit, processes=processes, per_process=2):
        for (source, pool), row in zip(pairs[first:last], flat.reshape(-1, 4).tolist(), strict=True):
            index = int(row[0]) if row[0] >= 0 else None
            chosen = Candidate(source, generator="source") if index is None else pool[index]
            found.append(Winner(chosen, index, geometric_mean(row[1], weights), row[1], row[2], int(row[3])))
    return found


@dataclass(frozen=True)
class _Plan:
    """Weighted scorers, in the table's order; `stages[0]` are columns scored for the whole pool, the rest lazily."""

    scorers: tuple[Scorer, ...]
    exponents: FloatArray
    stages: tuple[tuple[int, ...], ...]
    log_threshold: float

    @classmethod
    def make(cls, scorers: Sequence[Scorer], weights: Weights, floor: float) -> _Plan:
        vector = weight_vector(weights, [scorer.name for scorer in scorers])
        used = [(scorer, weight) for scorer, weight in zip(scorers, vector.tolist(), strict=True) if weight > 0]
        kept = tuple(scorer for scorer, _ in used)
        exponents = np.array([weight for _, weight in used], dtype=np.float64)
        return cls(kept, exponents, _stages(kept, exponents), floor)

    def of(self, stage: Iterable[int]) -> list[Scorer]:
        return [self.scorers[column] for column in stage]


def _stages(scorers: Sequence[Scorer], exponents: FloatArray) -> tuple[tuple[int, ...], ...]:
    """Columns without a layer, or that look at the whole pool; then groups, most weight per new layer first."""
    pool = [j for j, s in enumerate(scorers) if CANDIDATES in s.needs or not s.needs.intersection(LAYERS)]
    stages = [tuple(pool)]
    left = [j for j in range(len(scorers)) if j not in pool]
    ready: set[str] = set()
    while left:
        best = max(left, key=lambda j: exponents[j] / len(scorers[j].needs.intersection(LAYERS) - ready))
        ready |= scorers[best].needs.intersection(LAYERS)
        stage = tuple(j for j in left if scorers[j].needs.intersection(LAYERS) <= ready)
        stages.append(stage)
        left = [j for j in left if j not in stage]
    return tuple(stages)


class _Race:
    """One source: bounds of its candidates, tightened stage by stage."""

    def __init__(
        self, source: str, candidates: Sequence[Candidate], plan: _Plan, context: Context, blocked: Sequence[str]
    ) -> None:
        self.source = source
        self.candidates = candidates
        self._plan = plan
        self._context = context
        highest = [scorer.range[1] for scorer in plan.scorers]
        self._values = np.tile(np.array(highest, dtype=np.float64), (len(candidates), 1))
        self._stage = np.zeros(len(candidates), dtype=np.int64)
        self._free = [i for i in range(len(candidates)) if not (blocked and blocked[i])]
        keys = sorted(range(len(candidates)), key=lambda i: tie_key(candidates[i]))
        self._ties = np.empty(len(candidates), dtype=np.int64)
        self._ties[keys] = np.arange(len(candidates))
        self._bounds = np.zeros(len(candidates))
        self.floor = -math.inf
        self.source_total = -math.inf

    def start(self) -> None:
        """Score stage 0 for the whole pool, and the source in full."""
        self._score(0, list(range(len(self.candidates))))
        own = own_row(self.source, self.candidates)
        if own is None:
            own_values = [source_score(s, self.source, self.candidates, self._context) for s in self._plan.scorers]
            row = np.array([own_values])
        else:
            for stage in range(1, len(self._plan.stages)):
                self._score(stage, [own])
            row = self._values[[own]]
        self.source_total = float(log_totals(row.reshape(1, -1), self._plan.exponents)[0])
        self.floor = self._plan.log_threshold + self.source_total

    def contenders(self) -> list[int]:
        """Rows to be scored further, best bound first; empty once the race is decided."""
        rows = np.array(self._free, dtype=np.int64)
        rows = rows[self._bounds[rows] > self.floor]
        rows = rows[np.lexsort((self._ties[rows], -self._bounds[rows]))]
        complete = np.flatnonzero(self._stage[rows] == len(self._plan.stages) - 1)
        # Whoever stands behind a complete row cannot win any more.
        ahead: list[int] = rows[: complete[0] if len(complete) else _FIRST].tolist()
        return ahead

    def complete(self, row: int) -> bool:
        return bool(self._stage[row] == len(self._plan.stages) - 1)

    def next_stage(self, row: int) -> int:
        return int(self._stage[row]) + 1

    def advance(self, rows: list[int]) -> None:
        # Grouped before any is scored: a row takes one stage a round, for which all sources' texts were analysed.
        due = [(stage, [row for row in rows if self.next_stage(row) == stage]) for stage in self._stages_of(rows)]
        for stage, group in due:
            self._score(stage, group)

    def _stages_of(self, rows: list[int]) -> list[int]:
        return sorted({self.next_stage(row) for row in rows})

    def _score(self, stage: int, rows: list[int]) -> None:
        # Scorers that must see the whole pool are in stage 0, where `rows` are all of it.
        texts = [self.candidates[row] for row in rows]
        for column in self._plan.stages[stage]:
            scorer = self._plan.scorers[column]
            self._values[rows, column] = pool_score(scorer, self.source, texts, self._context)
        self._stage[rows] = stage
        self._bounds[rows] = log_totals(self._values[rows], self._plan.exponents)

    def outcome(self) -> tuple[float, float, float, float]:
        """Index of the winner or −1, its total, the source's total, candidates analysed."""
        parsed = float((self._stage > 0).sum())
        rows = [row for row in self._free if self.complete(row) and self._bounds[row] > self.floor]
        if not rows:
            return -1.0, self.source_total, self.source_total, parsed
        best = min(rows, key=lambda row: (-self._bounds[row], self._ties[row]))
        return float(best), float(self._bounds[best]), self.source_total, parsed


def _run(races: list[_Race], plan: _Plan, context: Context) -> None:
    """Race all sources in rounds, so that each round's texts are analysed together."""
    texts = [text for race in races for text in (race.source, *(c.text for c in race.candidates))]
    context.analyzer.analyze(texts, layers_of(plan.of(plan.stages[0])))
    context.analyzer.analyze([race.source for race in races], layers_of(plan.scorers))
    for race in races:
        race.start()
    running = races
    while running:
        due = [(race, rows) for race in running if (rows := race.contenders())]
        for number, stage in enumerate(plan.stages[1:], start=1):
            texts = [r.candidates[i].text for r, rows in due for i in rows if r.next_stage(i) == number]
            if texts:
                context.analyzer.analyze(texts, layers_of(plan.of(stage)))
        for race, rows in due:
            race.advance(rows)
        running = [race for race, _ in due]
