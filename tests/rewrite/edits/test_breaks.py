"""Where a sentence may be cut in two, and what tells a good cut from a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.errors import BadInput, ModelNotFound
from rewrite.generators.edits.breaks import BREAK_FEATURES, break_features, breaks, clause_breaks, load_connectives
from rewrite.generators.edits.render import render
from rewrite.generators.edits.repaired_tree import RepairedTree
from tests.rewrite.edits.conftest import Bench

SOURCE = "Комиссия проверила все документы, но ошибок в них она не нашла, поэтому школа получила лицензию."


def texts(tree: RepairedTree) -> list[str]:
    return [render(tree, [edit]) for edit in breaks(tree, load_connectives())]


def test_a_connective_gives_way_to_a_full_stop_and_what_editors_put_there(bench: Bench) -> None:
    found = texts(bench.tree(SOURCE))
    assert "Комиссия проверила все документы. Но ошибок в них она не нашла, поэтому школа получила лицензию." in found
    assert "Комиссия проверила все документы, но ошибок в них она не нашла. Поэтому школа получила лицензию." in found


def test_both_sides_need_a_predicate(bench: Bench) -> None:
    assert texts(bench.tree("Красный, синий и зелёный шары улетели высоко в небо над городом.")) == []


def test_a_pronoun_that_leads_on_agrees_with_the_subject(bench: Bench) -> None:
    found = " ".join(texts(bench.tree("Комиссия проверила все документы, выдала лицензию и уехала в город.")))
    assert ". Она выдала" in found
    assert ". Он выдала" not in found


def test_cuts_at_one_place_exclude_each_other(bench: Bench) -> None:
    tree = bench.tree(SOURCE)
    first, second, *_ = [e for e in breaks(tree, load_connectives()) if "но" in e.label.split(" → ")[0]]
    assert first.touched & second.touched


def test_features_tell_where_the_main_predicate_stands_and_what_leads_on(bench: Bench) -> None:
    tree = bench.tree("Если дождь не прекратится, дети останутся дома.")
    plain = next(e for e in breaks(tree, load_connectives()) if e.entry == ", → ")
    row = dict(zip(BREAK_FEATURES, break_features(tree, [plain])[0], strict=True))
    assert (row["root_before"], row["subordinate_before"], row["lead:none"], row["connective:,"]) == (0, 1, 1, 1)
    other = bench.tree("Дети останутся дома, но взрослые пойдут гулять.")
    contrast = next(e for e in breaks(other, load_connectives()) if not e.entry.startswith(", → но"))
    row = dict(zip(BREAK_FEATURES, break_features(other, [contrast])[0], strict=True))
    assert row["root_before"] == 1
    assert row["finite_after"] == 1


@pytest.mark.parametrize(
    ("source", "old", "expected"),
    [
        # The second half of the main clause would be left without its subject.
        (
            "Суд отменил решение, поскольку ответчик не был извещён, и направил дело на новое рассмотрение.",
            ", поскольку",
            {"subject_after": 1, "subjectless_after": 1, "goes_on_after": 1, "denied_before": 0},
        ),
        (
            "Директор сообщил, что завод не закроют, и рабочие получат премию осенью.",
            ", и",
            {"saying_before": 1, "denied_before": 1, "semicolon": 0, "finite_first": 0, "other_tense": 0},
        ),
        (
            "Отряд вышел утром; погода портилась, но командир ждёт, пока дождь не кончится.",
            ", но",
            {"semicolon": 1, "other_tense": 1, "subordinate_after": 1},
        ),
    ],
)
def test_features_tell_what_the_clauses_on_both_sides_lack(
    source: str, old: str, expected: dict[str, float], bench: Bench
) -> None:
    tree = bench.tree(source)
    edit = next(e for e in breaks(tree, load_connectives()) if e.entry.split(" → ")[0] == old)
    row = dict(zip(BREAK_FEATURES, break_features(tree, [edit])[0], strict=True))
    assert {name: row[name] for name in expected} == expected


def test_a_table_that_is_missing_or_bad_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match=r"none\.tsv"):
        load_connectives(tmp_path / "none.tsv")
    bad = tmp_path / "bad.tsv"
    bad.write_text(", но\tно\t3\nодно поле\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"bad\.tsv, line 2"):
        load_connectives(bad)


def offered(bench: Bench, source: str) -> list[str]:
    tree = bench.tree(source)
    return [render(tree, [edit]) for edit in clause_breaks(tree, bench.inflector)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "Учёные описали остров, лежащий на севере страны.",
            [
                "Учёные описали остров. Он лежит на севере страны.",
                "Учёные описали остров. Этот остров лежит на севере страны.",
            ],
        ),
        (
            "Капитан вернулся в порт, опасаясь сильной бури ночью.",
            [
                "Капитан вернулся в порт. Он опасался сильной бури ночью.",
                "Капитан вернулся в порт. При этом он опасался сильной бури ночью.",
            ],
        ),
        (
            "Писатель подарил городу дом, который стоит на берегу моря.",
            [
                "Писатель подарил городу дом. Он стоит на берегу моря.",
                "Писатель подарил городу дом. Этот дом стоит на берегу моря.",
            ],
        ),
        (
            "Семья купила старый дом, в котором раньше жили художники.",
            ["Семья купила старый дом. В нём раньше жили художники."],
        ),
        ("Завод выпускает машины, которые купила вся страна.", ["Завод выпускает машины. Их купила вся страна."]),
        (
            "Туристам показали мост, построенный рабочими в прошлом веке.",
            [
                "Туристам показали мост. Он построен рабочими в прошлом веке.",
                "Туристам показали мост. Он был построен рабочими в прошлом веке.",
                "Туристам показали мост. Этот мост построен рабочими в прошлом веке.",
                "Туристам показали мост. Этот мост был построен рабочими в прошлом веке.",
            ],
        ),
    ],
)
def test_a_clause_at_the_end_gets_a_subject_of_its_own(source: str, expected: list[str], bench: Bench) -> None:
    assert offered(bench, source) == expected


@pytest.mark.parametrize(
    "source",
    [
        # The clause stands in the middle, is too short, or has no comma before it.
        "Гора, вызывающая у туристов интерес, стоит на берегу озера.",
        "Он увидел дом, построенный недавно.",
        "Капитан вернулся в порт не спеша.",
        # The relative word belongs to another noun.
        "Завод выпускает машины, двигатели которых купила вся страна.",
    ],
)
def test_what_cannot_be_cut_by_its_grammar_is_not_offered(source: str, bench: Bench) -> None:
    assert offered(bench, source) == []


def test_features_tell_what_became_of_the_clause(bench: Bench) -> None:
    tree = bench.tree("Учёные описали каждый остров, лежащий на севере страны.")
    he, this = clause_breaks(tree, bench.inflector)
    rows = [dict(zip(BREAK_FEATURES, row, strict=True)) for row in break_features(tree, [he, this])]
    assert [row["lead:this"] for row in rows] == [0, 1]
    assert {row["noun:quantified"] for row in rows} == {1}
    assert rows[0]["clause_words"] == 4
