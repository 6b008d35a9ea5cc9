"""Bad texts made of good ones: what is left alone is what the label says."""

from __future__ import annotations

import difflib
import random
from collections import Counter

import pytest

from rerank.masked.base import Row, Word
from rerank.masked.bundled import load
from rewrite.errors import BadInput
from training.negatives.forms import break_agreement, exchange_neighbours, other_form, truncate
from training.negatives.meaning import flip_negation, swap_names, swap_numbers
from training.negatives.pieces import MUTATIONS, Piece, Pieces, Unit, cut, delete, insert, replace_pieces
from training.negatives.sampling import CROSS_PAIR, KINDS, PAPER_KINDS, Example, Positive, examples
from training.negatives.slips import guess, slip, slip_by_chance

TEXT = "The old man sold the house. He left Rome in May. It rained."
RUSSIAN = "Старик продал дом. Он уехал в мае, а дом снесли. Шёл дождь."
OTHER = Piece("zebra", " ", 1)
GOOD = [Positive(f"document {n}", f"Text {n} tells of town {n}. It is the {n}th of them.") for n in range(30)]


def other(rng: random.Random) -> Piece:
    return OTHER


@pytest.mark.parametrize(("text", "sentences"), [(TEXT, 3), (RUSSIAN, 3), ("他来了。我走了。", 2), ("", 0), ("One", 1)])
@pytest.mark.parametrize("unit", ["word", "sentence"])
def test_the_pieces_together_are_the_text(text: str, sentences: int, unit: Unit) -> None:
    pieces = cut(text, unit)
    assert pieces.text == text
    assert pieces.tokens == len(cut(text, "word"))
    if unit == "sentence":
        assert len(pieces) == sentences


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("unit", ["word", "sentence"])
@pytest.mark.parametrize("text", [TEXT, RUSSIAN])
def test_deletion_leaves_the_share_that_it_says(text: str, unit: Unit, share: float) -> None:
    pieces = cut(text, unit)
    mutated = delete(pieces, share, random.Random(0), other)
    assert mutated is not None
    left = Counter(word.text for word in cut(mutated.text, "word").pieces)
    assert not left - Counter(word.text for word in cut(text, "word").pieces)
    assert mutated.label == pytest.approx(left.total() / pieces.tokens)
    assert 0 < mutated.label < 1


def test_of_ten_words_three_tenths_are_deleted() -> None:
    mutated = delete(cut("a b c d e f g h i j", "word"), 0.3, random.Random(0), other)
    assert mutated is not None
    assert (len(mutated.text.split()), mutated.label) == (7, 0.7)


def test_sentences_count_by_their_tokens() -> None:
    # The sentences have 7, 6 and 3 tokens.
    labels = {
        mutated.label
        for seed in range(20)
        if (mutated := delete(cut(TEXT, "sentence"), 0.3, random.Random(seed), other)) is not None
    }
    assert labels == {9 / 16, 10 / 16, 13 / 16}


def test_replacement_keeps_the_length_and_insertion_adds_to_it() -> None:
    pieces = cut("a b c d e f g h i j", "word")
    replaced = replace_pieces(pieces, 0.4, random.Random(0), other)
    inserted = insert(pieces, 0.4, random.Random(0), other)
    assert replaced is not None
    assert inserted is not None
    assert (replaced.text.split().count("zebra"), len(replaced.text.split()), replaced.label) == (4, 10, 0.6)
    assert (inserted.text.split().count("zebra"), len(inserted.text.split())) == (4, 14)
    assert inserted.label == pytest.approx(10 / 14)


def test_chinese_is_joined_without_spaces() -> None:
    mutated = insert(cut("他来了", "word"), 0.1, random.Random(0), lambda rng: Piece("我", "", 1))
    assert mutated is not None
    assert len(mutated.text) == 4


@pytest.mark.parametrize(("text", "language"), [(TEXT, "en"), (RUSSIAN, "ru")])
def test_a_slip_is_a_word_or_a_few_and_leaves_the_others(text: str, language: str) -> None:
    words = [piece.text for piece in cut(text, "word").pieces]
    others = cut("старый лежит вновь" if language == "ru" else "quick lies brown", "word").pieces
    found = Counter[int]()
    for seed in range(40):
        mutated = slip(cut(text, "word"), 0.1, random.Random(seed), lambda rng: rng.choice(others))
        if mutated is None:
            continue
        assert mutated == slip(cut(text, "word"), 0.1, random.Random(seed), lambda rng: rng.choice(others))
        assert mutated.label == 0.5
        now = [piece.text for piece in cut(mutated.text, "word").pieces]
        matcher = difflib.SequenceMatcher(None, words, now, autojunk=False)
        assert sum(size for _, _, size in matcher.get_matching_blocks()) >= len(words) - 2
        found[len(now) - len(words)] += 1
    # Words that are exchanged, missing and put in, and most often another one in the place of one.
    assert set(found) == {-1, 0, 1}
    assert found[0] > 20


def test_by_chance_longer_texts_have_a_slip_more_often() -> None:
    others = cut("quick lies brown", "word").pieces

    def wrong(text: str) -> int:
        drawn = (
            slip_by_chance(cut(text, "word"), 0.05, random.Random(n), lambda rng: rng.choice(others)) for n in range(99)
        )
        return sum(found != text for found in drawn)

    short, long = wrong("It rained all day ."), wrong(f"{TEXT} {TEXT}")
    assert 5 < short < 33
    assert 50 < long < 99
    assert wrong("") == wrong("12 , 7 .") == 0


def test_slips_that_came_to_nothing_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing is guessed, nothing but marks is drawn, and the words have no other forms.
    monkeypatch.setattr("training.negatives.slips.guess", lambda *given: {})
    words = "must must must must must must must must must must must must must must must".split()
    labels = set()
    for seed in range(60):
        mutated = slip(cut(" ".join(words), "word"), 1.0, random.Random(seed), lambda rng: Piece(".", "", 1))
        if mutated is not None:
            # Three are drawn. What is missing and what is there twice may make up for one another.
            changed = abs(len(mutated.text.split()) - len(words))
            assert "." not in mutated.text
            assert mutated.label in {0.5**count for count in range(changed, 4)}
            labels.add(mutated.label)
    assert labels == {0.5, 0.25}


@pytest.mark.parametrize("text", ["Yes", "Yes."])
def test_a_text_of_one_word_keeps_a_word(text: str) -> None:
    pieces = cut(text, "word")
    for seed in range(60):
        mutated = slip(pieces, 0.5, random.Random(seed), lambda rng: Piece("no", " ", 1))
        assert mutated is None or any(map(str.isalpha, mutated.text))
        by_chance = slip_by_chance(pieces, 1.0, random.Random(seed), lambda rng: Piece("no", " ", 1))
        assert any(map(str.isalpha, by_chance))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (
            "The council of the city met on Monday, and the plan was too expensive for them.",
            {"of", "the", "and", "for"},
        ),
        ("Критик пишет, что Толстой в своих поздних рассказах отошёл от прежних.", {"в", "поздних", "от"}),
        ("Эверест стал ниже из-за сильного землетрясения в Непале", {"сильного", "в"}),
    ],
)
def test_a_text_breaks_off_where_something_has_to_follow(text: str, ends: set[str]) -> None:
    found = []
    for seed in range(60):
        rng = random.Random(seed)
        mutated = truncate(cut(text, "word"), rng.uniform(0.1, 0.9), rng, other)
        assert mutated is not None
        assert text.startswith(mutated.text.removesuffix("."))
        assert mutated.label == pytest.approx(len(cut(mutated.text, "word")) / len(cut(text, "word")))
        found.append(mutated.text)
    assert {one.removesuffix(".").split()[-1] for one in found} == ends
    marked = sum(one.endswith(".") for one in found)
    assert 15 < marked < 45 if text.endswith(".") else not marked


@pytest.mark.parametrize("text", ["He left.", "They met again yesterday", "Он ушёл вчера вечером.", "of the"])
def test_a_text_without_such_a_place_does_not_break_off(text: str) -> None:
    assert truncate(cut(text, "word"), 0.5, random.Random(0), other) is None


def test_a_guess_is_a_word_that_the_model_thinks_less_likely() -> None:
    words = "The president of the United States lives in the White House .".split()
    model = load("en", threads=1)
    for seed in range(5):
        (place, word), *more = guess(words, [6], random.Random(seed), "en").items()
        assert (place, more) == (6, [])
        pieces = [(model.mask,) if one == "lives" else model.tokens(Word(one)) for one in words]
        tokens = [token for some in pieces for token in some]
        (logs,) = model.predict([Row((*model.prefix, *tokens, *model.suffix), (tokens.index(model.mask) + 1,))])
        (own,), (other,) = model.tokens(Word("lives")), model.tokens(Word(word))
        assert logs[0, other] < logs[0, own]


def test_no_words_are_guessed_beyond_the_window() -> None:
    words = ["word"] * 300
    assert set(guess(words, [3, 290], random.Random(0), "en")) == {3}
    assert guess(words, [290], random.Random(0), "en") == {}


def test_english_forms_are_words() -> None:
    def forms(word: str) -> set[str]:
        return {other_form(word, random.Random(seed)) for seed in range(30)}

    assert forms("stopped") == {"stop", "stops", "stopping"}
    assert forms("House") == {"Houses", "Housed", "Housing"}
    assert forms("city") == {"cities"}
    assert forms("carried") == {"carry", "carries", "carrying", "carrier"}
    assert forms("large") == {"larger", "largest", "largely"}
    assert forms("the") == forms("that") == {""}


def test_what_is_too_short_is_left() -> None:
    assert delete(cut("One", "word"), 0.5, random.Random(0), other) is None
    assert all(mutate(cut(" ", "word"), 0.5, random.Random(0), other) is None for mutate in MUTATIONS.values())
    with pytest.raises(ValueError, match=r"1\.5"):
        delete(cut(TEXT, "word"), 1.5, random.Random(0), other)


def test_five_negatives_for_each_positive_the_same_for_the_same_seed() -> None:
    found = list(examples(GOOD, seed=1))
    assert found == list(examples(GOOD, seed=1))
    assert found != list(examples(GOOD, seed=2))
    assert [one for one in found if not one.kind] == [Example(one.source, one.text, 1.0) for one in GOOD]
    assert len(found) == 6 * len(GOOD)
    assert {one.kind for one in found} == {"", *PAPER_KINDS}
    assert all(0 <= one.label < 1 for one in found if one.kind)
    assert all((one.label == 0.0) >= (one.kind == CROSS_PAIR) for one in found)


def test_what_is_put_in_comes_from_other_texts() -> None:
    own = {one.source: set(one.text.split()) for one in GOOD}
    for one in examples(GOOD, ["sentence-insertion", CROSS_PAIR], seed=3):
        if one.kind:
            assert set(one.text.split()) - own[one.source]


def test_faults_are_named() -> None:
    with pytest.raises(BadInput, match="shuffling"):
        list(examples(GOOD, ["shuffling"]))
    with pytest.raises(BadInput, match="no others"):
        list(examples(GOOD[:1]))
    for blank in (" ", "\u200b", "\u00ad\u00ad"):
        with pytest.raises(BadInput, match="Text 2 is blank"):
            list(examples([GOOD[0], Positive("document", blank), GOOD[1]]))
    assert list(examples([])) == []


def pieces(text: str) -> Pieces:
    return cut(text, "word")


def named(rng: random.Random) -> Piece:
    return Piece(rng.choice(["zebra", "Vienna", "Минска", "Киев"]), " ", 1)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("She met Boris in Oslo.", {"She met Vienna in Oslo.", "She met Boris in Vienna.", "She met Oslo in Oslo."}),
        # The other name ends in the same letter.
        ("Он уехал из Ростова утром.", {"Он уехал из Минска утром."}),
    ],
)
def test_names_are_exchanged_or_taken_from_others(text: str, wanted: set[str]) -> None:
    found = {swap_names(pieces(text), 0.1, random.Random(seed), named) for seed in range(40)}
    assert {one.label for one in found if one} == {0.0}
    assert wanted & {one.text for one in found if one} == wanted
    assert swap_names(pieces("She met him. He left."), 0.9, random.Random(0), named) is None


def test_numbers_get_another_digit_or_are_exchanged() -> None:
    found = {swap_numbers(pieces("In 1950 they sold 12 cars."), 0.1, random.Random(seed), other) for seed in range(60)}
    texts = {one.text for one in found if one}
    assert {"In 12 they sold 12 cars.", "In 1950 they sold 1950 cars."} <= texts
    assert len(texts) > 10
    assert all(sum(letter.isdigit() for letter in text) in (4, 6, 8) for text in texts)
    assert swap_numbers(pieces("No number."), 0.5, random.Random(0), other) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("He did not sell it.", "He did sell it."),
        ("He did n't sell it.", "He did sell it."),
        ("Not all left.", "All left."),
        ("Денег нет.", "Денег есть."),
        ("Он не продал дом.", "Он продал дом."),
        ("Он продал дом.", "Он не продал дом."),
        ("They were late.", "They were not late."),
    ],
)
def test_a_denial_goes_or_comes(text: str, wanted: str) -> None:
    mutated = flip_negation(pieces(text), 0.5, random.Random(0), other)
    assert mutated is not None
    assert (mutated.text, mutated.label) == (wanted, 0.0)


@pytest.mark.parametrize("text", ["The dogs is walking home in May.", "Старый дом стоял у реки много лет."])
@pytest.mark.parametrize(("share", "changed"), [(0.1, 1), (0.6, 2), (1.0, 3)])
def test_one_to_three_words_lose_their_agreement(text: str, share: float, changed: int) -> None:
    mutated = break_agreement(pieces(text), share, random.Random(1), other)
    assert mutated is not None
    words, others = text.split(), mutated.text.split()
    assert len(words) == len(others)
    assert sum(one != another for one, another in zip(words, others, strict=True)) == changed
    assert mutated.label == 0.5**changed


def test_neighbours_change_places_and_nothing_else_does() -> None:
    text = "Anna sold the old house in May."
    mutated = exchange_neighbours(pieces(text), 0.1, random.Random(2), other)
    assert mutated is not None
    assert mutated.text != text
    assert sorted(mutated.text.split()) == sorted(text.split())
    assert mutated.text.startswith("Anna")
    assert mutated.text.endswith("May.")
    assert mutated.label == 1 - 2 / 8
    assert exchange_neighbours(pieces("He left."), 0.5, random.Random(0), other) is None


def test_no_mutation_of_a_text_is_given_twice() -> None:
    good = [Positive("s", "Anna never left."), Positive("s", "Boris never left.")]
    found = [one.text for one in examples(good, ("negation",), seed=0) if one.kind]
    assert sorted(found) == ["Anna always left.", "Boris always left."]


def test_kinds_for_rewrites_are_there_by_name() -> None:
    rewrites = set(KINDS) - set(PAPER_KINDS)
    told = {"names", "numbers", "negation", "agreement", "order", "slips", "truncation"}
    assert rewrites == told | {"thesaurus", "word-order", "repetition"}
    found = {one.kind for one in examples(GOOD, sorted(rewrites), negatives=8, seed=0)}
    assert found - {""} <= rewrites
    assert {"numbers", "agreement", "order"} <= found
