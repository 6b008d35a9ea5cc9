"""What `--n auto` saves and costs: the rule of `rewrite.adaptive` against drawing all rounds, on the same draws.

    python -m benchmarks.adaptive --generator ct2:MODEL --data DIR [--skip 240] [--limit 100] [--seed 0]

All rounds are drawn for sources of RSSE dev, other ones than those that the rule was made on; then the rule is asked
after which round it would have stopped. The rows below hold fixed numbers of draws against it, and no draw at all,
which leaves every source as it is. Columns:

- saved: share of the draws that are not made.
- score: relative change of the mean score of the choice. The source is often what is chosen, and its score is high, so
  this says little: see what no draw at all comes to.
- kept: the score of the best usable text rises from the first round to the last; the share of that rise that is kept.
- other choice: how often the choice at the stop is not the one that all draws would have given; behind it the same
  among sources that all draws would have rewritten.

Bars: at least 40 % of the samples saved, mean score within 1 %. Exit code 1 where one is missed.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.measuring import command_line, rsse_examples
from rerank.combine import log_totals, weight_vector
from rerank.select import log_threshold
from rerank.types import ScoreTable
from rewrite.adaptive import ROUNDS, Draws, change_probability, settled
from rewrite.drawing import Drawing, draw_in_rounds, sampling_of
from rewrite.pipeline import Pipeline
from rewrite.request import THRESHOLDS, make_options

__all__ = ["Row", "Scores", "calibration", "changes_after", "measure", "nothing_drawn", "stop_of"]


@dataclass(frozen=True, slots=True)
class Scores:
    """What is known of one source after a round: its `draws`, and log-scores.

    `values` are those of the distinct texts that may be chosen, `floor` what a text must beat to be chosen instead of
    the source, `own` the source's.
    """

    draws: Draws
    values: Sequence[float]
    floor: float
    own: float

    @property
    def best(self) -> float:
        """The log-score of what would be chosen now."""
        return self.top if self.top > self.floor else self.own

    @property
    def top(self) -> float:
        """The best log-score of a text that may be chosen."""
        return max(self.values, default=-math.inf)


# Scores of one source after each round.
History = list[Scores]
Stop = Callable[[int, Scores], bool]
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Row:
    """What a way to stop comes to; see the head of this file."""

    name: str
    saved: float
    score: float
    kept: float
    other: float
    other_rewritten: float

    def __str__(self) -> str:
        return (
            f"{self.name:5}  {self.saved:6.1%}  {self.score:+6.2%}  {self.kept:6.1%}"
            f"  {self.other:6.1%} ({self.other_rewritten:.1%})"
        )


def histories(pipeline: Pipeline, sources: Sequence[str]) -> list[History]:
    """Scores after each round of all rounds, for each source that got any."""
    found: dict[str, History] = {source: [] for source in sources}

    def judge(drawings: Sequence[Drawing]) -> list[Draws]:
        tables = pipeline.checked([(drawing.source, drawing.candidates) for drawing in drawings])
        for drawing, table in zip(drawings, tables, strict=True):
            found[drawing.source].append(scores_of(pipeline, drawing, table))
        return [found[drawing.source][-1].draws for drawing in drawings]

    sampling = sampling_of(pipeline.options)
    last = draw_in_rounds(pipeline.generator, sources, sampling, judge, stop=lambda draws, n: False)
    judge([drawing for drawing in last if not drawing.error])
    return [history for history in found.values() if len(history) == len(ROUNDS)]


def scores_of(pipeline: Pipeline, drawing: Drawing, table: ScoreTable) -> Scores:
    """What a drawing comes to, its candidates being those of `table`."""
    exponents = weight_vector(pipeline.weights, table.components)
    whole = max(float(exponents.sum()), 1e-9)  # exp(total / whole) is the score that users see
    free = [i for i, reason in enumerate(table.blocked) if not reason]
    own = float(log_totals(table.source_values.reshape(1, -1), exponents)[0])
    return Scores(
        draws=Draws(drawing.drawn, len(free), sum(drawing.candidates[i].count == 1 for i in free)),
        values=(log_totals(table.values[free], exponents) / whole).tolist(),
        floor=(own + log_threshold(THRESHOLDS[pipeline.options.variant])) / whole,
        own=own / whole,
    )


def stop_of(history: History, stop: Stop) -> int:
    """The round after which `stop` ends the draw."""
    return next((i for i, scores in enumerate(history[:-1]) if stop(i, scores)), len(history) - 1)


def measure(rows: Sequence[History], name: str, stop: Stop) -> Row:
    """What `stop` saves and costs on `rows`."""
    stops = [stop_of(history, stop) for history in rows]
    ends = [history[at] for history, at in zip(rows, stops, strict=True)]
    return _row(
        name,
        rows,
        drawn=[end.draws.drawn for end in ends],
        chosen=[end.best for end in ends],
        tops=[end.top for end in ends],
    )


def nothing_drawn(rows: Sequence[History]) -> Row:
    """The row of leaving every source as it is."""
    own = [history[0].own for history in rows]
    return _row("0", rows, drawn=[0] * len(rows), chosen=own, tops=[-math.inf] * len(rows))


def changes_after(rows: Sequence[History], stop: Stop) -> float:
    """Of the sources that stopped before the last round: how often the next round would have changed the choice."""
    found = [(history, stop_of(history, stop)) for history in rows]
    early = [(history, at) for history, at in found if at < len(history) - 1]
    return statistics.mean(_differ(history[at].best, history[at + 1].best) for history, at in early) if early else 0.0


def calibration(rows: Sequence[History], at: int, n: int) -> tuple[float, float]:
    """Mean probability by the rule that the `n` draws after round `at` change the choice, and how often they did."""
    expected = statistics.mean(change_probability(history[at].draws, n) for history in rows)
    return expected, statistics.mean(_differ(history[at].best, history[at + 1].best) for history in rows)


def _row(
    name: str, rows: Sequence[History], *, drawn: Sequence[int], chosen: Sequence[float], tops: Sequence[float]
) -> Row:
    last = [history[-1] for history in rows]
    other = [_differ(mine, end.best) for mine, end in zip(chosen, last, strict=True)]
    rewritten = [o for o, end in zip(other, last, strict=True) if _differ(end.best, end.own)]
    # Where the first round brought nothing usable there is nothing to rise from.
    rising = [i for i, history in enumerate(rows) if history[0].values]
    whole = sum(last[i].top - rows[i][0].top for i in rising)
    kept = sum(max(0.0, tops[i] - rows[i][0].top) for i in rising)
    return Row(
        name=name,
        saved=1 - sum(drawn) / sum(end.draws.drawn for end in last),
        score=_mean_score(chosen) / _mean_score([end.best for end in last]) - 1,
        kept=kept / whole if whole else 1.0,
        other=statistics.mean(other),
        other_rewritten=statistics.mean(rewritten) if rewritten else 0.0,
    )


def _differ(one: float, other: float) -> bool:
    # The same text scored in other company differs by rounding.
    return abs(one - other) > _ROUNDING


def _mean_score(logs: Sequence[float]) -> float:
    return statistics.mean(math.exp(log) for log in logs)


def main() -> int:
    parser = command_line(__doc__)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--skip", type=int, default=240)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    examples = rsse_examples(arguments.data)[arguments.skip :][: arguments.limit]
    options = make_options(generator=arguments.generator, n="auto", seed=arguments.seed)
    found = histories(Pipeline(options), [example.source for example in examples])

    def rule(at: int, scores: Scores) -> bool:
        return settled(scores.draws, ROUNDS[at + 1])

    auto = measure(found, "auto", rule)
    fixed = [measure(found, str(sum(ROUNDS[: i + 1])), lambda at, _, i=i: at >= i) for i in range(len(ROUNDS))]
    print(f"{len(found)} sources, {sum(ROUNDS)} draws at most, seed {arguments.seed}, {options.chosen_preset}")
    print("draws   saved   score    kept  other choice (of those rewritten)")
    print(*(auto, nothing_drawn(found), *fixed), sep="\n")
    print("draws   expected to change   changed")
    for at, n in enumerate(ROUNDS[1:]):
        expected, changed = calibration(found, at, n)
        print(f"{sum(ROUNDS[: at + 1]):5}   {expected:18.1%}   {changed:7.1%}")
    print(f"After auto stopped, the next round would have changed the choice in {changes_after(found, rule):.1%}.")
    return int(auto.saved < 0.4 or auto.score < -0.01)


if __name__ == "__main__":
    raise SystemExit(main())
