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
from training.heads.card import CardTexts
from training.heads.encoder import open_encoder, piece_reader, window_of
from training.heads.examples import read_examples, write_sides
from training.heads.step import Outcome, make_head, make_once, section_of
from training.masked.vocabulary import CLS, SEP
from training.recipe import Run, load_recipe
from training.trees.examples import Example, count_labels, sides
from training.trees.learning import School, silver
from training.trees.options import TreesOptions

__all__ = ["english_trees", "main"]

_TEXTS = CardTexts(
    task="parsing English sentences",
    what=(
        "Says of each word of an English sentence what it hangs on, with its relation, part of speech and features in "
        "Universal Dependencies. A small BERT in 8 bits with biaffine heads in numpy; `rewrite split` runs it."
    ),
    limits="It knows news, biographies, speeches and textbooks best; long sentences are parsed worst.",
    measured="""\
On the dev and test parts of its treebanks (`python -m training.english_trees RECIPE --out FOLDER`), with the words and
sentences that these have, shares of words: the right head (UAS) and the right head and relation, subtypes left out
(LAS), both without punctuation; the right part of speech, and all features right:""",
)


def english_trees(run: Run, *, restart: bool = False) -> Path:
    """Train and pack the parser of the run's recipe; returns the folder of the packed model.

    Raises what `make_head` raises, `BadInput` for a treebank that is not there, `BadModel` for a masked model that is
    not there or has too small a window.
    """
    return make_head(run, "trees", _learn, _TEXTS, restart=restart)


def _learn(options: TreesOptions, run: Run, work: Path) -> Outcome:
    encoder = open_encoder(options.encoder, run, work, "trees")

    def write(folder: Path) -> None:
        treebanks = section_of(Run(load_recipe(options.treebanks), run.out), "parser")
        write_sides(sides(treebanks, run.path), folder, lambda example: "sentences")

    files = make_once(work / "examples", write)
    written = [side for side in ("train", "dev", "test") if (files / f"{side}.jsonl").is_file()]
    held = {side: _fitting(files / f"{side}.jsonl", encoder) for side in written}
    for side, examples in held.items():
        if not examples:
            raise BadInput(f"{options.treebanks}: no sentences in {side}.", hint="Are all in dev or test?")
    gold = held.pop("train")
    labels = count_labels(gold, options.least)
    if not labels.features:
        raise BadInput(f"trees.least is {options.least}: no features are seen so often.", hint="Lower it.")
    school = School(encoder, labels, held, options)
    learnt, counts = gold, {}
    if options.silver is not None:
        more = silver(school, gold, options.silver, run, work)
        learnt, counts = [*gold * options.silver.again, *more], {"silver sentences": len(more)}
    network, steps = school.teach(learnt, steps=options.steps, seed=run.recipe.seed, folder=work / "checkpoints")
    figures = {"steps": steps, "sentences": len(gold), **counts, **school.figures(network)}
    return Outcome(figures, partial(school.pack, network, name=run.recipe.name))


def _fitting(path: Path, encoder: Path) -> list[Example]:
    """The sentences in a file that a row of the encoder holds."""
    pieces, room = piece_reader(encoder), window_of(encoder) - len((CLS, SEP))
    return [one for one in read_examples(Example, path) if sum(len(pieces(word)) for word in one.words) <= room]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    return make_model("english_trees", __doc__, english_trees, arguments)


if __name__ == "__main__":
    sys.exit(main())
