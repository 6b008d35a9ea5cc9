"""What a run reads, none of which it may write over, and what it is made of.

So another one in the same folder is told apart from the same one started again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from rerank.checkpoint import weight_files
from rewrite.errors import BadOption
from rewrite.prompting import Prompt
from training.disk import DIGITS, file_sha256, options_told
from training.finetuning.base import Base, model_path
from training.finetuning.options import FinetuneOptions
from training.finetuning.saving import ADAPTER_WEIGHTS
from training.recipe import Run

_WRITTEN = ("model", "adapter", "finetune", "figures.json")
# They change how often something is written, not what comes out.
_FREE = {"save_every", "keep", "log_every", "allow_pickle"}
_BESIDE_WEIGHTS = {".json", ".txt", ".model", ".spm", ".jinja", ".tiktoken"}


def inputs(options: FinetuneOptions, run: Run) -> Iterator[tuple[str, str, Path]]:
    """Key, what the recipe says there, and the path, of all files and folders that a run reads; some may be missing.

    A model of the hub and a shipped prompt are none.
    """
    if (model := model_path(options.model, run)) is not None:
        yield "finetune.model", options.model, model
    if options.lora is not None and options.lora.start is not None:
        adapter = f"{options.lora.start}/{ADAPTER_WEIGHTS}"
        yield "finetune.lora.start", adapter, run.path(adapter)
    for file in options.files:
        yield "finetune.pairs", file.path, run.path(file.path)
    if options.dev is not None:
        yield "finetune.dev.path", options.dev.path, run.path(options.dev.path)
    if options.prompt is not None and Path(options.prompt).is_file():
        yield "finetune.prompt", options.prompt, Path(options.prompt)


def require_apart(options: FinetuneOptions, run: Run) -> None:
    """Raises `BadOption` where a run would write over what it reads, links followed."""
    results = {Path(os.path.realpath(run.out / name)): run.out / name for name in _WRITTEN}
    for key, said, path in inputs(options, run):
        # Of a folder that holds links, it is their ends that are read.
        for read in (path, *(path.iterdir() if path.is_dir() else ())):
            place = Path(os.path.realpath(read))
            hit = next((results[outer] for outer in (place, *place.parents) if outer in results), None)
            if hit is not None:
                raise BadOption(
                    f"{key} is {said!r}, which the run would write over: its own {str(hit)!r} is there.",
                    hint="Give another --out, or copy what is to be read to another folder.",
                )


def identity(options: FinetuneOptions, run: Run, base: Base, prompt: Prompt) -> dict[str, str]:
    """All that decides what comes out of the run, by key, as text: options, and digests of what it reads.

    Files go by the names that the recipe has for them: folders may move from run to run. Raises `BadInput` for a file
    that cannot be read.
    """
    made_of = options_told("finetune", options, free=_FREE)
    made_of["seed"] = str(run.recipe.seed)
    # A shipped prompt may change with a release, so it is what it says that counts.
    made_of[f"prompt {prompt.name}"] = hashlib.sha256(prompt.model_dump_json().encode("utf-8")).hexdigest()[:DIGITS]
    files = {said: path for key, said, path in inputs(options, run) if key not in ("finetune.model", "finetune.prompt")}
    beside = (path for path in base.folder.iterdir() if path.suffix in _BESIDE_WEIGHTS and path.is_file())
    of_model = sorted({*weight_files(base.folder, allow_pickle=base.allow_pickle), *beside})
    files |= {f"{options.model}/{path.name}": path for path in of_model}
    return made_of | {f"file {name}": file_sha256(path)[:DIGITS] for name, path in files.items()}
