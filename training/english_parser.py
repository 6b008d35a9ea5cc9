"""Train a small English tagger and parser on Universal Dependencies, measure it and pack it for `rerank.english`.

    python -m training.english_parser RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `parser`. Shipped are `en-open` (texts that allow any use) and `en-all` (all treebanks of the
data folder, for non-commercial use). FOLDER/parser gets what spaCy trains on and the states of the training,
FOLDER/model the packed pipeline, with its card and checksums. A training that is over is not done again; one that was
stopped begins anew.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from training.command import make_model
from training.heads.card import CardTexts
from training.heads.step import Outcome, make_head, make_once
from training.parsing.learning import measure, prepare, train
from training.parsing.options import ParserOptions
from training.recipe import Run

__all__ = ["english_parser", "main"]

_TEXTS = CardTexts(
    task="tagging and parsing English",
    what="""\
A spaCy pipeline for English: parts of speech and features, dependency parse and sentences in Universal Dependencies,
lemmas, and names of people, places and organisations. It has no word vectors. Load it:
`rerank.english.EnglishAnalyzer("FOLDER")` or `spacy.load("FOLDER")`.""",
    limits="A small model errs more in long sentences, in speech and where words are rare.",
    measured="""\
On the dev and test parts of its treebanks (`python -m training.english_parser RECIPE --out FOLDER`), none of whose
documents it has seen, from raw text, in %:""",
)


def english_parser(run: Run, *, restart: bool = False) -> Path:
    """Train, measure and pack the pipeline of the run's recipe; returns its folder.

    Raises what `make_head` raises, and `BadInput` for treebanks that are missing or broken.
    """
    return make_head(run, "parser", _learn, _TEXTS, restart=restart)


def _learn(options: ParserOptions, run: Run, work: Path) -> Outcome:
    import spacy

    corpus = make_once(work / "corpus", lambda folder: prepare(options, run.path, folder))
    states = make_once(work / "training", lambda folder: train(options, run.recipe.seed, corpus, folder))
    nlp = spacy.load(states / "model-best")
    figures = {
        f"{side} {name}": value
        for side in options.held
        for name, value in measure(nlp, corpus / f"{side}.spacy").items()
    }
    return Outcome(figures, partial(_pack, nlp, options, run.recipe.name))


def _pack(nlp: Any, options: ParserOptions, name: str, folder: Path) -> None:
    """Write the pipeline to a folder; nothing in it depends on when or where it was written."""
    from spacy.util import load_config

    nlp.meta.update(
        name=name.removeprefix("en-").replace("-", "_"),
        version=options.version,
        description=_TEXTS.what,
        license=options.licence,
        sources=[{"name": one.what, "license": one.licence} for one in options.train],
        performance={},
    )
    nlp.to_disk(folder)
    config = load_config(folder / "config.cfg")
    for part in ("train", "dev"):
        # A path of the training is of no use to anybody else.
        config["corpora"][part]["path"] = None
    config.to_disk(folder / "config.cfg")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    return make_model("english_parser", __doc__, english_parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
