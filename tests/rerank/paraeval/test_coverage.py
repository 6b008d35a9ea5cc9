"""What a candidate still says of its source."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.analysis import Analyzer
from rerank.errors import BadInput
from rerank.paraeval.coverage import Coverage, Weighing
from rerank.paraeval.table import PairTable
from rerank.scorer import Context
from rerank.types import Candidate

pytest.importorskip("nltk", reason="needs nltk: pip install 'rewrite-rerank[eval]'")

SOURCE = "Компания наложила санкции на завод в Таганроге в 1992 году."


@pytest.fixture
def context(analyzer: Analyzer) -> Context:
    return Context(analyzer)


def covered(context: Context, source: str, *texts: str, **options: object) -> list[float]:
    scorer = Coverage(**options)  # type: ignore[arg-type]
    values: list[float] = scorer.score(source, [Candidate(text) for text in texts], context).tolist()
    return values


def weights(text: str, language: str) -> list[int]:
    words = text.split()
    return Weighing().weights(words, words, language)


def test_rare_words_names_and_numbers_tell_most() -> None:
    assert weights("and the don t 7 zyzzyva", "en") == [1, 1, 1, 1, 50, 50]
    common, rare = weights("house porcupine", "en")
    # wordfreq: house 10^-3.31 or so, porcupine 10^-6 or rarer: 50/3 for each tenth of its frequency.
    assert 1 < common < 10 < rare
    assert weights("и 3 мгврлд", "ru") == [1, 50, 50]
    assert weights("und Haus", "other") == [50, 50]


def test_of_a_form_and_its_lemma_the_commoner_counts() -> None:
    (alone,) = Weighing().weights(["домищами"], ["домищами"], "ru")
    (known,) = Weighing().weights(["домищами"], ["дом"], "ru")
    assert known < alone == 50


def test_the_source_and_its_words_in_any_order_and_form_say_all(context: Context) -> None:
    other = "Санкции компании наложили: завод, 1992 год. Таганрог! На и в."
    assert covered(context, SOURCE, SOURCE, other) == [1, 1]


def test_it_is_the_share_of_weight_that_is_said(context: Context) -> None:
    table = PairTable([], language="en")
    # "porcupine" and "7" weigh 50 each or nearly so, "the" and "and" 1.
    source = "the zyzzyva and 7"
    values = covered(context, source, "7", "the and", "the zyzzyva. And 7!", "", language="en", table=table)
    assert values == pytest.approx([50 / 102, 2 / 102, 1, 0.001])


def test_a_word_said_once_is_said_for_all_its_places(context: Context) -> None:
    assert covered(context, "Zyzzyva saw zyzzyva", "zyzzyva saw", language="en") == [1]


def test_paraphrases_say_what_they_stand_for_and_are_used_once(context: Context) -> None:
    table = PairTable([("наложила санкции на", "ввела ограничения против", 0.5)], language="ru")
    rewrite = "Компания ввела ограничения против завода в Таганроге в 1992 году."
    plain, seen = covered(context, SOURCE, rewrite)[0], covered(context, SOURCE, rewrite, table=table)[0]
    assert plain < 0.9
    assert seen == 1
    twice = PairTable([("zyzzyva", "qwxx", 1.0), ("wqzz", "qwxx", 1.0)], language="en")
    assert covered(context, "zyzzyva wqzz", "qwxx", table=twice, language="en") == [0.5]


def test_a_paraphrase_takes_nothing_from_what_is_said_as_it_stands(context: Context) -> None:
    table = PairTable([("big house", "large home of", 1.0), ("large", "big", 1.0)], language="en")
    source = "A big house, a large home of theirs."
    assert covered(context, source, source, table=table, language="en") == [1]


def test_a_text_without_words_is_covered_by_anything(context: Context) -> None:
    assert covered(context, "…", "", "Слово") == [1, 1]


def test_a_table_from_a_file_is_part_of_the_signature(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("один\tдва\n", encoding="utf-8")
    assert Coverage(table=path).signature() == Coverage(table=str(path)).signature() != Coverage().signature()
    with pytest.raises(BadInput, match="none"):
        Coverage(table=tmp_path / "none")
