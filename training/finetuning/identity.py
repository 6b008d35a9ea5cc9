"""What a run is made of, so that another one in the same folder is told apart from the same one started again."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from rewrite.engines.checkpoint import weight_files
from rewrite.errors import BadInput, BadOption
from rewrite.prompting import Prompt
from training.disk import write_text
from training.finetuning.base import Base
from training.finetuning.inputs import inputs
from training.finetuning.options import FinetuneOptions
from training.recipe import Run
from training.section import Section

__all__ = ["claim", "differences", "identity", "options_told"]

_FILE = "run.json"
# They change how often something is written, not what comes out.
_FREE = {"save_every", "keep", "log_every", "million_parameters", "allow_pickle"}
_SHOWN = 3
# Begin the keys of what is told as changed or not, without its digest.
_DIGESTED = ("file ", "prompt ")
_BESIDE_WEIGHTS = ("*.json", "*.txt", "*.model", "*.spm", "*.jinja", "*.tiktoken")


def identity(options: FinetuneOptions, run: Run, base: Base, prompt: Prompt) -> dict[str, str]:
    """All that decides what comes out of the run, by key, as text: options, and digests of what it reads.

    Raises `BadInput` for a file that cannot be read.
    """
    found = options_told("finetune", options, free=_FREE)
    found["seed"] = str(run.recipe.seed)
    # A shipped prompt may change with a release, so it is what it says that counts.
    found[f"prompt {prompt.name}"] = _short(hashlib.sha256(prompt.model_dump_json().encode("utf-8")))
    return found | {f"file {name}": _digest(path) for name, path in _files(options, run, base)}


def options_told(section: str, options: Section, *, free: Set[str]) -> dict[str, str]:
    """What a section says, by key, as text; the keys `free` change nothing that comes out of the run."""
    told: dict[str, Any] = options.model_dump(mode="json", exclude=set(free))
    return {f"{section}.{key}": json.dumps(value, ensure_ascii=False) for key, value in told.items()}


def _files(options: FinetuneOptions, run: Run, base: Base) -> Iterator[tuple[str, Path]]:
    """What is read, by the name that the recipe has for it: folders may move from run to run."""
    for key, said, path in inputs(options, run):
        if key not in ("finetune.model", "finetune.prompt"):
            yield said, path
    found = {*weight_files(base.folder, allow_pickle=base.allow_pickle), *_beside_weights(base)}
    yield from ((f"{options.model}/{one.name}", one) for one in sorted(found))


def _beside_weights(base: Base) -> Iterator[Path]:
    # Each class of tokenizers has files of its own; beside these, all counts that is fetched of a model.
    patterns = (*_BESIDE_WEIGHTS, *getattr(base.tokenizer, "vocab_files_names", {}).values())
    return (path for pattern in patterns for path in base.folder.glob(pattern) if path.is_file())


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
    except OSError as error:
        raise BadInput(f"Cannot read {str(path)!r}: {error.strerror or error}.", hint="Check the path.") from error
    return _short(digest)


def _short(digest: Any) -> str:
    return str(digest.hexdigest())[:16]


def differences(there: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What differs, in words."""
    keys = [key for key in dict.fromkeys([*there, *now]) if there.get(key) != now.get(key)]
    return [
        _changed(key, there, now)
        if key.startswith(_DIGESTED)
        else f"{key} is {now.get(key, 'missing')}, was {there.get(key, 'missing')}"
        for key in keys
    ]


def _changed(key: str, there: Mapping[str, str], now: Mapping[str, str]) -> str:
    return f"{key} {'is gone' if key not in now else 'is new' if key not in there else 'has changed'}"


def claim(folder: Path, made_of: Mapping[str, str], *, restart: bool) -> None:
    """Take `folder` for this run; with `restart` an earlier one is removed.

    Raises `BadOption` where it is of another one, `BadInput` where that cannot be told, `CannotWrite`.
    """
    if restart:
        shutil.rmtree(folder, ignore_errors=True)
    file = folder / _FILE
    if file.is_file():
        found = differences(_read(file), made_of)
        if found:
            more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            raise BadOption(
                f"{folder} holds a run of another kind: {'; '.join(found[:_SHOWN])}{more}.",
                hint="Give another --out, or --restart to remove what is there.",
            )
        return
    write_text(file, json.dumps(made_of, ensure_ascii=False, indent=1))


def _read(file: Path) -> dict[str, str]:
    try:
        found = json.loads(file.read_bytes().decode("utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{file} cannot be read: {error}.", hint="Begin anew with --restart.") from error
    if not isinstance(found, dict):
        raise BadInput(f"{file} does not tell what the run is made of.", hint="Begin anew with --restart.")
    return found
