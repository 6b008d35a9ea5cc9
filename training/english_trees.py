"""Train a parser for English sentences on a small encoder and pack it: what does each word hang on?

    python -m training.english_trees RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `trees`. FOLDER/trees/examples holds the sentences of the treebanks; where the recipe asks
for plain text too, FOLDER/trees/teachers has the parsers that give it trees, and FOLDER/trees/silver these trees.
FOLDER/model is the packed parser, with its card and checksums, which runs without torch; FOLDER/figures.json says what
it is worth. A run that was stopped goes on with the same command.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rewrite.errors import BadInput
from training.command import make_model
from training.disk import FolderLock, write_folder
from training.encoders.encoder import open_encoder, window_of
from training.encoders.examples import write_counted
from training.encoders.run import made_of, write_outcome
from training.finetuning.base import require_trainer
from training.finetuning.identity import claim
from training.masked.vocabulary import CLS, SEP
from training.parsing.options import load_parser_recipe
from training.recipe import Run
from training.trees.card import PARSER_TEXTS
from training.trees.examples import Example, count_labels, read_examples, sides
from training.trees.learning import School, Tokens, tokens_of
from training.trees.options import TreesOptions
from training.trees.silver import silver

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
    work = run.out / "trees"
    encoder = open_encoder(options.encoder, run, work, "trees")
    if not (work / "examples").is_dir():
        write_folder(work / "examples", lambda folder: _prepare(options, run, folder))
    school, gold = _school(options, encoder, work / "examples")
    learnt, counts = gold, {}
    if options.silver is not None:
        more = silver(school, gold, options.silver, run, work)
        learnt, counts = [*gold * options.silver.again, *more], {"silver sentences": len(more)}
    network, steps = school.teach(learnt, steps=options.steps, seed=run.recipe.seed, folder=work / "checkpoints")
    figures = {"steps": steps, "sentences": len(gold), **counts, **school.figures(network)}
    pack = partial(school.pack, network, name=run.recipe.name)
    write_outcome(run, "trees", options, figures, PARSER_TEXTS, pack)


def _school(options: TreesOptions, encoder: Path, folder: Path) -> tuple[School, list[Example]]:
    """What parsers learn with, and the sentences of the treebanks to learn from."""
    tokens = tokens_of(encoder)
    room = window_of(encoder) - len((CLS, SEP))
    found = {path.stem: _fitting(path, tokens, room) for path in folder.glob("*.jsonl")}
    for name, examples in found.items():
        if not examples:
            raise BadInput(f"{options.treebanks}: no sentences in {name}.", hint="Are all in dev or test?")
    gold = found.pop("train")
    labels = count_labels(gold, options.least)
    if not labels.features:
        raise BadInput(f"trees.least is {options.least}: no features are seen so often.", hint="Lower it.")
    return School(
        encoder, labels, tokens, {name: found[name] for name in ("dev", "test") if name in found}, options
    ), gold


def _prepare(options: TreesOptions, run: Run, folder: Path) -> None:
    for side, examples in sides(load_parser_recipe(options.treebanks), run.path).items():
        counts = write_counted(examples, folder / f"{side}.jsonl", lambda one: "sentences")
        print(f"{side}: {counts['sentences']:,} sentences", flush=True)


def _fitting(path: Path, tokens: Tokens, room: int) -> list[Example]:
    """The sentences in a file that a row of the encoder holds."""
    return [one for one in read_examples(path) if sum(len(tokens(word)) for word in one.words) <= room]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    return make_model("english_trees", __doc__, english_trees, arguments)


if __name__ == "__main__":
    sys.exit(main())
