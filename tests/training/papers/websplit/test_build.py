"""The benchmark: partitions, splits, files, and the references that `rewrite evaluate split --set websplit` reads."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from rewrite.errors import BadInput
from rewrite.evaluate.splitting_corpora import load_websplit
from rewrite.splitting.triples.triple import depth_first, entity_name, parse_triple, property_name
from tests.paths import need_data
from tests.training.papers.websplit.small import BORN, CLUB, SEAT, SMALL, small, write_xml
from training.papers.websplit.__main__ import main
from training.papers.websplit.benchmark import load_benchmark, load_sentences
from training.papers.websplit.building import SIDES, build, leak_free, pair, paper, partitions, sharing
from training.papers.websplit.figures import count
from training.papers.websplit.webnlg import merge, read_entries, xml_files

COMPLEX = SMALL[0][1][0]
TWO = SMALL[4][1][0]


def test_partitions_of_the_small_set_counted_by_hand(tmp_path: Path) -> None:
    benchmark, sentences = small(tmp_path)
    # Single-triple texts have no rephrasing of two sentences, so two complex sentences are left.
    assert set(sentences) == {COMPLEX, TWO}
    # {abc} within: 1. {club}{seat}{born}: 2·1·3 = 6. {club, seat}{born}: 1·3 = 3. Others have no texts.
    assert benchmark.count(sentences[COMPLEX]) == 1 + 6 + 3
    # {club}{seat}: 2·1.
    assert benchmark.count(sentences[TWO]) == 2
    figures = count(sentences.values(), benchmark)
    assert [figures[name] for name in ("pairs", "pairs within entries", "distinct pairs of texts")] == [12, 1, 12]
    assert [figures[f"rephrasings: {name}"] for name in ("min", "median", "max")] == [2, 6, 10]
    assert [figures[f"their sentences: {name}"] for name in ("min", "max")] == [2, 3]
    assert figures["their sentences: mean"] == pytest.approx((7 * 3 + 5 * 2) / 12)


def test_texts_stand_in_depth_first_order(tmp_path: Path) -> None:
    benchmark, sentences = small(tmp_path)
    texts = [rephrasing.text for rephrasing in benchmark.rephrasings(sentences[COMPLEX])]
    assert "Ada Bell plays for A.C. Cork. The ground of A.C. Cork is Old Park. Ada Bell was born in Cork." in texts
    assert "Ada Bell plays for A.C. Cork at Old Park. Ada Bell is from Cork." in texts
    assert not any(text.startswith("The ground") for text in texts)
    triples = [parse_triple(text) for text in (CLUB, BORN, SEAT)]
    assert depth_first(triples) == tuple(parse_triple(text) for text in (CLUB, SEAT, BORN))


def test_a_cycle_of_triples_is_read_from_its_first() -> None:
    ring = [parse_triple(text) for text in ("a | to | b", "b | to | c", "c | to | a")]
    assert depth_first(ring) == tuple(ring)
    assert depth_first([*ring[1:], ring[0]]) == (ring[1], ring[2], ring[0])


@pytest.mark.parametrize(("size", "bell"), [(1, 1), (2, 2), (3, 5), (4, 15), (5, 52), (7, 877)])
def test_all_partitions_are_found_once(size: int, bell: int) -> None:
    triples = [parse_triple(f"a | p{place} | b") for place in range(size)]
    blocks = [frozenset(block) for count in range(1, size + 1) for block in combinations(triples, count)]
    found = list(partitions(triples, {block: number for number, block in enumerate(blocks)}))
    assert len(found) == len(set(found)) == bell
    for numbers in found:
        parts = [sorted(triples.index(triple) for triple in blocks[number]) for number in numbers]
        assert sorted(place for part in parts for place in part) == list(range(size))
        assert parts == sorted(parts)


def test_rephrasings_are_counted_and_drawn_alike(tmp_path: Path) -> None:
    benchmark, sentences = small(tmp_path)
    sentence = sentences[COMPLEX]
    everything = list(benchmark.rephrasings(sentence))
    assert benchmark.sample(sentence, 99, 0) == everything
    drawn = benchmark.sample(sentence, 4, 1)
    assert drawn == benchmark.sample(sentence, 4, 1)
    assert len(set(drawn)) == 4
    often = [benchmark.sample(sentence, 1, seed)[0] for seed in range(2000)]
    assert all(140 < often.count(one) < 260 for one in everything)


def test_a_text_of_two_meanings_is_one_sentence_with_two_readings(tmp_path: Path) -> None:
    both = [([CLUB, SEAT], ["Ada plays at Old Park."]), ([CLUB, BORN], ["Ada plays at Old Park."])]
    file = write_xml(tmp_path, [*both, *SMALL[1:4]])
    benchmark, sentences = pair(merge(read_entries([file])))
    assert [len(sentence.readings) for sentence in sentences] == [2]
    assert benchmark.count(sentences[0]) == 2 * 1 + 2 * 3


def test_entries_of_the_same_triples_are_one_meaning(tmp_path: Path) -> None:
    file = write_xml(tmp_path, [([CLUB, SEAT], ["One."]), ([SEAT, CLUB], ["Two.", "One."])])
    (meaning,) = merge(read_entries([file]))
    assert meaning.texts == ("One.", "Two.")
    assert [str(triple) for triple in meaning.triples] == [CLUB, SEAT]


def _many(count: int) -> list[tuple[list[str], list[str]]]:
    """Players of clubs, each with a city; a third of the clubs share one, so that sides have pairs in common."""
    entries: dict[str, tuple[list[str], list[str]]] = {}
    for number in range(count):
        club = f"Club_{number % (count // 2)}"
        plays = f"Player_{number} | club | {club}"
        home = f"{club} | city | Town_{number % 3}"
        entries[plays] = ([plays], [f"Player {number} plays for {club}."])
        entries[home] = ([home], [f"{club} is at home."])
        entries[f"{plays}{home}"] = ([plays, home], [f"Player {number} plays for {club} at home."])
    return list(entries.values())


def test_the_leak_free_split_shares_no_subject_and_property(tmp_path: Path) -> None:
    benchmark, sentences = pair(merge(read_entries([write_xml(tmp_path, _many(120))])))
    leaking = paper(sentences, 0)
    assert sum(map(len, leaking.values())) == len(sentences)
    assert sharing(leaking["test"], leaking["train"], benchmark)
    split = leak_free(sentences, benchmark, 0)
    assert all(len(split[side]) > 0 for side in SIDES)
    for one, other in combinations(SIDES, 2):
        assert not sharing(split[one], split[other], benchmark)
        assert not {s.id for s in split[one]} & {s.id for s in split[other]}
    assert {s.id for s in leak_free(sentences, benchmark, 1)["test"]} != {s.id for s in split["test"]}


def test_a_sentence_is_on_one_side_whatever_other_sentences_there_are(tmp_path: Path) -> None:
    _, sentences = pair(merge(read_entries([write_xml(tmp_path, _many(60))])))
    whole, half = paper(sentences, 3), paper(sentences[::2], 3)
    for side in SIDES:
        assert {s.id for s in half[side]} <= {s.id for s in whole[side]}


def test_the_command_writes_the_same_bytes_again_and_reads_them_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_xml(tmp_path, [*SMALL, *_many(20)])
    for name in ("first", "second"):
        assert main(["build", "--release", str(tmp_path / "one.xml"), "--out", str(tmp_path / name)]) == 0
    files = sorted(file.relative_to(tmp_path / "first") for file in (tmp_path / "first").rglob("*") if file.is_file())
    assert len(files) == 8
    for file in files:
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()
    assert "distinct complex sentences" in capsys.readouterr().out
    benchmark = load_benchmark(tmp_path / "first")
    found = [s for side in SIDES for s in load_sentences(tmp_path / "first", "paper", side)]
    assert sum(map(benchmark.count, found)) == 12 + 20
    figures = json.loads((tmp_path / "first" / "statistics.json").read_text())
    assert figures["all"]["pairs"] == 32


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<benchmark><entries>", "line 1: no XML"),
        ('<!DOCTYPE b [<!ENTITY x SYSTEM "file:///etc/hostname">]><benchmark>&x;</benchmark>', "undefined entity"),
        ("<html/>", "begins with <html>"),
        ('<benchmark><entry eid="Id7"/></benchmark>', "entry Id7: no <modifiedtripleset>"),
        (
            '<benchmark><entry eid="Id8"><modifiedtripleset><mtriple>a | b</mtriple></modifiedtripleset></entry>'
            "</benchmark>",
            "entry Id8: 'a | b' is no triple",
        ),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "bad.xml"
    file.write_text(text)
    with pytest.raises(BadInput, match=r"bad\.xml") as caught:
        list(read_entries([file]))
    assert reason in str(caught.value)


def test_a_missing_release_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match="no_such"):
        xml_files(tmp_path, "no_such")
    with pytest.raises(BadInput, match=r"No \.xml file"):
        xml_files(tmp_path, str(tmp_path))
    assert main(["build", "--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "release_v1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "Invalid JSON"),
        ('{"id": "x", "text": "t"}', "readings: Field required"),
        (
            '{"id": "x", "text": 3, "readings": [{"meaning": 0, "partitions": [[0]]}]}',
            "text: Input should be",
        ),
    ],
)
def test_a_broken_line_of_the_benchmark_is_named(tmp_path: Path, row: str, reason: str) -> None:
    build([write_xml(tmp_path, SMALL)], tmp_path)
    file = tmp_path / "paper" / "test.jsonl"
    file.write_text(f"{file.read_text()}{row}\n")
    line = file.read_text().count("\n")
    with pytest.raises(BadInput, match=f"line {line}: ") as caught:
        load_sentences(tmp_path, "paper", "test")
    assert reason in str(caught.value)


def test_names_of_entities_and_properties_are_words() -> None:
    assert entity_name('"Buzz Aldrin"@en') == "Buzz Aldrin"
    assert entity_name("A.C._Cesena") == "A.C. Cesena"
    assert property_name("leaderName") == property_name("leader_name") == "leader name"


def test_airports_of_the_real_release() -> None:
    folder = need_data("webnlg", "release_v1", "xml", "3triples")
    files = [file for size in (1, 2, 3) for file in sorted(folder.parent.glob(f"{size}triples/*irport*.xml"))]
    benchmark, sentences = pair(merge(read_entries(files)))
    figures = count(sentences, benchmark)
    assert figures["distinct complex sentences"] > 300
    assert figures["pairs within entries"] > 50
    assert figures["pairs"] == sum(map(benchmark.count, sentences))
    assert figures["their sentences: min"] == 2
    known = {text for part in benchmark.parts for text in part.texts}
    for sentence in sentences[::50]:
        for rephrasing in benchmark.sample(sentence, 3, 0):
            triples = [triple for part in rephrasing.parts for triple in benchmark.parts[part].triples]
            meanings = [set(benchmark.parts[reading.meaning].triples) for reading in sentence.readings]
            assert len(triples) == len(set(triples))
            assert set(triples) in meanings
            assert known.issuperset(rephrasing.texts)


def test_every_rephrasing_of_every_sentence_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "benchmark"
    assert main(["build", "--release", str(write_xml(tmp_path, SMALL)), "--out", str(folder)]) == 0
    benchmark = load_benchmark(folder)
    for side in SIDES:
        sentences = list(load_sentences(folder, "paper", side))
        out = tmp_path / f"{side}.jsonl"
        assert main(["references", "--benchmark", str(folder), "--side", side, "--out", str(out)]) == 0
        found = load_websplit(out) if sentences else []
        assert {one.source: len(one.references) for one in found} == {s.text: benchmark.count(s) for s in sentences}
