"""`rewrite evaluate split`: figures of any system's splits of complex sentences, with baselines beside them."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from rewrite.commands.exits import documented_exits
from rewrite.commands.outputs import named_outputs
from rewrite.commands.shared import Format, OutputFormat
from rewrite.errors import BadOption

if TYPE_CHECKING:
    from rewrite.evaluate.splitting import SplitSet

__all__ = ["of_set", "split"]


# Optional[...] rather than X | None: typer evaluates these on Python 3.10 as well.
def split(
    outputs: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(
            metavar="[[NAME=]FILE]...",
            help="Outputs: one a line, source<TAB>output as .tsv, or JSONL with a text. None: baselines only.",
        ),
    ] = None,
    *,
    set: Annotated[
        str,
        typer.Option("--set", metavar="NAME", help="wikisplit, websplit, minwiki, desse, bisect, hsplit or wikibm."),
    ],
    data: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--data", metavar="PATH", help="The set's file or folder, or a data folder [REWRITE_DATA]."),
    ] = None,
    part: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--part", metavar="NAME", help="Of the set: train, validation, test or what it has."),
    ] = None,
    rows: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--rows", metavar="A:B", help="Only sources A to B, counted from 1."),
    ] = None,
    limit: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--limit", min=1, help="Only the first sources.", show_default=False),
    ] = None,
    samples: Annotated[int, typer.Option("--samples", min=1, help="Bootstrap samples.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the bootstrap.")] = 0,
    format: Format = OutputFormat.text,
) -> None:
    """BLEU, SARI, sentences, copied names and invented words of splits, beside the source itself and its halves."""
    with documented_exits():
        from rewrite.commands.lines import jsonl_line
        from rewrite.evaluate.splitting import SplitSettings, evaluate_splitting, load_set

        chosen = load_set(set, data, part=part, rows=_range(rows), limit=limit)
        report = evaluate_splitting(
            chosen,
            _systems(outputs or (), chosen),
            settings=SplitSettings(samples=samples, seed=seed),
            progress=lambda name: print(f"scoring {name}", file=sys.stderr),
        )
        if format is OutputFormat.jsonl:
            print("\n".join(map(jsonl_line, report.to_json())))
        else:
            print(report.text())


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


def _systems(given: Sequence[str], data: SplitSet) -> dict[str, list[str]]:
    """Outputs by name: `NAME=FILE`, or the file's name without its ending."""
    from rewrite.evaluate.outputs import load_outputs
    from rewrite.evaluate.splitting import RESERVED

    return named_outputs(given, lambda path: load_outputs(path, data.examples), RESERVED)
