"""What a run is made of, so that another one in the same folder is told apart from the same one started again."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rewrite.engines.checkpoint import weight_files
from rewrite.errors import BadInput, BadOption
from training.disk import write_text
from training.finetuning.base import Base
from training.finetuning.options import FinetuneOptions
from training.recipe import Run

__all__ = ["claim", "differences", "identity"]

_FILE = "run.json"
# They change how often something is written, not what comes out.
_FREE = {"save_every", "keep", "log_every", "million_parameters", "allow_pickle"}
_SHOWN = 3


def identity(options: FinetuneOptions, run: Run, base: Base) -> dict[str, str]:
    """All that decides what comes out of the run, by key, as text: options, and digests of the files that it reads."""
    told: dict[str, Any] = options.model_dump(mode="json", exclude=_FREE)
    found = {f"finetune.{key}": json.dumps(value, ensure_ascii=False) for key, value in told.items()}
    found["seed"] = str(run.recipe.seed)
    return found | {f"file {name}": _digest(paths) for name, paths in _files(options, run, base).items()}


def _files(options: FinetuneOptions, run: Run, base: Base) -> dict[str, list[Path]]:
    """What is read, by the name that the recipe has for it."""
    found = {file.path: [run.path(file.path)] for file in options.files}
    if options.packed is not None:
        train = run.path(options.packed) / "train"
        found[options.packed] = [train / f"{name}.npy" for name in ("source", "target", "starts")]
    if base.folder is not None:
        weights = weight_files(base.folder, allow_pickle=base.allow_pickle)
        settings = ("config.json", "tokenizer.json", "generation_config.json")
        found[options.model or ""] = [*weights, *(p for name in settings if (p := base.folder / name).is_file())]
    if options.dev is not None:
        path = run.path(options.dev.path)
        found[options.dev.path] = sorted(path.glob("*.npy")) if path.is_dir() else [path]
    if options.prompt is not None and Path(options.prompt).is_file():
        found[options.prompt] = [Path(options.prompt)]
    return found


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        for block in _blocks(path):
            digest.update(block)
    return digest.hexdigest()[:16]


def _blocks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 22):
                yield block
    except OSError as error:
        raise BadInput(f"Cannot read {str(path)!r}: {error.strerror or error}.", hint="Check the path.") from error


def differences(there: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What differs, in words."""
    keys = [key for key in dict.fromkeys([*there, *now]) if there.get(key) != now.get(key)]
    return [
        f"{key} has changed"
        if key.startswith("file ")
        else f"{key} is {now.get(key, 'missing')}, was {there.get(key, 'missing')}"
        for key in keys
    ]


def claim(folder: Path, made_of: Mapping[str, str], *, restart: bool) -> None:
    """Take `folder` for this run. Raises `BadOption` where it is of another one; with `restart` that one is removed."""
    if restart:
        shutil.rmtree(folder, ignore_errors=True)
    file = folder / _FILE
    if file.is_file():
        found = differences(json.loads(file.read_text(encoding="utf-8")), made_of)
        if found:
            more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            raise BadOption(
                f"{folder} holds a run of another kind: {'; '.join(found[:_SHOWN])}{more}.",
                hint="Give another --out, or --restart to remove what is there.",
            )
        return
    write_text(file, json.dumps(made_of, ensure_ascii=False, indent=1))
