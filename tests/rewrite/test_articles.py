"""*A* and *an* after a cut."""

from __future__ import annotations

import pytest

from rewrite.generators.tidy import article_before, tidy, with_fitting_articles


@pytest.mark.parametrize(
    ("words", "article"),
    [
        (
            "elephant unusual hour honest unidentified umbrella uninteresting onerous 8 18 11 80 eight EU x-ray X-ray",
            "an",
        ),
        ("car unit unique European use one-way usual 1 10 180 110 US UN unanimous house Ukrainian e-mail's", "a"),
    ],
)
def test_the_sound_decides_not_the_letter(words: str, article: str) -> None:
    found = {word: article_before(word) for word in words.split()}
    # *e-mail* begins with the name of its letter.
    assert found.pop("e-mail's", "an") == "an"
    assert found == dict.fromkeys(found, article)


@pytest.mark.parametrize("word", ["FBI", "FIFA", "NASA", "herb", "historic", "école", ""])
def test_what_cannot_be_told_is_not(word: str) -> None:
    assert article_before(word) is None


def without(text: str, word: str) -> str:
    """The sentence without a word, mended."""
    start = text.index(word)
    return tidy(f"{text[:start]} {text[start + len(word) :]}", like=text, language="en")


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("He saw a big elephant there.", "big", "He saw an elephant there."),
        ("He drove an old car there.", "old", "He drove a car there."),
        ("An old car stood there.", "old", "A car stood there."),
        ("A big elephant stood there.", "big", "An elephant stood there."),
        ('He called it a rather "easy" win.', "rather", 'He called it an "easy" win.'),
        ("He met an angry FBI agent.", "angry", "He met an FBI agent."),
        ("She took vitamin A early on.", "early", "She took vitamin A on."),
        ("He had a big, old car.", "big,", "He had an old car."),
    ],
)
def test_an_article_takes_the_form_that_its_new_neighbour_asks_for(text: str, word: str, expected: str) -> None:
    assert without(text, word) == expected


def test_what_the_source_wrote_stays() -> None:
    source = "It was an historical, a elegant and a very odd thing."
    assert with_fitting_articles(source, like=source) == source
    assert without(source, "very") == "It was an historical, a elegant and an odd thing."


def test_other_languages_have_no_such_rule() -> None:
    assert tidy("Va a  Italia.", like="Va a ver Italia.", language="other") == "Va a Italia."
