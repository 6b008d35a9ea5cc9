"""What the step export reads and writes, and what would stop it; nothing is converted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rewrite.errors import BadOption, RewriteError
from rewrite.prompting import load_prompt
from rewrite.prompting.files import prompt_file
from training.exporting.agreement import bounds
from training.exporting.card import require_base
from training.exporting.options import ExportOptions
from training.exporting.package import require_free, target_of
from training.exporting.sources import remarks
from training.planning import Made, caught, file_problems, folder_problems, maker, state
from training.recipe import Run

__all__ = ["plan", "problems", "written"]

_MODEL = "Run the step finetune first, or name the folder in export.model."


def written(run: Run) -> tuple[Path, ...]:
    """What later steps may read."""
    return (target_of(run),)


def problems(options: ExportOptions, run: Run, made: Made) -> Iterator[RewriteError]:
    """What would stop the step, but for what the model itself turns out to be."""
    yield from folder_problems("export.model", options.model, run, made, hint=_MODEL)
    yield from caught(lambda: _check_prompt(options, run, made), key="export.prompt")
    if options.figures is not None:
        yield from file_problems("export.figures", options.figures, run, made)
    if options.verify.file is not None:
        yield from file_problems("export.verify.file", options.verify.file, run, made)
    yield from caught(lambda: require_base(run.recipe, options))
    yield from caught(lambda: require_free(run))


def _check_prompt(options: ExportOptions, run: Run, made: Made) -> None:
    model = run.path(options.model)
    if options.prompt is not None:
        place = prompt_file(options.prompt) or run.path(options.prompt)
        if not maker(place, made):
            # A name that is no file is looked up, and answered with those that there are.
            load_prompt(str(place) if place.exists() else options.prompt)
    elif model.is_dir() and not maker(model, made) and not (model / "prompt.yaml").is_file():
        raise BadOption(f"{model}: no prompt.yaml, and export.prompt names none.", hint="rewrite prompts lists them.")


def plan(options: ExportOptions, run: Run, made: Made) -> Iterator[str]:
    """Lines that say what is packed, how, with what card, and where it goes."""
    allowed = bounds(options.verify, options.quantization)
    yield f"reads: {options.model}, {state(options.model, run, made)}"
    yield f"prompt: {options.prompt or 'prompt.yaml of the model'}"
    figures = options.figures or "{out}/figures.json"
    yield f"figures: {figures}, {state(figures, run, made)}"
    yield f"packs: {options.quantization}" + (f", at most {options.max_mb:g} MB" if options.max_mb else "")
    yield f"asks of it: {allowed.same:.0%} of the texts the same, {allowed.gap:g} nats a token apart at most"
    yield f"card: {options.licence}; data: {', '.join(item.name for item in options.data)}"
    yield from (f"remark: {line}" for line in remarks(run.recipe, options))
    yield f"writes: {target_of(run)}"
