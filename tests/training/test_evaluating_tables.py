"""The paper's tables of its evaluators, with what was measured here beside what it printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rewrite.evaluate.meta.scores import Scored
from rewrite.evaluate.meta.sets import Rated, RatedSet
from rewrite.evaluate.resampling import Bootstrap
from rewrite.judging.types import Row
from training.evaluating.tables import main, printed_figures, tables
from training.negatives.sampling import PAPER_KINDS
from training.papers.tables import PaperTable

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
    assert made[1].head[3:] == ("INF", "REL", "INF, paper", "REL, paper")
    assert made[6].head[3:] == ("COH", "FLU", "COH, paper", "FLU, paper")
    assert {row[1] for row in made[1].rows} == {"sentence-delete", ""}
    assert {row[1] for row in made[2].rows} == {"word-delete", ""}
    of_deletion = [row[2] for row in made[3].rows if row[:2] == ("Our approach", "sentence-delete")]
    assert of_deletion == ["Billsum", "arXiv", "BigPatent", "one", "two"]
    names = list(dict.fromkeys(row[1] for row in made[3].rows if row[0] == "Our approach"))
    assert names == [
        *("crosspair", "sentence-replace", "sentence-add", "sentence-delete"),
        *("word-add", "word-replace", "word-delete", "quality"),
    ]
    assert len(names) == len(PAPER_KINDS) + 1


def test_what_was_printed_is_read_as_it_stands() -> None:
    spearman, pearson = printed_figures("spearman"), printed_figures("pearson")
    assert len(spearman) == 18 + 5 + 9
    assert spearman["R-1"] == dict(zip(ASPECTS, (0.32, 0.28, 0.23, 0.22), strict=True))
    assert set(spearman["word-add, arXiv"]) == set(ASPECTS) - {"relevance"}
    assert spearman["word-delete, BigPatent"]["fluency"] == 0.63
    assert pearson["BLEU"]["relevance"] == -0.10
    assert "LS_Score" not in pearson


def test_what_was_measured_stands_beside_what_was_printed(made: dict[int, PaperTable]) -> None:
    rows = {row[:3]: row[3:] for row in made[3].rows}
    assert rows["Our approach", "sentence-delete", "BigPatent"] == ("", "", ".75", ".65")
    assert rows["Our approach", "sentence-delete", "one"] == ("1.00 [1.00, 1.00]", "1.00 [1.00, 1.00]", "", "")
    assert rows["Baselines", "", "length"] == (".80 [.80, .80]", ".80 [.80, .80]", "", "")
    assert rows["Upper bounds", "", "R-1"] == ("−1.00 [−1.00, −1.00]", "−1.00 [−1.00, −1.00]", ".32", ".28")
    assert {row[:3]: row[3:] for row in made[6].rows}["Upper bounds", "", "R-2"][2:] == ("−.02", "−.02")


def test_the_last_lines_are_of_each_column(made: dict[int, PaperTable]) -> None:
    rows = {row[:2]: row[3:] for row in made[1].rows}
    # 1 is 25 % above the length; the paper's best, .75, 8.7 % above the best baseline but LS_Score.
    assert rows["Best over baseline best (%)", ""] == ("25.0", "25.0", "8.7", "6.6")
    # 1 and .8 lie .1 from their mean.
    assert rows["Average absolute deviation (%)", "sentence-delete"] == ("10.0", "10.0", "2.4", "2.2")
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
    assert re.search(r"^\| Upper bounds \|  \| METEOR \| −?\.?\d.*\| \.17 \| \.17 \|$", out, re.MULTILINE)


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
