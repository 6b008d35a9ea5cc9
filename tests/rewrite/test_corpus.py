"""Corpora by column: every format in and out, rows that fail, and the summary. Through the commands themselves."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LONG = "Кошка, которую нашли дети, спала на старом диване, который стоял в углу."
SHORT = "Кошка спала на старом диване."
PLAIN = "Короткая."
Run = Callable[..., int]
QUICK = ("simplify", "--generator", "edits", "--processes", "1")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rows_of(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_objects_keep_all_that_they_have(run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    kept = f'{{"x": 1.50,  "id":"а", "text": "{LONG}", "n": 12345678901234567890}}'
    Path("in.jsonl").write_text(f"{kept}\n{{}}\r\n\n{kept} \n", encoding="utf-8")
    assert run_command(*QUICK, "-i", "in.jsonl", "--column", "text", "-o", "out.jsonl") == 3
    lines = Path("out.jsonl").read_bytes().decode("utf-8").split("\n")
    assert lines[0] == f'{kept[:-1]}, "text_simplified": "{SHORT}"}}'
    assert lines[1] == """{"text_simplified": null, "text_simplified_error": "No 'text' among its keys: ."}\r"""
    assert lines[2:] == ["", lines[0], ""]
    err = capfd.readouterr().err
    assert "row 2: No 'text'" in err
    assert "2 of 2 sentences changed." in err
    assert "1 row failed: 2." in err
    assert sorted(os.listdir()) == ["in.jsonl", "out.jsonl"]


def test_rows_that_fail_are_written_with_their_errors(run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    bad = ['{"text": 7}', "{bad", "[1]", '{"text": "\\ud800"}', '{"text": null}', '{"text": "a"', '{"text": ["а"]}']
    data = "\n".join([*bad, f'{{"text": "{LONG}"}}']).encode() + b'\n{"text": "\xff"}\n'
    Path("in.jsonl").write_bytes(data)
    assert run_command(*QUICK, "-i", "in.jsonl", "--column", "text", "-o", "out.jsonl", "--into", "new") == 3
    rows = rows_of("out.jsonl")
    assert len(rows) == 9
    assert [row["new"] for row in rows] == [None] * 7 + [SHORT, None]
    assert [i for i, row in enumerate(rows) if "new_error" not in row] == [4, 7]
    assert [row.get("unread") for row in rows] == [
        None,
        "{bad",
        "[1]",
        None,
        None,
        '{"text": "a"',
        None,
        None,
        '{"text": "\\xff"}',
    ]
    assert "7 rows failed: 1, 2, 3, 4, 6, 7, 9." in capfd.readouterr().err


@pytest.mark.parametrize(("delimiter", "quoted"), [(",", False), (";", False), (",", True)])
def test_cells_keep_their_quotes(run_command: Run, delimiter: str, quoted: bool) -> None:
    text = io.StringIO(newline="")
    table = [["id", "text", "note"], ["1", LONG, 'a "b"\nc'], ["007", PLAIN, ""]]
    csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL).writerows(table)
    before = text.getvalue()
    with open("in.csv.gz", "wb") as stream:
        stream.write(gzip.compress(b"\xef\xbb\xbf" + before.encode()))
    assert run_command(*QUICK, "-i", "in.csv.gz", "--column", "text", "-o", "out.csv") == 0
    after = Path("out.csv").read_bytes().decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(after, newline=""), delimiter=delimiter)) == [
        [*table[0], "text_simplified", "text_simplified_error"],
        [*table[1], SHORT, ""],
        [*table[2], PLAIN, ""],
    ]
    for row in before.split("\r\n"):
        assert row in after
    assert ('"text_simplified"' in after) is quoted


def test_a_mark_before_the_quote_of_the_first_name(run_command: Run) -> None:
    Path("in.csv").write_bytes(f'\ufeff"text","x"\r\n"{PLAIN}",1\r\n'.encode())
    assert run_command(*QUICK, "-i", "in.csv", "--column", "text", "-o", "out.csv") == 0
    assert Path("out.csv").read_bytes().startswith('\ufeff"text","x","text_simplified"'.encode())


def test_tabs_have_no_quotes(run_command: Run) -> None:
    Path("in.tsv").write_text(f'text\tnote\n"Да" сказал\t"\n{LONG}\t x \nодна\n', encoding="utf-8")
    assert run_command(*QUICK, "-i", "in.tsv", "--column", "text", "-o", "out.tsv") == 3
    head, first, second, third = Path("out.tsv").read_text(encoding="utf-8").splitlines()
    assert head == "text\tnote\ttext_simplified\ttext_simplified_error"
    assert first == '"Да" сказал\t"\t"Да" сказал\t'
    assert second == f"{LONG}\t x \t{SHORT}\t"
    assert third == "одна\t\t\tIt has 1 cells, and there are 2 columns."


def test_a_row_of_cells_that_cannot_be_told_apart(run_command: Run) -> None:
    Path("in.csv").write_bytes(
        'text,x\n"а"б,1\n\n'.encode() + b"\xff,2\n" + f'"{LONG}",\xff\n'.encode("latin-1", "ignore") + b""
    )
    Path("in.csv").write_bytes('text,x\n"а"б,1\n\n'.encode() + b"\xff,2\n" + f'"{LONG}",'.encode() + b"\xff\n")
    assert run_command(*QUICK, "-i", "in.csv", "--column", "text", "-o", "out.csv") == 3
    _, odd, blank, bad, good, _ = Path("out.csv").read_bytes().split(b"\n")
    assert odd.startswith('"а"б,1,,'.encode())
    assert blank == b""
    assert bad.startswith(b"\xff,2,,Byte 0xff in its cell")
    assert good == f'"{LONG}",'.encode() + b"\xff," + SHORT.encode() + b","


@pytest.mark.parametrize(
    ("name", "data", "options", "code", "words"),
    [
        ("in.csv", b"id,text\n1,a\n", ["--column", "texts"], 2, "There are: id, text."),
        ("in.csv", b"id,text\n1,a\n", [], 2, "--column says of which the texts are. There are: id, text."),
        ("in.jsonl", b'{"a": 1, "b": 2}\n', [], 2, "There are: a, b."),
        ("in.csv", b"", ["--column", "text"], 1, "it is empty"),
        ("in.csv", b'text\n"a\nb\n', ["--column", "text"], 1, "row 1 opens a quotation mark"),
        ("in.csv", b"text,text_simplified\n", ["--column", "text"], 2, "a column 'text_simplified' already"),
        ("in.csv", b"text,text\n", ["--column", "text"], 2, "several columns 'text'"),
        ("in.jsonl", b'\n{"text": "a", "b": 1}\n', ["--column", "text", "--into", "b"], 2, "a column 'b' already"),
        ("in.txt", b"a\n", ["--column", "text"], 2, ".txt has no columns"),
        ("in.csv.gz", b"text\n", ["--column", "text"], 1, "gzip cannot be read"),
        ("in.csv.gz", gzip.compress(b"text\n" * 500)[:-9], ["--column", "text"], 1, "ends too early"),
        ("in.parquet", b"PAR1 no", ["--column", "text"], 1, "no Parquet file"),
        ("in.csv", b"text\n", ["--column", "text", "-o", "out.parquet"], 2, "cannot be written as"),
        ("in.csv", b"text\n", ["--column", "text", "--format", "jsonl"], 2, "--output that ends in .jsonl"),
    ],
)
def test_what_cannot_be_read_is_told_at_once(
    run_command: Run,
    capfd: pytest.CaptureFixture[str],
    name: str,
    data: bytes,
    options: list[str],
    code: int,
    words: str,
) -> None:
    Path(name).write_bytes(data)
    output = (
        []
        if "-o" in options
        else ["-o", "out.x" if name == "in.txt" else "out.csv" if "csv" in name else f"out{Path(name).suffix}"]
    )
    assert run_command(*QUICK, "-i", name, *output, *options) == code
    (line,) = capfd.readouterr().err.splitlines()
    assert words in line
    assert os.listdir() == [name]


def test_parquet_keeps_types_and_order(run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    count = 9000
    columns = {
        "id": pa.array(range(count), pa.int32()),
        "text": pa.array([LONG, PLAIN, None] + [None, PLAIN, "а"] * (count // 3 - 1), pa.large_string()),
        "day": pa.array([None, 1, 2] * (count // 3), pa.date32()),
        "kind": pa.array(["a", "b", "a"] * (count // 3)).dictionary_encode(),
        "many": pa.array([[1.5], [], None] * (count // 3), pa.list_(pa.float32())),
    }
    table = pa.table(columns).replace_schema_metadata({"k": "v"})
    pq.write_table(table, "in.parquet", row_group_size=700, compression="zstd")
    assert run_command(*QUICK, "-i", "in.parquet", "--column", "text", "-o", "out.parquet") == 0
    out = pq.read_table("out.parquet")
    assert out.select(list(columns)).equals(table)
    assert out.schema.metadata == table.schema.metadata
    assert out["text_simplified"].to_pylist() == [SHORT, PLAIN, None] + [None, PLAIN, "а"] * (count // 3 - 1)
    assert out["text_simplified_error"].null_count == count
    metadata = pq.ParquetFile("out.parquet").metadata
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [8192, 808]
    assert metadata.row_group(0).column(0).compression == "ZSTD"
    capfd.readouterr()
    assert run_command(*QUICK, "-i", "in.parquet", "--column", "id", "-o", "no.parquet") == 2
    assert "'id' holds int32, and no text" in capfd.readouterr().err
    assert run_command(*QUICK, "-i", "in.parquet", "--column", "text", "-o", "out.jsonl.gz") == 0
    first = json.loads(gzip.decompress(Path("out.jsonl.gz").read_bytes()).split(b"\n")[1])
    assert first == {"id": 1, "text": PLAIN, "day": "1970-01-02", "kind": "b", "many": [], "text_simplified": PLAIN}


def test_what_is_no_number_is_null_in_json(run_command: Run) -> None:
    pa, pq = (pytest.importorskip(name) for name in ("pyarrow", "pyarrow.parquet"))
    nothing, much = float("nan"), float("inf")
    columns = {"text": [PLAIN] * 2, "x": [nothing, 1.5], "y": [{"a": [much, 0.0]}, None]}
    pq.write_table(pa.table(columns), "in.parquet")
    assert run_command(*QUICK, "-i", "in.parquet", "--column", "text", "-o", "out.jsonl") == 0
    assert [(row["x"], row["y"]) for row in rows_of("out.jsonl")] == [(None, {"a": [None, 0.0]}), (1.5, None)]
    pq.write_table(pa.Table.from_arrays([pa.array([PLAIN])] * 2, names=["text"] * 2), "in.parquet")
    assert run_command(*QUICK, "-i", "in.parquet", "--column", "text", "-o", "out.jsonl") == 2


def test_lines_may_be_compressed(run_command: Run) -> None:
    pytest.importorskip("zstandard")
    Path("in.txt.gz").write_bytes(gzip.compress(f"{LONG}\r\n".encode()) + gzip.compress(PLAIN.encode()))
    assert run_command(*QUICK, "-i", "in.txt.gz", "-o", "out.txt.zst") == 0
    assert run_command(*QUICK, "-i", "out.txt.zst", "-o", "again.txt") == 0
    assert Path("again.txt").read_bytes() == f"{SHORT}\r\n{PLAIN}\n".encode()


def test_other_commands_take_columns(run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    rows: list[dict[str, object]] = [
        {"s": LONG, "c": "Кошка спала."},
        {"s": LONG, "c": SHORT},
        {"s": PLAIN, "c": ["Короткая!", PLAIN]},
    ]
    Path("in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    at = ("--source-column", "s", "--candidate-column", "c", "-i", "in.jsonl")
    assert run_command("rerank", *at, "-o", "best.jsonl") == 0
    best = rows_of("best.jsonl")
    # One pool, whose rows all have the choice.
    assert [row["c_reranked"] for row in best][:2] == [SHORT] * 2
    assert [row["c"] for row in best] == [row["c"] for row in rows]
    assert run_command("score", *at, "-o", "scores.jsonl") == 0
    scores = [row["c_scores"] for row in rows_of("scores.jsonl")]
    assert [isinstance(score, float) for score in scores] == [True, True, False]
    assert len(scores[2]) == 2
    assert run_command("judge", "--metric", "rouge2", *at, "--reference-column", "s", "-o", "judged.jsonl") == 3
    assert [isinstance(row["c_score"], float) for row in rows_of("judged.jsonl")] == [True, True, False]
    capfd.readouterr()
    assert run_command("score", "--source-column", "s", "-i", "in.jsonl") == 2
    assert "--source-column alone" in capfd.readouterr().err


def test_several_rewrites_are_a_list(run_command: Run) -> None:
    Path("in.jsonl").write_text(f'{{"text": "{LONG}"}}\n', encoding="utf-8")
    assert run_command(*QUICK, "-i", "in.jsonl", "--column", "text", "-o", "out.jsonl", "--best", "3") == 0
    (row,) = rows_of("out.jsonl")
    assert row["text_simplified"][0] == SHORT
    assert len(row["text_simplified"]) == 3


def test_the_summary_and_the_report(run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.txt").write_text(f"{LONG} {PLAIN}\nThe cat sat on the mat.\n", encoding="utf-8")
    assert run_command(*QUICK, "-i", "in.txt", "-o", "out.txt", "--report", "r.json") == 3
    strange, sentences, rows = capfd.readouterr().err.splitlines()
    assert strange.startswith("rewrite: line 2: 'The cat sat on the mat.': --generator edits is for Russian")
    assert sentences.startswith("rewrite: 1 of 3 sentences changed; 2 passed over (")
    assert {"fewer than 4 words 1", "another language 1"} == set(sentences[:-2].split("(")[1].split(", "))
    assert rows.startswith("rewrite: 2 lines, ")
    report = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert report["rows"] == 2
    assert report["sentences"]["changed"] == 1
    assert report["sentences"]["why"] == {"passed": {"fewer than 4 words": 1, "another language": 1}}
    assert run_command(*QUICK, "-i", "in.txt", "-o", "out.txt", "--quiet") == 3
    assert len(capfd.readouterr().err.splitlines()) == 1
    # Where nobody looks and no file was asked for, nothing is told.
    assert run_command(*QUICK, LONG) == 0
    assert capfd.readouterr() == (f"{SHORT}\n", "")
    assert run_command(*QUICK, "-i", "in.txt", "--report", "no/r.json") == 1


def test_a_log_has_a_line_a_minute(
    run_command: Run, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rewrite.corpus.account._LOG_EVERY", 0.0)
    Path("in.txt").write_text(f"{PLAIN}\n" * 40, encoding="utf-8")
    assert run_command(*QUICK, "-i", "in.txt", "-o", "out.txt") == 0
    err = capfd.readouterr().err
    assert "rewrite: 32 of 40 lines, " in err
    assert "rewrite: 40 of 40 lines, " in err


@pytest.mark.parametrize("compression", ["", ".gz"])
def test_a_stream_to_standard_output(compression: str) -> None:
    Path(f"in.jsonl{compression}").write_bytes(
        (gzip.compress if compression else bytes)(f'{{"t": "{LONG}"}}\n'.encode())
    )
    command = [sys.executable, "-m", "rewrite", *QUICK, "-i", f"in.jsonl{compression}", "--column", "t"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=True)
    assert json.loads(done.stdout) == {"t": LONG, "t_simplified": SHORT}
    assert done.stderr == b""


@pytest.mark.parametrize("report", ["in.txt", "out.txt", "out.txt.part", "./out.txt.journal"])
def test_a_report_is_not_written_over_the_run(run_command: Run, report: str) -> None:
    Path("in.txt").write_text("Кошка спала.\n", encoding="utf-8")
    command = ("simplify", "--generator", "edits", "-i", "in.txt", "-o", "out.txt", "--report", report)
    assert run_command(*command) == 2
    assert Path("in.txt").read_text(encoding="utf-8") == "Кошка спала.\n"
    assert os.listdir() == ["in.txt"]


def test_a_report_is_of_a_run_that_ended_well(run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.txt").write_text("Кошка спала.\n", encoding="utf-8")
    command = ("simplify", "--generator", "edits", "-i", "in.txt", "--report")
    assert run_command(*command, "report.json", "-o", "no/out.txt") == 1
    assert os.listdir() == ["in.txt"]
    capfd.readouterr()
    assert run_command(*command, "/dev/full", "-o", "out.txt") == 1
    assert "Cannot write to /dev/full: No space left" in capfd.readouterr().err
