"""Reading files of pairs, as every step does: bad rows are counted and named, too many are an error."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.datasets import load_rsse
from rewrite.errors import BadInput
from tests.paths import need_data
from training.finetuning.learning import FinetuneOptions
from training.pairs import PairFile, PlacedPair, RowCount, read_examples, read_pairs


def rows_of(path: Path, **options: Any) -> tuple[list[PlacedPair], RowCount]:
    count = RowCount()
    return list(read_pairs(path, PairFile(path=str(path), **options), count)), count


def read(folder: Path, name: str, text: str, **options: Any) -> tuple[list[tuple[str, str]], list[str]]:
    """Pairs, and what is said of malformed rows, without the name of the file."""
    (folder / name).write_bytes(text.encode())
    pairs, count = rows_of(folder / name, **options)
    return [(pair.source, pair.target) for pair in pairs], [fault.split(f"{name}, ")[1] for fault in count.first]


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("two.tsv", "а\tб\n", {}),
        ("two.csv", "а,б\n", {}),
        ("two.txt", "а\tб\r\n", {}),
        ("bom.csv", "\ufeffsource,target\nа,б\n", {}),
        ("rsse.csv", ",INPUT:source,OUTPUT:output\n3,а,б\n", {}),
        ("adapt.csv", "source,cos_sim,target,level\nа,0.5,б,A1\n", {}),
        ("named.csv", "id,Old,new\n1,а,б\n", {"source": "old", "target": "new"}),
        ("counted.tsv", "1\tб\tа\n", {"source": 3, "target": 2}),
        ("semicolon.csv", 'source;target\n"а";б\n', {"delimiter": ";"}),
        ("quoted.tsv", '"а"\tб\n', {"format": "csv", "delimiter": "\t"}),
        ("headed.csv", "was,is\nа,б\n", {"source": "was", "target": "is"}),
        ("lines.jsonl", '{"source": "а", "target": "б", "x": 1}\n\n', {}),
        ("keys.jsonl", '{"q": "а", "a": "б"}\n', {"source": "q", "target": "a"}),
        ("forced", '{"source": "а", "target": "б"}\n', {"format": "jsonl"}),
        ("spaces.csv", 'source,target\n" а ","\nб "\n,\n', {}),
        ("shouted.csv", "Source,Target\nа,б\n", {}),
        ("headed.tsv", "source\ttarget\nа\tб\n", {}),
        ("bom.jsonl", '\ufeff{"source": "а", "target": "б"}\r\n', {}),
        ("one.json", '{"source": "а", "references": ["б"]}\n', {}),
        ("text.ndjson", '{"source": "а", "references": "б"}\n', {}),
        ("rsse.jsonl", '{"INPUT:source": "а", "OUTPUT:output": "б"}\n', {}),
    ],
)
def test_forms_of_the_same_pair(tmp_path: Path, name: str, text: str, options: dict[str, Any]) -> None:
    assert read(tmp_path, name, text, **options) == ([("а", "б")], [])
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    packed, _ = rows_of(tmp_path / f"{name}.gz", **options)
    assert [(pair.source, pair.target) for pair in packed] == [("а", "б")]


def test_a_list_of_targets_is_as_many_pairs_and_empty_ones_beside_others_do_not_count(tmp_path: Path) -> None:
    lines = [
        '{"source": "а", "target": ["б", " ", "в"], "controls": "1515"}',
        '{"source": "а", "target": [""]}',
        '{"source": "а", "target": []}',
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(lines), encoding="utf-8")
    pairs, count = rows_of(tmp_path / "p.jsonl")
    assert pairs == [PlacedPair("а", "б", "1515", 1), PlacedPair("а", "в", "1515", 1)]
    assert count.first == [f"{tmp_path}/p.jsonl, line {n}: the target is empty" for n in (2, 3)]
    assert (count.rows, count.malformed) == (3, 2)


def test_white_space_within_a_text_is_kept(tmp_path: Path) -> None:
    pairs, _ = read(tmp_path, "p.csv", 'source,target\n" а  б\n","в\u00a0г"\n')
    assert pairs == [("а  б", "в\u00a0г")]


def test_sources_are_grouped_with_their_references_in_order(tmp_path: Path) -> None:
    texts = {
        "a.csv": 'source,target\n"Раз, два",раз\nТри,три\n"Раз, два",два\n',
        "b.tsv": "Раз, два\tраз\nТри\tтри\nРаз, два\tдва\n",
        "c.jsonl": '{"source":"Раз, два","references":["раз","два"]}\n\n{"source":"Три","target":"три"}\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        examples = read_examples(tmp_path / name)
        assert [(example.source, example.references) for example in examples] == [
            ("Раз, два", ("раз", "два")),
            ("Три", ("три",)),
        ]


def test_malformed_rows_are_counted_and_the_first_ten_named(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"source": "а", "target": ["б", "в"]}\n' + "[]\n" * 12, encoding="utf-8")
    said: list[str] = []
    assert len(read_examples(path, bad_rows=12 / 13, say=said.append)) == 1
    lines = said[0].splitlines()
    assert lines[:2] == [
        "12 of 13 rows are malformed, left out:",
        f"  {path}, line 2: '[]' is not a JSON object",
    ]
    assert (len(said), len(lines), lines[-1]) == (1, 12, "  and 2 more")
    with pytest.raises(BadInput, match=r"^12 of 13 rows are malformed, more than bad_rows = 0\.9: .*, line 11: '\[\]'"):
        read_examples(path, bad_rows=0.9)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("empty.tsv", "", r"empty\.tsv holds no rows that can be used\."),
        ("blank.csv", "\ufeff\r\n\n", "holds no rows"),
        ("head.csv", "source,target\r\n", "holds no rows"),
        ("empty.jsonl", "", "holds no rows"),
        ("bad.csv", "source,target\nа,\n", "holds no rows"),
    ],
)
def test_a_file_without_a_pair_is_an_error(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_bytes(text.encode())
    with pytest.raises(BadInput, match=message):
        read_examples(tmp_path / name, bad_rows=1.0)


def test_files_that_cannot_be_read_are_an_error_at_once(tmp_path: Path) -> None:
    for path, reason in ((tmp_path, "Is a directory"), (tmp_path / "none.tsv", "No such file")):
        with pytest.raises(BadInput, match=f"Cannot read .*: {reason}.*Check the path"):
            read_examples(path)
    for encoding, reason in (("cp1251", ", line 1: byte 1, .* is not UTF-8"), ("utf-16", " is text in UTF-16LE")):
        (tmp_path / "p.tsv").write_bytes("слово\tдругое\n".encode(encoding) * 20)
        with pytest.raises(BadInput, match=rf"p\.tsv{reason}.*iconv"):
            read_examples(tmp_path / "p.tsv")


def test_all_steps_take_the_same_keys_of_a_file() -> None:
    spec = {"path": "a.txt", "format": "csv", "source": "x", "target": "y", "delimiter": ";"}
    options = FinetuneOptions.model_validate({"model": "m", "pairs": [{**spec, "repeat": 2}]})
    assert options.files[0].model_dump(exclude={"repeat"}) == PairFile.model_validate(spec).model_dump()


def test_quotes_in_tsv_are_text(tmp_path: Path) -> None:
    assert read(tmp_path, "p.tsv", 'а "б\tв"\n"г\tд\n')[0] == [('а "б', 'в"'), ('"г', "д")]


def test_malformed_rows_of_a_table_are_told_apart_and_reading_goes_on(tmp_path: Path) -> None:
    pairs, faults = read(tmp_path, "p.tsv", "а\tб\nодин\nа\t\n \tб\nа\tб\tв\nа\0\tб\nв\tг\n")
    assert pairs == [("а", "б"), ("в", "г")]
    assert faults == [
        "line 2: fields: 1, expected 2",
        "line 3: the target is empty",
        "line 4: the source is empty",
        "line 5: fields: 3, expected 2",
        r"line 6: no text as source: '\u0430\x00'",
    ]


def test_malformed_json_lines(tmp_path: Path) -> None:
    lines = [
        '{"source": "а"',
        "[1]",
        '{"source": "а"}',
        '{"source": "а", "target": 1}',
        '{"source": "\\ud800", "target": "б"}',
        '{"source": "а", "target": ["б", "\\udc00"]}',
        "[" * 5000,
        '{"source": "\\ud83d\\ude00", "target": "\\u0431"}',
    ]
    pairs, faults = read(tmp_path, "p.jsonl", "\n".join(lines))
    assert pairs == [("😀", "б")]
    assert [int(fault.split()[1].strip(",:")) for fault in faults] == [1, 2, 3, 4, 5, 6, 7]
    assert faults[0] == "line 1, column 15: not JSON: Expecting ',' delimiter"
    assert faults[2] == "line 3: no keys 'source' and 'target' among ['source']"
    assert faults[3:6] == [
        "line 4: no text as target: 1",
        r"line 5: no text as source: '\ud800'",
        r"line 6: no text as target: '\udc00'",
    ]


def test_other_keys_are_named_in_the_recipe_and_the_error_says_so(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"src_text": "а", "tgt": "б"}\n' * 3, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_examples(path)
    assert "line 1: no keys 'source' and 'target' among ['src_text', 'tgt']" in caught.value.message
    assert "{path: …, source: NAME, target: NAME}" in caught.value.hint
    assert len(rows_of(path, source="src_text", target="tgt")[0]) == 3


def test_every_line_that_a_stray_quote_swallows_counts_as_malformed(tmp_path: Path) -> None:
    good = "".join(f"а{i},б{i}\n" for i in range(300))
    pairs, faults = read(tmp_path, "q.csv", f'source,target\n"не закрыта,б\n"а","б"\n{good}')
    assert faults == [f"line {n}: ',' expected after '\"' (are the quotes closed from line 2 on?)" for n in (2, 3)]
    assert len(pairs) == 300
    pairs, faults = read(tmp_path, "p.csv", f'source,target\n{good}"не закрыта,б\n{good}')
    assert faults[0] == "line 302: unexpected end of data (are the quotes closed from line 302 on?)"
    assert len(pairs) == 300
    with pytest.raises(BadInput, match="301 of 601 rows are malformed"):
        read_examples(tmp_path / "p.csv")


@pytest.mark.parametrize(
    ("name", "text", "options", "message"),
    [
        (
            "p.csv",
            "id,a,b\n1,2,3\n",
            {},
            r"line 1: cannot tell source and target among the 3 columns \['id', 'a', 'b'\]",
        ),
        ("p.csv", "a,b\n1,2\n", {"source": "x", "target": "b"}, r"among the 2 columns \['a', 'b'\]"),
        ("p.tsv", "a\tb\n", {"source": 1, "target": 3}, "among the 2 columns"),
        ("p.csv", "source;target\nа;б\n", {}, r"among the 1 columns \['source;target'\].*delimiter"),
        ("p.tsv", "а\tб\tв\n", {}, "among the 3 columns"),
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
    assert [(pair.source, pair.target) for pair in rows_of(path)[0]] == rows


def test_rsse_dev_reads_as_its_loader_reads_it() -> None:
    path = need_data("rsse", "dev_sents.csv")
    pairs, count = rows_of(path)
    assert (len(pairs), count.rows, count.malformed) == (3406, 3406, 0)
    assert read_examples(path) == load_rsse(path)
