"""Figures for a card: measured elsewhere, read from a file, never made up.

    {"figures": [{"name": "SARI", "on": "RSSE dev, 5 folds", "value": 38.9, "interval": [38.1, 39.7],
                  "baselines": {"source": 12.4, "edits": 37.6}, "command": "rewrite evaluate rsse …"}]}

Other keys beside `figures` are left alone. The step finetune writes a file of its own kind, with what `dev` gave.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rerank.errors import BadInput
from training.section import refusals

__all__ = ["Figure", "read_figures"]

_HINT = "A figure is {name, value, command}, with on, interval and baselines where there are any."
_FINETUNE = "python -m training.finetune RECIPE --out FOLDER"
_Number = Annotated[float, Field(allow_inf_nan=False)]


class Figure(BaseModel):
    """One measured figure: what it is, on which texts, the command that prints it, and baselines' on the same."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1)]
    value: _Number
    command: Annotated[str, Field(min_length=1)]
    on: str = ""
    interval: tuple[_Number, _Number] | None = None
    baselines: dict[str, _Number] = {}


def read_figures(path: Path) -> tuple[Figure, ...]:
    """The figures in a JSON file. Raises `BadInput` that names the file, and the figure that lacks something."""
    try:
        data: Any = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BadInput(f"Cannot read the figures {str(path)!r}: {error.strerror or error}.", hint=_HINT) from error
    except ValueError as error:
        raise BadInput(f"{path}: not JSON in UTF-8: {error}.", hint=_HINT) from None
    rows = data.get("figures") if isinstance(data, dict) else None
    if rows is None and isinstance(data, dict) and "steps" in data:
        rows = _rows_of_training(data.get("dev"))
    if not isinstance(rows, list):
        raise BadInput(f"{path}: it has no list of `figures`.", hint=_HINT)
    return tuple(_figure(row, number, path) for number, row in enumerate(rows, 1))


def _rows_of_training(dev: Any) -> list[dict[str, Any]]:
    """What the step finetune measured on its dev set; nothing where it had none."""
    if not isinstance(dev, dict) or dev.get("best") is None:
        return []
    # It is the best of several, so it flatters the model.
    on = "dev, which the step whose weights were kept was chosen by"
    if dev.get("metric") != "sari":
        return [{"name": "loss, nats a token", "on": on, "value": dev["best"], "command": _FINETUNE}]
    how = f"{dev.get('sources')} sources of {on}; {dev.get('n')} candidates, preset {dev.get('preset')}"
    baselines = dev.get("baselines") or {}
    return [{"name": "SARI", "on": how, "value": dev["best"], "baselines": baselines, "command": _FINETUNE}]


def _figure(row: Any, number: int, path: Path) -> Figure:
    try:
        return Figure.model_validate(row)
    except ValidationError as error:
        name = row.get("name") if isinstance(row, dict) else None
        problems = "; ".join(map(str, refusals(Figure, error)))
        raise BadInput(f"{path}, figure {number} ({name or 'without a name'}): {problems}.", hint=_HINT) from None
