"""Reading files of pairs, as every step does."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.datasets import load_rsse
from rewrite.errors import BadInput
from tests.paths import need_data
from training.finetuning.learning import FinetuneOptions
from training.pairs import PairFile, Row, controlled_pairs_in, read_examples, read_rows
from training.records import LONGEST, Lines, Malformed, RowCount

Found = list[Row | Malformed]


def rows_of(path: Path, *, one_line: bool = True, several: bool = False, **options: Any) -> Found:
    with Lines(path) as lines:
        return list(read_rows(lines, PairFile(path=str(path), **options), one_line=one_line, several=several))


def read(folder: Path, name: str, text: str, **options: Any) -> Found:
    (folder / name).write_bytes(text.encode())
    return rows_of(folder / name, **options)


def pairs(found: Found) -> list[tuple[str, str]]:
    return [(row.source, target) for row in found if isinstance(row, Row) for target in row.targets]


def faults(found: Found) -> list[tuple[int, str]]:
    return [(row.line, row.reason) for row in found if isinstance(row, Malformed)]


@pytest.mark.parametrize("pack", [lambda b: b, gzip.compress, lzma.compress, bz2.compress])
def test_packed_files_read_like_plain_ones(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    suffix = {gzip.compress: ".gz", lzma.compress: ".xz", bz2.compress: ".bz2"}.get(pack, "")
    path = tmp_path / f"pairs.csv{suffix}"
    path.write_bytes(pack('source,target\n"а, б",в\n'.encode()))
    assert rows_of(path) == [Row(2, "а, б", ("в",))]


def test_a_packed_file_that_is_cut_short_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(gzip.compress("".join(f"а{i}\tб{i * i}\n" for i in range(5000)).encode())[:-2000])
    with pytest.raises(BadInput, match=r"pairs\.tsv\.gz, after line \d+: cannot be read on"):
        rows_of(path)


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("two.tsv", "а\tб\n", {}),
        ("two.csv", "а,б\n", {}),
        ("two.txt", "а\tб\r\n", {}),
        ("bom.csv", "\ufeffsource,target\nа,б\n", {}),
        ("rsse.csv", ",INPUT:source,OUTPUT:output\n3,а,б\n", {}),
        ("adapt.csv", "source,cos_sim,target,level\nа,0.5,б,A1\n", {}),
        ("named.csv", "id,old,new\n1,а,б\n", {"source": "old", "target": "new"}),
        ("counted.tsv", "1\tб\tа\n", {"source": 3, "target": 2}),
        ("counted.csv", "x,y,z\nб,1,а\n", {"source": 3, "target": 1, "header": True}),
        ("semicolon.csv", 'source;target\n"а";б\n', {"delimiter": ";"}),
        ("quoted.tsv", '"а"\tб\n', {"quotes": True}),
        ("headed.csv", "was,is\nа,б\n", {"header": True}),
        ("lines.jsonl", '{"source": "а", "target": "б", "x": 1}\n\n', {}),
        ("keys.jsonl", '{"q": "а", "a": "б"}\n', {"source": "q", "target": "a"}),
        ("forced", '{"source": "а", "target": "б"}\n', {"format": "jsonl"}),
        ("spaces.csv", 'source,target\n" а ","\nб "\n', {}),
        ("shouted.csv", "Source,Target\nа,б\n", {}),
        ("headed.tsv", "source\ttarget\nа\tб\n", {}),
        ("bom.jsonl", '\ufeff{"source": "а", "target": "б"}\r\n', {}),
        ("one.jsonl", '{"source": "а", "references": ["б"]}\n', {}),
        ("text.jsonl", '{"source": "а", "references": "б"}\n', {}),
        ("both.jsonl", '{"source": "а", "references": [], "target": "б"}\n', {}),
        ("rsse.jsonl", '{"INPUT:source": "а", "OUTPUT:output": "б"}\n', {}),
        ("first.tsv", "без второго поля\nа\tб\n", {}),
    ],
)
def test_forms_of_the_same_pair(tmp_path: Path, name: str, text: str, options: dict[str, Any]) -> None:
    assert pairs(read(tmp_path, name, text, **options)) == [("а", "б")]


def test_a_list_of_targets_is_as_many_pairs(tmp_path: Path) -> None:
    assert pairs(read(tmp_path, "p.jsonl", '{"source": "а", "target": ["б", "в"]}\n')) == [("а", "б"), ("а", "в")]


def test_a_row_of_references_is_read_where_references_are_wanted(tmp_path: Path) -> None:
    text = "а\tб\tв\nг\tд\t\t\nодин\n\tе\n"
    found = read(tmp_path, "p.tsv", text, several=True)
    assert found[:2] == [Row(1, "а", ("б", "в")), Row(2, "г", ("д",))]
    assert faults(found) == [(3, "fields: 1, expected 2 or more"), (4, "the source is empty")]
    # A header tells which columns there are, here too.
    assert pairs(read(tmp_path, "q.tsv", "id\tsource\ttarget\n1\tа\tб\n", several=True)) == [("а", "б")]
    # A comma may stand in any sentence: a CSV has as many fields as its header.
    with pytest.raises(BadInput, match="among 3 columns"):
        read(tmp_path, "r.csv", "а,б,в\n", several=True)


def test_empty_targets_beside_others_do_not_count(tmp_path: Path) -> None:
    lines = [
        '{"source": "а", "target": ["б", " "]}',
        '{"source": "а", "target": [""]}',
        '{"source": "а", "target": []}',
    ]
    found = read(tmp_path, "p.jsonl", "\n".join(lines))
    assert pairs(found) == [("а", "б")]
    assert faults(found) == [(2, "the target is empty"), (3, "the target is empty")]


def test_white_space_within_is_kept_unless_one_line_is_asked_for(tmp_path: Path) -> None:
    text = 'source,target\n" а  б\n","в\u00a0г"\n'
    assert pairs(read(tmp_path, "p.csv", text, one_line=False)) == [("а  б", "в\u00a0г")]
    assert pairs(read(tmp_path, "p.csv", text)) == [("а б", "в г")]


def test_half_a_surrogate_pair_is_a_malformed_row_and_a_whole_one_is_text(tmp_path: Path) -> None:
    lines = [
        '{"source": "\\ud800", "target": "б"}',
        '{"source": "а", "target": ["б", "\\udc00"]}',
        '{"source": "\\ud83d\\ude00", "target": "\\u0431"}',
    ]
    found = read(tmp_path, "p.jsonl", "\n".join(lines))
    assert faults(found) == [(n, "it holds half a surrogate pair, which is no text") for n in (1, 2)]
    assert pairs(found) == [("😀", "б")]


def test_pairs_are_counted_by_row_and_malformed_ones_named_with_their_file(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"source": "а", "target": ["б", "в"]}\n' + "[]\n" * 12, encoding="utf-8")
    count = RowCount()
    assert list(controlled_pairs_in(path, PairFile(path="p.jsonl"), count)) == [("а", "б", ""), ("а", "в", "")]
    assert (count.rows, count.malformed) == (13, 12)
    assert [(file, row.line, row.reason) for file, row in count.first] == [
        (str(path), n, "no JSON object") for n in range(2, 12)
    ]
    lines = count.report().splitlines()
    assert lines[:3] == [
        "12 of 13 rows are malformed, left out:",
        f"  {path}, line 2: no JSON object",
        "  line 3: no JSON object",
    ]
    assert (len(lines), lines[-1]) == (12, "  and 2 more")
    count.require(12 / 13)
    with pytest.raises(
        BadInput, match=r"^12 of 13 rows are malformed, more than bad_rows = 0\.9: .*; line 11: no JSON"
    ):
        count.require(0.9)


def test_sources_are_grouped_with_their_references_in_order(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("а\tб\tв\nг\tд\nа\tе\n", encoding="utf-8")
    examples, count = read_examples(path)
    assert [(one.source, one.references) for one in examples] == [("а", ("б", "в", "е")), ("г", ("д",))]
    assert count.rows == 3


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("empty.tsv", b"", r"empty\.tsv holds no rows that can be used\."),
        ("blank.csv", b"\xef\xbb\xbf\r\n\n", "holds no rows"),
        ("head.csv", b"source,target\r\n", "holds no rows"),
        ("bad.tsv", b"one\n", r"holds no rows that can be used\. 1 of 1 rows .*bad\.tsv, line 1: fields: 1"),
        ("not.tsv.gz", b"a\tb\n", "cannot be read on: Not a gzipped file"),
    ],
)
def test_a_file_without_a_row_is_an_error(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=f"(?s){message}"):
        read_examples(tmp_path / name, bad_rows=1.0)


def test_a_folder_or_nothing_at_the_path_is_an_error(tmp_path: Path) -> None:
    for path, reason in ((tmp_path, "Is a directory"), (tmp_path / "none.tsv", "No such file")):
        with pytest.raises(BadInput, match=f"Cannot read .*: {reason}.*Check the path"):
            read_examples(path)


def test_all_steps_take_the_same_keys_of_a_file() -> None:
    spec = {"path": "a.txt", "format": "csv", "source": "x", "target": "y", "delimiter": ";"}
    options = FinetuneOptions.model_validate({"model": "m", "pairs": [{**spec, "repeat": 2}]})
    assert options.files[0].model_dump(exclude={"repeat"}) == PairFile.model_validate(spec).model_dump()


def test_quotes_in_tsv_are_text(tmp_path: Path) -> None:
    assert pairs(read(tmp_path, "p.tsv", 'а "б\tв"\nг\tд\n')) == [('а "б', 'в"'), ("г", "д")]


def test_malformed_rows_are_told_apart_and_reading_goes_on(tmp_path: Path) -> None:
    found = read(tmp_path, "p.tsv", "а\tб\nодин\nа\t\n \tб\nа\tб\tв\nа\0\tб\nв\tг\n")
    assert pairs(found) == [("а", "б"), ("в", "г")]
    assert faults(found) == [
        (2, "fields: 1, expected 2"),
        (3, "the target is empty"),
        (4, "the source is empty"),
        (5, "fields: 3, expected 2"),
        (6, "the source holds a character that is no text"),
    ]


def test_malformed_json_lines(tmp_path: Path) -> None:
    lines = [
        '{"source": "а"',
        "[1]",
        '{"source": "а"}',
        '{"source": "а", "target": 1}',
        '{"source": "\\ud800", "target": "б"}',
    ]
    found = read(tmp_path, "p.jsonl", "\n".join([*lines, "[" * 5000, '{"source": "а", "target": "б"}']))
    assert [line for line, _ in faults(found)] == [1, 2, 3, 4, 5, 6]
    assert faults(found)[2][1] == "no key 'target', its keys: 'source'"
    assert faults(found)[3][1] == "the target is not a text"
    assert pairs(found) == [("а", "б")]


@pytest.mark.parametrize(
    "text", ['[\n {"source": "а", "target": "б"}\n]\n', '\n[{"source": "а", "target": "б"}]', "[ \n"]
)
def test_a_json_array_is_refused_as_one(tmp_path: Path, text: str) -> None:
    with pytest.raises(
        BadInput, match=r"a JSON array begins here; JSON lines hold one object a line\. Convert it first"
    ):
        read(tmp_path, "p.json", text)


def test_a_list_in_the_place_of_one_object_is_a_malformed_row(tmp_path: Path) -> None:
    found = read(tmp_path, "p.jsonl", '["а", "б"]\n{"source": "а", "target": "б"}\n[\n')
    assert [line for line, _ in faults(found)] == [1, 3]
    assert pairs(found) == [("а", "б")]


def test_keys_that_are_there_are_told_and_how_to_name_them(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"src_text": "а", "tgt": "б"}\n' * 3, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_examples(path)
    assert "line 1: no key 'source', its keys: 'src_text', 'tgt'" in caught.value.message
    assert "{path: …, source: NAME, target: NAME}" in caught.value.hint
    assert pairs(rows_of(path, source="src_text", target="tgt")) == [("а", "б")] * 3


def test_a_stray_quote_costs_its_own_line_only(tmp_path: Path) -> None:
    good = "".join(f"а{i},б{i}\n" for i in range(300))
    found = read(tmp_path, "p.csv", f'source,target\n"не закрыта,б\n{good}')
    assert faults(found) == [(2, "a quote is not closed")]
    assert len(pairs(found)) == 300
    found = read(tmp_path, "q.csv", f'source,target\n"не закрыта,б\n"а","б"\n{good}')
    assert [line for line, _ in faults(found)] == [2]
    assert len(pairs(found)) == 301


def test_a_line_without_end_is_passed_over(tmp_path: Path) -> None:
    found = read(tmp_path, "p.tsv", f"а\tб\n{'я' * LONGEST}\nв\tг\n")
    assert faults(found) == [(2, "the line is longer than 1,000,000 bytes")]
    assert pairs(found) == [("а", "б"), ("в", "г")]


def test_a_line_in_another_encoding_is_a_malformed_row_that_names_the_byte(tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_bytes("а\tб\n".encode() + "слово\tб\n".encode("cp1251") + "в\tг\n".encode())
    found = rows_of(tmp_path / "p.tsv")
    assert faults(found) == [(2, "byte 1 of the line (offset 6): 0xf1 is not valid UTF-8")]
    assert pairs(found) == [("а", "б"), ("в", "г")]


def test_a_whole_file_in_another_encoding_says_how_to_convert_it(tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_bytes("слово\tдругое\n".encode("cp1251") * 20)
    with pytest.raises(BadInput, match=r"20 of 20 .*p\.tsv, line 1: byte 1 .*; line 10: .*iconv -f cp1251"):
        read_examples(tmp_path / "p.tsv")
    (tmp_path / "q.tsv").write_bytes("слово\tдругое\n".encode("utf-16"))
    with pytest.raises(BadInput, match=r"q\.tsv is UTF-16\. .*iconv -f utf-16"):
        read_examples(tmp_path / "q.tsv")


@pytest.mark.parametrize(
    ("name", "text", "options", "message"),
    [
        ("p.csv", "id,a,b\n1,2,3\n", {}, "cannot tell source and target among 3 columns: 'id', 'a', 'b'"),
        ("p.csv", "a,b\n1,2\n", {"source": "x", "target": "b"}, "no column 'x'; the first row has 'a', 'b'"),
        ("p.csv", "complex,plain\n1,2\n", {"source": "complx", "target": "y"}, "no column 'complx' and no column 'y'"),
        ("p.csv", "complex,plain\n1,2\n", {"source": "complx", "target": "plain"}, "Did you mean 'complex'?"),
        ("p.csv", "a,b\n1,2\n", {"source": "a", "target": "b", "header": False}, "and header is false"),
        ("p.tsv", "a\tb\n", {"source": 1, "target": 3}, "no column 3, the first row has 2"),
        ("p.jsonl", "{}\n", {"source": 1, "target": 2}, "JSON lines have keys"),
        ("p.csv", "source;target\nа;б\n", {}, r"among 1 columns: 'source;target'\. Are they separated by ';'\? Then"),
        ("p.tsv", "а\tб\tв\n", {}, "cannot tell source and target among 3 columns"),
    ],
)
def test_columns_that_cannot_be_told(
    tmp_path: Path, name: str, text: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        read(tmp_path, name, text, **options)


@given(
    st.lists(
        st.tuples(*[st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=9)] * 2),
        max_size=8,
    ),
    st.sampled_from([" ", "\n", '"', ",", '",\n"']),
)
def test_what_a_csv_writer_writes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, written: list[tuple[str, str]], middle: str
) -> None:
    rows = [(f"а{middle}{source}", f"{target}{middle}б") for source, target in written]
    text = io.StringIO()
    csv.writer(text).writerows([("source", "target"), *rows])
    path = tmp_path_factory.mktemp("csv") / "p.csv"
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    assert pairs(rows_of(path)) == [(" ".join(s.split()), " ".join(t.split())) for s, t in rows]


def test_rsse_dev_reads_as_its_loader_reads_it() -> None:
    path = need_data("rsse", "dev_sents.csv")
    expected = {
        (" ".join(example.source.split()), " ".join(text.split()))
        for example in load_rsse(path)
        for text in example.references
    }
    found = rows_of(path)
    assert len(pairs(found)) == 3406
    assert set(pairs(found)) == expected
    assert not faults(found)
    assert read_examples(path)[0] == load_rsse(path)
