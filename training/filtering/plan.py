"""What the step filter reads, asks of each pair and writes, and what would stop it; nothing is judged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rewrite.errors import RewriteError
from training.filtering.options import FilterOptions
from training.filtering.run import REPORT, REPORT_PAGE, Job, check_settings, limits
from training.filtering.state import PAIRS
from training.planning import Made, caught, file_problems, state
from training.recipe import Run

__all__ = ["plan", "problems", "written"]


def written(run: Run) -> tuple[Path, ...]:
    """What later steps may read."""
    return (run.out / PAIRS,)


def problems(options: FilterOptions, run: Run, made: Made) -> Iterator[RewriteError]:
    """What would stop the step."""
    for spec in options.pairs:
        yield from file_problems("filter.pairs", spec.path, run, made, spec=spec)
    yield from caught(lambda: check_settings(_job(options, run)))


def plan(options: FilterOptions, run: Run, made: Made) -> Iterator[str]:
    """Lines that say what is read, which pairs are kept and where they go. Raises as `check_settings`."""
    for spec in options.pairs:
        yield f"reads: {spec.path}, {state(spec.path, run, made, spec=spec)}"
    asked = ", ".join(f"{name} {limit}" for name, limit in limits(_job(options, run)))
    yield f"keeps: pairs of {run.recipe.language} with {asked}"
    yield f"gives up: above {options.bad_rows:.0%} of malformed rows"
    yield f"writes: {run.out / PAIRS}, {run.out / REPORT}, {run.out / REPORT_PAGE}"


def _job(options: FilterOptions, run: Run) -> Job:
    return Job(options, run.out, run.recipe.name, run.recipe.language, run.recipe.seed, run.path)
