"""What is done to good sentences, each kind on a sentence where all that it may make is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest

from rewrite.splitting.model import SplitModel
from rewrite.splitting.parsed_words import Words
from tests.rewrite.splitting.marking import analyzer as bundled
from tests.rewrite.splitting.marking import words_in
from training.whole import breaking, sentences
from training.whole.examples import GOOD, KINDS, Source, apart, is_whole, make_examples, proposed
from training.whole.sentences import clauses, render

Way = Callable[[Words, random.Random], str | None]


def made(way: Way, text: str, times: int = 60) -> set[str]:
    """All that `way` makes of a text."""
    words = words_in(text)
    return {found for seed in range(times) if (found := way(words, random.Random(seed)))}


def of_two(way: Callable[[Words, Words, random.Random], str | None], one: str, other: str) -> set[str]:
    first, second = words_in(one), words_in(other)
    return {found for seed in range(60) if (found := way(first, second, random.Random(seed)))}


JOHN = "John Smith was a chemist and a professor at Yale ."


class TestParts:
    def test_fragments_have_no_clause(self) -> None:
        found = made(breaking.fragment, JOHN)
        assert {"A chemist and a professor at Yale .", "A professor at Yale .", "At Yale ."} <= found
        assert not [text for text in found if "John" in text]
        assert all(text.endswith(" .") and text[0].isupper() for text in found)

    def test_an_end_that_is_a_sentence_is_no_fragment(self) -> None:
        found = made(breaking.fragment, "The king died in Rome, and his son left the city.")
        assert not {"His son left the city.", "And his son left the city."} & found
        assert "The city." in found

    def test_a_clause_about_part_of_what_stood_before_it_is_one(self) -> None:
        assert "Two of whom died in Rome ." in made(
            breaking.fragment, "He had three sons , two of whom died in Rome .", 200
        )

    def test_a_beginning_ends_where_a_phrase_or_a_clause_has_only_begun(self) -> None:
        found = made(breaking.broken_off, "She was a member of the old club.")
        assert found == {"She was a member of the.", "She was a member of.", "She was a."}
        text = "The ship was found in Rome, and the captain of the ship left the city."
        assert "The ship was found in Rome, and the captain." in made(breaking.broken_off, text)

    def test_a_sentence_is_set_behind_what_subordinates_it(self) -> None:
        found = made(breaking.subordinate, "He left the city because he was ill.", 200)
        assert "So that he left the city because he was ill." in found
        assert "Which left the city because he was ill." in found
        assert "He left the city because he was ill." not in found

    def test_what_is_torn_has_lost_words_of_its_middle(self) -> None:
        found = made(breaking.torn, "They had to cross the creeks in the north of the country.")
        assert "They had to cross the creeks in the of the country." in found
        assert "They had to cross the in the north of the country." in found

    def test_openers_before_a_part_or_a_whole_sentence(self) -> None:
        found = made(breaking.misfit, "Arnold Stang worked at the bank as a clerk.", 200)
        assert {"He at the bank as a clerk.", "But a clerk."} <= found
        assert not [one for one in found if one.startswith(("He worked", "It was at", "It is a"))]
        assert {"It was he left the city.", "They he left the city."} <= made(breaking.misfit, "He left the city.", 200)


class TestWords:
    @pytest.mark.parametrize(
        ("way", "text", "wanted"),
        [
            (breaking.disagreeing, "It was lit from the inside.", {"It were lit from the inside."}),
            (breaking.disagreeing, "He has a red car.", {"He have a red car."}),
            (breaking.disagreeing, "They give Morgan a book.", {"They gives Morgan a book."}),
            (breaking.disagreeing, "The team was good.", set()),
            (breaking.disagreeing, "He left Rome.", set()),
            (
                breaking.incomplete,
                "In appearance they are like humans.",
                {"In appearance are like humans.", "In appearance they like humans."},
            ),
            (breaking.incomplete, "The ship is a large boat.", {"Is a large boat.", "The ship a large boat."}),
            (breaking.active, "The club was founded in 1990.", {"The club founded in 1990."}),
            (breaking.active, "The house was sold by Tom in May.", {"The house sold by Tom in May."}),
            (breaking.active, "He was ill.", set()),
        ],
    )
    def test_one_of_them_is_wrong(self, way: Way, text: str, wanted: set[str]) -> None:
        assert made(way, text) == wanted

    def test_a_word_is_said_twice(self) -> None:
        found = made(breaking.doubled, "However, the old sturgeon was larger.", 300)
        assert {"However however, the old sturgeon was larger.", "However, the the old sturgeon was larger."} <= found


class TestTwo:
    ONE, OTHER = "The gate is made of metal .", "It was stolen in 2008 ."

    def test_a_comma_does_not_join_them(self) -> None:
        found = of_two(sentences.run_on, self.ONE, self.OTHER)
        assert {
            "The gate is made of metal , was stolen in 2008 .",
            "The gate is made of metal it was stolen in 2008 .",
        } <= found

    def test_a_conjunction_does(self) -> None:
        found = of_two(sentences.joined, self.ONE, self.OTHER)
        assert "The gate is made of metal , and it was stolen in 2008 ." in found
        assert not found & of_two(sentences.run_on, self.ONE, self.OTHER)


class TestGoodOnes:
    def test_an_adverb_may_open_one(self) -> None:
        found = made(sentences.opened, "The king left the city.")
        assert {"However, the king left the city.", "Then the king left the city."} <= found

    def test_what_stands_at_the_end_may_stand_in_front(self) -> None:
        assert made(sentences.fronted, "He met the mayor while he was in Rome.") == {
            "While he was in Rome, he met the mayor."
        }
        # *By the king, it was sold* is none that anybody writes.
        assert made(sentences.fronted, "It was sold by the king.") == set()

    @pytest.mark.parametrize(
        ("text", "whole"),
        [
            ("He left the city in 1909.", True),
            ("In 1909 , he left the city .", True),
            ("There are many ships in the harbour.", True),
            ("Left the city in 1909.", False),
            ("Because he left the city.", False),
            ("he left the city in 1909.", False),
            ("He left the city in 1909", False),
            ("A professor of music at Yale.", False),
            ("Which he left in 1909.", False),
            ("Some of whom died in Rome.", False),
        ],
    )
    def test_a_whole_sentence_is_known_by_its_parse(self, text: str, whole: bool) -> None:
        assert is_whole(words_in(text)) is whole


class TestRender:
    @pytest.mark.parametrize(
        ("text", "items", "wanted"),
        [
            ("He left , and she came .", [4, 5], "She came ."),
            ("He left, and she came.", [2, 3, 4, 5], "And she came."),
            ("He left, and she came.", ["However", ",", 0, 1], "However, he left."),
            ("Rome fell , then .", ["However", ",", 0, 1, 2], "However , Rome fell ."),
        ],
    )
    def test_words_become_a_sentence_spaced_as_the_source(self, text: str, items: list[int | str], wanted: str) -> None:
        assert render(words_in(text), items) == wanted

    def test_the_quotation_mark_at_the_end_stays(self) -> None:
        words = words_in('He wrote the book "Field of Dreams".')
        assert render(words, ["It", "he", *range(1, words.end)]).endswith('"Field of Dreams".')

    def test_a_clause_behind_a_relative_word_does_not_stand_alone(self) -> None:
        words = words_in("The house that he built is old.")
        assert [words[n].text for n in clauses(words, range(len(words)))] == ["old"]


def _sources(count: int) -> list[Source]:
    texts = [
        f"The {word} king of Rome was born in {1000 + n} ." for n, word in zip(range(count), _words(), strict=False)
    ]
    return [Source(words_in(text), f"x:{n // 2}", False) for n, text in enumerate(texts)]


def _words() -> Iterable[str]:
    return ("old young good bad tall small rich poor first last" * 10).split()


class TestProposals:
    def test_what_the_splitter_proposes_is_taken_where_it_has_no_subject_or_no_verb(self) -> None:
        model, analyzer = SplitModel(threads=1), bundled()
        source = Source(words_in("John Smith was a chemist in Rome and later became a professor at Yale."), "x:1", True)
        found = list(proposed([source, *_sources(2)], 5, 4, model, analyzer, 0))
        assert 1 <= len(found) <= 4
        assert {(one.origin, one.kind, one.is_whole) for one in found} == {("x:1", "proposed", False)}
        for one in found:
            words = words_in(one.text)
            assert not clauses(words, range(len(words))), one.text
            assert not is_whole(words)
        assert found == list(proposed([source], 5, 4, model, analyzer, 0))


class TestExamples:
    def test_half_of_them_are_good_and_the_seed_decides_which(self) -> None:
        analyzer, found = bundled(), _sources(10)
        one, other = list(make_examples(found, 5, analyzer)), list(make_examples(found, 5, analyzer))
        assert one == other
        assert list(make_examples(found, 6, analyzer)) != one
        assert sum(example.is_whole for example in one) >= 10
        assert {example.kind for example in one if not example.is_whole} <= set(KINDS)
        good = {example.text for example in one if example.is_whole}
        assert not [example for example in one if not example.is_whole and example.text in good]

    def test_a_source_has_the_same_examples_whatever_stands_beside_it(self) -> None:
        analyzer, found = bundled(), _sources(10)
        alone = [one for one in make_examples(found[4:5], 5, analyzer) if one.kind == GOOD]
        beside = [one for one in make_examples(found, 5, analyzer) if one.origin == "x:2" and one.kind == GOOD]
        assert alone[0] in beside

    def test_the_dev_side_shares_nothing_with_the_other(self) -> None:
        found = _sources(10)
        # The same eight words in a row under another origin.
        found.append(Source(found[0].words, "y:1", False))
        learnt, dev = apart(found, 8, 0)
        assert learnt
        assert dev
        assert not {one.origin for one in learnt} & {one.origin for one in dev}
        assert not {one.words.text for one in learnt} & {one.words.text for one in dev}
