"""`rewrite evaluate compression` and `split`: figures of any system's outputs of a set, with baselines beside them."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from rewrite.commands.exits import documented_exits
from rewrite.commands.shared import Format, OutputFormat
from rewrite.errors import BadOption

if TYPE_CHECKING:
    from rewrite.evaluate.harness import HarnessReport, Scoring
    from rewrite.evaluate.meta import MetaReport
    from rewrite.evaluate.sets import EvaluationSet

__all__ = ["Data", "Samples", "compression", "of_set", "print_report", "print_rows", "split", "tell"]


class References(Enum):
    """What several references of a source come to."""

    mean = "mean"
    best = "best"


class Match(Enum):
    """At what rate the baselines are."""

    corpus = "corpus"
    sentence = "sentence"


# Optional[...] rather than X | None: typer evaluates these on Python 3.10 as well.
_Outputs = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Argument(
        metavar="[[NAME=]FILE]...",
        help="Outputs: one a line, source<TAB>output as .tsv, or JSONL with a text. None: baselines only.",
    ),
]
Data = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--data", metavar="PATH", help="The set's file or folder, or a data folder [REWRITE_DATA]."),
]
_Limit = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option("--limit", min=1, help="Only the first sources.", show_default=False),
]
Samples = Annotated[int, typer.Option("--samples", min=1, help="Bootstrap samples.")]


def compression(
    outputs: _Outputs = None,
    *,
    set: Annotated[str, typer.Option("--set", metavar="NAME", help="broadcast, newsroom, google, bnc or zh.")],
    data: Data = None,
    part: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--part", metavar="NAME", help="Of zh: train, dev (the default) or test."),
    ] = None,
    limit: _Limit = None,
    references: Annotated[
        References, typer.Option("--references", help="F1 and ROUGE of several references: their mean, or the best.")
    ] = References.mean,
    match: Annotated[
        Match, typer.Option("--match", help="Baselines keep one rate of all sentences, or as much of each sentence.")
    ] = Match.corpus,
    characters: Annotated[bool, typer.Option("--characters", help="F1 and CR by characters, not words.")] = False,
    bleu: Annotated[bool, typer.Option("--bleu", help="BLEU-1 to 4 also where the language is not Chinese.")] = False,
    samples: Samples = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the bootstrap and of random drop.")] = 0,
    format: Format = OutputFormat.text,
) -> None:
    """F1, ROUGE, BLEU and compression ratio of outputs, beside unedited, drop-head, drop-tail and random baselines."""
    with documented_exits():
        from rewrite.evaluate.compression.corpora import SETS
        from rewrite.evaluate.compression.scoring import BASELINE_NAMES, CompressionScoring, CompressionSettings
        from rewrite.evaluate.sets import load_set

        settings = CompressionSettings(references.value, match.value, characters, bleu or None)
        chosen = load_set(SETS, set, data, part=part, limit=limit)
        prepare = functools.partial(CompressionScoring, settings=settings)
        _evaluate(chosen, prepare, outputs or (), BASELINE_NAMES, samples, seed, format)


def split(
    outputs: _Outputs = None,
    *,
    set: Annotated[
        str,
        typer.Option("--set", metavar="NAME", help="wikisplit, websplit, minwiki, desse, bisect, hsplit or wikibm."),
    ],
    data: Data = None,
    part: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--part", metavar="NAME", help="Of the set: train, validation, test or what it has."),
    ] = None,
    rows: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--rows", metavar="A:B", help="Only sources A to B, counted from 1."),
    ] = None,
    limit: _Limit = None,
    samples: Samples = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the bootstrap.")] = 0,
    format: Format = OutputFormat.text,
) -> None:
    """BLEU, SARI, sentences, copied names and invented words of splits, beside the source itself and its halves."""
    with documented_exits():
        from rewrite.evaluate.sets import load_set
        from rewrite.evaluate.splitting.corpora import SETS
        from rewrite.evaluate.splitting.scoring import RESERVED, SplitScoring

        chosen = load_set(SETS, set, data, part=part, rows=_range(rows), limit=limit)
        _evaluate(chosen, SplitScoring, outputs or (), RESERVED, samples, seed, format)


def of_set(name: str) -> Callable[..., None]:
    """`split` as a command of its own for the set `name`."""

    @functools.wraps(split)
    def command(*arguments: Any, **options: Any) -> None:
        split(*arguments, set=name, **options)

    # Not typing.get_type_hints: on Python 3.10 it hides an Annotated that has a default of None from typer.
    kept = [one for one in inspect.signature(split, eval_str=True).parameters.values() if one.name != "set"]
    del command.__wrapped__  # typer would read the undecorated signature
    command.__signature__ = inspect.Signature(kept)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in kept}
    command.__doc__ = f"`rewrite evaluate split --set {name}`."
    return command


def _range(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})", text)
    if match is None:
        raise BadOption(f"--rows got {text!r}.", hint="Write the first and the last, as in --rows 4001:5000.")
    return int(match[1]), int(match[2])


def _evaluate(
    data: EvaluationSet,
    prepare: Callable[[EvaluationSet], Scoring],
    outputs: Sequence[str],
    reserved: Sequence[str],
    samples: int,
    seed: int,
    format: OutputFormat,
) -> None:
    """Score the files of `outputs`, `NAME=FILE` or by the file's name without its ending, and print the report."""
    from rewrite.evaluate.harness import evaluate
    from rewrite.evaluate.outputs import by_name, load_outputs
    from rewrite.evaluate.resampling import Bootstrap

    systems = by_name(outputs, lambda path: load_outputs(path, data.examples), reserved)
    print_report(evaluate(data, prepare, systems, bootstrap=Bootstrap(samples, seed), progress=tell), format)


def tell(name: str) -> None:
    """Say on standard error what is scored now."""
    print(f"scoring {name}", file=sys.stderr)


def print_report(report: HarnessReport | MetaReport, format: OutputFormat) -> None:
    """Print the tables, or a line of JSON for each row."""
    if format is OutputFormat.jsonl:
        print_rows(report.to_json())
    else:
        print(report.text())


def print_rows(rows: Sequence[dict[str, Any]]) -> None:
    """Print each row as a line of JSON."""
    from rewrite.commands.lines import jsonl_line

    print("\n".join(map(jsonl_line, rows)))
