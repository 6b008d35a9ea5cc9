"""Words that a masked language model thinks possible, and less likely than what was there: wrong, and no nonsense.

So ELECTRA makes what its discriminator learns from (Clark et al., 2020), with one difference: there a guess may be as
good as the word itself, here it never is, as the model sees it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rerank.masked.base import Row, Word
from rerank.masked.bundled import BundledMaskedModel, load
from rerank.types import FloatArray

__all__ = ["guess"]

Tokens = npt.NDArray[np.int64]
_VOCABULARY = "vocabulary.json"
_LESS = 0.5
"""By how many nats a guess is less likely than the word, at least."""
_UNKNOWN = -6.0
"""What is taken for the log-probability of a word that is several pieces for the model."""


def guess(words: Sequence[str], places: Sequence[int], rng: random.Random, language: str) -> dict[int, str]:
    """Other words for those at `places` of a text, drawn by the model's probabilities with all of them hidden at once.

    By place, in small letters; places for which there is none, or which stand beyond the model's window, are left out.
    The bundled model of `language` (`en`, `ru`) is asked.
    """
    model, (vocabulary, known) = _model(language), _whole_words(language)
    row, asked, own = list(model.prefix), {}, {}
    for n, word in enumerate(words):
        pieces = model.tokens(Word(word))
        if n in places:
            asked[n], own[n] = len(row), pieces
            pieces = (model.mask,)
        if len(row) + len(pieces) + len(model.suffix) > model.window:
            break
        row += pieces
    asked = {n: place for n, place in asked.items() if place < len(row)}
    if not asked:
        return {}
    (found,) = model.predict([Row((*row, *model.suffix), tuple(asked.values()))])
    drawn = {n: _drawn(logs, own[n], known, rng) for n, logs in zip(asked, found, strict=True)}
    return {n: vocabulary[token] for n, token in drawn.items() if token is not None}


def _drawn(logs: FloatArray, own: tuple[int, ...], known: Tokens, rng: random.Random) -> int | None:
    """One of the `known` tokens by its log-probability, `[vocabulary]`; `None` where none is unlikely enough."""
    most = (float(logs[own[0]]) if len(own) == 1 else _UNKNOWN) - _LESS
    tokens = known[(logs[known] < most) & ~np.isin(known, own)]
    if not len(tokens):
        return None
    upto = np.cumsum(np.exp(logs[tokens] - logs[tokens].max(), dtype=np.float64))
    return int(tokens[np.searchsorted(upto, rng.random() * upto[-1])])


@lru_cache(maxsize=2)
def _model(language: str) -> BundledMaskedModel:
    return load(language, threads=1)


@lru_cache(maxsize=2)
def _whole_words(language: str) -> tuple[list[str], Tokens]:
    """The vocabulary, and the numbers of the pieces in it that are words by themselves."""
    pieces = json.loads((_model(language).folder / _VOCABULARY).read_text(encoding="utf-8"))
    return pieces, np.array([number for number, piece in enumerate(pieces) if piece.isalpha()])
