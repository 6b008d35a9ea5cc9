"""What every generator promises, whoever wrote it."""

from __future__ import annotations

import pytest

from rerank.analysis import Analyzer
from rewrite.generators import Generator, Sampling, create_generator, known_generators
from rewrite.request import Options

SOURCES = [
    "Положение стало угрожающим для царевича, когда Филипп женился в седьмой раз на знатной македонянке Клеопатре.",
    "Архимандрит Дионисий торопил ополчение поспешить к Москве и направил князю Трубецкому просьбу объединиться.",
    "Дождь.",
    "Оливковое масло, которое получают из плодов, также используется в мыловарении и в качестве лампового масла.",
]


@pytest.fixture(scope="module", params=known_generators())
def generator(request: pytest.FixtureRequest, analyzer: Analyzer) -> Generator:
    return create_generator(Options(generator=request.param), analyzer=analyzer)


@pytest.fixture(scope="module")
def drawn(generator: Generator) -> list[list[str]]:
    return [[c.text for c in found] for found in generator.generate(SOURCES, Sampling(n=8, seed=3))]


def test_it_is_a_generator_with_the_name_it_is_found_by(generator: Generator) -> None:
    assert isinstance(generator, Generator)
    assert generator.name in known_generators()


def test_one_list_of_at_most_n_distinct_texts_per_source(drawn: list[list[str]]) -> None:
    assert len(drawn) == len(SOURCES)
    for texts in drawn:
        assert len(texts) <= 8
        assert len(set(texts)) == len(texts)
    assert any(drawn)


def test_texts_are_single_lines_that_are_not_the_source(drawn: list[list[str]]) -> None:
    for source, texts in zip(SOURCES, drawn, strict=True):
        for text in texts:
            assert text.strip() == text != source
            assert len(text.splitlines()) == 1


def test_candidates_name_their_generator_and_say_what_was_done(generator: Generator) -> None:
    for candidate in generator.generate(SOURCES[:1], Sampling(n=8))[0]:
        assert candidate.generator == generator.name
        assert candidate.count >= 1
        assert all(edit.strip() for edit in candidate.edits)


def test_the_same_seed_draws_the_same(generator: Generator, drawn: list[list[str]]) -> None:
    again = generator.generate(SOURCES, Sampling(n=8, seed=3))
    assert [[c.text for c in found] for found in again] == drawn


def test_a_source_draws_the_same_alone_as_in_company(generator: Generator, drawn: list[list[str]]) -> None:
    alone = [generator.generate([source], Sampling(n=8, seed=3))[0] for source in SOURCES]
    assert [[c.text for c in found] for found in alone] == drawn


def test_no_sources_give_no_candidates(generator: Generator) -> None:
    assert generator.generate([], Sampling(n=8)) == []


def test_one_candidate_is_one_at_most(generator: Generator) -> None:
    assert all(len(found) <= 1 for found in generator.generate(SOURCES, Sampling(n=1)))


@pytest.mark.parametrize("text", ["", "   ", "no Cyrillic", "«» — ()", "а" * 300, "да " * 300, "1812 год."])
def test_odd_texts_do_no_harm(generator: Generator, text: str) -> None:
    (found,) = generator.generate([text], Sampling(n=4))
    assert all(candidate.text.strip() for candidate in found)
