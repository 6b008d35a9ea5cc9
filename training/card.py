"""The card of a packed model: what it is, what it saw, what was measured; for people (README.md) and for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from rewrite.checksums import write_sums
from rewrite.declaration import Section

_NON_COMMERCIAL = re.compile(r"non-?commercial|\bNC\b", re.IGNORECASE)
_Text = Annotated[str, Field(min_length=1)]


class DataSet(Section):
    """A set of texts that the model has learnt from."""

    name: Annotated[_Text, Field(description="As its makers call it.")]
    licence: Annotated[
        str | None,
        Field(description="Its licence, as stated at its origin; where none is stated, `none stated`. Never left out."),
    ] = None
    used_for: Annotated[str, Field(description="Pre-training, fine-tuning, choice of weights …")] = ""
    origin: Annotated[str, Field(description="Where it is from: an address, or a reference.")] = ""


def require_licences(data: Sequence[DataSet]) -> None:
    """Raise `ValueError` with the names of those sets of which nobody says under what licence they are."""
    silent = [item.name for item in data if not (item.licence or "").strip()]
    if silent:
        raise ValueError(
            f"no licence line for {', '.join(map(repr, silent))} (write `none stated` where its origin states none)"
        )


class ExportOptions(Section):
    """The section `export` of a recipe: what the card of an adapter tells (python -m training.adapter)."""

    licence: Annotated[
        str,
        Field(
            pattern=r"^[a-z0-9][a-z0-9.+-]*$", description="Of the model, as the hub writes it: apache-2.0, mit, other."
        ),
    ]
    data: Annotated[tuple[DataSet, ...], Field(min_length=1, description="All sets of texts that the model saw.")]
    summary: Annotated[str, Field(description="What the model is, in a sentence or two.")] = ""
    limits: Annotated[tuple[_Text, ...], Field(description="What it does badly, a sentence each.")] = ()
    licence_name: Annotated[
        _Text | None, Field(description="What the licence is, where the hub knows it as other.")
    ] = None

    @model_validator(mode="after")
    def _licences_are_told(self) -> ExportOptions:
        require_licences(self.data)
        if self.licence == "other" and self.licence_name is None:
            raise ValueError("licence is other, so licence_name has to say which")
        return self


@dataclass(frozen=True, slots=True)
class CardTexts:
    """What a card says of every model of its kind: its task, what it is, what it does badly, what its figures are."""

    task: str
    what: str
    limits: str
    measured: str


def write_card(
    folder: Path,
    figures: Mapping[str, float],
    texts: CardTexts,
    *,
    name: str,
    language: str,
    licence: str,
    data: Sequence[DataSet],
    parser: str = "",
    limits: Sequence[str] = (),
    **more: Any,
) -> None:
    """Write README.md, card.json and the checksums to the folder of a packed model.

    `parser` is the signature of the parser whose trees the model reads, empty for one that reads none; `limits` are
    those of this model beside those of its kind. `more` stands in card.json alone, but for a `summary`.
    """
    sets = [item.model_dump(mode="json") for item in data]
    all_limits = [texts.limits, *limits, *filter(None, [non_commercial(data)])]
    card = {
        "name": name,
        "task": texts.task,
        "language": language,
        "licence": licence,
        "data": sets,
        "figures": dict(figures),
        "limits": all_limits,
        **more,
    } | ({"parser": parser} if parser else {})
    rows = "\n".join(f"| {key} | {round(value, 3):,} |" for key, value in figures.items())
    reads = f" It reads trees of {parser}." if parser else ""
    paragraphs = [
        "",
        texts.what,
        f"Licence: {licence}. {' '.join(all_limits)}{reads}",
        f"## What it has seen\n\n{_data_table(sets)}",
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


def write_files(folder: Path, card: Mapping[str, Any], paragraphs: Iterable[str]) -> None:
    """Write `card` to `folder` as card.json, and `paragraphs` below its name and summary as README.md."""
    text, data = folder / "README.md", folder / "card.json"
    data.write_bytes((json.dumps(card, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))
    front, *others = paragraphs
    parts = [front, f"# {card['name']}", card.get("summary", ""), *others]
    text.write_bytes(("\n\n".join(filter(None, parts)) + "\n").encode("utf-8"))


def _data_table(sets: Sequence[Mapping[str, Any]]) -> str:
    """The sets that a model saw, each with its licence, in Markdown."""
    rows = [(item["name"], item["used_for"], item["licence"], item["origin"]) for item in sets]
    return table(("data set", "used for", "licence as stated at its origin", "origin"), rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
