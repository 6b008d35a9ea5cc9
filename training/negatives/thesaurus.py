"""A Russian text put word for word through a thesaurus: each word like the one that was there, together nonsense.

So do cheap rewriters, and people who were asked to say it in other words and did not read what came out.
"""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from rerank.analysis import Analyzer
from training.negatives.forms import parse
from training.negatives.pieces import Draw, Mutated, Pieces, is_russian

__all__ = ["put_near_words", "words_near"]

_FEWEST_WORDS = 3
_LEAST = 0.4
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
    found = [n for n, piece in enumerate(pieces.pieces) if piece.text.islower() and words_near(piece.text)]
    if len(found) < _FEWEST_WORDS:
        return None
    chosen = rng.sample(found, max(_FEWEST_WORDS, round(max(_LEAST, share) * len(found))))
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
    return tuple(
        islice((one for one in others if one[:_SAME_STEM] != word[:_SAME_STEM] and _form(one) == form), _NEAREST)
    )


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
