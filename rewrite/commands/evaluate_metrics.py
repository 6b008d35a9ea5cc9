"""`rewrite evaluate metrics`: how far metrics agree with people's ratings, with trivial baselines beside them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from rewrite.commands.exits import documented_exits
from rewrite.commands.outputs import named_outputs
from rewrite.commands.shared import Format, OutputFormat

if TYPE_CHECKING:
    from rewrite.evaluate.meta import MetaSettings, RatedSet
    from rewrite.evaluate.meta.report import MetaReport

__all__ = ["metrics"]


# Optional[...] rather than X | None: typer evaluates these on Python 3.10 as well.
_Scores = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Argument(
        metavar="[[NAME=]FILE]...",
        help="Scores of other metrics: JSONL with a score for each text of the set, in the order of --rows.",
    ),
]
_Set = Annotated[
    str,
    typer.Option(
        "--set", metavar="NAME", help="newsroom, qags-cnn, qags-xsum, simplicity-da, rucola, or summaries (a file)."
    ),
]
_Data = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--data", metavar="PATH", help="The set's file or folder, or a data folder [REWRITE_DATA]."),
]
_Metrics = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--metric",
        metavar="NAME[:PART]",
        help="A metric of `rewrite judge`, or a part of it: rouge1:R. May be repeated. None: baselines only.",
    ),
]
_Model = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--model", metavar="MODEL", help="For the metrics that take one."),
]
_Aspects = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--aspect", metavar="NAME", help="Only this aspect of the ratings. May be repeated."),
]
_Level = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--level",
        metavar="NAME",
        help="summary (default), system, or pooled (default where most documents have one text or two).",
    ),
]
_Coefficient = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--coefficient", metavar="NAME", help="spearman (default), pearson, kendall or auc (default for 0 and 1)."
    ),
]
_Against = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--against", metavar="NAME", help="Tell by how much the others agree better than this row."),
]
_Rows = Annotated[
    bool, typer.Option("--rows", help="Print the texts of the set as JSONL for `rewrite judge`, nothing else.")
]


def metrics(
    scores: _Scores = None,
    *,
    set: _Set,
    data: _Data = None,
    metric: _Metrics = None,
    model: _Model = None,
    aspect: _Aspects = None,
    level: _Level = None,
    coefficient: _Coefficient = None,
    against: _Against = None,
    rows: _Rows = False,
    samples: Annotated[int, typer.Option("--samples", min=1, help="Bootstrap samples.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the bootstrap.")] = 0,
    format: Format = OutputFormat.text,
) -> None:
    """Correlation of metrics with people's ratings of the same texts, beside baselines that know nothing of quality."""
    with documented_exits():
        from rewrite.commands.lines import jsonl_line
        from rewrite.evaluate.meta import Bootstrap, MetaSettings, load_rated

        chosen = load_rated(set, data, aspects=aspect or ())
        if rows:
            print("\n".join(map(jsonl_line, _rows(chosen))))
            return
        settings = MetaSettings(level, coefficient, against, Bootstrap(samples, seed))
        report = _report(chosen, metric or (), scores or (), settings, model=model)
        print("\n".join(map(jsonl_line, report.to_json())) if format is OutputFormat.jsonl else report.text())


def _report(
    data: RatedSet, metrics: Sequence[str], files: Sequence[str], settings: MetaSettings, *, model: str | None
) -> MetaReport:
    from rewrite.evaluate.meta import Scored, baselines_of, evaluate_metrics, run_metrics

    given = _given(files, data, metrics)
    # What a wrong option would stop after all metrics have run is asked first.
    settings.check(data, [*baselines_of(data), *metrics, *given])
    scored = run_metrics(data, metrics, model=model, progress=lambda name: print(f"scoring {name}", file=sys.stderr))
    scored += [Scored(name, "file", tuple(found)) for name, found in given.items()]
    return evaluate_metrics(data, scored, settings)


def _rows(data: RatedSet) -> list[dict[str, Any]]:
    return [
        {
            "source": item.row.source,
            "text": item.row.text,
            "references": item.row.references,
            "document": item.document,
            "system": item.system,
            "ratings": dict(item.ratings),
        }
        for item in data.items
    ]


def _given(files: Sequence[str], data: RatedSet, metrics: Sequence[str]) -> dict[str, list[float]]:
    """Scores by name: `NAME=FILE`, or the file's name without its ending."""
    from rewrite.evaluate.meta import BASELINES, load_scores

    return named_outputs(files, lambda path: load_scores(path, data), (*BASELINES, *metrics))
