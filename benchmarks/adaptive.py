"""What `--n auto` saves and costs: the rule of `rewrite.adaptive` against drawing all rounds, on the same draws.

    python -m benchmarks.adaptive --generator ct2:MODEL --data DIR [--skip 140] [--limit 100] [--seed 0]

All rounds are drawn for sources of RSSE dev, after those that the tolerance was chosen on; then the rule is asked after
which round it would have stopped. Bars: at least 40 % of the samples saved, mean score within 1 %. Exit code 1 where
one is missed. The last column is the rule's error rate: how often the choice at the stop is not the one that all draws
would have given. The rows below hold fixed numbers of draws against it.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from rewrite.adaptive import ROUNDS, Scores, settled
from rewrite.datasets import load_rsse
from rewrite.drawing import Drawing, draw_in_rounds, sampling_of
from rewrite.pipeline import Pipeline
from rewrite.request import make_options

__all__ = ["Row", "measure", "replayed"]

# Scores of one source after each round.
History = list[Scores]
Row = tuple[str, float, float, float]


def histories(pipeline: Pipeline, sources: Sequence[str]) -> list[History]:
    """Scores after each round of all rounds, for each source that got any."""
    found: dict[str, History] = {source: [] for source in sources}

    def judge(drawings: Sequence[Drawing]) -> list[Scores]:
        scores = pipeline.judge_drawings(drawings)
        for drawing, one in zip(drawings, scores, strict=True):
            found[drawing.source].append(one)
        return scores

    sampling = sampling_of(pipeline.options, pipeline.generator)
    last = draw_in_rounds(pipeline.generator, sources, sampling, judge, stop=lambda scores, draws: False)
    judge([drawing for drawing in last if not drawing.error])
    return [history for history in found.values() if len(history) == len(ROUNDS)]


def replayed(history: History, stop: Callable[[int, Scores], bool]) -> tuple[int, float, bool]:
    """Draws made, score of the choice, and whether all draws would have given another, if `stop(round, scores)`."""
    at = next((i for i, scores in enumerate(history[:-1]) if stop(i, scores)), len(history) - 1)
    chosen, final = history[at].best, history[-1].best
    return history[at].drawn, math.exp(chosen), chosen != final


def measure(rows: Sequence[History], name: str, stop: Callable[[int, Scores], bool]) -> Row:
    """Name, share of draws saved, relative change of the mean score, share of other choices."""
    results = [replayed(history, stop) for history in rows]
    most = sum(history[-1].drawn for history in rows)
    full = statistics.mean(math.exp(history[-1].best) for history in rows)
    score = statistics.mean(score for _, score, _ in results)
    other = statistics.mean(changed for _, _, changed in results)
    return name, 1 - sum(drawn for drawn, _, _ in results) / most, score / full - 1, other


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--skip", type=int, default=140)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    examples = load_rsse(arguments.data / "rsse" / "dev_sents.csv")[arguments.skip :][: arguments.limit]
    options = make_options(generator=arguments.generator, n="auto", seed=arguments.seed)
    found = histories(Pipeline(options), [example.source for example in examples])
    rule = measure(found, "auto", lambda i, scores: settled(scores, ROUNDS[i + 1]))
    fixed = [measure(found, str(sum(ROUNDS[: i + 1])), lambda at, _, i=i: at >= i) for i in range(len(ROUNDS))]
    table = [rule, *fixed]
    print(f"{len(found)} sources, {sum(ROUNDS)} draws at most, seed {arguments.seed}, {options.chosen_preset}")
    print("draws   saved   score   other choice")
    for name, saved, change, other in table:
        print(f"{name:5}  {saved:6.1%}  {change:+6.2%}  {other:6.1%}")
    return int(rule[1] < 0.4 or rule[2] < -0.01)


if __name__ == "__main__":
    raise SystemExit(main())
