"""What a run reads, and that none of it is what the run writes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from rewrite.errors import BadOption
from training.finetuning.base import model_path
from training.finetuning.lora import ADAPTER_WEIGHTS
from training.finetuning.options import FinetuneOptions
from training.recipe import Run

__all__ = ["inputs", "require_apart"]

_WRITTEN = ("model", "adapter", "finetune", "figures.json")


def inputs(options: FinetuneOptions, run: Run) -> Iterator[tuple[str, str, Path]]:
    """Key, what the recipe says there, and the path, of all files and folders that a run reads; some may be missing.

    A model of the hub, a shipped prompt and a shipped preset are none.
    """
    if (model := model_path(options, run)) is not None:
        yield "finetune.model", options.model, model
    if options.lora is not None and options.lora.start is not None:
        adapter = f"{options.lora.start}/{ADAPTER_WEIGHTS}"
        yield "finetune.lora.start", adapter, run.path(adapter)
    for file in options.files:
        yield "finetune.pairs", file.path, run.path(file.path)
    if options.dev is not None:
        yield "finetune.dev.path", options.dev.path, run.path(options.dev.path)
        if options.dev.metric == "sari" and Path(options.dev.preset).is_file():
            yield "finetune.dev.preset", options.dev.preset, Path(options.dev.preset)
    if options.prompt is not None and Path(options.prompt).is_file():
        yield "finetune.prompt", options.prompt, Path(options.prompt)


def _written(run: Run) -> list[Path]:
    """The files and folders that a run makes, or takes the place of."""
    return [run.out / name for name in _WRITTEN]


def require_apart(options: FinetuneOptions, run: Run) -> None:
    """Raises `BadOption` where a run would write over what it reads, links followed."""
    results = {Path(os.path.realpath(path)): path for path in _written(run)}
    for key, said, path in inputs(options, run):
        for place in map(Path, map(os.path.realpath, _with_files(path))):
            hit = next((result for result in (place, *place.parents) if result in results), None)
            if hit is not None:
                raise BadOption(
                    f"{key} is {said!r}, which the run would write over: its own {str(results[hit])!r} is there.",
                    hint="Give another --out, or copy what is to be read to another folder.",
                )


def _with_files(path: Path) -> list[Path]:
    # Of a folder that holds links, it is their ends that are read.
    return [path, *(path.iterdir() if path.is_dir() else ())]
