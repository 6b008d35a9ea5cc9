"""Negatives for good texts: one positive, and so many mutations of it, in their order.

Pieces that are inserted or put in place of others, and texts that are paired with a document that is not theirs, come
from the good texts around the one that is mutated, half a `WINDOW` before it and a `WINDOW` behind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice

import numpy as np
import numpy.typing as npt

from rerank.analysis import Analyzer
from rewrite.errors import BadInput
from rewrite.judging.metric_words import is_blank
from training.negatives.forms import break_agreement, exchange_neighbours, parse, truncate
from training.negatives.meaning import flip_negation, swap_names, swap_numbers
from training.negatives.pieces import (
    MUTATIONS,
    UNITS,
    Draw,
    Mutated,
    Piece,
    Pieces,
    Unit,
    cut,
    is_russian,
    reorder,
    repeat,
)
from training.negatives.slips import slip

_FEWEST_WORDS = 3
_LEAST_OTHER = 0.4
"""Share of the words with a meaning that are others, at least: one or two may well be synonyms."""
_CONTENT = frozenset({"NOUN", "ADJF", "VERB", "INFN", "PRTF", "ADVB", "GRND"})
_LOOKED_AT = 80
_NEAREST = 8
_SAME_STEM = 4
_COMMON = 100_000


def put_near_words(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With words of like meaning in the same form for `share` of those with a meaning, at least three and 40 %.

    The label is 0. `None` for a text that has not three such words, and for one that is not Russian. Names stay.
    """
    places = [n for n, piece in enumerate(pieces.pieces) if piece.text.islower() and words_near(piece.text)]
    if len(places) < _FEWEST_WORDS:
        return None
    chosen = rng.sample(places, max(_FEWEST_WORDS, round(max(_LEAST_OTHER, share) * len(places))))
    # They are in small letters.
    return Mutated(pieces.with_texts({n: rng.choice(words_near(pieces.pieces[n].text)) for n in chosen}), 0.0)


@lru_cache(maxsize=50_000)
def words_near(word: str) -> tuple[str, ...]:
    """Words in the form of `word` whose vectors (navec's) are nearest, at most eight; none of those of its own stem."""
    words, numbers, vectors = _vectors()
    if not is_russian(word) or word not in numbers or parse(word).tag.POS not in _CONTENT:
        return ()
    alike = vectors @ vectors[numbers[word]]
    nearest = np.argpartition(-alike, _LOOKED_AT)[:_LOOKED_AT]
    others = (words[number] for number in nearest[np.argsort(-alike[nearest])])
    form = _form(word)
    fit = (other for other in others if other[:_SAME_STEM] != word[:_SAME_STEM] and _form(other) == form)
    return tuple(islice(fit, _NEAREST))


def _form(word: str) -> tuple[str | None, ...]:
    """What a word has to have in common with the one in whose place it stands: a noun has a gender of its own."""
    tag = parse(word).tag
    gender = None if tag.POS == "NOUN" else tag.gender
    return tag.POS, tag.case, tag.number, tag.tense, tag.person, gender


@lru_cache(maxsize=1)
def _vectors() -> tuple[list[str], dict[str, int], npt.NDArray[np.float32]]:
    """The commonest Russian words of navec in small letters, their numbers, and their vectors of length 1."""
    navec = Analyzer().navec
    listed = [n for n, word in enumerate(navec.vocab.words) if is_russian(word) and word.isalpha()]
    counts = np.asarray(navec.vocab.counts)
    listed.sort(key=lambda n: -int(counts[n]))
    kept = listed[:_COMMON]
    vectors = np.asarray(navec.pq.sampled(kept).unpack(), np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    words: list[str] = [navec.vocab.words[n] for n in kept]
    return words, {word: n for n, word in enumerate(words)}, vectors


WINDOW = 1000
CROSS_PAIR = "cross-pair"
"""The document with the good text of another one: none of its tokens is intact."""
_Mutation = Callable[[Pieces, float, random.Random, Draw], Mutated | None]
_PAPER: Mapping[str, tuple[Unit, _Mutation]] = {
    f"{unit}-{name}": (unit, mutation) for unit in UNITS for name, mutation in MUTATIONS.items()
}
_ADDED: Mapping[str, tuple[Unit, _Mutation]] = {
    "names": ("word", swap_names),
    "numbers": ("word", swap_numbers),
    "negation": ("word", flip_negation),
    "agreement": ("word", break_agreement),
    "order": ("word", exchange_neighbours),
    "slips": ("word", slip),
    "truncation": ("word", truncate),
    "thesaurus": ("word", put_near_words),
    "word-order": ("word", reorder),
    "repetition": ("sentence", repeat),
}
_MADE = {**_PAPER, **_ADDED}
PAPER_KINDS = (*_PAPER, CROSS_PAIR)
KINDS = (*PAPER_KINDS, *_ADDED)
"""Those of the paper, and those that are added: what breaks meaning, grammar or order, mostly at the same length."""
_LEAST, _MOST = 0.1, 0.9
"""How much of a text is mutated: a share drawn evenly between these. The paper does not tell its own."""
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Positive:
    """A document and a good text for it: its summary, or its rewrite."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """A document, a text for it, and what an evaluator should say of it, in [0, 1]: the share of intact tokens.

    `kind` is one of `KINDS`; empty for the good text itself, whose label is 1.
    """

    source: str
    text: str
    label: float
    kind: str = ""


def examples(
    positives: Sequence[Positive],
    kinds: Sequence[str] = PAPER_KINDS,
    *,
    negatives: int = 5,
    language: str | None = None,
    seed: int = 0,
) -> Iterator[Example]:
    """Each positive and `negatives` mutations of it, five as in the paper, of kinds drawn evenly from `kinds`.

    A mutation that a text is too short for, that leaves it as it was, or that is there already, is drawn anew; a text
    for which none is found in some tries gets fewer negatives. The same texts, kinds and seed give the same examples.
    Raises `BadInput` for a kind that there is none of, for a text that shows nothing (with its number, from 1), and for
    one text alone, into which there is nothing to insert.
    """
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown or not kinds:
        raise BadInput(f"No kind of negatives is named {', '.join(unknown)!r}.", hint=f"Known: {', '.join(KINDS)}.")
    if len(positives) == 1:
        raise BadInput("One text alone has no others to take words from.", hint="Give two or more.")
    if blank := next((number for number, positive in enumerate(positives, 1) if is_blank(positive.text)), 0):
        raise BadInput(f"Text {blank} is blank.", hint="Leave it out.")
    for number, positive in enumerate(positives, 1):
        yield Example(positive.source, positive.text, 1.0)
        # A generator of its own for each text, so that a longer text before it changes nothing here.
        rng = random.Random(f"{seed} {number}")
        texts: set[str] = set()
        others = [*positives[max(0, number - 1 - WINDOW // 2) : number - 1], *positives[number : number + WINDOW]]
        for _ in range(negatives):
            drawn = _attempts(positive, others, kinds, rng, language)
            for example in islice((mutation for mutation in drawn if mutation and mutation.text not in texts), 1):
                texts.add(example.text)
                yield example


def _attempts(
    positive: Positive,
    others: Sequence[Positive],
    kinds: Sequence[str],
    rng: random.Random,
    language: str | None,
) -> Iterator[Example | None]:
    """Some mutations of a positive, each of a kind drawn anew."""
    return (_mutated(positive, others, rng.choice(kinds), rng, language) for _ in range(_TRIES))


def _mutated(
    positive: Positive, others: Sequence[Positive], kind: str, rng: random.Random, language: str | None
) -> Example | None:
    """One mutation of a positive; `None` where it cannot be, or is the text itself."""
    if kind == CROSS_PAIR:
        text, label = rng.choice(others).text, 0.0
    else:
        unit, mutation = _MADE[kind]
        draw = partial(_drawn, others, unit, language)
        mutated = mutation(_cut(positive.text, unit, language), rng.uniform(_LEAST, _MOST), rng, draw)
        if mutated is None:
            return None
        text, label = mutated.text, mutated.label
    return None if text.split() == positive.text.split() else Example(positive.source, text, label, kind)


def _drawn(others: Sequence[Positive], unit: Unit, language: str | None, rng: random.Random) -> Piece:
    """A piece of one of some texts."""
    return rng.choice(_cut(rng.choice(others).text, unit, language).pieces)


@lru_cache(maxsize=4 * WINDOW)
def _cut(text: str, unit: Unit, language: str | None) -> Pieces:
    return cut(text, unit, language=language)
