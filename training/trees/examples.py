"""Sentences of treebanks, as a parser learns them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rewrite.errors import BadInput
from training.parsing.corpus import chosen
from training.parsing.options import ParserRecipe
from training.parsing.treebanks import Block, document_ids, read_blocks, unified

__all__ = ["Example", "Labels", "count_labels", "read_examples", "sides"]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence: of each word the head (−1 for the root), relation, part of speech and features as one text."""

    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    pos: tuple[str, ...]
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """All that a network may say of a word."""

    relations: tuple[str, ...]
    pos: tuple[str, ...]
    features: tuple[str, ...]


def sides(recipe: ParserRecipe, where: Callable[[str], Path]) -> dict[str, Iterator[Example]]:
    """The sentences of `train`, `dev` and, where the recipe has one, `test`; no document of these two is in `train`.

    Raises `BadInput` for files that are missing, empty or no CoNLL-U.
    """
    held = {name: where(path) for name, path in (("dev", recipe.dev), ("test", recipe.test)) if path}
    left_out = document_ids(list(held.values()))
    learnt = (_example(block) for treebank in recipe.train for block in chosen(treebank, where, left_out))
    return {"train": learnt, **{name: _of_file(path) for name, path in held.items()}}


def _of_file(path: Path) -> Iterator[Example]:
    found = list(map(_example, read_blocks(path)))
    if not found:
        raise BadInput(f"{path}: no sentences in it.")
    return iter(found)


def _example(block: Block) -> Example:
    """A sentence with the labels that treebanks share; words that are written together stand apart."""
    rows = [line.split("\t") for line in unified(block, names=False).split("\n")]
    rows = [row for row in rows if row[0].isdigit()]
    return Example(
        words=tuple(row[1] for row in rows),
        heads=tuple(int(row[6]) - 1 for row in rows),
        relations=tuple(row[7] for row in rows),
        pos=tuple(row[3] for row in rows),
        features=tuple("" if row[5] == "_" else row[5] for row in rows),
    )


def read_examples(path: Path) -> Iterator[Example]:
    """The examples in a file of `training.encoders.examples.write_counted`."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield Example(**{key: tuple(value) for key, value in json.loads(line).items()})


def count_labels(examples: Iterable[Example], least: int) -> Labels:
    """The labels of some sentences, sorted; of features those that so many words have."""
    relations: Counter[str] = Counter()
    pos: Counter[str] = Counter()
    features: Counter[str] = Counter()
    for one in examples:
        relations.update(one.relations)
        pos.update(one.pos)
        features.update(one.features)
    return Labels(_sorted(relations), _sorted(pos), _sorted(key for key, count in features.items() if count >= least))


def _sorted(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(labels))
