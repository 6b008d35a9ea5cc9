"""Good texts in other ways of writing that are as good: so that an evaluator does not take these for faults.

Each function gives a source and its good text once more, written otherwise, or `None` where that cannot be; `others`
are sources of other texts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

from training.negatives.adjuncts import invent
from training.negatives.forms import parse
from training.negatives.numbers import figure_of, in_words, may_be_respelled
from training.negatives.pieces import Piece, Pieces, cut, is_russian
from training.negatives.sampling import Positive

__all__ = ["VARIANTS", "Variant", "denied", "extended", "spelled", "unmarked"]

Variant = Literal["denied", "spelled", "unmarked", "extended"]
_DENIED_EN = frozenset("is are was were can could will would should".split())
_DENYING = frozenset(
    "not n't no none nobody nothing never neither nor cannot without only until "
    "не ни нет никто ничто никогда нигде никакой никакие без только лишь нельзя".split()
)
"""Words with which a denial more is none, or another; and those that hold for a time that is told."""
_WITH_ADJUNCT, _WITH_SENTENCE = 0.7, 0.3
_MARKS = ".!?…"
_ARTICLES = frozenset({"a", "an", "the"})


def denied(one: Positive, rng: random.Random, language: str, others: Sequence[str]) -> Positive | None:
    """Both with the same verb denied, where it stands once in each, behind the same word: few texts deny anything.

    Without them an evaluator learns that a denial that is put in is wrong, and hardly that one that is left out is.
    """
    source, text = (cut(side, "word", language=language) for side in (one.source, one.text))
    if any(_DENYING & {piece.text.lower() for piece in side.pieces} for side in (source, text)):
        return None
    verbs, of_text = _verbs(source), _verbs(text)
    shared = sorted(verb for verb, before in verbs.items() if of_text.get(verb) == before)
    if not shared:
        return None
    verb = rng.choice(shared)
    return Positive(_with_denial(source, verb), _with_denial(text, verb))


def spelled(one: Positive, rng: random.Random, language: str, others: Sequence[str]) -> Positive | None:
    """With the numbers of one side in words that it had in figures, or the other way round: *5 million*, *five*."""
    source, text = (cut(side, "word", language=language) for side in (one.source, one.text))
    sides = [0, 1]
    rng.shuffle(sides)
    for side in sides:
        other = _respelled((source, text)[side])
        if other:
            return Positive(other, one.text) if side == 0 else Positive(one.source, other)
    return None


def unmarked(one: Positive, rng: random.Random, language: str, others: Sequence[str]) -> Positive | None:
    """A text of one sentence without the mark at its end, half of the time beside a source without."""
    text = one.text.rstrip(_MARKS)
    if text == one.text or any(mark in text for mark in _MARKS):
        return None
    return Positive(one.source.rstrip(_MARKS) if rng.random() < 0.5 else one.source, text)


def extended(one: Positive, rng: random.Random, language: str, others: Sequence[str]) -> Positive | None:
    """Beside a source that says more: with another's last adjunct at its end, another's sentence behind it, or both.

    What a good text leaves out is mostly not all that it changes. Here it is, so that its mutations show what one wrong
    word is in a text that is much shorter than its source.
    """
    source = one.source
    if rng.random() < _WITH_ADJUNCT:
        made = invent(cut(source, "sentence", language=language), 0.0, rng, partial(_sentence, others, language))
        source = made.text if made else source
    if source == one.source or rng.random() < _WITH_SENTENCE:
        source = f"{source} {_sentence(others, language, rng).text}"
    return Positive(source, one.text)


def _sentence(others: Sequence[str], language: str, rng: random.Random) -> Piece:
    return rng.choice(cut(rng.choice(others), "sentence", language=language).pieces)


def _verbs(pieces: Pieces) -> dict[str, str]:
    """Verbs that may be denied and stand once in a text, with the word before each."""
    texts = [piece.text for piece in pieces.pieces]
    pairs = [(before, word) for before, word in pairwise(texts) if texts.count(word) == 1]
    return {word: before.lower() for before, word in pairs if _may_be_denied(word, before)}


def _may_be_denied(word: str, before: str) -> bool:
    if is_russian(word):
        # Behind an adverb (*тяжело заболел*) it stands before that.
        plain = is_russian(before) and parse(before.lower()).tag.POS in ("NOUN", "NPRO")
        return plain and word.islower() and parse(word).tag.POS == "VERB"
    return word in _DENIED_EN and before.isalpha() and before.lower() not in _ARTICLES


def _with_denial(pieces: Pieces, verb: str) -> str:
    put_in = f"не {verb}" if is_russian(verb) else f"{verb} not"
    put = [replace(piece, text=put_in) if piece.text == verb else piece for piece in pieces.pieces]
    return pieces.of(put).text


def _respelled(pieces: Pieces) -> str:
    """The text with its numbers the other way; empty where none is sure."""
    put: list[Piece] = list(pieces.pieces)
    for n in range(1, len(put) - 1):
        before, here, following = (put[n + step].text for step in (-1, 0, 1))
        if may_be_respelled(before, following):
            word = in_words(here, following) or figure_of(here)
            put[n] = replace(put[n], text=word or here)
    text = pieces.of(put).text
    return "" if text == pieces.text else text


VARIANTS: Mapping[Variant, Callable[[Positive, random.Random, str, Sequence[str]], Positive | None]] = MappingProxyType(
    {"denied": denied, "spelled": spelled, "unmarked": unmarked, "extended": extended}
)
