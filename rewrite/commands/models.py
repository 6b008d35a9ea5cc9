"""`rewrite models`: which models are here; `get` fetches one, `export` writes an adapter and its base as one."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rewrite.commands.flags import MaybeText, MaybeTexts, documented_exits
from rewrite.errors import EXIT_EPILOG

if TYPE_CHECKING:
    from rewrite.store import Listed

# Lines that go to a file or a pipe need not be folded.
_WIDE = 200

models = typer.Typer(help="List the models that are bundled and converted; fetch or export one.")


@models.callback(invoke_without_command=True, epilog=EXIT_EPILOG)
def _list(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object with all of them.")] = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    with documented_exits():
        from rewrite.batch import LineWriter
        from rewrite.store import listing

        items = listing()
        text = f"{json_module.dumps({'models': [asdict(item) for item in items]}, ensure_ascii=False, default=str)}\n"
        LineWriter().write((text if json else _table(items)).encode("utf-8"))


@models.command("get", epilog=EXIT_EPILOG)
def _get(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="gemma-ru, a model of the hub (MAKER/NAME), or a folder."),
    ],
    to: Annotated[
        MaybeText, typer.Option("--to", metavar="FOLDER", help="Write the converted model there, not into the cache.")
    ] = None,
    engine: Annotated[
        MaybeTexts,
        typer.Option("-e", "--engine", metavar="NAME=VALUE", help="compute_type (int8 …) or allow_pickle, as for ct2."),
    ] = None,
) -> None:
    """Fetch a model and convert it for CTranslate2."""
    with documented_exits():
        from rewrite.base.package import ADAPTERS, KNOWN
        from rewrite.commands.flags import parse_settings
        from rewrite.engines.ct2 import Settings
        from rewrite.engines.registry import read_settings
        from rewrite.store import get_model

        settings = read_settings(Settings, "ct2", parse_settings(engine or ()))
        target = Path(to).expanduser() if to is not None else None
        folder = get_model(name, quantization=settings.compute_type, allow_pickle=settings.allow_pickle, to=target)
        print(folder)
        # Others of ours judge, and write nothing.
        if name in ADAPTERS or name not in KNOWN:
            print(f"Run it: --generator ct2:{to or name}", file=sys.stderr)


@models.command("export", epilog=EXIT_EPILOG)
def _export(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An adapter (gemma-ru), or base-ru, base-en: the base without one.")
    ],
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Where to write it; new or empty.")],
) -> None:
    """Write an adapter and its base as one model that transformers, vLLM and others load."""
    with documented_exits():
        from rewrite.base.adapted_models import export

        export(name, Path(folder).expanduser())
        print(folder)


def _table(items: Sequence[Listed]) -> str:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("name", "where", "language", "what"):
        table.add_column(head, overflow="fold")
    for head in ("parameters", "size"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("licence", overflow="fold")
    for item in items:
        count = "" if item.parameters is None else f"{item.parameters / 1e6:,.1f} M"
        size = f"{item.size / 1e6:,.1f} MB"
        table.add_row(item.name, item.where, item.language, item.what, count, size, item.licence or "")
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else _WIDE)
    with console.capture() as capture:
        console.print(table)
    lines = (line.rstrip() for line in capture.get().splitlines())
    return "".join(f"{line}\n" for line in lines)
