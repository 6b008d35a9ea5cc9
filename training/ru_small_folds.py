"""The models that cross-validate the bundled Russian generator: for each fold the recipe `ru-small` without it.

    python -m training.ru_small_folds --out runs/ru-small-folds

Writes OUT/0/model to OUT/4/model. Where the recipe learns from `rsse.jsonl`, each learns from `rsse-without-K.jsonl`,
which `training.ru_small_pairs` puts beside it; so a model never saw the sources of its fold.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rerank.errors import BadInput
from training.command import run_to_the_end
from training.edit_model import FOLDS
from training.finetune import finetune
from training.recipe import Recipe, Run, load_recipe

__all__ = ["main", "without_fold"]

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


def _train(given: argparse.Namespace) -> None:
    recipe = load_recipe(given.recipe)
    for fold in range(FOLDS):
        print(f"fold {fold} of {FOLDS}", flush=True)
        finetune(Run(without_fold(recipe, fold), given.out / str(fold), given.data))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and train; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", nargs="?", default="ru-small", help="default: ru-small")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    given = parser.parse_args(arguments)
    return run_to_the_end("ru_small_folds", lambda: _train(given), stopped="stopped; the same command goes on")


if __name__ == "__main__":
    sys.exit(main())
