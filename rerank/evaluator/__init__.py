"""The learned evaluator: how good a text is for its source, without references.

After *A Weakly Supervised Approach to Evaluating Single-Document Summarization via Negative Sampling*: a regression
f(d, s) ∈ [0, 1] on an encoder that reads a document and a text together, taught with good texts and mutations of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Protocol

import numpy as np

from rerank.masked.words import LANGUAGES, sentence_places
from rerank.types import FloatArray

__all__ = ["Evaluator", "Outputs", "judged"]

Judge = Callable[[Sequence[tuple[str, str]]], FloatArray]


class Evaluator(Protocol):
    """Gives a text beside its source a number in [0, 1] for each thing that it was taught to tell."""

    name: str
    language: str

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the columns of `judge`."""
        ...

    def signature(self) -> str:
        """Name and a checksum of the weights: equal signatures mean equal values for equal pairs."""
        ...

    def judge(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """What it says of each (source, text), `[pairs, outputs]`, each value in [0, 1]."""
        ...


class Outputs:
    """What an evaluator tells, by column, and which of it of a text alone by how likely its words are.

    Raises `ValueError` for a file that does not say so.
    """

    def __init__(self, settings: Any) -> None:
        given = settings if isinstance(settings, dict) else {}
        lists: list[Any] = [given.get(key) for key in ("outputs", "likely")]
        if not all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists):
            raise ValueError("it does not name outputs, and those that are told of a text alone")
        self.names: tuple[str, ...] = tuple(lists[0])
        likely = set(lists[1])
        if not self.names or len(set(self.names)) < len(self.names) or not likely <= set(self.names):
            raise ValueError("it names outputs, and which of these are told of a text alone")
        self.likely = [column for column, name in enumerate(self.names) if name in likely]

    @staticmethod
    def stored(names: Sequence[str], likely: Sequence[str] = ()) -> dict[str, list[str]]:
        """What `Outputs` takes."""
        return {"outputs": list(names), "likely": list(likely)}


def judged(judge: Judge, pairs: Sequence[tuple[str, str]], outputs: Outputs, language: str) -> FloatArray:
    """What `judge` says of each (source, text), `[pairs, outputs]`, of texts in a language.

    Of a copy, and of a text without a source, the outputs that go by how likely words are, which falls with each word,
    give the mean of what they say of its sentences. A blank text gets 0.
    """
    values: FloatArray = judge(pairs).copy()
    alone = [place for place, (source, text) in enumerate(pairs) if source.split() in ([], text.split())]
    texts = [pairs[place][1] for place in alone]
    if texts and outputs.likely:
        known = language if language in LANGUAGES else "other"
        parts = [[text[start:stop] for start, stop in sentence_places(text, known)] or [text] for text in texts]
        every = judge([("", part) for part in chain.from_iterable(parts)])[:, outputs.likely]
        ends = np.cumsum([len(part) for part in parts])
        values[np.ix_(alone, outputs.likely)] = [group.mean(axis=0) for group in np.split(every, ends[:-1])]
    values[[place for place, (_, text) in enumerate(pairs) if not text.strip()]] = 0
    return values
