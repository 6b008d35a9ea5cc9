"""How fluent a split reads where it was cut: what a masked language model expects at the ends of its sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rerank.masked.base import MaskedModel, Row
from rerank.masked.words import split_words
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

_FLOOR = 1e-9
_LAST = 2
_FIRST = 4


class SeamFluency:
    """exp(mean log p(word | the rest of its sentence)) over the last 2 words before each seam and the first 4 after it.

    p is a masked language model's, each word masked with all its sub-words. A candidate has its sentences a line each;
    one that has no seam, as the source, gets 1. Range [1e-9, 1]. Sentences longer than the model's window are cut to
    what stands near the seam.
    """

    name = "fluency"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(self, model: Callable[[], MaskedModel]) -> None:
        self._load = model
        self._loaded: MaskedModel | None = None

    @property
    def _model(self) -> MaskedModel:
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    def signature(self) -> str:
        return f"fluency:seams,{self._model.signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        rows: dict[Row, tuple[int, ...]] = {}
        asked = [self._rows(candidate.text, rows) for candidate in candidates]
        answers = dict(zip(rows, self._model.predict(list(rows)), strict=True)) if rows else {}
        values = np.ones(len(candidates))
        for i, own in enumerate(asked):
            logs = [float(answers[row][range(len(rows[row])), list(rows[row])].mean()) for row in own]
            if logs:
                values[i] = np.exp(np.mean(logs)).clip(_FLOOR, 1.0)
        return values

    def _rows(self, text: str, rows: dict[Row, tuple[int, ...]]) -> list[Row]:
        """The rows of a candidate, noted in `rows` with the sub-words that belong in their places."""
        sentences = [[self._model.tokens(word) for word in split_words(line, "en")] for line in text.split("\n")]
        found = []
        for number, words in enumerate(sentences):
            count = len(words)
            near = set() if number == len(sentences) - 1 else set(range(max(0, count - 1 - _LAST), count - 1))
            near |= set(range(min(_FIRST, count - 1))) if number else set()
            for place in sorted(near):
                row = self._row(words, place)
                rows[row] = words[place]
                found.append(row)
        return found

    def _row(self, words: Sequence[tuple[int, ...]], place: int) -> Row:
        model = self._model
        room = model.window - len(model.prefix) - len(model.suffix)
        first, stop, taken = place, place + 1, len(words[place])
        while first or stop < len(words):
            # Outwards from the word, as far as the window reaches.
            left = first > 0 and (place - first <= stop - place or stop == len(words))
            piece = words[first - 1] if left else words[stop]
            if taken + len(piece) > room:
                break
            taken += len(piece)
            first, stop = (first - 1, stop) if left else (first, stop + 1)
        tokens: list[int] = list(model.prefix)
        positions: tuple[int, ...] = ()
        for number in range(first, stop):
            if number == place:
                positions = tuple(range(len(tokens), len(tokens) + len(words[number])))
                tokens += [model.mask] * len(words[number])
            else:
                tokens += words[number]
        return Row((*tokens, *model.suffix), positions)
