"""`rewrite evaluate metrics`: how far metrics agree with people's ratings, with trivial baselines beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from rewrite.commands.evaluate_outputs import Data, Samples, print_report, print_rows, tell
from rewrite.commands.exits import documented_exits
from rewrite.commands.shared import Format, OutputFormat

if TYPE_CHECKING:
    from rewrite.evaluate.meta import MetaReport, MetaSettings, RatedSet

__all__ = ["metrics"]


# Optional[...] rather than X | None: typer evaluates these on Python 3.10 as well.
def metrics(
    scores: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(
            metavar="[[NAME=]FILE]...",
            help="Scores of other metrics: JSONL with a score for each text of the set, in the order of --rows.",
        ),
    ] = None,
    *,
    set: Annotated[
        str,
        typer.Option(
            "--set", metavar="NAME", help="newsroom, qags-cnn, qags-xsum, simplicity-da, rucola, or summaries (a file)."
        ),
    ],
    data: Data = None,
    metric: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--metric",
            metavar="NAME[:PART]",
            help="A metric of `rewrite judge`, or a part of it: rouge1:R. May be repeated. None: baselines only.",
        ),
    ] = None,
    model: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--model", metavar="MODEL", help="For the metrics that take one."),
    ] = None,
    aspect: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--aspect", metavar="NAME", help="Only this aspect of the ratings. May be repeated."),
    ] = None,
    level: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--level",
            metavar="NAME",
            help="summary (default), system, or pooled (default where most documents have one text or two).",
        ),
    ] = None,
    coefficient: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--coefficient", metavar="NAME", help="spearman (default), pearson, kendall or auc (default for 0 and 1)."
        ),
    ] = None,
    against: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--against", metavar="NAME", help="Tell by how much the others agree better than this row."),
    ] = None,
    rows: Annotated[
        bool, typer.Option("--rows", help="Print the texts of the set as JSONL for `rewrite judge`, nothing else.")
    ] = False,
    samples: Samples = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the bootstrap.")] = 0,
    format: Format = OutputFormat.text,
) -> None:
    """Correlation of metrics with people's ratings of the same texts, beside baselines that know nothing of quality."""
    with documented_exits():
        from rewrite.evaluate.meta import Bootstrap, MetaSettings, load_rated

        chosen = load_rated(set, data, aspects=aspect or ())
        if rows:
            print_rows([item.to_json() for item in chosen.items])
            return
        settings = MetaSettings(level, coefficient, against, Bootstrap(samples, seed))
        report = _report(chosen, metric or (), scores or (), settings, model=model)
        print_report(report, format)


def _report(
    data: RatedSet, metrics: Sequence[str], files: Sequence[str], settings: MetaSettings, *, model: str | None
) -> MetaReport:
    from rewrite.evaluate.meta import BASELINES, Scored, baselines_of, evaluate_metrics, load_scores, run_metrics
    from rewrite.evaluate.outputs import by_name

    given = by_name(files, lambda path: load_scores(path, data), (*BASELINES, *metrics))
    # What a wrong option would stop after all metrics have run is asked first.
    settings.check(data, [*baselines_of(data), *metrics, *given])
    scored = run_metrics(data, metrics, model=model, progress=tell)
    scored += [Scored(name, "file", tuple(found)) for name, found in given.items()]
    return evaluate_metrics(data, scored, settings)
