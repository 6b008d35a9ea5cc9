"""The paper's tables of its evaluators, measured here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rewrite.evaluate.meta.rated_sets import Rated, RatedSet
from rewrite.evaluate.meta.scores import Scored
from rewrite.evaluate.resampling import Bootstrap
from rewrite.judging.row_metric import Row
from training.evaluating.tables import main, tables
from training.papers.rusim import PaperTable

ASPECTS = ("informativeness", "relevance", "coherence", "fluency")
SYSTEMS = "abcd"
GOOD = (1.0, 2.0, 3.0, 4.0)
# Two neighbours exchanged: Spearman's coefficient is 1 - 6 * 2 / (4 * 15) = 0.8.
FAIR = (1.0, 3.0, 2.0, 4.0)
BAD = GOOD[::-1]


@pytest.fixture(scope="module")
def made() -> dict[int, PaperTable]:
    items = tuple(
        Rated(document, system, Row("s", "t"), dict.fromkeys(ASPECTS, rating))
        for document in ("x", "y")
        for system, rating in zip(SYSTEMS, GOOD, strict=True)
    )
    data = RatedSet("newsroom", ASPECTS, items, (), "en", False)
    learned = {
        "one": {"sentence-deletion": GOOD * 2, "sentence-insertion": FAIR * 2},
        "two": {"sentence-deletion": FAIR * 2, "quality": FAIR * 2},
    }
    others = [Scored("length", "baseline", FAIR * 2), Scored("rouge1:R", "metric", BAD * 2)]
    return {table.number: table for table in tables(data, learned, others, Bootstrap(20))}


def test_the_tables_have_the_papers_numbers_and_rows(made: dict[int, PaperTable]) -> None:
    assert list(made) == [1, 2, 3, 4, 5, 6]
    assert made[1].head[3:] == ("INF", "REL")
    assert made[6].head[3:] == ("COH", "FLU")
    assert {row[1] for row in made[1].rows} == {"sentence-delete", ""}
    assert {row[1] for row in made[2].rows} == {""}
    of_deletion = [row[2] for row in made[3].rows if row[:2] == ("Our approach", "sentence-delete")]
    assert of_deletion == ["one", "two"]
    names = list(dict.fromkeys(row[1] for row in made[3].rows if row[0] == "Our approach"))
    assert names == ["sentence-add", "sentence-delete", "quality"]


def test_a_cell_has_its_interval(made: dict[int, PaperTable]) -> None:
    rows = {row[:3]: row[3:] for row in made[3].rows}
    assert rows["Our approach", "sentence-delete", "one"] == ("1.00 [1.00, 1.00]", "1.00 [1.00, 1.00]")
    assert rows["Baselines", "", "length"] == (".80 [.80, .80]", ".80 [.80, .80]")
    assert rows["Upper bounds", "", "R-1"] == ("−1.00 [−1.00, −1.00]", "−1.00 [−1.00, −1.00]")


def test_the_last_lines_are_of_each_column(made: dict[int, PaperTable]) -> None:
    rows = {row[:2]: row[3:] for row in made[1].rows}
    # 1 is 25 % above the length.
    assert rows["Best over baseline best (%)", ""] == ("25.0", "25.0")
    # 1 and .8 lie .1 from their mean.
    assert rows["Average absolute deviation (%)", "sentence-delete"] == ("10.0", "10.0")
    of_all = {row[1] for row in made[3].rows if row[0].startswith("Average")}
    assert "sentence-add" not in of_all


def test_the_command_prints_all_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {"a": "The dog ran.", "b": "The dog ran home to the old man.", "c": "Home dog.", "d": "The man is old."}
    systems = {
        name: {"sys_summ": text, "scores": dict.fromkeys(ASPECTS, rating)}
        for (name, text), rating in zip(texts.items(), GOOD, strict=True)
    }
    document = {"src": "The dog ran home to the old man.", "ref_summ": "The dog ran home.", "sys_summs": systems}
    path = tmp_path / "data.json"
    path.write_text(json.dumps({"x": document}), encoding="utf-8")
    arguments = ["--data", str(path), "--samples", "10"]
    assert main(["--model", "mine=bundled", *arguments]) == 0
    out = capsys.readouterr().out
    assert re.findall(r"^## Table (\d)", out, re.MULTILINE) == list("123456")
    assert re.search(r"^\| Our approach \| grammar \| mine \| −?\.?\d", out, re.MULTILINE)
    assert re.search(r"^\| Upper bounds \|  \| METEOR \| −?\.?\d", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("model", "message"),
    [("bundled", "Give SET=FOLDER"), ("=bundled", "Give SET=FOLDER"), ("mine=nowhere", "No evaluator 'nowhere'")],
)
def test_a_model_without_a_name_or_a_folder_is_refused(
    model: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rated = {"x": {"src": "s", "ref_summ": "r", "sys_summs": {"a": {"sys_summ": "t", "scores": {"fluency": 1}}}}}
    path = tmp_path / "data.json"
    path.write_text(json.dumps(rated), encoding="utf-8")
    assert main(["--model", model, "--data", str(path)]) == 2
    assert message in capsys.readouterr().err
