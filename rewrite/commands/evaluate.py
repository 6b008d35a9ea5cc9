"""`rewrite evaluate`: figures on a data set, of pipelines, of any system's outputs, and of metrics."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from rewrite.commands.flags import (
    Format,
    MaybeNumber,
    MaybeText,
    MaybeTexts,
    OutputFormat,
    documented_exits,
    with_options,
)
from rewrite.errors import EXIT_EPILOG, BadOption
from rewrite.request import Options, not_of
from rewrite.task_options import Step

if TYPE_CHECKING:
    from rewrite.evaluate.harness import HarnessReport, OutputScoring
    from rewrite.evaluate.meta.rated_scoring import MetaSettings
    from rewrite.evaluate.meta.rated_sets import RatedSet
    from rewrite.evaluate.sets import EvaluationSet
    from rewrite.result import Result

_SPLIT_SETS = ("wikisplit", "websplit", "minwiki", "desse", "bisect", "asset", "turk")


class _SetsAsCommands(TyperGroup):
    """`rewrite evaluate wikisplit` is `rewrite evaluate split --set wikisplit`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        return super().resolve_command(ctx, ["split", "--set", *args] if args[0] in _SPLIT_SETS else args)


evaluate = typer.Typer(
    cls=_SetsAsCommands,
    help=f"Measure quality on a data set. Sets for split are commands as well: {', '.join(_SPLIT_SETS)}.",
    no_args_is_help=True,
)


_Outputs = Annotated[
    MaybeTexts,
    typer.Argument(
        metavar="[[NAME=]FILE]...",
        help="Outputs: one a line, source<TAB>output as .tsv, or JSONL with a text. None: baselines only.",
    ),
]
_Data = Annotated[
    MaybeText, typer.Option("--data", metavar="PATH", help="The set's file or folder, or a data folder [REWRITE_DATA].")
]
_Limit = Annotated[MaybeNumber, typer.Option("--limit", min=1, help="Only the first sources.", show_default=False)]
_Samples = Annotated[int, typer.Option("--samples", min=1, help="Bootstrap samples.")]
_Seed = Annotated[int, typer.Option("--seed", min=0, help="Of the bootstrap.")]


@evaluate.command("rsse", epilog=EXIT_EPILOG)
@with_options(skip=not_of(~(Step.CHOOSE | Step.READ)))
def rsse(
    *,
    data: Annotated[
        str, typer.Option("--data", metavar="FILE", help="RSSE as CSV with the columns INPUT:source and OUTPUT:output.")
    ],
    limit: _Limit = None,
    curve: Annotated[bool, typer.Option("--curve", help="SARI by number of candidates, up to -n.")] = False,
    ablation: Annotated[bool, typer.Option("--ablation", help="SARI with each component left out.")] = False,
    format: Format = OutputFormat.text,
    options: Options,
) -> None:
    """SARI, changed facts, form and compression on RuSimpleSentEval, with baselines beside them."""
    from rewrite.commands.lines import complaints
    from rewrite.evaluate.rsse import COUNTS, evaluate_rsse
    from rewrite.pipeline import Pipeline

    pipeline = Pipeline(options)
    path = Path(data)
    failed: list[str] = []

    def run(texts: Sequence[str]) -> list[Result]:
        results = pipeline.run(texts)
        failed.extend(complaints(result) for result in results if any(s.error for s in result.sentences))
        return results

    report = evaluate_rsse(
        path / "rsse" / "dev_sents.csv" if path.is_dir() else path,
        reranker=run,
        name=f"{options.generator}, {options.chosen_preset}",
        counts=[count for count in COUNTS if count <= options.n] if curve else (),
        ablate=ablation,
        limit=limit,
        analyzer=pipeline.analyzer,
    )
    _print_report(report, format)
    if failed:
        print("".join(failed), end="", file=sys.stderr)
        raise typer.Exit(3)


def compression(
    outputs: _Outputs = None,
    *,
    set: Annotated[str, typer.Option("--set", metavar="NAME", help="broadcast, newsroom, google or zh.")],
    data: _Data = None,
    part: Annotated[
        MaybeText, typer.Option("--part", metavar="NAME", help="Of zh: train, dev (the default) or test.")
    ] = None,
    limit: _Limit = None,
    samples: _Samples = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the bootstrap and of random drop.")] = 0,
    format: Format = OutputFormat.text,
) -> None:
    """F1, ROUGE, BLEU and compression ratio of outputs, beside unedited, drop-head, drop-tail and random baselines."""
    with documented_exits():
        from rewrite.evaluate.compression_corpora import SETS
        from rewrite.evaluate.compression_scoring import BASELINE_NAMES, CompressionScoring
        from rewrite.evaluate.sets import load_set

        chosen = load_set(SETS, set, data, part=part, limit=limit)
        _evaluate(chosen, CompressionScoring, outputs or (), BASELINE_NAMES, samples, seed, format)


def split(
    outputs: _Outputs = None,
    *,
    set: Annotated[
        str,
        typer.Option(
            "--set",
            metavar="NAME",
            help=f"{', '.join(_SPLIT_SETS)} (the last two to simplify); `evaluate NAME` is the same.",
        ),
    ],
    data: _Data = None,
    part: Annotated[
        MaybeText, typer.Option("--part", metavar="NAME", help="Of the set: train, validation, test or what it has.")
    ] = None,
    rows: Annotated[
        MaybeText, typer.Option("--rows", metavar="A:B", help="Only sources A to B, counted from 1.")
    ] = None,
    limit: _Limit = None,
    samples: _Samples = 1000,
    seed: _Seed = 0,
    format: Format = OutputFormat.text,
) -> None:
    """BLEU, SARI, sentences, copied names and invented words of splits, beside the source itself and its halves."""
    with documented_exits():
        from rewrite.evaluate.sets import load_set
        from rewrite.evaluate.splitting_corpora import SETS
        from rewrite.evaluate.splitting_scoring import RESERVED, SplitScoring

        chosen = load_set(SETS, set, data, part=part, rows=_range(rows), limit=limit)
        _evaluate(chosen, SplitScoring, outputs or (), RESERVED, samples, seed, format)


def _range(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})", text)
    if match is None:
        raise BadOption(f"--rows got {text!r}.", hint="Write the first and the last, as in --rows 4001:5000.")
    return int(match[1]), int(match[2])


def _evaluate(
    data: EvaluationSet,
    prepare: Callable[[EvaluationSet], OutputScoring],
    outputs: Sequence[str],
    reserved: Sequence[str],
    samples: int,
    seed: int,
    format: OutputFormat,
) -> None:
    """Score the files of `outputs`, `NAME=FILE` or by the file's name without its ending, and print the report."""
    from rewrite.evaluate.harness import by_name, load_outputs
    from rewrite.evaluate.harness import evaluate as measure
    from rewrite.evaluate.resampling import Bootstrap

    systems = by_name(outputs, lambda path: load_outputs(path, data.examples), reserved)
    _print_report(measure(data, prepare, systems, bootstrap=Bootstrap(samples, seed), progress=_tell), format)


def _tell(name: str) -> None:
    """Say on standard error what is scored now."""
    print(f"scoring {name}", file=sys.stderr)


def _print_report(report: HarnessReport, format: OutputFormat) -> None:
    """Print the tables, or a line of JSON for each row."""
    if format is OutputFormat.jsonl:
        _print_rows(report.to_json())
    else:
        print(report.text())


def _print_rows(rows: Sequence[dict[str, Any]]) -> None:
    """Print each row as a line of JSON."""
    from rewrite.commands.lines import jsonl_line

    print("\n".join(map(jsonl_line, rows)))


_Scores = Annotated[
    MaybeTexts,
    typer.Argument(
        metavar="[[NAME=]FILE]...",
        help="Scores of other metrics: JSONL with a score for each text of the set, in the order of --rows.",
    ),
]
_RatedSet = Annotated[
    str,
    typer.Option(
        "--set", metavar="NAME", help="newsroom, qags-cnn, qags-xsum, simplicity-da, rucola, or summaries (a file)."
    ),
]
_Metrics = Annotated[
    MaybeTexts,
    typer.Option(
        "--metric",
        metavar="NAME[:PART]",
        help="A metric of `rewrite judge`, or a part of it: rouge1:R. May be repeated. None: baselines only.",
    ),
]
_Level = Annotated[
    MaybeText,
    typer.Option(
        "--level",
        metavar="NAME",
        help="summary (default), system, or pooled (default where most documents have one text or two).",
    ),
]
_Coefficient = Annotated[
    MaybeText,
    typer.Option(
        "--coefficient", metavar="NAME", help="spearman (default), pearson, kendall or auc (default for 0 and 1)."
    ),
]


def metrics(
    scores: _Scores = None,
    *,
    set: _RatedSet,
    data: _Data = None,
    metric: _Metrics = None,
    model: Annotated[MaybeText, typer.Option("--model", metavar="MODEL", help="For the metrics that take one.")] = None,
    aspect: Annotated[
        MaybeTexts, typer.Option("--aspect", metavar="NAME", help="Only this aspect of the ratings. May be repeated.")
    ] = None,
    level: _Level = None,
    coefficient: _Coefficient = None,
    against: Annotated[
        MaybeText,
        typer.Option("--against", metavar="NAME", help="Tell by how much the others agree better than this row."),
    ] = None,
    rows: Annotated[
        bool, typer.Option("--rows", help="Print the texts of the set as JSONL for `rewrite judge`, nothing else.")
    ] = False,
    samples: _Samples = 1000,
    seed: _Seed = 0,
    format: Format = OutputFormat.text,
) -> None:
    """Correlation of metrics with people's ratings of the same texts, beside baselines that know nothing of quality."""
    with documented_exits():
        from rewrite.evaluate.meta.rated_scoring import MetaSettings
        from rewrite.evaluate.meta.rated_sets import load_rated
        from rewrite.evaluate.resampling import Bootstrap

        chosen = load_rated(set, data, aspects=aspect or ())
        if rows:
            _print_rows([item.to_json() for item in chosen.items])
            return
        settings = MetaSettings(level, coefficient, against, Bootstrap(samples, seed))
        _print_report(_meta_report(chosen, metric or (), scores or (), settings, model=model), format)


def _meta_report(
    data: RatedSet, metrics: Sequence[str], files: Sequence[str], settings: MetaSettings, *, model: str | None
) -> HarnessReport:
    from rewrite.evaluate.harness import by_name
    from rewrite.evaluate.meta.rated_scoring import evaluate_metrics
    from rewrite.evaluate.meta.scores import BASELINES, Scored, baselines_of, load_scores, run_metrics

    given = by_name(files, lambda path: load_scores(path, data), (*BASELINES, *metrics))
    # What a wrong option would stop after all metrics have run is asked first.
    settings.check(data, [*baselines_of(data), *metrics, *given])
    scored = run_metrics(data, metrics, model=model, progress=_tell)
    scored += [Scored(name, "file", tuple(scores)) for name, scores in given.items()]
    return evaluate_metrics(data, scored, settings)


evaluate.command("compression", epilog=EXIT_EPILOG)(compression)
evaluate.command("split", epilog=EXIT_EPILOG)(split)
evaluate.command("metrics", epilog=EXIT_EPILOG)(metrics)
