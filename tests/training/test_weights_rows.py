"""Rows are read with patience: bad ones are counted and named, too many are an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewrite.errors import BadInput
from tests.paths import need_data
from training.weighting.rows import read_sources


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_tsv_and_jsonl_say_the_same(tmp_path: Path) -> None:
    csv = write(tmp_path, "a.csv", 'source,target\n"Раз, два",раз\n"Раз, два",два\nТри,три\n')
    rsse = write(tmp_path, "b.csv", 'INPUT:source,OUTPUT:output\n"Раз, два",раз\n"Раз, два",два\nТри,три\n')
    tsv = write(tmp_path, "c.tsv", "Раз, два\tраз\tдва\nТри\tтри\n")
    jsonl = write(
        tmp_path, "d.jsonl", '{"source":"Раз, два","references":["раз","два"]}\n\n{"source":"Три","target":"три"}\n'
    )
    read = [read_sources(path).values for path in (csv, rsse, tsv, jsonl)]
    assert read[0] == read[1] == read[2] == read[3]
    assert [example.references for example in read[0]] == [("раз", "два"), ("три",)]


def test_the_real_file_reads_as_its_loader_reads_it() -> None:
    from rewrite.datasets import load_rsse

    path = need_data("rsse", "dev_sents.csv")
    rows = read_sources(path)
    assert rows.bad == 0
    assert list(rows.values) == load_rsse(path)


def test_malformed_rows_are_counted_and_the_first_ten_named(tmp_path: Path) -> None:
    lines = ['{"source":"с","target":"т"}'] * 88 + ["{", "[1]", '{"source":""}', '{"source":"с"}'] * 3
    path = write(tmp_path, "a.jsonl", "\n".join(lines))
    rows = read_sources(path, most_bad=0.12)
    assert rows.bad == 12
    assert len(rows.named) == 10
    assert rows.named[0].startswith("line 89: not JSON")
    assert rows.named[1:4] == ("line 90: no JSON object: '[1]'", "line 91: no source", "line 92: no reference for 'с'")
    assert "12 malformed rows" in rows.report()
    assert "and 2 more" in rows.report()
    with pytest.raises(BadInput, match=r"12 of 100 rows are malformed: line 89.*--bad-rows"):
        read_sources(path, most_bad=0.11)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", "", "holds no rows"),
        ("a.csv", "", "holds no rows"),
        ("a.csv", "source,target\n", "holds no rows"),
        ("a.csv", "left,right\nа,б\n", "no column 'source'"),
        ("a.csv", "source,target\nа,\n", "no reference for 'а'"),
        ("a.csv", "source,target\nа,б,в\n", "3 fields, the header has 2"),
        ("a.tsv", "одно поле\n", "no reference"),
        ("a.jsonl", '{"source": 3, "target": "т"}', "no source"),
        ("a.jsonl", '{"source": "с", "references": [1]}', "no reference"),
    ],
)
def test_files_of_no_use_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_sources(write(tmp_path, name, text), most_bad=0.5)


def test_bytes_that_are_no_text_are_named_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"source":"с","target":"т"}\n{"source":"'.encode() + b"\xd0\x20")
    with pytest.raises(BadInput, match=r"line 2: byte 0xd0 is not UTF-8"):
        read_sources(path)
    with pytest.raises(BadInput, match="Cannot read"):
        read_sources(tmp_path / "missing.csv")
