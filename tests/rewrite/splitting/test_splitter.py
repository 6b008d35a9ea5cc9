"""What a splitter makes of texts: where sentences end, which are asked, what the guard blocks, what is chosen."""

from __future__ import annotations

import pytest

from rewrite.errors import BadInput
from rewrite.splitting.split_options import SplitOptions
from rewrite.splitting.splitter import Splitter, sentences_in
from tests.rewrite.splitting.marking import analyzer
from tests.rewrite.splitting.scripted import ScriptedModel

TOM = "Tom bought a car, and Anna sold the house."
PETER = "Peter left the town, and Mary kept the dog."
CUTS = {"but": -0.5, "and": -1.0}


def splitter(model: ScriptedModel | None = None, **options: object) -> Splitter:
    return Splitter(SplitOptions.model_validate(options), model=model or ScriptedModel(CUTS), analyzer=analyzer())


def test_texts_together_are_split_as_each_alone() -> None:
    texts = [TOM, "", f"{PETER} {TOM}", "She sleeps.", PETER]
    scripted = splitter()
    together = scripted.run(texts)
    assert [splitting.lines for splitting in together] == [scripted.run([text])[0].lines for text in texts]
    assert together[2].lines == (
        "Peter left the town.",
        "Mary kept the dog.",
        "Tom bought a car.",
        "Anna sold the house.",
    )
    assert scripted.run([]) == []


def test_the_bundled_model_splits_together_as_alone() -> None:
    texts = [
        "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office.",
        "The bridge, which was built in 1909, was closed in 2004, and it was torn down two years later.",
        TOM,
    ]
    bundled = Splitter(SplitOptions(sentences=3), analyzer=analyzer())
    assert [splitting.lines for splitting in bundled.run(texts)] == [bundled.run([text])[0].lines for text in texts]


def test_a_sentence_is_asked_once_however_often_it_stands_there() -> None:
    model = ScriptedModel(CUTS)
    twice, once = splitter(model).run([f"{TOM} {TOM}", TOM])
    assert twice.lines == once.lines * 2
    assert all(len(call) == len(set(call)) for call in model.asked)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("He left, and she came.", "fewer than 6 words"),
        ("1999, 2000, 2001, 2002, 2003, 2004, 2005", "no words"),
        (f"{TOM[:-1]} \x07 again.", "control characters"),
    ],
)
def test_what_is_not_asked_says_why(text: str, reason: str) -> None:
    model = ScriptedModel(CUTS)
    (splitting,) = splitter(model).run([text])
    assert splitting.text == text
    assert [sentence.skipped for sentence in splitting.sentences] == [reason]
    assert model.asked == []


def test_another_language_is_an_error_of_its_sentences() -> None:
    russian, english = splitter().run(["Город стоит на реке, и в нём живут люди из разных стран.", TOM])
    assert "English" in russian.sentences[0].error
    assert len(english.lines) == 2


def test_a_candidate_that_adds_a_word_is_blocked() -> None:
    model = ScriptedModel(CUTS, opener=("yesterday",))
    (splitting,) = splitter(model, weights={"splits": 100.0}).run([TOM])
    assert splitting.lines == (TOM,)
    table = splitting.sentences[0].table
    assert table is not None
    texts = dict(zip((candidate.text for candidate in table.candidates), table.blocked, strict=True))
    assert "yesterday" in texts["Tom bought a car.\nYesterday Anna sold the house."]


def test_a_split_must_score_above_the_source() -> None:
    weights = {"splits": 0.0, "length": 0.0, "caution": 0.0, "likelihood": 1.0}
    for none, sentences in ((-0.1, 1), (-3.0, 2)):
        (splitting,) = splitter(ScriptedModel(CUTS, none=none), weights=weights).run([TOM])
        assert len(splitting.lines) == sentences
        assert splitting.row().get("kept", {}) == ({TOM: "it needs no split"} if sentences == 1 else {})


def test_space_around_sentences_stays() -> None:
    (splitting,) = splitter().run([f"  {TOM}  She sleeps. "])
    assert splitting.text == "  Tom bought a car. Anna sold the house.  She sleeps. "


@pytest.mark.parametrize("texts", [TOM, [TOM, 5], b"Tom"])
def test_what_is_no_list_of_texts_is_refused(texts: object) -> None:
    with pytest.raises(BadInput, match="no list of strings"):
        splitter().run(texts)  # type: ignore[arg-type]


def test_settings_tell_the_model_and_the_number_of_candidates() -> None:
    settings = {splitter(n=n).settings for n in (5, 10)}
    assert len(settings) == 2
    assert all("scripted" in setting for setting in settings)


@pytest.mark.parametrize(
    "text",
    [
        "Its chapel is dedicated to him, whom Fr. Zahm saw there.",
        "Smith holds a Ph.D. from Oxford and teaches at Yale.",
        "Prof. A. B. Smith, Ph.D., of St. John's College, won the prize.",
        "Smith, Jr., of Ohio, won the race.",
        "He lives at No. 5 in Rome.",
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert sentences_in(text).sentences == (text,)


def test_sentences_end_at_stops() -> None:
    assert sentences_in("He left Rome. She stayed. He is old.").sentences == (
        "He left Rome.",
        "She stayed.",
        "He is old.",
    )
