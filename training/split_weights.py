"""Learn from splits that readers judged what each component and each broken rule of form tells of a split.

    python -m training.split_weights --data DIR

`training/split_judgements.jsonl.gz` holds, for rows of WikiSplit's validation part (by number), splits that two readers
judged, with the faults that each found: `w` not well formed, `f` not factual, `a` not all kept or not clear.
Those that the splitter still proposes are compared with their components: a logistic regression of *no fault* on the
logarithms of the components and on the rules of form that are broken. Prints what each counts, in nats, and the area
under the ROC curve in ten folds over sentences, beside that of the likelihood alone and of the weights of now.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.types import Candidate, ScoreTable
from rewrite.datasets import data_folder
from rewrite.errors import BadInput, MissingExtra
from rewrite.splitting.options import SplitOptions
from rewrite.splitting.presets import SPLIT_PRESETS
from rewrite.splitting.rules import RISKS
from rewrite.splitting.search import DOUBTFUL
from rewrite.splitting.splitter import Splitter
from training.command import run_to_the_end

__all__ = ["JUDGEMENTS", "Judgement", "main", "read_judgements"]

Floats = npt.NDArray[np.float64]
JUDGEMENTS = Path(__file__).parent / "split_judgements.jsonl.gz"
_FOLDS = 10
_RIDGE = 0.5
"""Strength of scikit-learn's L2 penalty, C: few splits break the rarer rules."""
_CANDIDATES = 30
_COMPONENTS = ("length", "likelihood", "consensus", "wholeness")
_LEAST = 1e-6
_FEWEST = 4
"""Judged splits that must break a rule for it to be told of."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A split of a row, its sentences a line each, and the faults that each reader found."""

    row: int
    split: str
    faults: tuple[str, ...]


def read_judgements(path: Path = JUDGEMENTS) -> list[Judgement]:
    """The judgements in a file."""
    rows = map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())
    return [Judgement(row["row"], row["split"], tuple(row["faults"])) for row in rows]


@dataclass(frozen=True, slots=True)
class Table:
    """Of N answers of readers what is known of the split `[N, features]`, whether it has no fault, and its row."""

    names: tuple[str, ...]
    features: Floats
    good: npt.NDArray[np.bool_]
    rows: npt.NDArray[np.int64]
    chosen_by: Floats


def tabulate(judged: Sequence[Judgement], sources: dict[int, str]) -> tuple[Table, int]:
    """The table of the judgements whose split is still proposed, and how many of them there are."""
    splitter = Splitter(SplitOptions(n=_CANDIDATES))
    rows = sorted(sources)
    found = dict(zip(rows, splitter.run([sources[row] for row in rows]), strict=True))
    names = (*_COMPONENTS, *RISKS)
    features, good, of, score = [], [], [], []
    known = 0
    for one in judged:
        table = found[one.row].sentences[0].table
        number = _number(table, one.split)
        if table is None or number is None:
            continue
        known += 1
        told = _features(table, number, names)
        for faults in one.faults:
            features.append(told)
            good.append(not faults)
            of.append(one.row)
            score.append(_score(table, number))
    data = Table(names, np.array(features), np.array(good), np.array(of), np.array(score))
    return data, known


def _number(table: ScoreTable | None, split: str) -> int | None:
    texts = [] if table is None else [_spaced(candidate.text) for candidate in table.candidates]
    return texts.index(_spaced(split)) if _spaced(split) in texts else None


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _features(table: ScoreTable, number: int, names: Sequence[str]) -> list[float]:
    broken = _broken(table.candidates[number])
    logs = [float(np.log(max(table.column(name)[number], _LEAST))) for name in _COMPONENTS]
    return [*logs, *(float(name in broken) for name in names[len(_COMPONENTS) :])]


def _broken(candidate: Candidate) -> set[str]:
    """The rules of form that the cuts of a candidate break."""
    told = (edit.removeprefix(DOUBTFUL) for edit in candidate.edits if edit.startswith(DOUBTFUL))
    return {name for names in told for name in names.split(", ")}


def _score(table: ScoreTable, number: int) -> float:
    """The weighted sum of logarithms that the balanced preset chooses by, without the number of sentences."""
    weights = SPLIT_PRESETS["balanced"]
    return sum(
        weight * float(np.log(max(table.column(name)[number], _LEAST)))
        for name, weight in weights.items()
        if name != "splits"
    )


def _fitted(data: Table, rows: npt.NDArray[np.bool_]) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=_RIDGE, max_iter=5000).fit(data.features[rows], data.good[rows])


def folded_auc(data: Table) -> float:
    """The area under the curve of what models say of the tenth of the sentences that each has not seen."""
    from sklearn.metrics import roc_auc_score

    said = np.zeros(len(data.good))
    distinct = np.unique(data.rows)
    fold = dict(zip(distinct.tolist(), (np.random.default_rng(0).permutation(len(distinct)) % _FOLDS), strict=True))
    folds = np.array([fold[row] for row in data.rows.tolist()])
    for number in range(_FOLDS):
        held = folds == number
        said[held] = _fitted(data, ~held).decision_function(data.features[held])
    return float(roc_auc_score(data.good, said))


def report(data: Table, known: int, judged: Sequence[Judgement]) -> str:
    """What the regression tells, as text."""
    from sklearn.metrics import roc_auc_score

    likelihood = data.features[:, data.names.index("likelihood")]
    now = roc_auc_score(data.good, data.chosen_by)
    lines = [
        f"{len(judged)} judged splits, {known} still proposed; {data.good.mean():.1%} of the answers find no fault",
        f"area under the curve: {folded_auc(data):.3f} in {_FOLDS} folds; likelihood alone "
        f"{roc_auc_score(data.good, likelihood):.3f}; the weights of now {now:.3f}",
    ]
    weights = _fitted(data, np.ones(len(data.good), dtype=bool)).coef_[0]
    counts = data.features.sum(axis=0) / max(1, len(judged[0].faults))
    for name, weight, count in zip(data.names, weights, counts, strict=True):
        if name in _COMPONENTS:
            lines.append(f"{name:14} weight {weight:6.2f}")
        elif count >= _FEWEST:
            lines.append(f"{name:14} risk {-weight:8.2f} now {RISKS[name]:4.1f} broken by {count:.0f}")
    return "\n".join(lines)


def _sources(data: str | None, rows: set[int]) -> dict[int, str]:
    path = data_folder(data) / "wikisplit" / "validation.tsv"
    lines = path.read_text(encoding="utf-8").split("\n")
    if max(rows) > len(lines):
        raise BadInput(f"{path}: it has {len(lines):,} lines, and row {max(rows):,} was judged.")
    return {row: lines[row - 1].split("\t")[0] for row in rows}


def shares(judged: Sequence[Judgement]) -> str:
    """How often each fault was found, by reader, and how often readers agree on *well formed*."""
    told: defaultdict[str, list[float]] = defaultdict(list)
    for one in judged:
        for name, letter in (("well formed", "w"), ("factual", "f"), ("all kept", "a")):
            told[name].append(float(np.mean([letter not in faults for faults in one.faults])))
        told["without a fault"].append(float(np.mean([not faults for faults in one.faults])))
        told["readers agree on well formed"].append(len({"w" in faults for faults in one.faults}) == 1)
    return ", ".join(f"{name} {np.mean(values):.1%}" for name, values in told.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and print the report; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.split_weights",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    given = parser.parse_args(arguments)

    def work() -> None:
        if find_spec("sklearn") is None:
            raise MissingExtra("It needs scikit-learn.", hint="Run: pip install 'rewrite-rerank[train]'")
        judged = read_judgements()
        print(shares(judged))
        data, known = tabulate(judged, _sources(given.data, {one.row for one in judged}))
        print(report(data, known, judged))

    return run_to_the_end("split_weights", work)


if __name__ == "__main__":
    sys.exit(main())
