"""The dictionary's format, its errors, and every row of the bundled files."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

import rewrite.models
from rerank.errors import BadInput, ModelNotFound
from rewrite.generators.edits import lexicon
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.lexicon import Entry, load_lexicon
from tests.rewrite.edits.conftest import Bench

FOLDER = Path(rewrite.models.__file__).parent / "lexicon_ru"
FILES = sorted(FOLDER.glob("*.tsv"))
PLAIN = frozenset(
    "noobj hasobj anim inanim notpart notpass noprep inf noinf ccomp biasp notneg sg pl gen nogen noadj attr pred "
    "start notstart".split()
)
VALUED = frozenset("obj notobj subj prep notprep adj notadj noun notnoun next notnext notprev case".split())
CASES = frozenset({"Nom", "Gen", "Dat", "Acc", "Ins", "Loc"})
# Rows that never fire: pymorphy3 has these words, or what they become, under another dictionary form.
UNUSABLE = frozenset({"декорированный", "предшествующий", "постигнуть", "достичь"})
CLASSES = {"verbs": ["INFN"], "nouns": ["NOUN"], "adjectives": ["ADJF"]}


def rows(path: Path) -> list[tuple[int, list[str]]]:
    lines = enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
    return [(n, [f.strip() for f in ln.split("\t")]) for n, ln in lines if ln.strip() and not ln.startswith("#")]


def flags(fields: list[str]) -> list[str]:
    return [f.strip() for f in re.split(r",(?=[a-z ])", fields[2]) if f.strip()] if len(fields) > 2 else []


def bad_flag(flag: str) -> bool:
    name, colon, value = flag.partition(":")
    if not colon:
        return name not in PLAIN
    if name == "case":
        return not set(value.split(">")) <= CASES
    return name not in VALUED or not all(value.split("|"))


def test_there_is_a_file_for_every_part_of_speech_and_no_other() -> None:
    assert {path.stem for path in FILES} == {"verbs", "nouns", "adjectives", "adverbs", "phrases"}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_every_row_has_two_or_three_fields_and_known_flags(path: Path) -> None:
    assert [n for n, fields in rows(path) if not 2 <= len(fields) <= 3 or not all(fields[:2])] == []
    assert [(n, flag) for n, fields in rows(path) for flag in flags(fields) if bad_flag(flag)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_no_row_stands_twice(path: Path) -> None:
    found = Counter((f[0].replace("ё", "е"), f[1], *sorted(flags(f))) for _, f in rows(path))
    assert [row for row, times in found.items() if times > 1] == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_no_row_replaces_a_word_by_itself(path: Path) -> None:
    assert [(n, f[0]) for n, f in rows(path) if f[0].replace("ё", "е") == f[1].replace("ё", "е")] == []


def usable(kind: str, fields: list[str], inflector: Inflector) -> bool:
    """Whether pymorphy3 has both sides as this part of speech; nouns may come with an adjective or a complement."""
    classes = CLASSES[kind]
    first, *rest = fields[1].split()
    if rest and kind != "nouns":
        return False
    noun = rest[-1] if rest and inflector.adjective(first) is not None else first
    return all(inflector.lemma_parse(word, classes) is not None for word in (fields[0], noun))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_every_row_can_be_used(path: Path, bench: Bench) -> None:
    kind = path.stem
    if kind in CLASSES:
        unusable = {f[0] for _, f in rows(path) if not usable(kind, f, bench.inflector)}
        assert unusable <= UNUSABLE
    # A word to be inflected in a phrase takes its form from a word of the pattern.
    assert [n for n, f in rows(path) if "=" in f[1] and "=" not in f[0]] == []


def test_single_word_patterns_are_lower_case_dictionary_forms(bench: Bench) -> None:
    for (pos, lemma), entries in bench.lexicon.words.items():
        assert lemma == lemma.lower()
        assert all(entry.pos == pos and len(entry.pattern) == 1 for entry in entries)


def test_longer_phrases_come_first(bench: Bench) -> None:
    for entries in bench.lexicon.phrases.values():
        lengths = [len(entry.pattern) for entry in entries]
        assert lengths == sorted(lengths, reverse=True)


def test_flags_are_read(tmp_path: Path) -> None:
    (tmp_path / "verbs.tsv").write_text("# note\n\nвозвести\tпостроить\tobj:дом|мёд, notpass\n", encoding="utf-8")
    (entry,) = load_lexicon(tmp_path).words["VERB", "возвести"]
    assert entry == Entry(("возвести",), "построить", "VERB", frozenset({"obj:дом|мёд", "notpass"}))
    assert entry.flag("obj") == ("дом", "мед")
    assert entry.flag("prep") == ()


def test_rows_of_one_word_keep_their_order(tmp_path: Path) -> None:
    (tmp_path / "nouns.tsv").write_text("итог\tрезультат\nцель\tзадача\nитог\tконец\n", encoding="utf-8")
    assert [e.replacement for e in load_lexicon(tmp_path).words["NOUN", "итог"]] == ["результат", "конец"]


def test_a_comma_can_be_a_value(tmp_path: Path) -> None:
    (tmp_path / "adverbs.tsv").write_text("однако\tно\tstart, notnext:,|же,notprev:и|,|или\n", encoding="utf-8")
    (entry,) = load_lexicon(tmp_path).words["ADV", "однако"]
    assert "start" in entry.flags
    assert entry.flag("notnext") == (",", "же")
    assert entry.flag("notprev") == ("и", ",", "или")


@pytest.mark.parametrize("row", ["возвести", "возвести\t", "\tпостроить"])
def test_a_bad_row_is_named_with_its_file_and_line(row: str, tmp_path: Path) -> None:
    (tmp_path / "verbs.tsv").write_text(f"жить\tбыть\n# note\n{row}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"verbs\.tsv, line 3"):
        load_lexicon(tmp_path)


def test_a_folder_without_any_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match=r"verbs\.tsv.*phrases as \.tsv"):
        load_lexicon(tmp_path)


def test_the_bundled_dictionary_must_be_whole(tmp_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tmp_path / "lexicon_ru"
    shutil.copytree(FOLDER, whole)
    monkeypatch.setattr(lexicon, "_FOLDER", whole)
    assert load_lexicon() == bench.lexicon
    for path in FILES:
        (whole / path.name).rename(tmp_path / path.name)
        with pytest.raises(ModelNotFound, match=rf"{path.stem}\.tsv"):
            load_lexicon()
        (tmp_path / path.name).rename(whole / path.name)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Оснований для вырубки не имеется.", {"не имеется → нет"}),
        ("В квартире имеется плита.", {"имеется → есть"}),
        ("В районе не насчитывается и сотни школ.", set()),
        ("Таблетки следует принимать утром.", {"следует → нужно"}),
        # *Не нужно* would say that it may be done.
        ("Таблетки не следует принимать утром.", set()),
    ],
)
def test_what_is_denied_is_not_what_is(source: str, expected: set[str], bench: Bench) -> None:
    changes = bench.generator.offers(bench.tree(source))[1]
    words = ("имеется", "насчитывается", "следует")
    assert {edit.label for edit in changes if any(word in edit.label for word in words)} == expected
