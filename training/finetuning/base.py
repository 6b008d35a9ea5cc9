"""The model that training starts from, and its tokenizer; what a run reads and is made of.

None of that may it write over, and a run of other parts in the same folder is told apart from the same one started
again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rerank.checkpoint import libraries, load_tokenizer, quietly, resolve, weight_files
from rerank.errors import MissingExtra
from rewrite.engines.base import Kind
from rewrite.engines.hf_text import ModelText
from rewrite.engines.model_folder import context_length, load_model, model_info, token_ids
from rewrite.errors import BadOption
from rewrite.prompting import Prompt
from training.disk import DIGITS, file_sha256, options_told
from training.finetuning.learning import FinetuneOptions
from training.finetuning.saving import ADAPTER_WEIGHTS
from training.recipe import Run


def require_trainer() -> None:
    """Raises `MissingExtra` where transformers' Trainer cannot run."""
    missing = [name for name in ("torch", "transformers", "accelerate") if find_spec(name) is None]
    if missing:
        raise MissingExtra(
            f"Training needs {' and '.join(missing)}, not installed.", hint="Run: pip install 'rewrite-rerank[train]'"
        )


@dataclass(frozen=True)
class Base:
    """A model before training. `folder` is where its files lie.

    `text` makes tokens of what it reads and writes; `prefix` are tokens that its answers begin with, such as a
    language's; `context` is how many tokens it takes.
    """

    name: str
    kind: Kind
    folder: Path
    tokenizer: Any
    text: ModelText
    prefix: tuple[int, ...]
    context: int
    allow_pickle: bool = False

    @property
    def pad(self) -> int:
        """What fills up rows."""
        return self.text.pad

    def load(self) -> Any:
        """The model, weights in 32 bits. Raises `BadModel` where its files are broken."""
        torch, _ = libraries()
        return load_model(
            self.folder, seq2seq=self.kind == "seq2seq", dtype=torch.float32, allow_pickle=self.allow_pickle
        )


def find_base(options: FinetuneOptions, run: Run) -> Base:
    """The model that the recipe names, fetched if need be, its weights not yet loaded.

    Raises `BadModel`, `ModelNotFound`, `BadOption` where it is not of the kind that the recipe says.
    """
    folder = resolve(str(model_path(options.model, run) or options.model), allow_pickle=options.allow_pickle)
    info = model_info(folder, options.model)
    if options.kind not in (None, info.kind):
        raise BadOption(
            f"finetune.kind is {options.kind}, but the model {info.name!r} is of kind {info.kind}.",
            hint="Leave kind out, or name another model.",
        )
    _, transformers = libraries()
    tokenizer = load_tokenizer(folder)
    config = transformers.AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
    generation = _generation(folder)
    seq2seq = info.kind == "seq2seq"
    ends = token_ids(info.name, "eos_token_id", generation, config)
    begin = next(iter(token_ids(info.name, "bos_token_id", tokenizer, generation, config)), None)
    return Base(
        name=info.name,
        kind=info.kind or "causal",
        folder=folder,
        tokenizer=tokenizer,
        text=ModelText(tokenizer, seq2seq=seq2seq, ends=ends, begin=begin),
        prefix=tuple(token_ids(info.name, "forced_bos_token_id", generation, config)) if seq2seq else (),
        context=context_length(config, tokenizer),
        allow_pickle=options.allow_pickle,
    )


def model_path(name: str, run: Run) -> Path | None:
    """Where the model that a recipe calls `name` lies, or should; `None` for a name on the hub."""
    # The hub's names have one slash at most.
    is_path = name.startswith(("{", "/", "~", ".")) or name.count("/") > 1 or Path(name).is_dir()
    return run.path(name) if is_path else None


def _generation(folder: Path) -> Any:
    _, transformers = libraries()
    if not (folder / "generation_config.json").is_file():
        return None
    with quietly():
        return transformers.GenerationConfig.from_pretrained(str(folder), local_files_only=True)


_WRITTEN = ("model", "adapter", "finetune", "figures.json")
# They change how often something is written, not what comes out.
FREE = {"save_every", "keep", "log_every", "allow_pickle"}
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
    made_of = options_told("finetune", options, free=FREE)
    made_of["seed"] = str(run.recipe.seed)
    # A shipped prompt may change with a release, so it is what it says that counts.
    made_of[f"prompt {prompt.name}"] = hashlib.sha256(prompt.model_dump_json().encode("utf-8")).hexdigest()[:DIGITS]
    files = {said: path for key, said, path in inputs(options, run) if key not in ("finetune.model", "finetune.prompt")}
    beside = (path for path in base.folder.iterdir() if path.suffix in _BESIDE_WEIGHTS and path.is_file())
    of_model = sorted({*weight_files(base.folder, allow_pickle=base.allow_pickle), *beside})
    files |= {f"{options.model}/{path.name}": path for path in of_model}
    return made_of | {f"file {name}": file_sha256(path)[:DIGITS] for name, path in files.items()}
