"""`rewrite evaluate`: figures on a data set."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from rewrite.commands.evaluate_metrics import metrics
from rewrite.commands.evaluate_outputs import compression, of_set, split
from rewrite.commands.flags import with_options
from rewrite.errors import EXIT_EPILOG
from rewrite.request import STEPS, Options

if TYPE_CHECKING:
    from rewrite.result import Result

__all__ = ["evaluate"]

evaluate = typer.Typer(help="Measure quality on a data set.", no_args_is_help=True)


@evaluate.command("rsse", epilog=EXIT_EPILOG)
@with_options(skip=STEPS["choose"])
def rsse(
    *,
    data: Annotated[
        str, typer.Option("--data", metavar="FILE", help="RSSE as CSV with the columns INPUT:source and OUTPUT:output.")
    ],
    limit: Annotated[
        Optional[int],  # noqa: UP045  # typer on Python 3.10 reads this spelling
        typer.Option("--limit", min=1, help="Only the first sources.", show_default=False),
    ] = None,
    curve: Annotated[bool, typer.Option("--curve", help="SARI by number of candidates, up to -n.")] = False,
    ablation: Annotated[bool, typer.Option("--ablation", help="SARI with each component left out.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    options: Options,
) -> None:
    """SARI, changed facts, form and compression on RuSimpleSentEval, with baselines beside them."""
    from json import dumps

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
        counts=[count for count in COUNTS if options.n == "auto" or count <= options.n] if curve else (),
        ablate=ablation,
        limit=limit,
        analyzer=pipeline.analyzer,
    )
    print(dumps(report.to_json(), ensure_ascii=False) if json else report.text())
    if failed:
        print("".join(failed), end="", file=sys.stderr)
        raise typer.Exit(3)


evaluate.command("compression", epilog=EXIT_EPILOG)(compression)
evaluate.command("split", epilog=EXIT_EPILOG)(split)
evaluate.command("wikisplit", epilog=EXIT_EPILOG)(of_set("wikisplit"))
evaluate.command("websplit", epilog=EXIT_EPILOG)(of_set("websplit"))
evaluate.command("metrics", epilog=EXIT_EPILOG)(metrics)
