"""Paraphrases by way of another language: lines, alignments, phrases, probabilities, rules."""

from __future__ import annotations

import lzma
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from rerank.paraeval.table import TABLE, read_table
from rewrite.errors import BadInput
from training.paraphrases.__main__ import main
from training.paraphrases.aligning import align, grow_diag_final_and
from training.paraphrases.building import Limits, build, read_sides
from training.paraphrases.grammar import inflection_stem, is_word, names_in, words_of
from training.paraphrases.phrases import Evidence, LexicalWeights, paraphrases, phrase_spans, translations
from training.paraphrases.pruning import Unit
from training.paraphrases.reading import Line, Report, fault_of, read_lines, sets_in

PAIRS = {("big house", "large home"): 0.5, ("large home", "big house"): 0.25, ("big house", "villa"): 0.125}
NOUNS = ["dog", "cat", "house", "tree", "book", "table", "river", "road"]
RUSSIAN_NOUNS = ["собака", "кошка", "дом", "дерево", "книга", "стол", "река", "дорога"]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("A dog.\tСобака.", None),
        ("A dog.", "no tab"),
        ("A dog.\tСобака.\tСобака.", "no tab"),
        ("A dog.\t ", "empty side"),
        ("PHP\tPHP", "untranslated"),
        ("Dog.\tСобака, которая давно и неутомимо бежит за кошкой.", "lengths apart"),
        ("Собака.\tСобака!", "English side"),
        ("A dog.\tA cat.", "Russian side"),
        ("The function json_encode\tФункция json_encode", "Russian side"),
        ("Use json_encode here\tЗдесь нужна функция json_encode", None),
    ],
)
def test_lines_that_are_no_pair_have_a_fault(line: str, fault: str | None) -> None:
    assert fault_of(line) == fault


def _write_set(data: Path, name: str, lines: list[str]) -> None:
    folder = data / "parallel_enru"
    folder.mkdir(exist_ok=True)
    with lzma.open(folder / f"{name}.tsv.xz", "wt", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in lines))


def test_misaligned_lines_are_counted_and_named(tmp_path: Path) -> None:
    _write_set(tmp_path, "one", ["A dog.\tСобака.", "nothing", "A cat.\tКошка.", "A dog.\tСобака."])
    _write_set(tmp_path, "two", ["\tДом.", "A house.\tДом."])
    report = Report()
    found = list(read_lines(tmp_path, sets_in(tmp_path), report))
    assert found == [Line("A dog.", "Собака."), Line("A cat.", "Кошка."), Line("A house.", "Дом.")]
    assert report.faults == {"no tab": 1, "duplicate": 1, "empty side": 1}
    assert report.first == {"no tab": ["one:2"], "duplicate": ["one:4"], "empty side": ["two:1"]}
    assert (report.read, report.taken) == (Counter(one=4, two=2), Counter(one=2, two=1))
    assert "left out, no tab (not English and Russian with one tab between): 1, first one:2" in list(report.lines())


@pytest.mark.parametrize(
    ("options", "told"),
    [(["--longest", "0"], "0 is less than 1"), (["--translation", "nan"], "nan is not between 0 and 1")],
)
def test_what_no_table_can_be_made_with_is_refused(
    options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "en", "--out", str(tmp_path), *options])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_without_a_good_line_there_is_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write_set(tmp_path, "german", ["He left.\tEr ging."])
    assert main(["--lang", "en", "--out", str(tmp_path / "out"), "--data", str(tmp_path)]) == 1
    assert "No line of these sets is good." in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_missing_and_broken_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="parallel_enru"):
        sets_in(tmp_path)
    _write_set(tmp_path, "one", ["A dog.\tСобака."] * 500)
    path = tmp_path / "parallel_enru" / "one.tsv.xz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BadInput, match=r"one\.tsv\.xz"):
        list(read_lines(tmp_path, ["one"], Report()))
    with pytest.raises(BadInput, match=r"other\.tsv\.xz"):
        list(read_lines(tmp_path, ["other"], Report()))


def test_words_are_folded_and_marks_kept() -> None:
    assert words_of("Ёж спал, да.", "ru") == ("еж", "спал", ",", "да", ".")
    assert words_of("He didn't, 2 times", "en") == ("he", "did", "n't", ",", "2", "times")
    assert [word for word in ("n't", "2", ",", "—") if is_word(word)] == ["n't", "2"]


def test_the_joined_alignment_grows_from_the_intersection() -> None:
    # Both have 0-0. Of the union, 1-1 touches it, then 2-1 touches 1-1 and has 2 free; 4-4 touches nothing, and is
    # added at the end, for both its words are free; 0-3 is not: 0 has a link.
    forward = [(0, 0), (1, 1), (0, 3)]
    backward = [(0, 0), (2, 1), (4, 4)]
    assert grow_diag_final_and(forward, backward) == {(0, 0), (1, 1), (2, 1), (4, 4)}


def test_growing_adds_no_link_between_words_that_have_some() -> None:
    # 0-1 stands beside both links of the intersection, but neither of its words is free.
    assert grow_diag_final_and([(0, 0), (1, 1), (0, 1)], [(0, 0), (1, 1)]) == {(0, 0), (1, 1)}
    assert grow_diag_final_and([], []) == frozenset()
    assert grow_diag_final_and([(0, 1)], [(1, 0)]) == {(0, 1), (1, 0)}


def phrase_pairs(
    source: list[str], target: list[str], links: list[tuple[int, int]], longest: int
) -> set[tuple[str, str]]:
    spans = phrase_spans(source, target, links, longest=longest)
    return {(" ".join(source[slice(*one)]), " ".join(target[slice(*other)])) for one, other in spans}


def test_phrase_pairs_agree_with_the_alignment() -> None:
    # a-x, b-z, c-y; so "a b" has no pair without c, and "b c" goes with "y z".
    found = phrase_pairs("a b c".split(), "x y z".split(), [(0, 0), (1, 2), (2, 1)], 3)
    assert found == {
        ("a", "x"), ("b", "z"), ("c", "y"), ("b c", "y z"), ("a b c", "x y z"),
    }  # fmt: skip


def test_free_words_belong_to_a_phrase_or_not() -> None:
    # "the" has no link: it is part of a phrase on its side only with a linked word, and may be on the other side.
    links = [(0, 1), (1, 2)]
    found = phrase_pairs(["дом", "стоит"], ["the", "house", "stands"], links, 2)
    assert found == {("дом", "house"), ("дом", "the house"), ("стоит", "stands"), ("дом стоит", "house stands")}


def test_no_phrase_has_a_mark_or_is_longer_than_asked() -> None:
    links = [(i, i) for i in range(4)]
    found = phrase_pairs(["a", ",", "b", "c"], ["x", ",", "y", "z"], links, 3)
    assert found == {("a", "x"), ("b", "y"), ("c", "z"), ("b c", "y z")}
    assert len(phrase_pairs(["b", "c"], ["y", "z"], [(0, 0), (1, 1)], 1)) == 2


COUNTS = {("under control", "unter kontrolle"): 3, ("in check", "unter kontrolle"): 1, ("in check", "in schach"): 1,
          ("under control", "im griff"): 1, ("in check", "im griff"): 2}  # fmt: skip


def test_pivot_probabilities_by_hand() -> None:
    found = paraphrases(translations(COUNTS), name=str, may=lambda one, other: True)
    # p(in check | under control) = 3/4 · 1/4 + 1/4 · 2/3, p(under control | in check) = 1/4 · 3/4 + 2/4 · 1/3
    assert found["under control", "in check"].probability == pytest.approx(3 / 16 + 1 / 6)
    assert found["in check", "under control"].probability == pytest.approx(3 / 16 + 1 / 6)
    assert found["in check", "under control"].pivots == {"unter kontrolle": 1, "im griff": 1}
    # Of what is translated by either pivot: all of "under control", and 3 of 4 lines of "in check".
    assert (found["under control", "in check"].common, found["in check", "under control"].common) == (1, 0.75)
    assert len(found) == 2


def test_the_lexical_weight_of_two_is_the_lower_one_with_their_best_pivot() -> None:
    weights = {("under control", "unter kontrolle"): 0.9, ("in check", "unter kontrolle"): 0.2,
               ("under control", "im griff"): 0.3, ("in check", "im griff"): 0.6}  # fmt: skip
    table = translations(COUNTS, weight=lambda phrase, pivot: weights.get((phrase, pivot), 1.0))
    found = paraphrases(table, name=str, may=lambda one, other: True)
    assert {pair: one.lexical for pair, one in found.items()} == {
        ("in check", "under control"): 0.3, ("under control", "in check"): 0.3,
    }  # fmt: skip


def test_limits_and_refusals_leave_translations_out() -> None:
    table = translations(COUNTS, least_of_pivot=0.3)
    # Of each pivot only one phrase is left, and that is no paraphrase of itself.
    assert table == {}
    assert translations(COUNTS, takes=lambda phrase: phrase != "in check") == {}
    one = translations(COUNTS, least_weight=0.5, weight=lambda phrase, pivot: 0.5 if pivot == "im griff" else 0.4)
    assert {pivot: {t.phrase for t in several} for pivot, several in one.items()} == {
        "im griff": {"under control", "in check"}
    }
    assert paraphrases(one, name=str, may=lambda one, other: False) == {}
    # Shares are of all counts, also of those that were left out.
    found = paraphrases(one, name=str, may=lambda one, other: True)
    assert found["under control", "in check"].probability == pytest.approx(1 / 4 * 2 / 3)


def test_pivots_of_one_name_are_one() -> None:
    found = paraphrases(translations(COUNTS), name=lambda pivot: "same", may=lambda one, other: True)
    assert found["in check", "under control"].pivots == {"same": 1}


def test_lexical_weights_by_hand() -> None:
    bitext = [(("a", "b"), ("x", "y")), (("a",), ("z",)), (("b",), ("y",))]
    weights = LexicalWeights(bitext, [frozenset({(0, 0), (1, 1)}), frozenset({(0, 0)}), frozenset({(0, 0)})])
    # Half of the links of a lead to x, all of x to a; all of b to y and back.
    assert weights.weight(("a",), ("x",)) == pytest.approx(0.5)
    assert weights.weight(("a", "b"), ("x", "y")) == pytest.approx(0.5**0.5)
    assert weights.weight(("b",), ("x",)) == pytest.approx(1e-4)


@pytest.mark.parametrize(
    "forms",
    [
        ("traveller", "travellers"), ("battery", "batteries"), ("observe", "observes", "observed", "observing"),
        ("stop", "stops", "stopped", "stopping"), ("agree", "agrees", "agreed", "agreeing"), ("die", "died", "dying"),
    ],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem_and_other_words_another(forms: tuple[str, ...]) -> None:
    pytest.importorskip("nltk", reason="the extra align is not installed")
    stems = {inflection_stem(form) for form in forms}
    assert len(stems) == 1
    others = ["travel", "beats", "observation", "stoppage", "agreement", "death"]
    assert not stems & {inflection_stem(other) for other in others}


def test_names_have_capitals_within_sentences() -> None:
    texts = ["Then Rome fell.", "Apples grow in Rome and here, Apples too.", "We eat apples and apples."]
    assert names_in(texts, "en") == {"rome"}


def test_the_aligner_finds_the_words() -> None:
    pytest.importorskip("eflomal", reason="the extra align is not installed")
    bitext = [((a, b), (y, x)) for a, x in _words() for b, y in _words() if a != b]
    links = align(bitext)
    right = sum(one == {(0, 1), (1, 0)} for one in links)
    assert len(links) == len(bitext)
    assert right >= 0.8 * len(bitext)


def _words() -> list[tuple[str, str]]:
    return list(zip(NOUNS, RUSSIAN_NOUNS, strict=True))


def test_no_sentences_no_links() -> None:
    assert align([]) == []


def test_one_line_of_one_set_is_told_in_the_singular() -> None:
    one = Counter({"one": 1})
    assert list(Report(read=one, taken=one).lines()) == ["1 line of 1 set, 1 taken"]


def _few_hundred_lines(data: Path) -> None:
    """Two words for each of some things, which are translated alike in two ways."""
    verbs = [("buys", "покупает"), ("sells", "продаёт"), ("sees", "видит"), ("likes", "любит")]
    things = [("physician", "врача"), ("doctor", "врача"), ("physician", "доктора"), ("doctor", "доктора"),
              ("carpet", "ковёр"), ("dog", "собаку"), ("bicycle", "велосипед"), ("bridge", "мост")]  # fmt: skip
    who = [("mother", "мать"), ("brother", "брат"), ("neighbour", "сосед"), ("teacher", "учитель")]
    lines = [
        f"the {subject} {verb} the {thing} .\t{кто} {делает} {что} ."
        for subject, кто in who
        for verb, делает in verbs
        for thing, что in things
    ]
    _write_set(data, "toy", lines)


def test_from_lines_to_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nltk", reason="the extra align is not installed")
    _few_hundred_lines(tmp_path)
    (tmp_path / "parallel_enru" / "broken.tsv.xz").write_bytes(lzma.compress(b"no tab here\n"))
    out = tmp_path / "table"
    links = frozenset({(1, 0), (2, 1), (4, 2), (5, 3)})
    monkeypatch.setattr("training.paraphrases.__main__.align", lambda bitext: [links] * len(bitext))
    assert main(["--data", str(tmp_path), "--out", str(out), "--lang", "en"]) == 0
    table = read_table(out / TABLE)
    # p(врача | physician) = 1/2; p(doctor | врача) = 1/4, for there are both words with the article and without it. So
    # it is 1/2 · 1/4 through врача and as much through доктора.
    assert table.of(("physician",))[("doctor",)] == pytest.approx(0.25, abs=1e-3)
    assert table.of(("carpet",)) == {}
    assert {path.name for path in out.iterdir()} == {TABLE, "README.md", "card.json", "SHA256SUMS"}
    assert "| toy (parallel_enru) | 128 lines | mixed open licences |" in (out / "README.md").read_text(
        encoding="utf-8"
    )


def _lines(*pairs: tuple[str, str]) -> list[Line]:
    return [Line(f"He sees the {english} .", f"Он видит {russian} .") for english, russian in pairs]


def test_forms_vouch_for_one_another_and_agree() -> None:
    pytest.importorskip("nltk", reason="the extra align is not installed")
    # No two lines have the same pair of words; of врач and its plural physician and doctor have one line each.
    lines = _lines(("physicians", "врачей"), ("physician", "врача"), ("doctor", "врача"), ("doctors", "врачей"))
    sides = read_sides(lines, "en")
    links = [frozenset({(0, 0), (1, 1), (3, 2)})] * 4
    found, _ = build(sides, links, Limits())
    # p(врач | physician) = 1, p(doctor | врач) = 1/4, for there are both words with the article and without it.
    expected = {("physician", "doctor"), ("doctor", "physician"), ("physicians", "doctors"), ("doctors", "physicians")}
    assert found == pytest.approx(dict.fromkeys(expected, 0.25))
    assert build(sides, links, Limits(single=0.3))[0] == {}
    assert build(sides, links, Limits(times=3))[0] == {}
    assert build(sides, links, Limits(seldom=3))[0] == {}


def test_russian_forms_share_their_case() -> None:
    pytest.importorskip("nltk", reason="the extra align is not installed")
    lines = _lines(("doctor", "врача"), ("doctor", "доктора"), ("doctors", "врачей"), ("doctors", "докторов"))
    found, _ = build(read_sides(lines, "ru"), [frozenset({(0, 0), (1, 1), (3, 2)})] * 4, Limits())
    assert set(found) == {("врача", "доктора"), ("доктора", "врача"), ("врачей", "докторов"), ("докторов", "врачей")}


def test_more_may_be_asked_of_phrases() -> None:
    limits = Limits(single=0.1, several=0.2, shared=0.3, lone=0.25)
    word, phrase, other = (
        Unit(tuple(text.split()), tuple(text.split()), letters, "noun")
        for text, letters in [("trash", "N"), ("old things", "AN"), ("useless things", "AN")]
    )
    rubbish = Unit(("rubbish",), ("rubbish",), "N", "noun")
    assert [limits.least(*pair, 2) for pair in [(word, rubbish), (word, phrase), (phrase, other)]] == [0.1, 0.2, 0.3]
    assert [limits.least(*pair, 1) for pair in [(word, rubbish), (word, phrase), (phrase, other)]] == [0.25, 0.25, 0.3]


def test_one_pivot_alone_needs_a_lexical_weight_and_both_phrases_a_share_in_common() -> None:
    limits = Limits(single=0.1, lone=0.1, times=2, lone_lexical=0.5, common=0.3)
    one, other = (Unit((word,), (word,), "N", "noun") for word in ("trash", "rubbish"))
    good = Evidence(0.2, lexical=0.4, common=0.3, pivots={"мусор": 1, "хлам": 1})
    assert limits.reached(one, other, good, good)
    alone = Evidence(0.2, lexical=0.4, common=0.3, pivots={"мусор": 9})
    assert not limits.reached(one, other, alone, alone)
    assert limits.reached(one, other, replace(alone, lexical=0.5), alone)
    for poor in (replace(good, common=0.2), replace(good, probability=0.05), replace(good, pivots={"мусор": 1})):
        assert not limits.reached(one, other, poor, good)
    assert not limits.reached(one, other, good, replace(good, common=0.2))
    assert not limits.reached(one, other, good, replace(good, probability=0.05))


def test_a_missing_folder_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path), "--lang", "ru", "--out", str(tmp_path / "out")]) == 1
    assert "parallel_enru" in capsys.readouterr().err
