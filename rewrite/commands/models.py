"""`rewrite models`: which models there are; `get` fetches one, `export` writes an adapter and its base as one."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rewrite.commands.flags import MaybeText, MaybeTexts, documented_exits
from rewrite.errors import EXIT_EPILOG

if TYPE_CHECKING:
    from rewrite.catalogue import Listed

# Lines that go to a file or a pipe need not be folded.
_WIDE = 200

models = typer.Typer(help="List the models that are bundled, cached and known on the hub; fetch or export one.")


@models.callback(invoke_without_command=True, epilog=EXIT_EPILOG)
def _list(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object with all of them.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Compare files with their checksums; name the first that differs.")
    ] = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    with documented_exits():
        from rewrite.batch import LineWriter
        from rewrite.store import check as compare
        from rewrite.store import listing

        items = listing()
        if check:
            count = compare(items)
            print(f"{count} files agree with their checksums.", file=sys.stderr)
        text = f"{json_module.dumps({'models': [_row(item) for item in items]}, ensure_ascii=False)}\n"
        LineWriter().write((text if json else _table(items)).encode("utf-8"))


@models.command("get", epilog=EXIT_EPILOG)
def _get(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="gemma-ru, a model of the hub (its name in the list, or MAKER/NAME), or a folder."
        ),
    ],
    to: Annotated[
        MaybeText, typer.Option("--to", metavar="FOLDER", help="Write the converted model there, not into the cache.")
    ] = None,
    engine: Annotated[
        MaybeTexts,
        typer.Option("-e", "--engine", metavar="NAME=VALUE", help="compute_type (int8 …) or allow_pickle, as for ct2."),
    ] = None,
) -> None:
    """Fetch a model, compare it with its checksums, convert it for CTranslate2."""
    with documented_exits():
        from rewrite.commands.flags import parse_settings
        from rewrite.engines.ct2 import Settings
        from rewrite.engines.registry import read_settings
        from rewrite.store import get_model

        settings = read_settings(Settings, "ct2", parse_settings(engine or ()))
        done = get_model(
            name,
            quantization=settings.compute_type,
            allow_pickle=settings.allow_pickle,
            to=Path(to).expanduser() if to is not None else None,
        )
        if done.checked:
            print(f"{done.checked} files agree with their checksums.", file=sys.stderr)
        print(done.folder)
        print(f"Run it: --generator {done.generator}" if done.generator else f"rewrite: {done.note}", file=sys.stderr)


@models.command("export", epilog=EXIT_EPILOG)
def _export(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An adapter (gemma-ru), or base-ru, base-en: the base without one.")
    ],
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Where to write it; new or empty.")],
    form: Annotated[
        str, typer.Option("--format", metavar="hf|ct2", help="hf: for transformers, vLLM and others; ct2: CTranslate2.")
    ] = "hf",
    base: Annotated[
        MaybeText,
        typer.Option("--base", metavar="FILE", help="A GGUF file of the base, not the installed package's."),
    ] = None,
) -> None:
    """Write an adapter and its base as one model that other tools load."""
    with documented_exits():
        from rewrite.base.adapted_models import export

        export(name, Path(folder).expanduser(), form=form, base=base)
        print(folder)


def _row(item: Listed) -> dict[str, Any]:
    return {
        "name": item.name,
        "hub": item.hub or None,
        "where": item.where,
        "bytes": item.size,
        "approximate": item.approximate,
        "what": item.what,
        "language": item.language,
        "parameters": None if item.parameters is None else round(item.parameters * 1e6),
        "licence": item.licence,
        "generator": item.generator or None,
        "folder": None if item.folder is None else str(item.folder),
    }


def _table(items: Sequence[Listed]) -> str:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("name", "where", "name on the hub", "language", "what"):
        table.add_column(head, overflow="fold")
    for head in ("parameters", "size"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("licence", overflow="fold")
    for item in items:
        size = f"{'≈ ' if item.approximate else ''}{_megabytes(item.size)}"
        count = "" if item.parameters is None else f"{item.parameters:,.{0 if item.parameters >= 10 else 1}f} M"
        licence = item.licence or ("see its card" if item.hub else "")
        table.add_row(item.name, item.where, item.hub, item.language, item.what, count, size, licence)
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else _WIDE)
    with console.capture() as capture:
        console.print(table)
    lines = (line.rstrip() for line in capture.get().splitlines())
    return "".join(f"{line}\n" for line in lines)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size < 100e6 else f"{size / 1e6:,.0f} MB"
