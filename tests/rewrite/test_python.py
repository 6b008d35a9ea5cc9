"""The Python interface: texts of any kind, results that travel, names and options that editors can see."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rewrite
from rerank.weights import Weights
from rewrite import Compressor, Options, Pipeline, Result, SplitOptions, Splitter
from rewrite.errors import BadInput, RewriteError
from tests import keywords

RUSSIAN = "Вследствие сильного снегопада движение поездов, которое осуществлялось по расписанию, было приостановлено."
ENGLISH = "The committee that was established in 2005 published its report, which was read by the whole council."


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline(Options(generator="edits"))


@pytest.fixture(scope="module")
def results(pipeline: Pipeline) -> list[Result]:
    graded = pipeline.rerank([(ENGLISH, ["The committee published its report, which was read by the council."])])
    return [
        *pipeline.run([RUSSIAN, "Да."]),
        *graded,
        *Compressor().run([ENGLISH]),
        *Splitter(SplitOptions(generator="splitter")).run([ENGLISH]),
    ]


def test_texts_may_come_from_a_generator(pipeline: Pipeline) -> None:
    texts = [RUSSIAN, "Да."]
    expected = [result.text for result in pipeline.run(texts)]
    assert [result.text for result in pipeline.run(text for text in texts)] == expected
    assert [result.text for result in pipeline.stream(iter(texts), batch=1)] == expected


def test_a_stream_reads_no_further_than_it_answers(pipeline: Pipeline) -> None:
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield "Да."

    answers = pipeline.stream(endless(), batch=2)
    assert [next(answers).text for _ in range(3)] == ["Да."] * 3
    assert read == 4


@pytest.mark.parametrize("given", [None, 5, "Текст", b"text", [None], ["Текст", 5], object()])
def test_what_is_no_list_of_texts_is_said(pipeline: Pipeline, given: Any) -> None:
    for call in (pipeline.run, lambda texts: list(pipeline.stream(texts)), Compressor().run):
        with pytest.raises(BadInput, match="no list of strings"):
            call(given)


@pytest.mark.parametrize("call", [rewrite.simplify, rewrite.compress, rewrite.split])
def test_none_is_no_text(call: Callable[[Any], Result]) -> None:
    with pytest.raises(BadInput, match="text 1 is None"):
        call(None)


def test_none_is_no_pool_and_words_are_no_options(pipeline: Pipeline) -> None:
    for given in (None, "Текст", [None], [(None, None)], [("Текст", None)]):
        for call in (pipeline.rerank, pipeline.score):
            with pytest.raises(BadInput):
                call(given)  # type: ignore[arg-type]
    with pytest.raises(RewriteError, match="'simple' are no options"):
        Pipeline("simple")  # type: ignore[arg-type]


@pytest.mark.parametrize("copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_results_are_copied_whole(results: list[Result], copied: Callable[[Result], Result]) -> None:
    for result in results:
        again = copied(result)
        assert type(again) is type(result)
        assert again.to_dict() == result.row()
        assert isinstance(again.weights, Weights)
        assert again.reweight({}).text == result.text


def test_results_take_no_models_along(results: list[Result]) -> None:
    assert any(result.grade for result in results)
    assert max(len(pickle.dumps(result)) for result in results) < 200_000


def row_of(result: Result) -> dict[str, Any]:
    return result.to_dict()


def test_results_reach_another_process(results: list[Result]) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(row_of, results) == [result.row() for result in results]


def test_a_notebook_shows_what_changed(pipeline: Pipeline) -> None:
    shown = pipeline.run([f"<b> & {RUSSIAN}\t{RUSSIAN}"])[0]._repr_html_()
    assert "<b>" not in shown
    assert "<del>" in shown
    assert "<ins>" in shown
    assert "\t" in shown


def test_a_list_of_results_is_shown_in_short(results: list[Result]) -> None:
    for result in results:
        assert repr(result) == f"<{type(result).__name__} {result.text!r} of {result.source!r}>"


def test_a_file_may_be_named_by_its_path(tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("банк\tкасса\n", encoding="utf-8")
    named: dict[str, Any] = {"replace": terms, "glossary": [terms]}
    options = Options(**named)
    assert options.replace == str(terms)
    assert options.glossary == (str(terms),)


def test_names_are_listed() -> None:
    assert set(rewrite.__all__) <= set(dir(rewrite))
    for name in rewrite.__all__:
        assert getattr(rewrite, name) is not None


def test_keywords_are_those_that_the_options_declare() -> None:
    assert keywords.FILE.read_text(encoding="utf-8") == keywords.text(), "python -m tests.keywords writes them anew"
