"""What was done to a sentence that somebody split."""

from __future__ import annotations

import pytest

from rewrite.splitting.parsed_words import Words
from rewrite.splitting.split import Split, render
from tests.rewrite.splitting.marking import words_in
from training.splitting.align import align, with_verb_slot


def lower(text: str) -> list[str]:
    return [word.lower for word in words_in(text).tokens]


def found(source: str, first: str, second: str) -> tuple[Words, Split | None, float]:
    words = words_in(source)
    return words, *(align(words, lower(first), lower(second)) or (None, 0.0))


@pytest.mark.parametrize(
    ("source", "first", "second", "cut", "dropped", "opener", "noun"),
    [
        ("Tom bought a car, but she sold it.", "Tom bought a car.", "She sold it.", ", but she sold it", 2, "", ""),
        (
            "Tom Smith left Rome and sold it all.",
            "Tom Smith left Rome.",
            "He sold it all.",
            "and sold it all",
            1,
            "he",
            "",
        ),
        (
            "Anna, who lives in Rome, wrote a book.",
            "Anna wrote a book.",
            "She lives in Rome.",
            ", who lives in Rome",
            2,
            "she",
            "",
        ),
        (
            "Tom sold it, but the mayor bought it.",
            "Tom sold it.",
            "However, the mayor bought it.",
            ", but the mayor bought it",
            2,
            "however ,",
            "",
        ),
        (
            "Alan Shepard was born in Rome and wrote a book.",
            "Alan Shepard was born in Rome.",
            "Alan Shepard also wrote a book.",
            "and wrote a book",
            1,
            "<full> also",
            "Alan",
        ),
        (
            "Alan Shepard was born in Rome and wrote a book.",
            "Alan Shepard was born in Rome.",
            "Shepard wrote a book.",
            "and wrote a book",
            1,
            "<last>",
            "Alan",
        ),
        # What is said again stands right before the cut.
        (
            "A woman wrote the book, which was sold in Rome.",
            "A woman wrote the book.",
            "The book was sold in Rome.",
            ", which was sold in Rome",
            2,
            "<full>",
            "book",
        ),
        (
            "Anna wrote a long book, which was sold in Rome.",
            "Anna wrote a long book.",
            "The long book was sold in Rome.",
            ", which was sold in Rome",
            2,
            "<definite>",
            "book",
        ),
        (
            "Anna wrote a long book, which was sold in Rome.",
            "Anna wrote a long book.",
            "The book was sold in Rome.",
            ", which was sold in Rome",
            2,
            "<short>",
            "book",
        ),
    ],
)
def test_where_it_was_cut_what_went_and_what_came(
    source: str, first: str, second: str, cut: str, dropped: int, opener: str, noun: str
) -> None:
    words, one, quality = found(source, first, second)
    assert one is not None
    assert words.join(range(one.start, one.stop)) == cut
    assert (one.dropped, " ".join(one.opener)) == (dropped, opener)
    assert (words[one.antecedent].text if one.antecedent >= 0 else "") == noun
    assert 0.5 < quality <= 1
    assert render(words, one) == (first, second)


def test_the_order_of_the_pair_does_not_matter_for_where_it_was_cut() -> None:
    source, one, other = "Because it rained, Tom sold the old car.", "Tom sold the old car.", "It rained."
    words, split, _ = found(source, one, other)
    assert split is not None
    assert words.join(range(split.start, split.stop)) == ", Tom sold the old car"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Nothing of it was there.", "It is all new."),
        ("Tom bought a red car and sold the house.", "He was old."),
        ("", ""),
        ("Tom bought a red car.", "!"),
    ],
)
def test_what_no_cut_explains_is_none(first: str, second: str) -> None:
    assert found("Tom bought a red car and sold the house.", first, second)[1] is None


def test_worse_pairs_have_less_quality() -> None:
    source, first = "Tom bought a red car and sold the old house in May.", "Tom bought a red car."
    seconds = ("He sold the old house in May.", "He sold the house in the end.", "He sold many other things then.")
    values = [found(source, first, second)[2] for second in seconds]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[2]


class TestVerbs:
    SOURCE = "The old house burned down, making way for a park."

    @pytest.mark.parametrize(
        ("second", "slot"), [("This made way for a park.", "<past>"), ("This makes way for a park.", "<present>")]
    )
    def test_another_form_of_the_dropped_verb_is_a_slot(self, second: str, slot: str) -> None:
        words, one, _ = found(self.SOURCE, "The old house burned down.", second)
        assert one is not None
        assert one.opener == ("this", slot)
        assert render(words, one) == ("The old house burned down.", second)

    @pytest.mark.parametrize(("opener", "dropped"), [((), 2), (("this", "built"), 2), (("this", "made"), 0)])
    def test_other_openers_stay(self, opener: tuple[str, ...], dropped: int) -> None:
        words = words_in(self.SOURCE)
        assert with_verb_slot(words, opener, 5, 5 + dropped) == opener
