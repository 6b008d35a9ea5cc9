"""Texts that read well and say something else, say it twice, or say it in no order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from training.negatives.forms import parse, readings
from training.negatives.meaning import other_numbers, swap_numbers
from training.negatives.pieces import Draw, Mutated, Piece, Pieces, cut, reorder, repeat
from training.negatives.sampling import put_near_words, words_near

Mutation = Callable[[Pieces, float, random.Random, Draw], Mutated | None]


def never(rng: random.Random) -> Piece:
    raise AssertionError("nothing is drawn from other texts")


def made(mutate: Mutation, text: str, share: float = 0.5, times: int = 40) -> list[Mutated]:
    pieces = cut(text, "word")
    found = [mutate(pieces, share, random.Random(seed), never) for seed in range(times)]
    return [one for one in found if one is not None]


def texts(mutate: Mutation, text: str, share: float = 0.5) -> set[str]:
    found = made(mutate, text, share)
    assert all(one.label == 0 for one in found)
    return {one.text for one in found}


@pytest.mark.parametrize("text", ["The old man sold the house.", "Старик продал дом в мае", "One two"])
@pytest.mark.parametrize("share", [0.1, 0.9])
def test_words_in_one_anothers_places_are_all_there(text: str, share: float) -> None:
    words = cut(text, "word").pieces
    for mutated in made(reorder, text, share):
        found = cut(mutated.text, "word").pieces
        assert Counter(one.text.lower() for one in found) == Counter(one.text.lower() for one in words)
        assert mutated.text[0].isupper()
        assert mutated.text.endswith(".") == text.endswith(".")
        stay = sum(one.text.lower() == was.text.lower() for one, was in zip(found, words, strict=True))
        # *The* and *the* change places unseen.
        assert mutated.label <= stay / len(words)
    assert not made(reorder, "One.", 0.5)
    assert not made(reorder, "", 0.5)


def test_at_least_two_words_change_places() -> None:
    assert {one.label for one in made(reorder, "A b c d e f g h i j", 0.1)} == {0.8}


@pytest.mark.parametrize("text", ["He left. She stayed at home.", "Он ушёл. Она осталась дома.", "no mark at all"])
def test_what_is_said_again_is_of_the_text(text: str) -> None:
    pieces = cut(text, "sentence")
    lengths = set()
    for seed in range(40):
        rng = random.Random(seed)
        mutated = repeat(pieces, rng.uniform(0.1, 0.9), rng, never)
        assert mutated is not None
        count = sum(mutated.text.count(one.text) for one in pieces.pieces)
        assert count > len(pieces)
        assert mutated.label == pytest.approx(pieces.tokens / len(cut(mutated.text, "word")))
        lengths.add(count)
    assert max(lengths) > 4 * len(pieces)
    assert repeat(cut(" ", "sentence"), 0.5, random.Random(0), never) is None


def test_a_text_that_is_all_repetition_is_not_endless() -> None:
    mutated = repeat(cut("He left.", "sentence"), 1.0, random.Random(0), never)
    assert mutated is not None
    assert mutated.text.count("He left.") == 10


def test_near_words_have_the_form_of_the_words() -> None:
    text = "Старый учитель купил большой дом до войны."
    tags = [parse(word.strip(".").lower()).tag for word in text.split()]
    found = texts(put_near_words, text, share=0.9)
    assert len(found) > 10
    for one in found:
        words = [word.strip(".").lower() for word in one.split()]
        changed = [n for n, word in enumerate(text.split()) if word.strip(".").lower() != words[n]]
        assert len(changed) >= 3
        for n in changed:
            assert (parse(words[n]).tag.POS, parse(words[n]).tag.case) == (tags[n].POS, tags[n].case)
    assert not made(put_near_words, "The old teacher bought a big house before the war.")
    assert not made(put_near_words, "Он купил дом.")
    assert "купил" not in words_near("купил")


def test_numbers_in_words_are_numbers() -> None:
    assert set(other_numbers("Five")) >= {"two", "six"}
    assert "five" not in other_numbers("five")
    assert other_numbers("millions") == ("thousands", "billions")
    assert other_numbers("пятью")
    assert all("ablt" in {reading.tag.case for reading in readings(one)} for one in other_numbers("пятью"))
    assert set(other_numbers("миллионов")) == {"тысяч", "миллиардов"}
    assert other_numbers("house") == other_numbers("дом") == ()
    assert not made(swap_numbers, "Прошло двадцать семь лет.")
    years = texts(swap_numbers, "It began in 1922.")
    assert all(one.startswith("It began in 19") for one in years)
    found = texts(swap_numbers, "He has two sons.")
    assert len(found) > 5
    assert found <= {f"He has {number} sons." for number in other_numbers("two")}
