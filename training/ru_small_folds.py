"""The models that cross-validate the small Russian generator: for each fold the recipe `ru-small` without it.

    python -m training.ru_small_folds --out runs/ru-small-folds --data DIR

Writes OUT/0/model to OUT/4/model. Where the recipe learns from `rsse.jsonl`, each learns from `rsse-without-K.jsonl`,
which `training.ru_small_pairs` puts beside it; so a model never saw the sources of its fold. These are looked for in
all that it learns from, and then listed in its folder (`held_out.json`): `training.weights` and `training.gain` let
it rewrite no others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rerank.errors import BadInput
from rewrite.datasets import Example, data_folder, load_rsse
from training.command import run_to_the_end
from training.edit_model import FOLDS, fold_of
from training.finetune import finetune
from training.held_back import HeldBack
from training.pairs import pairs_in
from training.recipe import Recipe, Run, load_recipe
from training.records import RowCount
from training.weighting.held_out import write_held_out

__all__ = ["check_unseen", "main", "sources_of_folds", "train_folds", "without_fold"]

_ALL = "rsse.jsonl"


def without_fold(recipe: Recipe, fold: int) -> Recipe:
    """The recipe with the pairs of one fold left out. Raises `BadInput` where it does not learn from `rsse.jsonl`."""
    options = recipe.finetune
    if options is None or not any(Path(file.path).name == _ALL for file in options.files):
        raise BadInput(f"The recipe {recipe.name!r} does not learn from {_ALL}.", hint="Take ru-small, or one like it.")
    files = tuple(
        file.model_copy(update={"path": str(Path(file.path).with_name(f"rsse-without-{fold}.jsonl"))})
        if Path(file.path).name == _ALL
        else file
        for file in options.files
    )
    own = options.model_copy(update={"pairs": files})
    return recipe.model_copy(update={"name": f"{recipe.name}-{fold}", "finetune": own})


def sources_of_folds(examples: Sequence[Example]) -> list[list[str]]:
    """The sources of each fold, as `training.ru_small_pairs` takes them."""
    folds = fold_of(len(examples))
    return [[examples[i].source for i in np.flatnonzero(folds == fold).tolist()] for fold in range(FOLDS)]


def check_unseen(run: Run, sources: Sequence[str]) -> None:
    """See that no pair which the run learns from holds one of `sources`. Raises `BadInput` that names the first."""
    options = run.recipe.finetune
    held_out = HeldBack(sources)
    for file in options.files if options else ():
        path = run.path(file.path)
        for pair in pairs_in(path, file, RowCount()):
            seen = next((text for text in pair if text in held_out), None)
            if seen is not None:
                raise BadInput(
                    f"{path} holds {seen[:60]!r}, a source that {run.recipe.name} must not see.",
                    hint="Make the pairs again: python -m training.ru_small_pairs.",
                )


def train_folds(recipe: Recipe, out: Path, data: str | None) -> None:
    """Train the model of each fold, and list with it what it never saw.

    Raises `BadInput`, before anything is trained, where a fold's pairs hold its sources.
    """
    sources = sources_of_folds(load_rsse(data_folder(data) / "rsse" / "dev_sents.csv"))
    runs = [Run(without_fold(recipe, fold), out / str(fold), data) for fold in range(FOLDS)]
    for run, held_out in zip(runs, sources, strict=True):
        check_unseen(run, held_out)
    for fold, (run, held_out) in enumerate(zip(runs, sources, strict=True)):
        print(f"fold {fold} of {FOLDS}", flush=True)
        write_held_out(finetune(run), held_out, fold=fold)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and train; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", nargs="?", default="ru-small", help="default: ru-small")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    given = parser.parse_args(arguments)
    return run_to_the_end(
        "ru_small_folds",
        lambda: train_folds(load_recipe(given.recipe), given.out, given.data),
        stopped="stopped; the same command goes on",
    )


if __name__ == "__main__":
    sys.exit(main())
