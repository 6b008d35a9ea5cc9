"""The card of a packed network, for people (README.md) and for programs (card.json), and the folder's checksums."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewrite.checksums import write_sums
from training.exporting.card import data_table, write_files
from training.exporting.options import DataSet
from training.recipe import Recipe

__all__ = ["CardTexts", "non_commercial", "write_card"]

_NON_COMMERCIAL = re.compile(r"non-?commercial|\bNC\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CardTexts:
    """What a card says of every network of its kind: its task, what it is, what it does badly, what its figures are."""

    task: str
    what: str
    limits: str
    measured: str


def write_card(
    folder: Path, recipe: Recipe, options: Any, figures: Mapping[str, float], texts: CardTexts, *, parser: str
) -> None:
    """Write README.md, card.json and the checksums to the folder of a packed network.

    `options` are the section that it was made by, with its `licence` and `data`. `parser` is the signature of the
    parser whose trees the network reads, empty for one that reads none.
    """
    data = [item.model_dump(mode="json") for item in options.data]
    limits = [texts.limits, *filter(None, [non_commercial(options.data)])]
    card = {
        "name": recipe.name,
        "task": texts.task,
        "language": recipe.language,
        "licence": options.licence,
        "data": data,
        "figures": dict(figures),
        "limits": limits,
    } | ({"parser": parser} if parser else {})
    rows = "\n".join(f"| {key} | {round(value, 3):,} |" for key, value in figures.items())
    reads = f" It reads trees of {parser}." if parser else ""
    paragraphs = [
        "",
        texts.what,
        f"Licence: {options.licence}. {' '.join(limits)}{reads}",
        f"## What it has seen\n\n{data_table(data)}",
        f"## Figures\n\n{texts.measured}\n\n| | |\n| --- | --- |\n{rows}",
    ]
    write_files(folder, card, paragraphs)
    write_sums(folder)


def non_commercial(data: Sequence[DataSet]) -> str:
    """Which sets are for non-commercial use by what is said of their licences; empty where none is."""
    names = [item.name for item in data if _NON_COMMERCIAL.search(item.licence or "")]
    if not names:
        return ""
    return (
        f"Non-commercial, wholly or in part, by what their origins state: {'; '.join(names)}. Who needs a model that "
        "has not seen them takes them out of the recipe and trains it again."
    )
