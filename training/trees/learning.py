"""A parser learns from treebanks, and from sentences without trees to which several such parsers give theirs together.

A parser that learns from both has seen far more words, and more kinds of text, than treebanks have (Kuncoro and others,
2016, teach one parser from many in this way).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from rerank.english import EnglishAnalyzer, pipeline
from rerank.english.trees import LABELS, TreeModel
from training.heads.encoder import pack_network, piece_reader
from training.heads.examples import read_examples, write_sides
from training.heads.step import DevJudge, make_once, teach
from training.recipe import Run
from training.splitting.pairs import measuring_texts, texts
from training.trees.examples import Example, Labels, TreeBatches
from training.trees.network import measure, new_network
from training.trees.options import SilverOptions, TreesOptions

__all__ = ["School", "silver"]

_AT_ONCE = 256
_TOLD = 20 * _AT_ONCE
_FEWEST = 6
"""Words of a sentence: shorter ones teach little."""


@dataclass(frozen=True)
class School:
    """What all parsers of a run share: the encoder that they begin with, labels, and the sentences to look at.

    `held` has the sentences of `dev` and, where the recipe has one, of `test`.
    """

    encoder: Path
    labels: Labels
    held: dict[str, list[Example]]
    options: TreesOptions

    def teach(self, examples: Sequence[Example], *, steps: int, seed: int, folder: Path) -> tuple[Any, int]:
        """A network that has learnt from `examples`, and how many steps it had; see `training.heads.step.teach`."""
        options = self.options.model_copy(update={"steps": steps})
        make = partial(new_network, self.encoder, self.labels, options.dropout, options.heads_rate)
        look = partial(measure, batches=self._batches(self.held["dev"]))
        judge = DevJudge(look, lambda figures: 1 - figures["relations"], options.judge_every)
        learnt = self._batches(examples, seed=seed, updates=steps)
        return teach(make, learnt, judge, options, seed=seed, folder=folder)

    def figures(self, network: Any) -> dict[str, float]:
        """What `measure` says of a network on all held sentences, by side and name."""
        return {
            f"{side} {name}": share
            for side, examples in self.held.items()
            for name, share in measure(network, self._batches(examples)).items()
        }

    def pack(self, network: Any, folder: Path, *, name: str) -> None:
        """Write the packed parser to a folder."""
        pack_network(network, self.encoder, folder, name=name)
        (folder / LABELS).write_text(json.dumps(asdict(self.labels), indent=1) + "\n", encoding="utf-8")

    def _batches(self, examples: Sequence[Example], *, seed: int = 0, updates: int | None = None) -> TreeBatches:
        pieces, tokens = piece_reader(self.encoder), self.options.batch_tokens
        return TreeBatches(examples, self.labels, pieces, tokens=tokens, seed=seed, updates=updates)


def silver(school: School, gold: Sequence[Example], options: SilverOptions, run: Run, work: Path) -> list[Example]:
    """Sentences with the trees that teachers find, which are made first; both are kept in the folder `work`.

    Nothing is read that has eight words in a row with the rows that splitters are measured or chosen by, with the dev
    and test sentences of the treebanks, or with the recipe's `held_back`.
    """

    def write(folder: Path) -> None:
        teachers = [_teacher(school, gold, options, run, work / "teachers", n) for n in range(options.teachers)]
        write_sides({"silver": _parsed(school, options, run, teachers)}, folder, lambda example: "sentences")

    return list(read_examples(Example, make_once(work / "silver", write) / "silver.jsonl"))


def _teacher(
    school: School, gold: Sequence[Example], options: SilverOptions, run: Run, folder: Path, number: int
) -> TreeModel:
    """A parser that learnt from the treebanks alone."""

    def write(draft: Path) -> None:
        checkpoints, seed = folder / str(number) / "checkpoints", run.recipe.seed + number
        network, _ = school.teach(gold, steps=options.steps, seed=seed, folder=checkpoints)
        school.pack(network, draft, name=f"teacher-{number}")

    return TreeModel(make_once(folder / str(number) / "model", write), threads=school.options.threads)


def _parsed(school: School, options: SilverOptions, run: Run, teachers: Sequence[TreeModel]) -> Iterator[Example]:
    data = run.path("{data}")
    held = (" ".join(one.words) for side in school.held.values() for one in side)
    kept_back = measuring_texts(data, map(run.path, school.options.held_back), held)
    found = texts(options.pairs, options.paragraphs, data, kept_back, run.recipe.seed)
    # An installed pipeline has other words.
    analyzer = EnglishAnalyzer(pipeline.BUNDLED, cache_size=1)
    count = 0
    while batch := [text for text, _, _ in islice(found, _AT_ONCE)]:
        if count % _TOLD == 0 and count:
            print(f"{count:,} sentences parsed", flush=True)
        count += len(batch)
        sentences = [
            [token.text for sentence in analysis.sentences for token in sentence.tokens]
            for analysis in analyzer.analyze(batch)
        ]
        for words, tree in zip(sentences, teachers[0].trees_with(teachers[1:], sentences), strict=True):
            if tree is not None and len(words) >= _FEWEST:
                features = tuple("|".join(f"{key}={value}" for key, value in one.items()) for one in tree.features)
                yield Example(tuple(words), tree.heads, tree.relations, tree.pos, features)
