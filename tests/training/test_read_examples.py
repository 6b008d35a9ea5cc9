"""Rows are read with patience: bad ones are counted and named, too many are an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewrite.errors import BadInput
from tests.paths import need_data
from training.pairs import read_examples


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
    read = [read_examples(path)[0] for path in (csv, rsse, tsv, jsonl)]
    assert read[0] == read[1] == read[2] == read[3]
    assert [example.references for example in read[0]] == [("раз", "два"), ("три",)]


def test_the_real_file_reads_as_its_loader_reads_it() -> None:
    from rewrite.datasets import load_rsse

    path = need_data("rsse", "dev_sents.csv")
    examples, count = read_examples(path)
    assert count.malformed == 0
    assert examples == load_rsse(path)


def test_malformed_rows_are_counted_and_the_first_ten_named(tmp_path: Path) -> None:
    lines = ['{"source":"с","target":"т"}'] * 88 + ["{", "[1]", '{"source":"","target":"т"}', '{"source":"с"}'] * 3
    path = write(tmp_path, "a.jsonl", "\n".join(lines))
    _, count = read_examples(path, bad_rows=0.12)
    assert count.malformed == 12
    assert len(count.first) == 10
    assert [(row.line, row.reason.split(": Exp")[0]) for _, row in count.first[:4]] == [
        (89, "not JSON"),
        (90, "no JSON object"),
        (91, "the source is empty"),
        (92, "no key 'target', its keys: 'source'"),
    ]
    assert "12 of 100 rows are malformed" in count.report()
    assert "and 2 more" in count.report()
    with pytest.raises(BadInput, match=r"12 of 100 rows are malformed, more than bad_rows = 0\.11: .*, line 89: not"):
        read_examples(path, bad_rows=0.11)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", "", "holds no rows"),
        ("a.csv", "", "holds no rows"),
        ("a.csv", "source,target\n", "holds no rows"),
        ("a.csv", "id,left,right\n1,а,б\n", "cannot tell source and target among 3 columns: 'id', 'left', 'right'"),
        ("a.csv", "source,target\nа,\n", "the target is empty"),
        ("a.csv", "source,target\nа,б,в\n", "fields: 3, expected 2"),
        ("a.tsv", "одно поле\n", "fields: 1, expected 2"),
        ("a.jsonl", '{"source": 3, "target": "т"}', "the source is not a text"),
        ("a.jsonl", '{"source": "с", "references": [1]}', "the target is not a text"),
        ("a.jsonl", '{"source": "\\ud800", "target": "т"}', r"a\.jsonl, line 1: it holds half a surrogate pair"),
    ],
)
def test_files_of_no_use_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_examples(write(tmp_path, name, text), bad_rows=0.5)


def test_bytes_that_are_no_text_are_named_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"source":"с","target":"т"}\n{"source":"'.encode() + b"\xd0\x20")
    with pytest.raises(BadInput, match=r"1 of 2 rows .*a\.jsonl, line 2: byte 12 .*0xd0 is not valid UTF-8.*iconv"):
        read_examples(path)
    with pytest.raises(BadInput, match="Cannot read"):
        read_examples(tmp_path / "missing.csv")
