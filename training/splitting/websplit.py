"""Pairs for a splitter from a WebSplit benchmark: complex sentences with those rephrasings that keep their words.

A rephrasing of WebSplit is written from the triples by somebody who has not seen the complex sentence, so most of them
say it in other words, of which an edit model can learn nothing. Of many that are drawn, the likest are taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from training.heads.options import Count, Name, Share
from training.papers.websplit.benchmark import ComplexSentence, WebSplit, load_benchmark, load_sentences
from training.section import Section
from training.splitting.pairs import Pair

__all__ = ["SIDES", "WebSplitOptions", "in_source_order", "likeness", "read_websplit"]

SIDES = {"websplit": "train", "websplit-dev": "dev"}
"""The sets that a recipe may name, and the side of the benchmark that each is. The test side is never read."""

_WORD = re.compile(r"\w+")


class WebSplitOptions(Section):
    """The section `splitter.websplit` of a recipe."""

    benchmark: Name
    """The folder that `python -m training.papers.websplit build` has written."""
    protocol: Literal["paper", "leak-free"] = "leak-free"
    drawn: Count = 40
    """Rephrasings that are drawn of each complex sentence, at most."""
    rephrasings: Count = 2
    """Of these, the likest to the complex sentence: so many, by different partitions."""
    least: Share = 0.7
    """Likeness that a rephrasing must have."""


def read_websplit(options: WebSplitOptions, folder: Path, name: str, seed: int) -> Iterator[Pair]:
    """The pairs of a set of `SIDES` from the benchmark in `folder`; the origin is `name:id`.

    A partition gives one pair at most. Raises `BadInput` that names file and line.
    """
    benchmark = load_benchmark(folder)
    for sentence in load_sentences(folder, options.protocol, SIDES[name], benchmark):
        for simple in _likest(benchmark, sentence, options, seed):
            yield Pair(sentence.text, simple, f"{name}:{sentence.id}")


def _likest(
    benchmark: WebSplit, sentence: ComplexSentence, options: WebSplitOptions, seed: int
) -> list[tuple[str, ...]]:
    best: dict[tuple[int, ...], tuple[float, tuple[str, ...]]] = {}
    for rephrasing in benchmark.sample(sentence, options.drawn, seed):
        alike = likeness(sentence.text, rephrasing.text)
        if alike >= options.least and alike > best.get(rephrasing.parts, (0.0, ()))[0]:
            best[rephrasing.parts] = alike, rephrasing.sentences
    # Of two equally like ones the finer: it shows more cuts.
    ranked = sorted(best.values(), key=lambda one: (-one[0], -len(one[1])))
    return [in_source_order(sentence.text, simple) for _, simple in ranked[: options.rephrasings]]


def likeness(source: str, text: str) -> float:
    """F1 in [0, 1] of the sets of words of two texts; case and marks make no difference."""
    one, other = set(_words(source)), set(_words(text))
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def in_source_order(source: str, simple: Sequence[str]) -> tuple[str, ...]:
    """The simple sentences by where the source says what only one of them says.

    A rephrasing has its sentences in the order of the triples. A cut is learnt from what stands before and behind it.
    """
    places: dict[str, int] = {}
    for place, word in enumerate(_words(source)):
        places.setdefault(word, place)
    own = [set(_words(text)) for text in simple]
    middle = []
    for number, words in enumerate(own):
        others = set().union(*(other for n, other in enumerate(own) if n != number))
        found = sorted(places[word] for word in words & places.keys() - others)
        middle.append(float(found[len(found) // 2]) if found else float(len(places)))
    return tuple(simple[number] for number in sorted(range(len(simple)), key=lambda n: (middle[n], n)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
