"""The card of a splitter, for people (README.md) and for programs (card.json), and the checksums of its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from rewrite.checksums import write_sums
from training.exporting.card import data_table
from training.splitting.options import SplitterOptions

__all__ = ["write_splitter_card"]

_WHAT = (
    "Says of an English sentence where it may be cut in two, which words go there, and how the second sentence begins. "
    "A small BERT in 8 bits with heads in numpy; `rewrite split` runs it."
)
_LIMITS = "It knows encyclopedic and news text best; a pronoun it puts in may be the wrong one (he for a woman)."


def write_splitter_card(folder: Path, name: str, options: SplitterOptions, figures: Mapping[str, float]) -> None:
    """Write README.md, card.json and the checksums to the folder of a packed splitter."""
    data = [item.model_dump(mode="json") for item in options.data]
    card = {
        "name": name,
        "task": "splitting of English sentences",
        "language": "en",
        "licence": options.licence,
        "data": data,
        "figures": dict(figures),
        "limits": [_LIMITS],
    }
    (folder / "card.json").write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    rows = "\n".join(f"| {key} | {round(value, 3):,} |" for key, value in figures.items())
    text = f"""# {name}

{_WHAT}

Licence: {options.licence}. {_LIMITS}

## What it has seen

{data_table(data)}

## Figures

On the dev pairs of its recipe (`python -m training.splitter RECIPE --out FOLDER`), losses in nats, shares of right
first guesses:

| | |
| --- | --- |
{rows}
"""
    (folder / "README.md").write_text(text, encoding="utf-8")
    write_sums(folder)
