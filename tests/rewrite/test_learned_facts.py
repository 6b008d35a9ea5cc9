"""The metric `learned` and the facts of a source: a rewrite that changes one gets less, and is told why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rerank.evaluator.registry import BUNDLED
from rewrite.judging.facts import INTACT
from rewrite.judging.learned import Learned
from rewrite.judging.types import Row

RUSSIAN = Row("Завод, построенный в 1950 году, до сих пор работает.", "Завод построили в 1960 году. Он работает.")
ENGLISH = Row("The factory, which was built in 1950, still works.", "The factory was built in 1960. It works.")
LONG = "The mill was built in 1950. It is old. It stands by a river. Nobody works there. It is closed."


@pytest.mark.parametrize("row", [RUSSIAN, ENGLISH], ids=["ru", "en"])
def test_another_year_costs_most_of_the_score(row: Row) -> None:
    right = Row(row.source, row.text.replace("1960", "1950"))
    (changed, intact), plain = Learned().score([row, right]), Learned(facts=False).score([row, right])
    assert changed.score == pytest.approx(INTACT * changed.components["quality"])
    assert changed.components["facts"] == INTACT
    assert [one.text for one in changed.changed or ()] == ["1960"]
    assert (intact.score, intact.components["facts"], intact.changed) == (intact.components["quality"], 1.0, ())
    assert [one.score for one in plain] == pytest.approx([one.components["quality"] for one in (changed, intact)])
    assert {(one.changed, "facts" in one.components) for one in plain} == {(None, False)}


def test_an_opposite_is_a_changed_fact() -> None:
    (judged,) = Learned().score([Row("Prices rose sharply in May.", "Prices fell in May.")])
    assert [one.kind for one in judged.changed or ()] == ["opposite"]
    assert judged.score < INTACT


def test_of_summaries_values_and_names_are_looked_at() -> None:
    texts = ("The mill was built in 1960.", "The mill is not closed.", "The mill stands in Rome.")
    year, denied, name = Learned().score([Row(LONG, text) for text in texts])
    assert [one.text for one in year.changed or ()] == ["1960"]
    assert [one.text for one in name.changed or ()] == ["Rome"]
    assert denied.changed == ()


def test_sets_of_documents_and_other_languages_are_not_looked_at() -> None:
    (several,) = Learned(language="en").score([Row("a b", "c 5", (), ("a 1", "b 2"))])
    assert (several.changed, "facts" in several.components) == (None, False)
    (german,) = Learned(model=str(BUNDLED["rewrites-en"])).score([Row("Der Bär ist groß.", "Der Bär ist 5.")])
    assert (german.changed, "facts" in german.components) == (None, False)


def test_the_signature_says_whether_facts_count() -> None:
    assert Learned().signature() != Learned(facts=False).signature()


def test_reasons_name_what_is_changed() -> None:
    (reason,) = Learned().reasons([RUSSIAN])
    score, change = reason.splitlines()
    assert "facts 0.300, by bundled:rewrites-ru" in score
    assert change == "  date '1960': the year 1960 is not in the source"


def test_the_command_tells_which_rows_change_facts(
    tmp_path: Path, run_command: Callable[..., int], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "rows.tsv"
    path.write_text(f"{RUSSIAN.source}\t{RUSSIAN.text}\n", encoding="utf-8")
    assert run_command("judge", "-i", str(path)) == 0
    out, err = capfdbinary.readouterr()
    assert float(out) < INTACT
    told = "learned: the row changes facts of the source (--explain and --format jsonl tell which)"
    assert err.decode().splitlines() == [told]
    path.write_text(f"{RUSSIAN.source}\t{RUSSIAN.text}\n" * 2 + "Кот спит.\tСпит кот.\n", encoding="utf-8")
    assert run_command("judge", "-i", str(path), "--explain") == 0
    *reasons, _, last = capfdbinary.readouterr().err.decode().splitlines()
    assert last == "learned: 2 of 3 rows change facts of the source"
    assert sum("the year 1960 is not in the source" in line for line in reasons) == 2
    assert run_command("judge", "-i", str(path), "--format", "jsonl") == 0
    first, _, third = [json.loads(line) for line in capfdbinary.readouterr().out.decode().splitlines()]
    assert first["changed"] == [{"kind": "date", "text": "1960", "message": "the year 1960 is not in the source"}]
    assert third["changed"] == []
    assert run_command("judge", "-i", str(path), "--no-facts", "--format", "jsonl") == 0
    plain = json.loads(capfdbinary.readouterr().out.decode().splitlines()[0])
    assert "changed" not in plain
    assert plain["score"] == plain["components"]["quality"]
    assert run_command("judge", "-i", str(path), "--no-facts", "--metric", "length") == 2
    assert "Leave --no-facts out." in capfdbinary.readouterr().err.decode()
