"""ParaEval as a metric of rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.paraeval.score import explained
from rerank.paraeval.table import BUNDLED
from rewrite.catalogue import PARAPHRASES
from rewrite.errors import BadInput, BadOption, ModelNotFound, UnknownName
from rewrite.judging.paraeval import ParaEvalMetric
from rewrite.judging.registry import create_metric, known_metrics
from rewrite.judging.row_metric import Row, RowMetric

pytest.importorskip("nltk", reason="needs nltk: pip install 'rewrite-rerank[eval]'")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("imposed sanctions on\tvoted sanctions against\t0.4\nbombing\tblowing up\n", encoding="utf-8")
    return path


PEER = "They voted sanctions against Libya for blowing up a plane."
REFERENCES = ("The UN imposed sanctions on Libya.", "A bombing had no consequences at all.")


def test_the_components_are_those_of_the_best_reference(table: Path) -> None:
    metric = create_metric("paraeval", language="en", table=table)
    assert isinstance(metric, RowMetric)
    assert (metric.name, metric.range, metric.needs_references) == ("paraeval", (0.0, 1.0), True)
    (judged,) = metric.score([Row("", PEER, REFERENCES)])
    # 3 words for 3 and Libya, of 6; in the peer 4 of 10.
    assert judged.score == 4 / 6
    assert judged.components == {
        "P": 4 / 10,
        "R": 4 / 6,
        "F": pytest.approx(0.5),
        "phrase": 3,
        "synonym": 0,
        "word": 1,
        "optimal": 1,
    }


def test_the_language_of_a_row_is_guessed_where_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("взрыв\tподрыв\nbombing\tblowing up\n", encoding="utf-8")
    metric = ParaEvalMetric(table=path)
    rows = [Row("", "Подрыв самолета", ("Взрыв самолёта",)), Row("", "A plane", ("The plane",))]
    assert [judged.score for judged in metric.score(rows)] == [1, 0.5]
    other = ParaEvalMetric(table=path, unit="bigrams").signature()
    assert metric.signature() == ParaEvalMetric(table=path).signature() != other


def test_reasons_can_be_asked_for(table: Path) -> None:
    scored = ParaEvalMetric(table=table, language="en").compare(Row("", PEER, REFERENCES))
    assert "phrase   imposed sanctions on ~ voted sanctions against (0.4)" in explained(scored).splitlines()


def test_bad_rows_are_named(table: Path) -> None:
    metric = ParaEvalMetric(table=table, language="en")
    good = Row("", "text", ("reference",))
    with pytest.raises(BadInput, match="Row 2: paraeval needs references"):
        metric.score([good, Row("", "text")])
    with pytest.raises(BadInput, match=r"Row 1: The reference '\.\.\.' has no words"):
        metric.score([Row("", "text", ("fine", "...")), good])


def test_bad_options_are_told_before_any_row(table: Path) -> None:
    assert "paraeval" in known_metrics()
    with pytest.raises(UnknownName, match="trigrams"):
        ParaEvalMetric(table=table, unit="trigrams")
    with pytest.raises(UnknownName, match="lemma"):
        ParaEvalMetric(table=table, language="en", identity="lemma")
    assert "zh" not in BUNDLED
    with pytest.raises(BadOption, match="No table of paraphrases is bundled for 'zh', only for en and ru") as refused:
        ParaEvalMetric(language="zh")
    assert refused.value.hint.startswith("Give --table with one of your own. A table is a file of pairs")
    assert "--lang where" not in refused.value.hint
    with pytest.raises(BadInput, match="No table of paraphrases is bundled for 'zh'") as refused_row:
        ParaEvalMetric().score([Row("", "他来了", ("他来了。",))])
    assert refused_row.value.hint.endswith("give --lang where the language was guessed wrong.")


def test_a_table_that_says_it_is_of_another_language_is_refused() -> None:
    rows = [Row("s", "the car", ("the automobile",))]
    with pytest.raises(BadInput, match="paraphrases are of language 'en', the texts of 'ru'"):
        create_metric("paraeval", language="ru", table=str(PARAPHRASES["paraphrases-en"])).score(rows)


def test_a_folder_without_a_table_says_what_one_is(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound) as refused:
        create_metric("paraeval", table=str(tmp_path))
    assert refused.value.message == f"{str(tmp_path)!r} is a folder without a table of paraphrases (table.tsv.gz)."
    assert "phrase<TAB>phrase<TAB>probability, or the folder that python -m training.paraphrases" in refused.value.hint
    with pytest.raises(BadInput, match=r"none\.tsv': No such file or directory\. Give"):
        create_metric("paraeval", table=str(tmp_path / "none.tsv"))


def test_reasons_are_given_row_by_row() -> None:
    metric = create_metric("paraeval", language="en")
    (told,) = metric.reasons([Row("s", "They left", ("They left early",))])
    assert told.startswith("R 0.667")
    assert "not said: early" in told
