"""Texts whose marks hold words apart."""

from __future__ import annotations

import random
import re

import pytest

from training.negatives.forms import exchange_neighbours
from training.negatives.pieces import Piece, Unit, cut, delete, reorder, replace_pieces

# Every mark here stands between two words without a space on one side at least.
MARKED = "He left Rome (Six men stayed); they paid $5 for the well—known book/film. Anna said: «Six». It ended 4:0."
MARKED_RU = "Он уехал (шесть человек остались); заплатил №5 за хорошо—известную книгу/фильм. Она сказала: «Шесть»."


@pytest.mark.parametrize("text", [MARKED, MARKED_RU])
@pytest.mark.parametrize("unit", ["word", "sentence"])
def test_words_are_not_glued_where_a_mark_was(text: str, unit: Unit) -> None:
    drawn = [piece.text for piece in cut("zebra Oslo 7", "word").pieces]
    known = {*re.findall(r"\w+", text), *drawn}
    known |= {word[:1].upper() + word[1:] for word in known}
    for mutate in (delete, replace_pieces, reorder, exchange_neighbours):
        for seed in range(60):
            rng = random.Random(seed)
            mutated = mutate(cut(text, unit), rng.random(), rng, lambda rng: Piece(rng.choice(drawn), " ", 1))
            if mutated is not None:
                assert set(re.findall(r"\w+", mutated.text)) <= known


@pytest.mark.parametrize(
    ("text", "put", "wanted"),
    [
        ("Rome (Six men", [0, 2, 3], "Rome Six men"),
        ("a well—known book/film", [0, 1, 3, 4, 6], "a well known book film"),
        # What is glued in the text itself stays so, and so do marks.
        ("They don't cannot", [0, 2, 3, 4], "Theyn't cannot"),
        ("Rome (Six) men", [0, 3, 4], "Rome) men"),
        ("他来了。", [0, 2, 3], "他了。"),
        ("これは本です", [0, 2, 3], "こは本"),
    ],
)
def test_a_space_comes_where_letters_would_meet_and_nowhere_else(text: str, put: list[int], wanted: str) -> None:
    pieces = cut(text, "word")
    assert pieces.of([pieces.pieces[n] for n in put]).text == wanted
    assert pieces.of(pieces.pieces) == pieces
