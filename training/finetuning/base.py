"""The model that training starts from, and its tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rerank.checkpoint import libraries, load_tokenizer, quietly
from rerank.errors import MissingExtra
from rewrite.engines.base import Kind
from rewrite.engines.checkpoint import context_length, load_model, model_info, resolve, token_ids
from rewrite.engines.hf_text import ModelText
from rewrite.errors import BadOption
from training.finetuning.options import FinetuneOptions
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
