"""Train a parser for English sentences on a small encoder and pack it: what does each word hang on?

    python -m training.english_trees RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `trees`. FOLDER/trees/examples holds the sentences of the treebanks, FOLDER/model the packed
parser, with its card and checksums, which runs without torch; FOLDER/figures.json what it is worth. A run that was
stopped goes on with the same command.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rerank.english.trees import LABELS
from rewrite.errors import BadInput
from training.command import make_model
from training.disk import FolderLock, write_folder
from training.encoders.encoder import open_encoder, read_tokenizer, window_of
from training.encoders.examples import write_counted
from training.encoders.judge import DevJudge
from training.encoders.packing import head_of, pack_network
from training.encoders.run import learn, made_of, write_outcome
from training.finetuning.base import require_trainer
from training.finetuning.identity import claim
from training.masked.vocabulary import CLS, SEP
from training.parsing.options import load_parser_recipe
from training.recipe import Run
from training.trees.batches import TreeBatches
from training.trees.card import PARSER_TEXTS
from training.trees.examples import Example, count_labels, read_examples, sides
from training.trees.measure import measure, missed
from training.trees.network import new_network
from training.trees.options import TreesOptions

__all__ = ["english_trees", "main"]


def english_trees(run: Run, *, restart: bool = False) -> Path:
    """Train and pack the parser of the run's recipe; returns the folder of the packed model.

    Raises `BadInput` for a treebank that is not there, `BadModel` for a masked model that is not there or has too small
    a window, and for a parser that is too large when packed, `CannotWrite`, `MissingExtra`.
    """
    options = run.recipe.trees
    if options is None:
        raise BadInput(f"The recipe {run.recipe.name!r} has no section trees.", hint="See docs/english.md.")
    require_trainer()
    with FolderLock(run.out, ".trees.lock"):
        claim(run.out / "trees", made_of("trees", options, run.recipe.seed), restart=restart)
        _train(options, run)
    return run.out / "model"


def _train(options: TreesOptions, run: Run) -> None:
    import torch

    work, seed = run.out / "trees", run.recipe.seed
    encoder = open_encoder(options.encoder, run, work, "trees")
    if not (work / "examples").is_dir():
        write_folder(work / "examples", lambda folder: _prepare(options, run, folder))
    tokens = _tokens(encoder)
    room = window_of(encoder) - len((CLS, SEP))
    found = {path.stem: _fitting(path, tokens, room) for path in (work / "examples").glob("*.jsonl")}
    for name, examples in found.items():
        if not examples:
            raise BadInput(f"{options.treebanks}: no sentences in {name}.", hint="Are all in dev or test?")
    labels = count_labels(found["train"], options.least)
    if not labels.features:
        raise BadInput(f"trees.least is {options.least}: no features are seen so often.", hint="Lower it.")
    batches = TreeBatches(found["train"], labels, tokens, size=options.batch_tokens, seed=seed, updates=options.steps)
    held = {
        name: TreeBatches(found[name], labels, tokens, size=options.batch_tokens, seed=0)
        for name in ("dev", "test")
        if name in found
    }
    print(f"{len(batches.examples):,} sentences, {batches.batches_in_epoch:,} batches an epoch", flush=True)
    torch.manual_seed(seed)
    network = new_network(encoder, labels, options.dropout, options.heads_rate)
    judge = DevJudge(partial(measure, batches=held["dev"], labels=labels), missed, options.judge_every)
    steps = learn(network, batches, options, seed=seed, folder=work / "checkpoints", judge=judge)
    figures: dict[str, float] = {"steps": steps, "sentences": len(batches.examples)}
    for name, side in held.items():
        figures |= {f"{name} {key}": value for key, value in measure(network, side, labels).items()}

    def pack(folder: Path) -> None:
        pack_network(network, encoder, head_of(network), folder, name=run.recipe.name)
        (folder / LABELS).write_text(json.dumps(asdict(labels), indent=1) + "\n", encoding="utf-8")

    write_outcome(run, "trees", options, figures, PARSER_TEXTS, pack)


def _prepare(options: TreesOptions, run: Run, folder: Path) -> None:
    for side, examples in sides(load_parser_recipe(options.treebanks), run.path).items():
        counts = write_counted(examples, folder / f"{side}.jsonl", lambda one: "sentences")
        print(f"{side}: {counts['sentences']:,} sentences", flush=True)


def _tokens(encoder: Path) -> Callable[[str], Sequence[int]]:
    tokenizer: Any = read_tokenizer(encoder)

    def tokens(word: str) -> Sequence[int]:
        found: list[int] = tokenizer.encode(word, add_special_tokens=False).ids
        return found or (1,)

    return tokens


def _fitting(path: Path, tokens: Callable[[str], Sequence[int]], room: int) -> list[Example]:
    """The sentences in a file that a row of the encoder holds."""
    return [one for one in read_examples(path) if sum(len(tokens(word)) for word in one.words) <= room]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    return make_model("english_trees", __doc__, english_trees, arguments)


if __name__ == "__main__":
    sys.exit(main())
