"""What an evaluator learns from, as rows of a file: a source, a text, and what each output should say of it."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from training.evaluating.options import EvaluatorOptions
from training.evaluating.sets import HOLD_BACK, positives, rated
from training.held_back import HeldBack
from training.masked.corpora import held_back_texts
from training.negatives.pieces import cut
from training.negatives.sampling import Positive, examples
from training.recipe import Recipe, Run

__all__ = ["PeopleSay", "Taught", "read_taught", "taught_examples"]

PeopleSay = "people"
"""The kind of a text that people called good or bad."""
_ONE_IN = 1_000_000
_MOST_SENTENCES = 5
"""Of a text that is taken out of its source."""


@dataclass(frozen=True, slots=True)
class Taught:
    """A source, a text, and labels in [0, 1] by output; `kind` as in `Example`, `group` is that of the good text.

    An output without a label learns nothing from it.
    """

    source: str
    text: str
    labels: Mapping[str, float]
    kind: str
    group: int


def taught_examples(options: EvaluatorOptions, run: Run, side: str) -> Iterator[Taught]:
    """The examples of a recipe for the `side` train or dev, the same for the same recipe.

    A good text is on the side that its source is on, so no source is on both. Raises `BadInput`.
    """
    data, seed = run.path("{data}"), run.recipe.seed
    back = HeldBack(chain.from_iterable(held_back_texts(run.path(path)) for path in options.held_back))
    good = list(dict.fromkeys(_good(options, run, data, seed, back)))
    share = options.dev / max(1, len(good))
    on_side = [one for one in good if _is_dev(one.source, share) == (side == "dev")]
    random.Random(f"{seed} {side}").shuffle(on_side)
    numbers = count()
    yield from _labelled(on_side, options.outputs, options, run.recipe, numbers)
    for share in sorted(set(options.extracts.values())):
        outputs = {name: kinds for name, kinds in options.outputs.items() if options.extracts.get(name) == share}
        taken = list(_extracts(on_side, share, run.recipe))
        yield from _labelled(taken, outputs, options, run.recipe, numbers)
    if side == "train":
        yield from _rated(options, data, back)


def _good(options: EvaluatorOptions, run: Run, data: Path, seed: int, back: HeldBack) -> Iterator[Positive]:
    for name, most in options.positives.items():
        for one in positives(name, data, run.path, most, seed):
            if name not in HOLD_BACK and (one.source in back or one.text in back):
                continue
            yield one
            if _draw("copy", one.source) < options.copies:
                yield Positive(one.source, one.source)


def _extracts(good: Sequence[Positive], share: float, recipe: Recipe) -> Iterator[Positive]:
    """Sentences in a row of a share of the sources: texts that read well whatever they leave out."""
    for source in dict.fromkeys(one.source for one in good):
        if _draw("extract", source) >= share:
            continue
        sentences = cut(source, "sentence", language=recipe.language)
        rng = random.Random(f"{recipe.seed} extract {source}")
        length = rng.randint(1, min(_MOST_SENTENCES, len(sentences)))
        first = rng.randint(0, len(sentences) - length)
        yield Positive(source, sentences.of(sentences.pieces[first : first + length]).text)


def _labelled(
    good: Sequence[Positive],
    outputs: Mapping[str, Sequence[str]],
    options: EvaluatorOptions,
    recipe: Recipe,
    numbers: Iterator[int],
) -> Iterator[Taught]:
    """Good texts and their mutations, for `outputs` with their kinds; `numbers` are those of the groups."""
    kinds = [kind for kind in options.kinds if any(kind in own for own in outputs.values())]
    group = -1
    for one in examples(good, kinds, negatives=options.negatives, language=recipe.language, seed=recipe.seed):
        if not one.kind:
            group = next(numbers)
        labels = {
            output: float(not one.kind) if output in options.binary else one.label
            for output, own in outputs.items()
            if not one.kind or one.kind in own
        }
        alone = {
            output: label for output, label in labels.items() if _draw(output, one.text) < options.alone.get(output, 0)
        }
        if alone:
            # What is told of a text alone is learnt where there is nothing else to go by.
            yield Taught("", one.text, alone, one.kind, group)
            labels = {output: label for output, label in labels.items() if output not in alone}
        if labels:
            yield Taught(one.source, one.text, labels, one.kind, group)


def _rated(options: EvaluatorOptions, data: Path, back: HeldBack) -> Iterator[Taught]:
    for name, output in options.rated.items():
        for number, (text, good) in enumerate(rated(name, data)):
            if text not in back:
                yield Taught("", text, {output: float(good)}, PeopleSay, -1 - number)


def _is_dev(source: str, share: float) -> bool:
    return _draw("dev", source) < share


def _draw(what: str, text: str) -> float:
    """A number in [0, 1) that is the same for the same text."""
    return zlib.crc32(f"{what} {text}".encode()) % _ONE_IN / _ONE_IN


def read_taught(path: Path) -> Iterator[Taught]:
    """The examples in a file of `training.encoders.examples.write_counted`."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield Taught(**json.loads(line))


def groups(found: Iterable[Taught]) -> dict[int, list[int]]:
    """Numbers of examples by their good text."""
    by_group: dict[int, list[int]] = {}
    for number, one in enumerate(found):
        by_group.setdefault(one.group, []).append(number)
    return by_group
