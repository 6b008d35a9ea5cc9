"""Good texts in other ways of writing that are as good: so that an evaluator does not take these for faults.

Each function gives a source and its good text once more, written otherwise, or `None` where that cannot be.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from training.negatives.adjuncts import last_adjunct
from training.negatives.forms import parse
from training.negatives.numbers import figure_of, in_words
from training.negatives.pieces import Piece, Pieces, cut, is_russian
from training.negatives.sampling import Positive

__all__ = ["VARIANTS", "Variant", "denied", "shortened", "spelled", "unmarked"]

Variant = Literal["denied", "spelled", "unmarked", "shortened"]
_DENIED_EN = frozenset("is are was were can could will would should".split())
_DENIALS = frozenset({"не", "ни", "not", "n't"})
_MARKS = ".!?…"
_JOINS = frozenset({"and", "or", "but", "и", "или", "но", "а"})
_FEWEST_LEFT = 4
"""Words that a shorter text has, at least."""


def denied(one: Positive, rng: random.Random, language: str) -> Positive | None:
    """Both with the same verb denied, where it stands once in each: texts of life that deny anything are few.

    Without them an evaluator learns that a denial that is put in is wrong, and hardly that one that is left out is.
    """
    source, text = (cut(side, "word", language=language) for side in (one.source, one.text))
    shared = sorted(_verbs(source) & _verbs(text))
    if not shared:
        return None
    verb = rng.choice(shared)
    return Positive(_with_denial(source, verb), _with_denial(text, verb))


def spelled(one: Positive, rng: random.Random, language: str) -> Positive | None:
    """With the numbers of one side in words that it had in figures, or the other way round: *5 million*, *five*."""
    source, text = (cut(side, "word", language=language) for side in (one.source, one.text))
    sides = [0, 1]
    rng.shuffle(sides)
    for side in sides:
        other = _respelled((source, text)[side])
        if other:
            return Positive(other, one.text) if side == 0 else Positive(one.source, other)
    return None


def unmarked(one: Positive, rng: random.Random, language: str) -> Positive | None:
    """A text of one sentence without the mark at its end, half of the time beside a source without."""
    text = one.text.rstrip(_MARKS)
    if text == one.text or any(mark in text for mark in _MARKS):
        return None
    return Positive(one.source.rstrip(_MARKS) if rng.random() < 0.5 else one.source, text)


def shortened(one: Positive, rng: random.Random, language: str) -> Positive | None:
    """A text of one clause without its last adjunct: a good text may be much shorter than its source."""
    words = cut(one.text, "word", language=language)
    start = last_adjunct(words)
    left = [piece.text for piece in words.pieces[:start]]
    # Behind a comma what is left may be a clause without its verb.
    if start is None or len(left) < _FEWEST_LEFT or not all(map(str.isalnum, left)) or left[-1] in _JOINS:
        return None
    end = words.pieces[-1:] if words.pieces[-1].text in _MARKS else ()
    return Positive(one.source, words.of([*words.pieces[:start], *end]).text)


def _verbs(pieces: Pieces) -> set[str]:
    """Verbs that stand once in a text and are not denied."""
    texts = [piece.text for piece in pieces.pieces]
    around = [{*texts[max(0, n - 1) : n], *texts[n + 1 : n + 2]} for n in range(len(texts))]
    return {
        text
        for n, text in enumerate(texts)
        if texts.count(text) == 1 and not _DENIALS & around[n] and _may_be_denied(text)
    }


def _may_be_denied(text: str) -> bool:
    if is_russian(text):
        return text.islower() and parse(text).tag.POS == "VERB"
    return text in _DENIED_EN


def _with_denial(pieces: Pieces, verb: str) -> str:
    put_in = f"не {verb}" if is_russian(verb) else f"{verb} not"
    put = [replace(piece, text=put_in) if piece.text == verb else piece for piece in pieces.pieces]
    return pieces.of(put).text


def _respelled(pieces: Pieces) -> str:
    """The text with its numbers the other way; empty where none is sure."""
    put: list[Piece] = list(pieces.pieces)
    for n, piece in enumerate(put[:-1]):
        following = put[n + 1].text
        word = in_words(piece.text, following) if n else ""
        figure = figure_of(piece.text) if n and following.isalpha() and following.islower() else ""
        if word or figure:
            put[n] = replace(piece, text=word or figure)
    text = pieces.of(put).text
    return "" if text == pieces.text else text


VARIANTS: Mapping[Variant, Callable[[Positive, random.Random, str], Positive | None]] = MappingProxyType(
    {"denied": denied, "spelled": spelled, "unmarked": unmarked, "shortened": shortened}
)
