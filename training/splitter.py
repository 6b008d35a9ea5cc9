"""Train a splitter for English sentences and pack it: where to cut, what to drop, how to begin the second sentence.

    python -m training.splitter RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `splitter`. FOLDER/examples holds what was seen in the pairs, FOLDER/model the packed model,
with its card and checksums, which `rewrite split --model FOLDER/model` runs without torch; FOLDER/figures.json what it
is worth. A run that was stopped goes on with the same command.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rewrite.splitting.model import OPENERS
from rewrite.splitting.parsed_words import sentence_analyzer
from training.card import CardTexts
from training.command import make_model
from training.disk import make_once
from training.finetuning.trainer import Judge
from training.heads.encoder import head_of, open_encoder, pack_network, piece_reader
from training.heads.examples import read_examples, write_sides
from training.heads.options import SplitterOptions
from training.heads.step import Outcome, make_head, teach
from training.masked.corpora import HeldBack
from training.recipe import Run
from training.splitting.examples import Example, SplitBatches, count_openers, make_examples
from training.splitting.pairs import measured, measuring_texts, read_set

_TEXTS = CardTexts(
    task="splitting of English sentences",
    what=(
        "Says of an English sentence where it may be cut in two, which words go there, and how the second sentence "
        "begins. A small BERT in 8 bits with heads in numpy; `rewrite split` runs it."
    ),
    limits="It knows encyclopedic and news text best; a pronoun it puts in may be the wrong one (he for a woman).",
    measured="""\
On the dev pairs of its recipe (`python -m training.splitter RECIPE --out FOLDER`), losses in nats, shares of right
first guesses:""",
)


def splitter(run: Run, *, restart: bool = False) -> Path:
    """Train and pack the splitter of the run's recipe; returns the folder of the packed model.

    Raises what `make_head` raises, `BadInput` for a set that is not there, `BadModel` for a masked model that is not
    there or has too small a window.
    """
    return make_head(run, "splitter", _learn, _TEXTS, restart=restart, parser=sentence_analyzer().signature)


def _learn(options: SplitterOptions, run: Run, work: Path) -> Outcome:
    from training.splitting.network import SplitNetwork, measure

    encoder = open_encoder(options.encoder, run, work, "splitter")
    files = make_once(work / "examples", lambda folder: _prepare(options, run, encoder, folder))
    read = read_examples(Example, files / "train.jsonl")
    examples = [example for example in read for _ in range(_times(example, options))]
    openers = count_openers(examples, options.least)
    make = partial(SplitBatches, openers=openers, styles=options.sets, tokens=options.batch_tokens)
    learnt = make(examples, seed=run.recipe.seed, updates=options.steps)
    dev = make(read_examples(Example, files / "dev.jsonl"), seed=0)

    network = partial(SplitNetwork, encoder, len(openers), len(options.sets), options.dropout)
    judge = Judge(measure, dev, _total_loss, options.judge_every)
    taught, steps = teach(network, learnt, judge, options, seed=run.recipe.seed, folder=work / "checkpoints")
    figures = {"steps": steps, "examples": len(examples), "openers": len(openers), **measure(taught, dev)}
    return Outcome(figures, partial(_pack, taught, encoder, openers, run.recipe.name))


def _times(example: Example, options: SplitterOptions) -> int:
    """How often an epoch has an example."""
    return options.repeat.get(example.set_name, 1) if example.start else 1


def _total_loss(figures: Mapping[str, float]) -> float:
    """The losses of all heads together, of what `measure` gives."""
    return sum(value for name, value in figures.items() if name.startswith("loss"))


def _pack(network: Any, encoder: Path, openers: Sequence[tuple[str, ...]], name: str, folder: Path) -> None:
    heads = head_of(network)
    # Of the packed model the first set's style is left.
    heads["word.bias"] = heads["word.bias"] + heads.pop("style.weight")[0]
    pack_network(network, encoder, folder, name=name, head=heads)
    text = json.dumps([list(parts) for parts in openers], ensure_ascii=False)
    (folder / OPENERS).write_text(f"{text}\n", encoding="utf-8")


def _prepare(options: SplitterOptions, run: Run, encoder: Path, folder: Path) -> None:
    data = run.path("{data}")
    dev = (text for pair in read_set(options.dev, data) for text in pair.texts)
    held_back = measuring_texts(data, map(run.path, options.held_back), dev)
    make = partial(
        make_examples,
        data=data,
        tokens=piece_reader(encoder),
        seed=run.recipe.seed,
        whole=options.whole,
    )
    sides = {
        "dev": make([options.dev], held_back=HeldBack(measured(data))),
        "train": make(options.sets, held_back=held_back),
    }
    write_sides(sides, folder, lambda example: example.set_name + ("" if example.start else " whole"))


main = partial(make_model, "splitter", __doc__, splitter)


if __name__ == "__main__":
    sys.exit(main())
