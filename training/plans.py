"""All steps of a recipe before the first is taken: what each would do, and what would stop it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewrite.errors import RewriteError
from training.exporting import plan as exporting
from training.filtering import plan as filtering
from training.finetuning import checks as finetuning
from training.finetuning.plan import plan as finetuning_lines
from training.planning import Made, all_in_one
from training.recipe import Run
from training.weighting import plan as weighting

__all__ = ["STEPS", "lines_of", "require_ready"]


@dataclass(frozen=True)
class _Step:
    """`lines` and `problems` take the section, the run and what steps before it make; `written` the run."""

    lines: Callable[[Any, Run, Made], Iterable[str]]
    problems: Callable[[Any, Run, Made], Iterable[RewriteError]]
    written: Callable[[Run], Iterable[Path]]


_STEPS = {
    "filter": _Step(filtering.plan, filtering.problems, filtering.written),
    "finetune": _Step(finetuning_lines, finetuning.problems, finetuning.written),
    "export": _Step(exporting.plan, exporting.problems, exporting.written),
    "weights": _Step(weighting.plan, weighting.problems, lambda run: ()),
}
STEPS = tuple(_STEPS)
"""In the order in which they are taken: each may read what those before it wrote."""


def _made(run: Run, steps: Sequence[str]) -> dict[Path, str]:
    return {Path(os.path.abspath(path)): step for step in steps for path in _STEPS[step].written(run)}


def lines_of(run: Run, steps: Sequence[str], step: str) -> Iterator[str]:
    """What `step` would do after those before it in `steps`; of what it cannot tell it says why."""
    before = steps[: steps.index(step)]
    try:
        yield from filter(None, _STEPS[step].lines(getattr(run.recipe, step), run, _made(run, before)))
    except RewriteError as error:
        yield f"cannot be planned: {error.message}"


def require_ready(run: Run, steps: Sequence[str]) -> None:
    """Raise all that would stop one of `steps`, as far as it can be known before the first: names, paths, columns.

    What the hub or a server has is not asked, and a file that a step before makes need not be there.
    """
    found: list[RewriteError] = []
    for place, step in enumerate(steps):
        found += _STEPS[step].problems(getattr(run.recipe, step), run, _made(run, steps[:place]))
    error = all_in_one(found)
    if error is not None:
        raise error
