"""`rewrite evaluate compression`: figures of any system's compressions, with baselines beside them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from rewrite.commands.exits import documented_exits
from rewrite.commands.outputs import named_outputs
from rewrite.commands.shared import Format, OutputFormat

if TYPE_CHECKING:
    from rewrite.evaluate.compression import CompressionSet

__all__ = ["compression"]


class References(Enum):
    """What several references of a source come to."""

    mean = "mean"
    best = "best"


class Match(Enum):
    """At what rate the baselines are."""

    corpus = "corpus"
    sentence = "sentence"


# Optional[...] rather than X | None: typer evaluates these on Python 3.10 as well.
def compression(
    outputs: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(
            metavar="[[NAME=]FILE]...",
            help="Outputs: one a line, source<TAB>output as .tsv, or JSONL with a text. None: baselines only.",
        ),
    ] = None,
    *,
    set: Annotated[str, typer.Option("--set", metavar="NAME", help="broadcast, newsroom, google, bnc or zh.")],
    data: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--data", metavar="PATH", help="The set's file or folder, or a data folder [REWRITE_DATA]."),
    ] = None,
    part: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--part", metavar="NAME", help="Of zh: train, dev (the default) or test."),
    ] = None,
    limit: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--limit", min=1, help="Only the first sources.", show_default=False),
    ] = None,
    references: Annotated[
        References, typer.Option("--references", help="F1 and ROUGE of several references: their mean, or the best.")
    ] = References.mean,
    match: Annotated[
        Match, typer.Option("--match", help="Baselines keep one rate of all sentences, or as much of each sentence.")
    ] = Match.corpus,
    characters: Annotated[bool, typer.Option("--characters", help="F1 and CR by characters, not words.")] = False,
    bleu: Annotated[bool, typer.Option("--bleu", help="BLEU-1 to 4 also where the language is not Chinese.")] = False,
    samples: Annotated[int, typer.Option("--samples", min=1, help="Bootstrap samples.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the bootstrap and of random drop.")] = 0,
    format: Format = OutputFormat.text,
) -> None:
    """F1, ROUGE, BLEU and compression ratio of outputs, beside unedited, drop-head, drop-tail and random baselines."""
    with documented_exits():
        from rewrite.commands.lines import jsonl_line
        from rewrite.evaluate.compression import CompressionSettings, evaluate_compression, load_set

        chosen = load_set(set, data, part=part, limit=limit)
        report = evaluate_compression(
            chosen,
            _systems(outputs or (), chosen),
            settings=CompressionSettings(
                references=references.value,
                match=match.value,
                characters=characters,
                bleu=bleu or None,
                samples=samples,
                seed=seed,
            ),
            progress=lambda name: print(f"scoring {name}", file=sys.stderr),
        )
        if format is OutputFormat.jsonl:
            print("\n".join(map(jsonl_line, report.to_json())))
        else:
            print(report.text())


def _systems(given: Sequence[str], data: CompressionSet) -> dict[str, list[str]]:
    """Outputs by name: `NAME=FILE`, or the file's name without its ending."""
    from rewrite.evaluate.compression import BASELINE_NAMES
    from rewrite.evaluate.outputs import load_outputs

    return named_outputs(given, lambda path: load_outputs(path, data.examples), BASELINE_NAMES)
