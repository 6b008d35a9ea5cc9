"""`rewrite evaluate metrics`, as a user runs it, and figures of Newsroom that a paper printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.evaluate.meta.rated_scoring import MetaSettings, agreements, evaluate_metrics
from rewrite.evaluate.meta.rated_sets import load_rated
from rewrite.evaluate.meta.scores import Scored, run_metrics
from rewrite.evaluate.resampling import Bootstrap
from tests.paths import need_data

ASPECTS = ("informativeness", "relevance", "coherence", "fluency")
# Of three systems the texts have 1, 2 and 3 words; the second document has no text of the last.
RATINGS = {"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 5, "b": 1}, "z": {"a": 3, "b": 2, "c": 1}}
TEXTS = {"a": "one", "b": "one two", "c": "one two three"}


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    documents = {
        name: {
            "src": "one two three four",
            "ref_summ": "one two",
            "sys_summs": {
                system: {"sys_summ": TEXTS[system], "scores": {"fluency": rating}} for system, rating in given.items()
            },
        }
        for name, given in RATINGS.items()
    }
    (tmp_path / "mine.json").write_text(json.dumps(documents), encoding="utf-8")
    scores = [3, 2, 1, 1, 2, 1, 2, 3]
    (tmp_path / "other.jsonl").write_text("".join(f'{{"score": {s}}}\n' for s in scores), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


BASE = ("evaluate", "metrics", "--set", "summaries", "--data", "mine.json", "--samples", "50")


@pytest.mark.usefixtures("small")
def test_one_table_has_all_rows(run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(*BASE, "other.jsonl", "--metric", "rouge1:R", "--against", "length") == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("mine: 3 documents, 3 systems, 8 texts; spearman, summary level")
    rows = {line.split()[0]: line.split()[1:3] for line in lines[4:11]}
    # Lengths 1 2 3 | 1 2 | 1 2 3 give 1, -1 and -1; the scores of the file 3 2 1 | 1 2 | 1 2 3 thrice -1.
    assert rows["length"] == ["baseline", "-0.33"]
    assert rows["other"] == ["file", "-1.00"]
    # Recall 1/2, 1, 1: mean ranks 1 2.5 2.5 are sqrt(3)/2 of 1 2 3.
    assert rows["rouge1:R"] == ["metric", f"{(3**0.5 / 2 - 1 - 3**0.5 / 2) / 3:.2f}"]
    assert rows["copied"] == ["baseline", "–"]
    assert "copied, FLU: undefined: 3 with constant scores" in lines
    assert any(line.startswith("other − length") and "-0.67" in line for line in lines)
    assert lines[-7].startswith("rewrite-rerank:")
    assert lines[-1].startswith("rouge1:rouge-score-")
    assert "scoring rouge1\n" in err


@pytest.mark.usefixtures("small")
def test_a_missing_system_is_told(run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(*BASE, "--level", "system", "--format", "jsonl") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    length = next(row for row in rows if row["metric"] == "length")
    fluency = length["aspects"]["fluency"]
    # Sums over x and z are 4 for every system.
    assert fluency["value"] is None
    assert fluency["interval"] is None
    assert fluency["remark"] == "undefined: constant ratings"
    assert run_command(*BASE, "--level", "system", "--coefficient", "pearson", "other.jsonl", "--format", "jsonl") == 0
    assert run_command(*BASE, "--level", "pooled", "--coefficient", "kendall") == 0
    assert "pooled (all texts together)" in capsys.readouterr().out


def test_undefined_at_system_level_names_the_documents(small: Path) -> None:
    documents = json.loads((small / "mine.json").read_text(encoding="utf-8"))
    documents["x"]["sys_summs"]["a"]["scores"]["fluency"] = 2
    (small / "mine.json").write_text(json.dumps(documents), encoding="utf-8")
    data = load_rated("summaries", small / "mine.json")
    lengths = Scored("words", "file", tuple(float(len(item.row.text.split())) for item in data.items))
    (row,) = evaluate_metrics(data, [lengths], MetaSettings("system", bootstrap=Bootstrap(20))).rows
    (estimate,) = agreements(row).values()
    # Means over x and z: 2.5, 2, 2 for one, two and three words; ranks 3 1.5 1.5 against 1 2 3.
    assert estimate.value == pytest.approx(-(3**0.5) / 2)
    assert estimate.remark.startswith("2 of 3 documents: 1 lacks a text or a rating of one of the 3 systems")


@pytest.mark.usefixtures("small")
def test_rows_go_through_judge_and_back(
    run_command: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run_command(*BASE, "--rows") == 0
    Path("rows.jsonl").write_bytes(capfdbinary.readouterr().out)
    assert (
        run_command("judge", "-i", "rows.jsonl", "-o", "judged.jsonl", "--metric", "meteor", "--format", "jsonl") == 0
    )
    assert run_command(*BASE, "again=judged.jsonl", "--metric", "meteor", "--format", "jsonl") == 0
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.decode().splitlines()]
    by_name = {row["metric"]: row["aspects"] for row in rows}
    assert by_name["again"] == by_name["meteor"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--set", "newsrom"], 2, "No set 'newsrom'. Known: newsroom"),
        (["--metric", "rouge"], 2, "Unknown metric 'rouge'"),
        (["--metric", "rouge1:X"], 2, "The metric rouge1 has no part 'X'. It has: P, R, F."),
        (["--metric", "rouge1:"], 2, "The metric rouge1 has no part ''. It has: P, R, F."),
        (["--metric", "length:X"], 2, "The metric length has no part 'X'. It has: none."),
        (["--model", "hf:x"], 2, "--model 'hf:x' with metrics that take none."),
        (["--level", "word"], 2, "No level 'word'. Known: summary, system, pooled."),
        (["--coefficient", "tau"], 2, "No coefficient 'tau'. Known: spearman, pearson, kendall, auc."),
        (["--coefficient", "auc"], 2, "The coefficient auc needs ratings of 0 and 1"),
        (["--aspect", "charm"], 2, "has no aspect 'charm'"),
        (["--against", "bleu"], 2, "Nothing is scored by 'bleu'. There is length"),
        (["length=other.jsonl"], 2, "The name 'length'"),
        (["rouge1=other.jsonl", "--metric", "rouge1"], 2, "The name 'rouge1'"),
        (["none.jsonl"], 1, "none.jsonl"),
        (["mine.json"], 1, "mine.json holds 1 score, the set mine has 8 texts. Print the texts with --rows"),
        (["large.jsonl"], 1, "large.jsonl, line 1: 'score' is 1e+300. Expected"),
        (["bad.jsonl"], 1, "bad.jsonl, line 8: 'score' is \"high\""),
        (["text.jsonl"], 1, "text.jsonl, line 1: the text 'two' is not that of the set, 'one'."),
    ],
)
def test_the_command_refuses_in_one_line(
    small: Path,
    arguments: list[str],
    code: int,
    message: str,
    run_command: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    (small / "bad.jsonl").write_text('{"score": 1}\n' * 7 + '{"score": "high"}\n', encoding="utf-8")
    (small / "large.jsonl").write_text('{"score": 1e300}\n' * 8, encoding="utf-8")
    (small / "text.jsonl").write_text('{"score": 1, "text": "two"}\n' * 8, encoding="utf-8")
    assert run_command(*BASE, *arguments) == code
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("rewrite: ")
    assert message in line


def test_binary_ratings_are_told_by_the_area(
    tmp_path: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dev.csv"
    sentences = [("Он пришёл.", 1), ("Он сегодня пришла.", 0), ("Она не пришёл.", 0), ("Мы очень долго спали.", 1)]
    lines = [f"{number},{text},{label}" for number, (text, label) in enumerate(sentences)]
    path.write_text("id,sentence,acceptable\n" + "\n".join(lines) + "\n", encoding="utf-8")
    arguments = ("evaluate", "metrics", "--set", "rucola", "--data", str(path), "--samples", "50", "--format", "jsonl")
    assert run_command(*arguments) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["metric"] for row in rows] == ["brevity", "frequency"]
    # The shortest is well-formed, the longest too: two of four pairs.
    assert rows[0]["aspects"]["acceptable"]["value"] == 0.5
    assert rows[0]["coefficient"] == "auc"
    assert run_command(*arguments, "--metric", "rouge1") == 2
    assert "The metric rouge1 needs references; 4 of 4 texts of rucola have none." in capsys.readouterr().err


@pytest.mark.paper
def test_rouge_on_newsroom_is_what_the_paper_printed() -> None:
    data = load_rated("newsroom", need_data("metaeval_newsroom_qags").parent)
    scored = run_metrics(data, ["rouge1:R", "rougeL:R"])
    report = evaluate_metrics(data, scored, MetaSettings(bootstrap=Bootstrap(10)))
    for name, printed in (("rouge1:R", (0.32, 0.28, 0.23, 0.22)), ("rougeL:R", (0.30, 0.26, 0.21, 0.20))):
        (row,) = [row for row in report.rows if row.system == name]
        assert [estimate.value for estimate in agreements(row).values()] == pytest.approx(printed, abs=0.015)


def test_an_aspect_without_a_rating_has_its_column(
    small: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    documents = json.loads((small / "mine.json").read_text(encoding="utf-8"))
    for document in documents.values():
        for summary in document["sys_summs"].values():
            summary["scores"]["zest"] = None
    (small / "mine.json").write_text(json.dumps(documents), encoding="utf-8")
    assert run_command(*BASE) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("left out: 8 ratings of zest (the first in document x, system a)")
    assert any("FLU" in line and "zest" in line for line in lines)
    assert "length, zest: undefined: no text is rated" in lines
    assert run_command(*BASE, "--format", "jsonl", "--aspect", "zest", "--level", "pooled") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0]["aspects"]["zest"]["value"] is None
    assert rows[0]["aspects"]["zest"]["remark"] == "undefined: no text is rated"


def test_a_set_that_two_evaluators_judged_says_so(
    small: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    documents = json.loads((small / "mine.json").read_text(encoding="utf-8"))
    documents["x"]["src"] = "The mill was built in 1950. " * 6
    documents["y"]["src"] = documents["z"]["src"] = "The mill was built in 1950."
    (small / "mine.json").write_text(json.dumps(documents), encoding="utf-8")
    assert run_command(*BASE, "--metric", "learned") == 0
    notice = (
        "learned: texts were judged by different evaluators, whose scores do not compare: 5 by bundled:rewrites-en, "
        "3 by bundled:summaries-en; with --model bundled:NAME one judges all"
    )
    assert notice in capsys.readouterr().out.splitlines()
    assert run_command(*BASE, "--metric", "learned", "--model", "bundled:summaries-en") == 0
    assert "different evaluators" not in capsys.readouterr().out
    assert run_command(*BASE, "--metric", "learned", "--format", "jsonl") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    judges = {row["metric"]: row.get("judged_by") for row in rows}
    assert judges["learned"] == {"bundled:rewrites-en": 5, "bundled:summaries-en": 3}
    assert judges["length"] is None


def test_a_slip_in_the_name_of_an_aspect_is_seen(
    small: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    documents = json.loads((small / "mine.json").read_text(encoding="utf-8"))
    documents["x"]["sys_summs"]["a"]["scores"] = {"fluncy": 1}
    (small / "mine.json").write_text(json.dumps(documents), encoding="utf-8")
    assert run_command(*BASE, "--aspect", "fluncy") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] == [
        "left out: 7 ratings of fluncy (the first in document x, system b)",
        "left out: 1 rating of fluency (document x, system a)",
    ]
    assert "length, fluncy: undefined: one text alone is rated" in lines
    assert run_command(*BASE, "--aspect", "fluensy") == 2
    assert "has no aspect 'fluensy'. It has fluncy, fluency." in capsys.readouterr().err


def test_the_title_counts_one_of_each(
    small: Path, run_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    document = {"src": "one two", "sys_summs": {"a": {"sys_summ": "one", "scores": {"fluency": 1}}}}
    (small / "mine.json").write_text(json.dumps({"x": document}), encoding="utf-8")
    assert run_command(*BASE) == 0
    assert capsys.readouterr().out.startswith("mine: 1 document, 1 system, 1 text; ")
    assert run_command(*BASE, "--metric", "bleu") == 2
    assert "1 of 1 text of mine has none." in capsys.readouterr().err
