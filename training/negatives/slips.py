"""A few words that are wrong in a text that is otherwise as it was, each in its own way: what writers and models do.

The other mutations of words change one thing, and much of it. What a reader meets is a word here or there. Some are
guesses of a masked language model that are less likely than what was there: wrong, and no nonsense. So ELECTRA makes
what its discriminator learns from (Clark et al., 2020), with one difference: there a guess may be as good as the word
itself, here it never is, as the model sees it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from rerank.masked.base import Row, Word
from rerank.masked.bundled import BundledMaskedModel, load
from rerank.types import FloatArray
from training.negatives.forms import other_form, parse
from training.negatives.pieces import Draw, Mutated, Piece, Pieces, has_word, is_russian, with_capital_of

Tokens = npt.NDArray[np.int64]
_LESS = 0.5
"""By how many nats a guess is less likely than the word, at least."""
_UNKNOWN = -6.0
"""What is taken for the log-probability of a word that is several pieces for the model."""
_LARGEST = 0.2
"""Share of the words that are wrong, at most."""
_HALF = 0.5
_DRAWS = 60
_GUESS = "guess"
_Slip = Callable[[list[list[str]], int, random.Random, Draw], None]
"""Changes what stands at a place of a text, a list of words for each word that was there."""
_WEIGHTS: Mapping[str, int] = MappingProxyType(
    {_GUESS: 8, "form": 5, "grammar": 2, "order": 2, "missing": 2, "twice": 1, "before": 1}
)
"""How often each is drawn."""


def guess(words: Sequence[str], places: Sequence[int], rng: random.Random, language: str) -> dict[int, str]:
    """Other words for those at `places` of a text, drawn by the model's probabilities with all of them hidden at once.

    By place, in small letters; places for which there is none, or which stand beyond the model's window, are left out.
    The bundled model of `language` (`en`, `ru`) is asked.
    """
    model, (vocabulary, known) = _model(language), _whole_words(language)
    row, asked, tokens_of = list(model.prefix), {}, {}
    for n, word in enumerate(words):
        pieces = model.tokens(Word(word))
        if n in places:
            asked[n], tokens_of[n] = len(row), pieces
            pieces = (model.mask,)
        if len(row) + len(pieces) + len(model.suffix) > model.window:
            break
        row += pieces
    asked = {n: place for n, place in asked.items() if place < len(row)}
    if not asked:
        return {}
    (logprobs,) = model.predict([Row((*row, *model.suffix), tuple(asked.values()))])
    drawn = {n: _likely(logs, tokens_of[n], known, rng) for n, logs in zip(asked, logprobs, strict=True)}
    return {n: vocabulary[token] for n, token in drawn.items() if token is not None}


def _likely(logs: FloatArray, word: tuple[int, ...], known: Tokens, rng: random.Random) -> int | None:
    """One of the `known` tokens by its log-probability, `[vocabulary]`; `None` where none is unlikely enough."""
    most = (float(logs[word[0]]) if len(word) == 1 else _UNKNOWN) - _LESS
    tokens = known[(logs[known] < most) & ~np.isin(known, word)]
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
    pieces = _model(language).vocabulary
    return pieces, np.array([number for number, piece in enumerate(pieces) if piece.isalpha()])


def slip(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With a fifth of `share` of the words wrong, at least one; `None` where nothing came of it.

    The label is ½ for one word that is wrong, ¼ for two, and so on. A word is another that a masked language model
    thinks possible (`training.negatives.slips`), is in another form, another one of the same grammar, has changed
    places with the next, is missing, is there twice, or has another text's word before
    it. For texts in Russian and in English.
    """
    places = _places(pieces)
    if not places:
        return None
    count = max(1, round(share * _LARGEST * len(places)))
    text, slips = _with_slips(pieces, rng.sample(places, count), rng, draw)
    return None if text == pieces.text or not has_word(text) else Mutated(text, _HALF**slips)


def slip_by_chance(pieces: Pieces, rate: float, rng: random.Random, draw: Draw) -> str:
    """The text with each of its words wrong by the chance `rate`, so often as it is: longer texts have more places.

    The text itself where nothing came of it, or no word would be left.
    """
    chosen = [n for n in _places(pieces) if rng.random() < rate]
    text = _with_slips(pieces, chosen, rng, draw)[0] if chosen else ""
    return text if has_word(text) else pieces.text


def _places(pieces: Pieces) -> list[int]:
    return [n for n, piece in enumerate(pieces.pieces) if piece.text[:1].isalpha()]


def _with_slips(pieces: Pieces, chosen: Sequence[int], rng: random.Random, draw: Draw) -> tuple[str, int]:
    """The text with the words at `chosen` wrong, and how many of them are: nothing may come of one."""
    words = [piece.text for piece in pieces.pieces]
    kinds = dict(zip(sorted(chosen), rng.choices(list(_WEIGHTS), list(_WEIGHTS.values()), k=len(chosen)), strict=True))
    language = "ru" if any(map(is_russian, words)) else "en"
    guessed = guess(words, [n for n, kind in kinds.items() if kind == _GUESS], rng, language)
    put, slips = [[word] for word in words], 0
    for n, kind in kinds.items():
        before = put.copy()
        if kind == _GUESS:
            # A word that has changed places with this one is not lost again.
            if n in guessed and put[n] == [words[n]]:
                put[n] = [with_capital_of(words[n], guessed[n])]
        else:
            _SLIPS[kind](put, n, rng, draw)
        slips += put != before
    return _joined(pieces, put), slips


def _joined(pieces: Pieces, put: list[list[str]]) -> str:
    kept: list[Piece] = []
    for piece, words in zip(pieces.pieces, put, strict=True):
        spaces = [piece.before, *[pieces.space] * len(words)]
        kept += [replace(piece, text=word, before=space) for word, space in zip(words, spaces, strict=False)]
    text = pieces.of(kept).text
    return text[:1].upper() + text[1:] if pieces.text[:1].isupper() else text


def _other_form(put: list[list[str]], n: int, rng: random.Random, draw: Draw) -> None:
    put[n] = [other_form(word, rng) or word for word in put[n]]


def _same_grammar(put: list[list[str]], n: int, rng: random.Random, draw: Draw) -> None:
    """Another text's word that pymorphy3 gives the same tag; in English, where nothing tells, any of its words."""
    if put[n]:
        put[n] = [with_capital_of(put[n][0], _drawn(put[n][0], rng, draw))]


def _exchanged(put: list[list[str]], n: int, rng: random.Random, draw: Draw) -> None:
    # The first word has a capital, which would give the exchange away.
    if n and n + 1 < len(put) and all(word[:1].isalpha() for word in put[n + 1]):
        put[n], put[n + 1] = put[n + 1], put[n]


def _missing(put: list[list[str]], n: int, rng: random.Random, draw: Draw) -> None:
    put[n] = []


def _twice(put: list[list[str]], n: int, rng: random.Random, draw: Draw) -> None:
    put[n] = [*put[n], *(word.lower() for word in put[n])]


def _one_before(put: list[list[str]], n: int, rng: random.Random, draw: Draw) -> None:
    drawn = (draw(rng).text for _ in range(_DRAWS))
    # No mark and no number: those are not what slips in.
    put[n] = [*islice((text for text in drawn if text.isalpha()), 1), *put[n]]


def _drawn(word: str, rng: random.Random, draw: Draw) -> str:
    """Another text's word like `word`, which itself is given back where none was found."""
    russian = is_russian(word)
    tag = parse(word.lower()).tag if russian else None
    for _ in range(_DRAWS):
        other = draw(rng).text
        fits = other.islower() and other != word.lower() and is_russian(other) == russian
        if fits and (not russian or parse(other).tag == tag):
            return other
    return word


_SLIPS: Mapping[str, _Slip] = MappingProxyType(
    {
        "form": _other_form,
        "grammar": _same_grammar,
        "order": _exchanged,
        "missing": _missing,
        "twice": _twice,
        "before": _one_before,
    }
)
