"""Which stretches of words are phrases, which two may be paraphrases, and which of their forms agree."""

from __future__ import annotations

import pytest

from training.paraphrases.grammar import Grammar, english_grammar, russian_grammar, tag_english
from training.paraphrases.pruning import Language, Pruning, Unit, agree, read_unit

NOUNS = ["dog", "cat", "house", "tree", "book", "table", "river", "road"]
TAGS = {
    "N": "car auto sites web website websites sanctions time moment talks negotiations paris wheel",
    "V": "imposed introduced took held looked participated conducted opened",
    "A": "old fast sure unsure",
    "R": "quickly rapidly now",
}


def unit(phrase: str) -> Unit:
    """A phrase of the words above, which are their own stems."""
    tags = {word: tag for tag, words in TAGS.items() for word in words.split()}
    return read_unit(" ".join(f"{word}|{tags.get(word, '')}" for word in phrase.split()), phrase, Grammar({}), "en")


@pytest.mark.parametrize(
    ("phrase", "kind", "head"),
    [
        ("car", "noun", "car"),
        ("old car", "noun", "car"),
        ("wheel of the old car", "noun", "wheel"),
        ("took", "verb", "took"),
        ("quickly took", "verb", "took"),
        ("imposed sanctions", "verb", "imposed"),
        ("looked for", "verb", "looked"),
        ("held the talks on", "verb", "held"),
        ("fast", "adjective", "fast"),
        ("sure of", "adjective", "sure"),
        ("now", "adverb", "now"),
        ("at the moment", "prepositional", "at"),
    ],
)
def test_phrases_of_grammar_have_a_kind_and_a_head(phrase: str, kind: str, head: str) -> None:
    found = unit(phrase)
    assert found.kind == kind
    assert found.words[found.head] == head


def test_in_russian_the_first_noun_is_the_head() -> None:
    found = read_unit("старый|A мост|N дружба|N", "старые мосты дружбы", russian_grammar(), "ru")
    assert (found.kind, found.head) == ("noun", 1)
    assert read_unit("stone|N bridge|N", "stone bridges", Grammar({}), "en").head == 1


@pytest.mark.parametrize(
    "phrase", ["the car", "car and", "of", "car of the", "for cars to", "took that", "car 's wheel"]
)
def test_other_stretches_have_none(phrase: str) -> None:
    assert unit(phrase).kind == ""


@pytest.mark.parametrize(
    ("phrase", "rule"),
    [
        ("quickly", None),
        ("web sites", None),
        ("the car", "no phrase"),
        ("5", "no phrase"),
        ("auto—car", "no phrase"),
        ("paris car", "name"),
    ],
)
def test_phrases_that_are_refused(phrase: str, rule: str | None) -> None:
    pruning = Pruning(Language("en", Grammar({}), frozenset({"paris"})))
    assert pruning.takes(unit(phrase)) == (rule is None)
    assert pruning.refused == ({} if rule is None else {rule: 1})


def test_phrases_in_other_letters_are_refused() -> None:
    pruning = Pruning(Language("en", Grammar({})))
    assert not pruning.takes(Unit(("кар",), ("кар",), "N", "noun"))
    assert not pruning.takes(Unit(("room", "b2"), ("room", "b2"), "NN", "noun"))
    assert pruning.refused == {"other letters": 2}


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        ("quickly", "rapidly", None),
        ("web sites", "website", None),
        ("now", "at the moment", None),
        ("participated", "took time", None),
        ("held talks", "conducted negotiations", None),
        ("imposed sanctions", "introduced sanctions", None),
        ("looked for", "participated in", None),
        ("at the moment", "in time", "other kind"),
        ("fast", "quickly", "other kind"),
        ("car", "took", "other kind"),
        ("website", "websites", "no substitution"),
        ("old car", "car", "no substitution"),
        ("held talks", "held negotiations", "no substitution"),
        ("looked for", "took", "other end"),
        ("looked for", "held for", "other end"),
        ("not quickly took", "held", "other kind"),
        ("sure", "unsure", "opposite"),
    ],
)
def test_pairs_that_are_refused(one: str, other: str, rule: str | None) -> None:
    pruning = Pruning(Language("en", Grammar({})))
    assert pruning.may(unit(one), unit(other)) == pruning.may(unit(other), unit(one)) == (rule is None)
    assert pruning.refused == ({} if rule is None else {rule: 2})


def test_a_negation_in_one_alone_is_refused() -> None:
    one, other = (Unit((word,), (word,), "V", "verb") for word in ("failed", "worked"))
    pruning = Pruning(Language("en", Grammar({})))
    assert not pruning.may(one, other)
    assert pruning.refused == {"negation": 1}


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("крупного", "большого", True),
        ("крупного", "больших", False),
        ("начал", "затеял", True),
        ("начал", "затеяла", False),
        ("начнет", "затеял", False),
        # What is begun is an object without a preposition, and with к.
        ("начал", "приступил", False),
        ("ездить", "поехать", False),
        ("поедем", "отправляйся", False),
        ("похожего", "подобный", False),
        ("дом", "здание", True),
        # Of the readings of избегает one is perfective, as избежит is.
        ("избегает", "избежит", False),
        ("переводить", "перевести", False),
        ("утонул", "утопил", False),
        ("разработанным", "спроектировавшим", False),
        ("пришла", "приехала", True),
    ],
)
def test_russian_forms_share_case_number_and_tense(one: str, other: str, together: bool) -> None:
    assert agree([one], [other], (0, 0), russian_grammar()) == together


def test_english_kinds_come_from_sentences() -> None:
    sentences = [f"the {noun}s see the {noun} and he watched it .".split() for noun in NOUNS]
    tags = list(tag_english(sentences))
    assert [tag for tag, _ in tags[0]] == ["", "N", "V", "", "N", "", "", "V", "", ""]
    grammar = english_grammar(sentences, tags)
    assert grammar.kinds("dog") & grammar.kinds("cat")
    assert not grammar.kinds("dog") & grammar.kinds("dogs")
    assert not grammar.kinds("see") & grammar.kinds("watched")
    assert grammar.kinds("zebra") == frozenset()
    assert not agree(["dogs"], ["cat"], (0, 0), grammar)
    assert not agree(["zebra"], ["zebra"], (0, 0), Grammar({}))
