"""Tables 1 to 6 of the paper on negative sampling in its layout, Newsroom's columns, measured here.

    python -m training.evaluating.tables --model SET=FOLDER [--model SET=FOLDER …] [--data DIR] [--samples N] [--seed N]

SET names what the evaluator in FOLDER has learnt from; its outputs that are named after a kind of mutation
(docs/negatives.md) are rows of that mutation, any other is a row under its own name. Prints Markdown: the mean over
documents of the coefficient across systems, with a 95 % bootstrap interval over documents. What the paper printed is in
docs/evaluator-tables.md.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from rerank.evaluator.registry import create_evaluator
from rewrite.errors import BadOption
from rewrite.evaluate.meta.rated_scoring import MetaSettings, agreements, evaluate_metrics
from rewrite.evaluate.meta.rated_sets import RatedSet, load_rated
from rewrite.evaluate.meta.rating_agreement import Agreement
from rewrite.evaluate.meta.scores import Scored, run_metrics
from rewrite.evaluate.resampling import Bootstrap, interval_of
from training.command import command_line, run_to_the_end
from training.papers.rusim import Cells, PaperTable

PRINTED_AS: Mapping[str, str] = {
    "cross-pair": "crosspair",
    "sentence-replacement": "sentence-replace",
    "sentence-insertion": "sentence-add",
    "sentence-deletion": "sentence-delete",
    "word-insertion": "word-add",
    "word-replacement": "word-replace",
    "word-deletion": "word-delete",
}
"""What the paper calls the kinds of `training.negatives.sampling`, in its order; it has no `sentence-add`."""
_WITH_REFERENCES = {"rouge1:R": "R-1", "rouge2:R": "R-2", "rougeL:R": "R-L", "bleu": "BLEU", "meteor": "METEOR"}
_ASPECTS = {
    "content/fact": {"informativeness": "INF", "relevance": "REL"},
    "linguistic": {"coherence": "COH", "fluency": "FLU"},
}
# Number, coefficient, aspects, and the only mutation that is shown, which is the paper's best for these aspects.
_TABLES = (
    (1, "spearman", "content/fact", "sentence-delete"),
    (2, "spearman", "linguistic", "word-delete"),
    (3, "spearman", "content/fact", ""),
    (4, "spearman", "linguistic", ""),
    (5, "pearson", "content/fact", ""),
    (6, "pearson", "linguistic", ""),
)
_OURS, _BASE, _UPPER = "Our approach", "Baselines", "Upper bounds"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: its group, the mutation where there is one, what it is, and its figures by aspect.

    `name` is the training set of a learned row, else the metric.
    """

    group: str
    mutation: str
    name: str
    figures: Mapping[str, Agreement]


def tables(
    data: RatedSet, learned: Mapping[str, Mapping[str, Sequence[float]]], others: Sequence[Scored], bootstrap: Bootstrap
) -> Iterator[PaperTable]:
    """The six tables: `learned` has the scores of all texts by training set and output, `others` are other metrics."""
    scored = [
        Scored(f"{PRINTED_AS.get(output, output)}, {name}", "metric", tuple(scores))
        for name, outputs in learned.items()
        for output, scores in outputs.items()
    ]
    by_coefficient = {name: _rows(data, [*scored, *others], name, bootstrap) for name in ("spearman", "pearson")}
    for number, coefficient, aspects, only in _TABLES:
        rows = [row for row in by_coefficient[coefficient] if not (only and row.mutation) or row.mutation == only]
        heads = _ASPECTS[aspects]
        yield PaperTable(
            number,
            f"{coefficient.capitalize()}'s correlation on {aspects} aspects{f', {only}' if only else ''}",
            ("", "mutation", "training set or metric", *heads.values()),
            (*(_cells(row, heads) for row in rows), *_summaries(rows, heads)),
        )


def _rows(data: RatedSet, scored: Sequence[Scored], coefficient: str, bootstrap: Bootstrap) -> list[Row]:
    """All rows: by mutation, as the paper has them, then baselines, then what needs references."""
    rows = []
    for row in evaluate_metrics(data, scored, MetaSettings("summary", coefficient, None, bootstrap)).rows:
        mutation, comma, learnt_from = row.system.partition(", ")
        group = _OURS if comma else _BASE if row.kind == "baseline" else _UPPER
        name = learnt_from or _WITH_REFERENCES.get(row.system, row.system)
        rows.append(Row(group, mutation if comma else "", name, agreements(row)))
    groups, mutations = (_OURS, _BASE, _UPPER), list(dict.fromkeys([*PRINTED_AS.values(), *(r.mutation for r in rows)]))
    return sorted(rows, key=lambda row: (groups.index(row.group), mutations.index(row.mutation)))


def _cells(row: Row, aspects: Iterable[str]) -> Cells:
    return row.group, row.mutation, row.name, *(_measured(row.figures[aspect]) for aspect in aspects)


def _summaries(rows: Sequence[Row], aspects: Iterable[str]) -> Iterator[Cells]:
    """How far the best learned row is above the best baseline, in %, and how far training sets differ, in points."""
    yield "Best over baseline best (%)", "", "", *(_percent(_above(rows, aspect)) for aspect in aspects)
    for mutation in dict.fromkeys(row.mutation for row in rows if row.mutation):
        of_mutation = [row for row in rows if row.mutation == mutation]
        spread = [_percent(_deviation(of_mutation, aspect)) for aspect in aspects]
        if any(spread):
            yield "Average absolute deviation (%)", mutation, "", *spread


def _values(rows: Iterable[Row], aspect: str) -> list[float]:
    """What is known of an aspect."""
    return [value for row in rows if not math.isnan(value := row.figures[aspect].value)]


def _above(rows: Sequence[Row], aspect: str) -> float:
    ours, base = (_values((row for row in rows if row.group == group), aspect) for group in (_OURS, _BASE))
    return 100 * (max(ours) / max(base) - 1) if ours and base else math.nan


def _deviation(rows: Sequence[Row], aspect: str) -> float:
    """The mean distance from the mean, times 100; NaN of fewer than two."""
    known = _values(rows, aspect)
    return 100 * fmean(abs(value - fmean(known)) for value in known) if len(known) > 1 else math.nan


def _measured(agreement: Agreement) -> str:
    if math.isnan(agreement.value):
        return "–"
    # Of one document there is none.
    interval = interval_of(agreement.value, agreement.samples).to_json()
    between = f" [{', '.join(map(_figure, interval))}]" if interval else ""
    return f"{_figure(agreement.value)}{between}"


def _figure(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1).replace("-", "−")


def _percent(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.1f}".replace("-", "−")


def _learned(data: RatedSet, given: Sequence[str]) -> dict[str, dict[str, tuple[float, ...]]]:
    """Scores of all texts by name and output, of what `--model` was given."""
    opened = {}
    for model in given:
        name, equals, folder = model.partition("=")
        if not equals or not name or name in opened:
            raise BadOption(f"--model {model!r}.", hint="Give SET=FOLDER, each SET once.")
        opened[name] = create_evaluator(folder, language=data.language or "en", task="summaries")
    pairs = [(row.source, row.text) for row in data.rows]
    scores = {}
    for name, evaluator in opened.items():
        print(f"scoring {name}", file=sys.stderr, flush=True)
        values = evaluator.judge(pairs)
        scores[name] = {output: tuple(values[:, column]) for column, output in enumerate(evaluator.outputs)}
    return scores


def _print(given: argparse.Namespace) -> None:
    data = load_rated("newsroom", given.data)
    learned = _learned(data, given.model)
    others = run_metrics(data, list(_WITH_REFERENCES))
    made = tables(data, learned, others, Bootstrap(given.samples, given.seed))
    print("\n".join(table.markdown() for table in made), end="")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and print the tables; returns the exit status."""
    parser = command_line("evaluating.tables", __doc__, data=True)
    parser.add_argument(
        "--model", action="append", required=True, metavar="SET=FOLDER", help="what it learnt from, and where it lies"
    )
    parser.add_argument("--samples", type=int, default=1000, help="of the bootstrap")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    given = parser.parse_args(arguments)
    return run_to_the_end("tables", lambda: _print(given))


if __name__ == "__main__":
    sys.exit(main())
