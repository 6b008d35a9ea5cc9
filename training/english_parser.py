"""Train a small English tagger and parser on Universal Dependencies, measure it and pack it for `rerank.english`.

    python -m training.english_parser RECIPE --out FOLDER [--data DIR] [--sentences N] [--steps N]

RECIPE is `en-open` (texts that allow any use), `en-all` (all treebanks of the data folder, for non-commercial use) or a
YAML file. `FOLDER/corpus` gets what spaCy trains on, `FOLDER/training` the states, `FOLDER/model` the packed pipeline.
A training that is over is not done again. `--sentences` and `--steps` are for a trial.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rewrite.datasets import data_folder
from training.command import run_to_the_end, step_parser
from training.disk import FolderLock
from training.parsing.learning import FIGURES, measure, prepare, train
from training.parsing.options import ParserRecipe, load_parser_recipe
from training.parsing.package import pack

__all__ = ["main", "make"]


def make(recipe: ParserRecipe, out: Path, *, data: str | None = None, limit: int | None = None) -> Path:
    """Prepare, train, measure and pack; returns the folder of the packed pipeline.

    Raises `BadInput` for treebanks that are missing or broken, `CannotWrite`.
    """

    def where(path: str) -> Path:
        if path.startswith("{data}"):
            return data_folder(data) / path.removeprefix("{data}").lstrip("/")
        return Path(path).expanduser()

    with FolderLock(out, ".lock"):
        corpus = out / "corpus"
        seen = prepare(recipe, where, corpus, limit=limit)
        for item in seen:
            _say(f"{item.treebank.what}: {item.sentences:,} sentences, {item.words:,} words ({item.treebank.licence})")
        progress = train(recipe, corpus, out / "training", say=_say)
        best = out / "training" / "best"
        sets = [name for name in ("dev", "test") if (corpus / f"{name}.spacy").is_file()]
        figures = {name: measure(best, corpus / f"{name}.spacy") for name in sets}
        target = out / "model"
        size = pack(best, target, recipe=recipe, seen=seen, figures=figures, progress=progress)
    for name, row in figures.items():
        shown = ", ".join(f"{label} {row[key]:.1f}" for key, label in FIGURES.items() if key in row)
        _say(f"{name}: {shown}; {row['words_per_second']:,.0f} words/s")
    _say(f"{target}: {size / 1e6:.1f} MB")
    return target


def _say(line: str) -> None:
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    parser = step_parser("english_parser", __doc__)
    parser.add_argument("--sentences", type=int, metavar="N", help="of each treebank, for a trial")
    parser.add_argument("--steps", type=int, metavar="N", help="instead of the recipe's, for a trial")
    given = parser.parse_args(arguments)

    def work() -> None:
        recipe = load_parser_recipe(given.recipe)
        if given.steps is not None:
            recipe = recipe.model_copy(update={"max_steps": given.steps, "eval_every": max(1, given.steps // 4)})
        make(recipe, given.out, data=given.data, limit=given.sentences)

    return run_to_the_end("english_parser", work)


if __name__ == "__main__":
    sys.exit(main())
