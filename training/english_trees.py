"""Train a parser for English sentences on a small encoder and pack it: what does each word hang on?

    python -m training.english_trees RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `trees`. FOLDER/trees/examples holds the sentences of the treebanks; where the recipe asks
for plain text too, FOLDER/trees/teachers has the parsers that give it trees, and FOLDER/trees/silver these trees.
FOLDER/model is the packed parser, with its card and checksums, which runs without torch; FOLDER/figures.json says what
it is worth. A run that was stopped goes on with the same command.

A parser that learns from both has seen far more words, and more kinds of text, than treebanks have (Kuncoro and others,
2016, teach one parser from many in this way).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from rerank.english import EnglishAnalyzer
from rerank.english.trees import LABELS, TreeModel
from rewrite.errors import BadInput
from training.card import CardTexts
from training.command import make_model
from training.disk import make_once
from training.finetuning.trainer import Judge
from training.heads.encoder import open_encoder, pack_network, piece_reader, window_of
from training.heads.examples import read_examples, write_sides
from training.heads.options import SilverOptions, TreesOptions
from training.heads.step import Outcome, make_head, section_of, teach
from training.masked.vocabulary import CLS, SEP
from training.parsing.examples import Example, Labels, TreeBatches, count_labels, example_of
from training.parsing.treebanks import sides
from training.recipe import Run, load_recipe
from training.splitting.pairs import measuring_texts, texts

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

_AT_ONCE = 256
_TOLD = 20 * _AT_ONCE
_FEWEST = 6
"""Words of a sentence: shorter ones teach little."""


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
        learnt, held = sides(treebanks, run.path)
        of_side = {"train": chain(*learnt), **held}
        write_sides({side: map(example_of, blocks) for side, blocks in of_side.items()}, folder, lambda _: "sentences")

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
    school = _School(encoder, labels, held, options)
    learnt, counts = gold, {}
    if options.silver is not None:
        more = _silver(school, gold, options.silver, run, work)
        learnt, counts = [*gold * options.silver.again, *more], {"silver sentences": len(more)}
    network, steps = school.teach(learnt, steps=options.steps, seed=run.recipe.seed, folder=work / "checkpoints")
    figures = {"steps": steps, "sentences": len(gold), **counts, **school.figures(network)}
    return Outcome(figures, partial(school.pack, network, name=run.recipe.name))


def _fitting(path: Path, encoder: Path) -> list[Example]:
    """The sentences in a file that a row of the encoder holds."""
    pieces, room = piece_reader(encoder), window_of(encoder) - len((CLS, SEP))
    return [example for example in read_examples(Example, path) if sum(map(len, map(pieces, example.words))) <= room]


@dataclass(frozen=True)
class _School:
    """What all parsers of a run share: the encoder that they begin with, labels, and the sentences to look at.

    `held` has the sentences of `dev` and, where the recipe has one, of `test`.
    """

    encoder: Path
    labels: Labels
    held: dict[str, list[Example]]
    options: TreesOptions

    def teach(self, examples: Sequence[Example], *, steps: int, seed: int, folder: Path) -> tuple[Any, int]:
        """A network that has learnt from `examples`, and how many steps it had; see `training.heads.step.teach`."""
        from training.parsing.network import TreeNetwork, measure

        options = self.options.model_copy(update={"steps": steps})
        make = partial(TreeNetwork, self.encoder, self.labels, options.dropout, options.heads_rate)
        judge = Judge(
            measure, self._batches(self.held["dev"]), lambda figures: 1 - figures["relations"], options.judge_every
        )
        learnt = self._batches(examples, seed=seed, updates=steps)
        return teach(make, learnt, judge, options, seed=seed, folder=folder)

    def figures(self, network: Any) -> dict[str, float]:
        """What `measure` says of a network on all held sentences, by side and name."""
        from training.parsing.network import measure

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


def _silver(school: _School, gold: Sequence[Example], options: SilverOptions, run: Run, work: Path) -> list[Example]:
    """Sentences with the trees that teachers find, which are made first; both are kept in the folder `work`.

    Nothing is read that has eight words in a row with the rows that splitters are measured or chosen by, with the dev
    and test sentences of the treebanks, or with the recipe's `held_back`.
    """

    def write(folder: Path) -> None:
        teachers = [_teacher(school, gold, options, run, work / "teachers", n) for n in range(options.teachers)]
        write_sides({"silver": _parsed(school, options, run, teachers)}, folder, lambda example: "sentences")

    return read_examples(Example, make_once(work / "silver", write) / "silver.jsonl")


def _teacher(
    school: _School, gold: Sequence[Example], options: SilverOptions, run: Run, folder: Path, number: int
) -> TreeModel:
    """A parser that learnt from the treebanks alone."""

    def write(draft: Path) -> None:
        checkpoints, seed = folder / str(number) / "checkpoints", run.recipe.seed + number
        network, _ = school.teach(gold, steps=options.steps, seed=seed, folder=checkpoints)
        school.pack(network, draft, name=f"teacher-{number}")

    return TreeModel(make_once(folder / str(number) / "model", write), threads=school.options.threads)


def _parsed(school: _School, options: SilverOptions, run: Run, teachers: Sequence[TreeModel]) -> Iterator[Example]:
    data = run.path("{data}")
    held = (" ".join(example.words) for side in school.held.values() for example in side)
    kept_back = measuring_texts(data, map(run.path, school.options.held_back), held)
    plain = (drawn.text for drawn in texts(options.pairs, options.paragraphs, data, kept_back, run.recipe.seed))
    analyzer = EnglishAnalyzer(cache_size=1)
    count = 0
    while batch := list(islice(plain, _AT_ONCE)):
        if count % _TOLD == 0 and count:
            print(f"{count:,} sentences parsed", flush=True)
        count += len(batch)
        sentences = [[token.text for token in analysis.tokens] for analysis in analyzer.analyze(batch)]
        for words, tree in zip(sentences, teachers[0].trees_with(teachers[1:], sentences), strict=True):
            if tree is not None and len(words) >= _FEWEST:
                features = tuple("|".join(map("=".join, of_word.items())) for of_word in tree.features)
                yield Example(tuple(words), tree.heads, tree.relations, tree.pos, features)


main = partial(make_model, "english_trees", __doc__, english_trees)


if __name__ == "__main__":
    sys.exit(main())
