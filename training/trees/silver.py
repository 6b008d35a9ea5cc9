"""Trees for sentences that have none: those that several parsers of treebanks find together.

A parser that learns from both has seen far more words, and more kinds of text, than treebanks have (Kuncoro and others,
2016, teach one parser from many in this way).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from rerank.english import EnglishAnalyzer, pipeline
from rerank.english.trees import Tree, TreeModel
from training.disk import write_folder
from training.encoders.examples import write_counted
from training.held_back import HeldBack, lines_in
from training.recipe import Run
from training.splitting.pairs import measured, read_set
from training.splitting.plain import texts
from training.trees.examples import Example, read_examples
from training.trees.learning import School
from training.trees.options import SilverOptions

__all__ = ["silver"]

_AT_ONCE = 256
_TOLD = 20 * _AT_ONCE
_FEWEST = 6
"""Words of a sentence: shorter ones teach little."""


def silver(school: School, gold: Sequence[Example], options: SilverOptions, run: Run, work: Path) -> list[Example]:
    """Sentences with the trees that teachers find, which are made first; both are kept in the folder `work`.

    Nothing is read that has eight words in a row with the rows that splitters are measured or chosen by, with the dev
    and test sentences of the treebanks, or with the recipe's `held_back`.
    """
    if not (work / "silver").is_dir():
        teachers = [_teacher(school, gold, options, run, work, number) for number in range(options.teachers)]
        write_folder(work / "silver", lambda folder: _write(_told(school, options, run, teachers), folder))
    return list(read_examples(work / "silver" / "silver.jsonl"))


def _teacher(
    school: School, gold: Sequence[Example], options: SilverOptions, run: Run, work: Path, number: int
) -> TreeModel:
    """A parser that learnt from the treebanks alone."""
    folder = work / "teachers" / str(number)
    if not (folder / "model").is_dir():
        seed = run.recipe.seed + number
        network, _ = school.teach(gold, steps=options.steps, seed=seed, folder=folder / "checkpoints")
        write_folder(folder / "model", lambda draft: school.pack(network, draft, name=f"teacher-{number}"))
    return TreeModel(folder / "model", threads=school.options.threads)


def _told(school: School, options: SilverOptions, run: Run, teachers: Sequence[TreeModel]) -> Iterator[Example]:
    data = run.path("{data}")
    dev = (text for pair in read_set("wikisplit-dev", data) for text in pair.texts)
    files = lines_in(map(run.path, school.options.held_back))
    held = (" ".join(one.words) for side in school.held.values() for one in side)
    kept = HeldBack(chain(measured(data), dev, files, held))
    found = texts(options.pairs, options.paragraphs, data, kept, run.recipe.seed)
    # An installed pipeline has other words.
    analyzer = EnglishAnalyzer(pipeline.BUNDLED, cache_size=1)
    count = 0
    while batch := [text for text, _, _ in islice(found, _AT_ONCE)]:
        if count % _TOLD == 0 and count:
            print(f"{count:,} sentences parsed", flush=True)
        count += len(batch)
        told = [
            [token.text for one in analysis.sentences for token in one.tokens] for analysis in analyzer.analyze(batch)
        ]
        for words, tree in zip(told, teachers[0].trees_with(teachers[1:], told), strict=True):
            if tree is not None and len(words) >= _FEWEST:
                yield _example(words, tree)


def _example(words: Sequence[str], tree: Tree) -> Example:
    features = tuple("|".join(f"{key}={value}" for key, value in one.items()) for one in tree.features)
    return Example(tuple(words), tree.heads, tree.relations, tree.pos, features)


def _write(examples: Iterator[Example], folder: Path) -> None:
    counts = write_counted(examples, folder / "silver.jsonl", lambda one: "sentences")
    print(f"silver: {counts['sentences']:,} sentences", flush=True)
