"""The metric `learned` and the facts of a source: a rewrite that changes one gets less, and is told why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rerank.evaluator.registry import BUNDLED
from rewrite.judging.learned import INTACT, Learned, as_in_source
from rewrite.judging.row_metric import Row

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


@pytest.mark.parametrize("options", [{"language": "en"}, {"language": "ru"}, {}])
def test_ones_own_evaluator_tells_which_guard_was_asked(options: dict[str, str]) -> None:
    own = {"model": str(BUNDLED["rewrites-en"])}
    signature = Learned(**own, **options).signature()
    assert f":facts-{options.get('language', 'guessed')}:rewrite-rerank-" in signature
    assert "rewrite-rerank" not in Learned(**own, **options, facts=False).signature()


def test_a_hedge_that_is_dropped_is_no_change() -> None:
    (judged,) = Learned().score([Row("Это, вероятно, поможет больным.", "Это поможет больным.")])
    assert judged.changed == ()


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
    for option in ("--no-facts", "--facts"):
        assert run_command("judge", "-i", str(path), option, "--metric", "length") == 2
        assert f"Leave {option} out." in capfdbinary.readouterr().err.decode()


@pytest.mark.parametrize(
    ("language", "source", "text", "wanted"),
    [
        ("en", "It earned 5 million dollars.", "It earned five million.", "It earned 5 million."),
        ("en", "It has seven doors.", "7 doors are there, 8 are not.", "seven doors are there, 8 are not."),
        ("en", "It has 7 doors.", "Seven doors are there.", "7 doors are there."),
        ("en", "It is of the 18th century.", "It is of the eighteenth century.", "It is of the eighteenth century."),
        ("en", "One of 3 doors.", "A door of 3.", "A door of 3."),
        ("en", "It cost 1,200 (twelve hundred) pounds.", "It cost 1200.", "It cost 1,200."),
        ("ru", "Он родился в XIX веке.", "Он родился в 19 веке.", "Он родился в XIX веке."),
        ("ru", "Пришли семь человек.", "Пришли 7 человек из 17.", "Пришли семь человек из 17."),
        ("ru", "Это двухэтажный дом.", "В доме 2 этажа.", "В доме 2 этажа."),
    ],
)
def test_numbers_are_read_in_the_form_of_the_source(language: str, source: str, text: str, wanted: str) -> None:
    assert as_in_source(Row(source, text), language) == wanted


@pytest.mark.parametrize(
    ("source", "text", "other"),
    [
        ("The village has seven churches and 300 people.", "It has 7 churches.", "It has seven churches."),
        ("Он родился в XIX веке в Туле.", "Он родился в 19 веке.", "Он родился в XIX веке."),
    ],
)
def test_the_form_of_a_number_costs_nothing(source: str, text: str, other: str) -> None:
    one, same = Learned().score([Row(source, text), Row(source, other)])
    assert one.score == pytest.approx(same.score, abs=1e-5)
    plain, _ = Learned(facts=False).score([Row(source, text), Row(source, other)])
    assert plain.score < one.score
