"""Lists of terms: glossaries that no rewrite changes (`--keep FILE`) and preferred terms (`--replace FILE`)."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rerank.types import Candidate
from rewrite.across.replacing import Replacements, Wording, read_replacements, reworded
from rewrite.across.terms import Terms, read_terms
from rewrite.cli import app
from rewrite.errors import BadInput, BadOption
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.server.tasks import settable
from tests.fakes import ListGenerator

SOURCE = "Крупный банк, который открылся в прошлом году, вчера неожиданно закрылся."
PREFERRED = "Крупная кредитная организация, которая открылась в прошлом году, вчера неожиданно закрылась."
SHORTER = "Крупная кредитная организация вчера неожиданно закрылась."


def _file(folder: Path, name: str, *lines: str) -> str:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_a_glossary_is_a_term_a_line(tmp_path: Path) -> None:
    assert read_terms(_file(tmp_path, "a.txt", "\ufeff# terms", "", " сжиженный газ ", "ВОЗ", "ВОЗ")) == (
        "сжиженный газ",
        "ВОЗ",
    )
    with pytest.raises(BadInput, match=r"b\.txt, line 2: .* has a tab"):
        read_terms(_file(tmp_path, "b.txt", "ВОЗ", "газ\tтопливо"))
    with pytest.raises(BadInput, match=r"Cannot read .*missing\.txt"):
        Pipeline(Options(glossary=(str(tmp_path / "missing.txt"),)))


def test_terms_are_found_in_all_their_forms() -> None:
    russian = Terms(["сжиженный газ", "газ", "ВОЗ"], "ru")
    assert [p.term for p in russian.places("О сжиженном газе и газах говорили в ВОЗ.")] == [
        "сжиженный газ",
        "газ",
        "ВОЗ",
    ]
    english = Terms(["loan agreement", "child"], "en")
    assert [p.term for p in english.places("Loan agreements are not for children.")] == ["loan agreement", "child"]
    assert [p.term for p in Terms(["Haus"], "other").places("Häuser, ein haus.")] == ["Haus"]


def test_many_terms_are_as_quick_as_few() -> None:
    text = "Вчера банк закрылся по решению суда. " * 40
    few, many = Terms(["банк"], "en"), Terms([f"term{n} of list{n}" for n in range(10_000)] + ["банк"], "en")
    assert len(many.places(text)) == 40
    seconds = []
    for terms in (few, many):
        start = time.perf_counter()
        for _ in range(20):
            terms.places(text)
        seconds.append(time.perf_counter() - start)
    assert seconds[1] < 2 * seconds[0]


def test_rewrites_keep_the_terms_of_a_glossary(analyzer: Analyzer, tmp_path: Path) -> None:
    source = "В общем доступе находится немногим более ста дорогих электрических машин."
    lost, kept = "В доступе находится немногим более ста машин.", "В доступе находится более ста электрических машин."
    options = Options(preset="simple", glossary=(_file(tmp_path, "g.txt", "электрическая машина", "нет такого слова"),))
    (result,) = Pipeline(options, analyzer=analyzer, generator=ListGenerator({source: [lost, kept]})).run([source])
    assert result.facts[lost] == "drops 'электрическая машина', which is to be kept"
    assert kept not in result.facts


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["банк"], r"line 1: 'банк' is no pair of terms"),
        (["банк\tбанка", "# ещё", "банк\tкасса"], r"line 3: 'банк' is replaced otherwise in .*line 1"),
        (["а\tб", "б\tв"], r"line 2: 'б' is to be replaced, and preferred in .*line 1"),
        (["банк\t"], r"line 1"),
    ],
)
def test_wrong_replacements_are_told(tmp_path: Path, lines: list[str], fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        Pipeline(Options(replace=_file(tmp_path, "r.tsv", *lines)))


def test_replacements_may_be_a_table(tmp_path: Path) -> None:
    table = _file(tmp_path, "r.csv", "from,to", "банк,кредитная организация", '"a, b",c')
    assert read_replacements(table) == {"банк": "кредитная организация", "a, b": "c"}


RUSSIAN = {
    "банк": "кредитная организация",
    "договор": "соглашение",
    "компания": "предприятие",
    "осуществлять": "проводить",
    "доход": "выручка",
    "деньги": "денежные средства",
    "Всемирная организация здравоохранения": "ВОЗ",
    "важный": "значимый",
    "город": "область",
}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (SOURCE, PREFERRED),
        ("Банки выдали кредиты.", "Кредитные организации выдали кредиты."),
        ("Этот договор, заключённый в мае, важен.", "Это соглашение, заключённое в мае, значимо."),
        ("Компания осуществляла проверку.", "Предприятие проводило проверку."),
        ("Со стороны банка и в банке молчат о деньгах.", None),
        ("В банке сообщили, что деньги вернут.", "В кредитной организации сообщили, что денежные средства вернут."),
        ("Об этом сообщила Всемирная организация здравоохранения.", "Об этом сообщила ВОЗ."),
        ("Доход вырос, но был небольшим.", "Выручка выросла, но была небольшой."),
        (
            "Банк, который вчера был закрыт, в настоящее время осуществляет выплаты.",
            "Кредитная организация, которая вчера была закрыта, в настоящее время проводит выплаты.",
        ),
        ("Банк должен быть готов к маю.", "Кредитная организация должна быть готова к маю."),
        ("Город был и остаётся самым важным.", "Область была и остаётся самой значимой."),
        ("БАНК выдал кредит.", "КРЕДИТНАЯ ОРГАНИЗАЦИЯ выдала кредит."),
        ("Говорят о городе.", "Говорят об области."),
    ],
)
def test_russian_terms_are_inflected(analyzer: Analyzer, tmp_path: Path, source: str, text: str | None) -> None:
    (wording,) = _reworded(analyzer, tmp_path, RUSSIAN, source, "ru")
    expected = "Со стороны кредитной организации и в кредитной организации молчат о денежных средствах."
    assert wording.text == (text or expected)
    assert not wording.left


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("Банк закрылся, потому что он задолжал вкладчикам.", "'он' may stand for it"),
        ("В «Банке Москвы» молчат.", "it stands in quotation marks"),
        ("Ставку снизил Центральный Банк России.", "it is part of a name"),
        ("Два банка объединились.", "a number agrees with it"),
        ("Это решили советы обоих банков.", "a number agrees with it"),
    ],
)
def test_where_nobody_can_be_sure_the_old_term_stands(
    analyzer: Analyzer, tmp_path: Path, source: str, why: str
) -> None:
    (wording,) = _reworded(analyzer, tmp_path, RUSSIAN, source, "ru")
    assert wording.text == source
    assert [left.partition(": ")[2] for left in wording.left] == [why]


ENGLISH = {
    "utilize": "use",
    "bank": "credit institution",
    "carry out": "do",
    "child": "young person",
    "lawyer": "agent",
}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("A bank utilized the new methods.", "A credit institution used the new methods."),
        ("The banks were utilizing them.", "The credit institutions were using them."),
        ("He has carried out the plan.", "He has done the plan."),
        ("Children met a lawyer.", "Young persons met an agent."),
        ("She works for World Bank.", "She works for World Bank."),
    ],
)
def test_english_terms_are_inflected(tmp_path: Path, source: str, text: str) -> None:
    (wording,) = _reworded(_ENGLISH, tmp_path, ENGLISH, source, "en")
    assert wording.text == text


_ENGLISH = EnglishAnalyzer()


def _reworded(analyzer: Analyzer, folder: Path, pairs: dict[str, str], text: str, language: str) -> list[Wording]:
    file = _file(folder, "r.tsv", *(f"{old}\t{new}" for old, new in pairs.items()))
    return reworded([(text, "")], Replacements(file, language), lambda language: analyzer)


def test_every_output_has_the_preferred_term(analyzer: Analyzer, tmp_path: Path) -> None:
    options = Options(preset="simple", replace=_file(tmp_path, "r.tsv", *(f"{k}\t{v}" for k, v in RUSSIAN.items())))
    back, lost = "Крупный банк вчера закрылся.", "Крупная организация вчера неожиданно закрылась."
    generator = ListGenerator({PREFERRED: [back, lost, SHORTER]})
    pipeline = Pipeline(options, analyzer=analyzer, generator=generator)
    rewritten, short, ukrainian = pipeline.run([SOURCE, "Банк закрыт.", "Банк її закрив учора ввечері після зустрічі."])
    assert (rewritten.source, rewritten.text) == (SOURCE, SHORTER)
    assert rewritten.facts[back] == "drops 'кредитная организация', which is to be kept"
    assert lost in rewritten.facts
    assert rewritten.row()["replaced"] == ["банк → кредитная организация"]
    assert (short.text, short.sentences[0].skipped) == ("Кредитная организация закрыта.", "fewer than 4 words")
    assert ukrainian.text == ukrainian.source
    (reranked,) = pipeline.rerank([(SOURCE, [Candidate(back), Candidate("Крупный банк закрылся.")])])
    assert "банк" not in reranked.text
    assert reranked.source == SOURCE


def test_kept_terms_are_not_replaced(analyzer: Analyzer, tmp_path: Path) -> None:
    glossary, preferred = _file(tmp_path, "g.txt", "крупный банк"), _file(tmp_path, "r.tsv", "банк\tкасса")
    options = Options(glossary=(glossary,), replace=preferred)
    (result,) = Pipeline(options, analyzer=analyzer, generator=ListGenerator({})).run([SOURCE])
    assert result.text == SOURCE


def test_files_on_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    glossary, preferred = _file(tmp_path, "g.txt", "старая собака"), _file(tmp_path, "r.tsv", "собака\tпёс")
    source = "Бурая собака, которую нашли дети, мирно спала на старом диване."
    run = CliRunner().invoke
    done = run(app, ["simplify", "--keep", glossary, "--replace", preferred, "--format", "jsonl", source])
    assert done.exit_code == 0, done.output
    row = json.loads(capfd.readouterr().out)
    assert row["replaced"] == ["собака → пёс"]
    assert "пёс" in row["text"]
    explained = run(
        app, ["simplify", "--replace", preferred, "--explain", source, "Собака спит, её кормят хорошо и вовремя."]
    )
    assert "edit: собака → пёс" in explained.output
    assert "not replaced: Собака: 'её' may stand for it" in explained.output
    assert "1 of 2 lines has terms of --replace that stand as they were" in explained.output
    missing = run(app, ["simplify", "--keep", str(tmp_path / "no.txt"), source])
    assert missing.exit_code == 1
    assert "Cannot read" in missing.output
    assert run(app, ["simplify", "--keep", "нетакого", source]).exit_code == 2


def test_a_server_reads_no_files() -> None:
    assert not {"glossary", "replace"} & set(settable("simplify"))
    with pytest.raises(BadOption):
        Options.read({"glossary": 1})
