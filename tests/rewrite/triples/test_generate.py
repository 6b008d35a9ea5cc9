"""Partitions, templates and candidates."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rewrite.errors import BadInput, ModelNotFound
from rewrite.splitting.triples.generate import Generator, absent, check_sentences, strangers
from rewrite.splitting.triples.template_book import Partitioner, Template, TemplateBook, key_of, load_templates, unseen
from rewrite.splitting.triples.triple import Triple, depth_first, parse_triple, triples_of

BORN = Triple("Ada_Bell", "birthPlace", "Cork")
CLUB = Triple("Ada_Bell", "club", "A.C._Cork")
SEAT = Triple("A.C._Cork", "ground", "Old_Park")
SENTENCE = "Ada Bell, born in Cork, plays for AC Cork, whose ground is Old Park."


def _book() -> TemplateBook:
    return TemplateBook(
        templates={
            "birthPlace 0-1": (Template("{0} was born in {1}.", 9, 0.0), Template("{1} saw {0} born.", 2, -0.5)),
            "club 0-1": (Template("{0} plays for {1}.", 5, 0.0),),
            "club 0-1 | ground 1-2": (Template("{0} plays for {1}.\nIts ground is {2}.", 2, 0.0),),
        },
        partitioner=Partitioner({"0-1 1-2 0-3": Counter({(0, 0, 1): 3, (0, 1, 0): 2, (0, 1, 2): 1})}),
    )


def test_the_key_is_the_shape_with_its_properties() -> None:
    assert key_of([CLUB, SEAT, BORN]) == "club 0-1 | ground 1-2 | birthPlace 0-3"
    assert key_of([CLUB]) == key_of([Triple("x", "club", "y")]) == "club 0-1"


def test_partitions_come_by_their_counts() -> None:
    partitions = _book().partitioner.candidates([CLUB, SEAT, BORN])
    assert [blocks for blocks, _ in partitions] == [
        ((CLUB, SEAT), (BORN,)),
        ((CLUB, BORN), (SEAT,)),
        ((CLUB,), (SEAT,), (BORN,)),
    ]
    assert [round(probability, 3) for _, probability in partitions] == [0.5, 0.333, 0.167]
    assert Partitioner({}).split([CLUB, BORN]) == ((CLUB,), (BORN,))
    assert Partitioner.of_plain(_book().partitioner.plain()) == _book().partitioner


def test_drafts_say_each_triple_with_the_names_of_the_sentence() -> None:
    drafts = Generator(_book()).drafts(SENTENCE, [CLUB, SEAT, BORN])
    assert drafts[0].sentences == (
        "Ada Bell plays for AC Cork.",
        "Its ground is Old Park.",
        "Ada Bell was born in Cork.",
    )
    assert drafts[0].logprob == 0
    assert drafts[0].known
    assert all(later.logprob <= 0 for later in drafts if later.known)
    texts = [draft.sentences for draft in drafts]
    assert len(set(texts)) == len(texts) > 1
    # A block of club and birth place has no template, so no draft is made of it; the ground alone is said by its words.
    assert any("AC Cork's ground is Old Park." in text for text in texts)
    assert [draft.known for draft in drafts] == sorted((draft.known for draft in drafts), reverse=True)


def test_no_more_drafts_than_asked_for() -> None:
    assert len(Generator(_book()).drafts(SENTENCE, [BORN, CLUB, SEAT], 2)) == 2


def test_a_property_never_seen_is_said_by_its_words() -> None:
    assert unseen(Triple("a", "UTCOffset", "b")).text == "{0}'s UTC offset is {1}."
    assert unseen(Triple("a", "leaderName", "b")).text == "{0}'s leader name is {1}."
    assert unseen(Triple("a", "awards", "b")).text == "{0}'s awards are {1}."


def test_a_template_with_the_words_of_the_sentence_is_preferred() -> None:
    (draft, *_) = Generator(_book()).drafts(
        "Cork saw Ada Bell born and later saw Bo.", [BORN, Triple("Bo", "club", "Cork")]
    )
    assert "Cork saw Ada Bell born." in draft.sentences


def test_a_book_comes_back_from_its_bytes(tmp_path: Path) -> None:
    book = _book()
    file = tmp_path / "book.json.gz"
    file.write_bytes(book.to_bytes())
    again = load_templates(file)
    assert (again.templates, again.partitioner) == (book.templates, book.partitioner)
    assert book.to_bytes() == book.to_bytes()
    (tmp_path / "bad.json.gz").write_bytes(b"no gzip")
    with pytest.raises(BadInput, match=r"bad\.json\.gz: no templates"):
        load_templates(tmp_path / "bad.json.gz")
    with pytest.raises(ModelNotFound, match=r"none\.json\.gz"):
        load_templates(tmp_path / "none.json.gz")


def test_the_bundled_book_writes_the_papers_example() -> None:
    sentence = "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office."
    triples = [
        parse_triple("Alan_Shepard | birthPlace | New_Hampshire"),
        parse_triple("Alan_Shepard | title | Chief of the Astronaut Office"),
    ]
    drafts = Generator(load_templates()).drafts(sentence, triples)
    assert drafts[0].sentences == (
        "Alan Shepard was born in New Hampshire.",
        "Alan Shepard served as the Chief of the Astronaut Office.",
    )
    assert check_sentences(sentence, triples, "\n".join(drafts[0].sentences)) == []


def test_the_bundled_templates_hold_no_numbers_and_no_gender() -> None:
    for templates in load_templates().templates.values():
        for template in templates:
            words = template.text.replace(".", " ").replace(",", " ").lower().split()
            assert not {"he", "she", "his", "her", "him"} & set(words), template
            bare = "".join(template.text.replace(f"{{{n}}}", "") for n in range(1))
            assert "{0}" in template.text, template
            assert not any(c.isdigit() for word in bare.split() for c in word if "{" not in word), template


def test_depth_first_order_and_duplicates() -> None:
    assert depth_first([CLUB, BORN, SEAT, CLUB]) == (CLUB, SEAT, BORN)


def test_triples_of_another_sentence_are_told() -> None:
    other = "The bridge, which was built in 1909, was closed."
    assert strangers(other, [BORN, CLUB]) == (
        "The triples do not belong to the sentence: 'Ada Bell', 'Cork', 'A.C. Cork' are not in it."
    )
    assert strangers(SENTENCE, [BORN, CLUB, SEAT]) == ""
    # Half of the entities are enough.
    assert strangers("Ada Bell sang.", [BORN]) == ""
    assert absent("It was built on 27 July 1932.", [Triple("x1", "built", '"1932-07-27"')]) == ["x1"]
    assert absent("Bo is Canadian.", [Triple("Bo", "from", "Canada")]) == []


@pytest.mark.parametrize(
    ("candidate", "kinds"),
    [
        ("Ada Bell was born in Cork.\nAda Bell plays for AC Cork.\nIts ground is Old Park.", []),
        ("Ada Bell was born in Cork.\nAda Bell plays for AC Cork.", ["name", "name"]),
        ("Ada Bell was born in Cork in 1909.\nAda Bell plays for AC Cork at Old Park.", ["number"]),
        ("Ada Bell was born in Cork.\nAda Bell plays for AC Cork at Old Park in Dublin.", ["name"]),
        ("Ada Bell was born in Cork.\nAda Bell plays not for AC Cork at Old Park.", ["negation"]),
        ("Ada Bell was born in Cork.\nAda Bell plays for AC Cork at Old Park, metres away.", ["invented"]),
    ],
)
def test_the_guard_finds_what_is_dropped_and_added(candidate: str, kinds: list[str]) -> None:
    assert [violation.kind for violation in check_sentences(SENTENCE, [BORN, CLUB, SEAT], candidate)] == kinds


def test_the_guard_knows_numbers_however_they_are_written() -> None:
    triples = [Triple("Ada", "votes", "1147.0"), Triple("Ada", "born", "Cork")]
    assert check_sentences("Ada of Cork has 1,147 votes.", triples, "Ada is of Cork.\nAda has 1147 votes.") == []
    (violation,) = check_sentences("Ada of Cork has 1,147 votes.", triples, "Ada is of Cork.")
    assert violation.kind == "number"


def test_templates_of_a_category_are_for_what_the_tree_begins_with() -> None:
    book = TemplateBook(
        templates={
            "country 0-1": (Template("{0} is in {1}.", 9, 0.0),),
            "Artist: country 0-1": (Template("{0} lives in {1}.", 9, 0.0),),
            "birthPlace 0-1": (Template("{0} was born in {1}.", 9, 0.0),),
        },
        partitioner=Partitioner({}),
        categories={"birthPlace": {"Artist": 90}, "country": {"Artist": 1, "City": 5}},
    )
    said = Generator(book).drafts(
        "Ada, born in Cork, Ireland.", triples_of(["Ada | birthPlace | Cork", "Cork | country | Ireland"])
    )
    assert said[0].sentences == ("Ada was born in Cork.", "Cork is in Ireland.")
    said = Generator(book).drafts(
        "Ada, born in Cork.", triples_of(["Ada | birthPlace | Cork", "Ada | country | Ireland"])
    )
    assert said[0].sentences == ("Ada was born in Cork.", "Ada lives in Ireland.")


def test_a_template_that_does_not_agree_with_its_names_is_not_the_first() -> None:
    book = TemplateBook(
        templates={
            "opened 0-1": (Template("{0} opened on {1}.", 9, 0.0), Template("{0} opened in {1}.", 2, -1.0)),
            "group 0-1": (Template("{1} is a group in {0}.", 9, 0.0), Template("{1} are a group in {0}.", 2, -1.0)),
        },
        partitioner=Partitioner({}),
    )
    triples = triples_of(["Cork | opened | 1909", "Cork | group | Javanese_people"])
    (first, *_) = Generator(book).drafts("Cork (1909) has Javanese people.", triples)
    assert first.sentences == ("Cork opened in 1909.", "Javanese people are a group in Cork.")
    (first, *_) = Generator(book).drafts("Cork (27 May 1909) …", triples_of(["Cork | opened | 1909-05-27"]))
    assert first.sentences == ("Cork opened on 27 May 1909.",)
