"""Sentences of documents through the pipeline: items of lists stay items, and what stands between words stays apart."""

from __future__ import annotations

import pytest

from rewrite import Options, Pipeline
from rewrite.documents.markdown import read_markdown
from rewrite.documents.marks import carried
from rewrite.documents.revision import _as_item, as_sentence, revisions
from rewrite.documents.segments import Mark, Segment, changed

LONG = "в связи с проведением ремонта движение было приостановлено"


def _rewritten(text: str) -> str:
    segment = Segment(text)
    (made,) = revisions([segment], Pipeline(Options(generator="edits", lang="ru")).run([as_sentence(text)]))
    return changed(segment, [change for revision in made for change in revision.changes])[0]


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        ("контроль за бюджетом;", "Контроль за бюджетом."),
        ("контроль за бюджетом,", "Контроль за бюджетом."),
        ("Контроль", "Контроль"),
        ("iPhone стоит дорого.", "iPhone стоит дорого."),
        ("ßoß;", "ßoß."),
        ("5 домов;", "5 домов."),
        ("", ""),
    ],
)
def test_an_item_is_given_as_a_sentence_of_its_length(item: str, sentence: str) -> None:
    assert as_sentence(item) == sentence


@pytest.mark.parametrize(
    ("item", "rewritten"),
    [
        (f"{LONG};", "из-за проведения ремонта движение приостановили;"),
        (f"{LONG},", "из-за проведения ремонта движение приостановили,"),
        (f"{LONG}.", "из-за проведения ремонта движение приостановили."),
    ],
)
def test_an_item_begins_and_ends_as_it_did(item: str, rewritten: str) -> None:
    assert _rewritten(item) == rewritten


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("Иванов назначен.", "Иванов назначен;"),
        ("Назначен Иванов.", "назначен Иванов;"),
        ("США согласны.", "США согласны;"),
        ("«Заря» закрыта.", "«Заря» закрыта;"),
        ("", ";"),
    ],
)
def test_a_name_keeps_its_capital(text: str, item: str) -> None:
    given = "Вчера был назначен Иванов, США согласны, «Заря» закрыта."
    assert _as_item(text, given, given[0].lower() + given[1:-1] + ";") == item


def test_the_space_before_a_picture_stays() -> None:
    source = "Приведены код и ![рисунок](a.png), которые важны."
    (segment,) = read_markdown(source).segments
    assert segment == Segment("Приведены код и , которые важны.", (Mark(16, 16),))
    changes = carried(segment, 0, len(segment.text), "Есть код и, которые важны.", language="ru")
    assert changes is not None
    assert read_markdown(source).written([changes]).decode() == source.replace("Приведены", "Есть")
    assert carried(segment, 0, len(segment.text), "Есть код, важные.", language="ru") is None
