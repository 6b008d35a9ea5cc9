"""Loaders read the real files, and say where a broken one is broken."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from rerank.errors import BadInput
from rewrite.datasets import (
    Example,
    RatedPair,
    data_folder,
    load_lines,
    load_rsse,
    load_ruadapt,
    load_stsb,
    text_lines,
)
from tests.paths import need_data


def _write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_rsse_dev_has_the_published_size() -> None:
    examples = load_rsse(need_data("rsse", "dev_sents.csv"))
    assert len(examples) == 1000
    assert sum(len(e.references) for e in examples) == 3406
    assert all(e.source == e.source.strip() for e in examples)
    assert len({e.source for e in examples}) == 1000


def test_rsse_groups_by_stripped_source_and_keeps_newlines(tmp_path: Path) -> None:
    text = ',INPUT:source,OUTPUT:output\n0," Один\nдва ",раз\n1,Три,"два, ""три"""\n2,"Один\nдва",ещё раз\n'
    assert load_rsse(_write(tmp_path / "a.csv", text)) == [
        Example("Один\nдва", ("раз", "ещё раз")),
        Example("Три", ('два, "три"',)),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "line 1: no column 'INPUT:source'"),
        ("", "line 1: no column"),
        (',INPUT:source,OUTPUT:output\n0,"а\nб",в\n1,г\n', "line 4: 2 fields"),
        (",INPUT:source,OUTPUT:output\n0,,в\n", "line 2: the source is empty"),
        (',INPUT:source,OUTPUT:output\n0,"а"б,в\n', "line 2"),
    ],
)
def test_broken_csv_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = _write(tmp_path / "broken.csv", text)
    with pytest.raises(BadInput, match=r"broken\.csv") as caught:
        load_rsse(path)
    assert message in str(caught.value)


def test_invalid_utf8_names_line_and_offset(tmp_path: Path) -> None:
    path = tmp_path / "broken.tsv"
    path.write_bytes("а\tб\nв\t".encode() + b"\xff\n")
    with pytest.raises(BadInput, match=r"line 2: byte 4, 0xff, is not UTF-8\. .*iconv"):
        text_lines(path)


@pytest.mark.parametrize("pack", [lambda b: b, gzip.compress, lzma.compress, bz2.compress])
def test_lines_end_in_lf_or_crlf_alone_plain_or_packed(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"a.txt{ {gzip.compress: '.gz', lzma.compress: '.xz', bz2.compress: '.bz2'}.get(pack, '') }"
    for text in ("\ufeffone\u2028still one\r\n\ntwo\n", "one\u2028still one\n\ntwo"):
        path.write_bytes(pack(text.encode()))
        assert text_lines(path) == ["one\u2028still one", "", "two"]


@pytest.mark.parametrize(("pack", "suffix"), [(gzip.compress, ".gz"), (lzma.compress, ".xz"), (bz2.compress, ".bz2")])
def test_a_packed_file_that_is_broken_is_named(tmp_path: Path, pack: Callable[[bytes], bytes], suffix: str) -> None:
    path = tmp_path / f"a.txt{suffix}"
    for data in (b"not packed at all\n", pack("".join(f"{i * i}\n" for i in range(5000)).encode())[:-2000]):
        path.write_bytes(data)
        with pytest.raises(BadInput, match=rf"Cannot read .*a\.txt\{suffix}'( after line \d+)?: .*is it whole"):
            text_lines(path)


def test_a_missing_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.csv"):
        load_rsse(tmp_path / "nowhere.csv")


def test_ruadapt_leaves_identical_pairs_out() -> None:
    folder = need_data("ruadapt")
    pairs = load_ruadapt(folder)
    assert len(pairs) > 3000
    assert all(p.source and p.target and p.source != p.target for p in pairs)


def test_ruadapt_refuses_a_similarity_that_is_no_number(tmp_path: Path) -> None:
    path = _write(tmp_path / "x_sent.csv", "source,cos_sim,target,level\nа,много,б,A1\n")
    with pytest.raises(BadInput, match="line 2: 'много' is not a number"):
        load_ruadapt(path)


def test_lines_of_asset_align() -> None:
    folder = need_data("asset")
    examples = load_lines(folder / "asset.valid.orig", [folder / f"asset.valid.simp.{i}" for i in range(10)])
    assert len(examples) == 2000
    assert {len(e.references) for e in examples} == {10}


def test_lines_of_unequal_length_are_refused(tmp_path: Path) -> None:
    one, two = _write(tmp_path / "one", "а\nб\n"), _write(tmp_path / "two", "а\n")
    with pytest.raises(BadInput, match=r"two has 1 lines, .*one has 2"):
        load_lines(one, [two])


def test_rows_of_stsb(tmp_path: Path) -> None:
    path = _write(tmp_path / "stsb-en-dev.csv", 'A dog runs.,"A dog, running.",3.5\nOne.,Two.,0\n')
    assert load_stsb(path) == [RatedPair("A dog runs.", "A dog, running.", 3.5), RatedPair("One.", "Two.", 0.0)]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("A.,B.", "line 2: 'A.,B.' is no two sentences and a score from 0 to 5"),
        ("A.,B.,6", "line 2: 'A.,B.,6' is no"),
        ("A.,B.,good", "line 2: 'A.,B.,good' is no"),
        (",B.,1", "line 2: ',B.,1' is no"),
        ('"A.,B.,1', "line 2: unexpected end of data"),
    ],
)
def test_broken_rows_of_stsb(tmp_path: Path, row: str, message: str) -> None:
    path = _write(tmp_path / "stsb.csv", f"A.,B.,1\n{row}\n")
    with pytest.raises(BadInput, match=message):
        load_stsb(path)


def test_data_folder_follows_the_argument_then_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REWRITE_DATA", raising=False)
    with pytest.raises(BadInput, match="--data"):
        data_folder()
    monkeypatch.setenv("REWRITE_DATA", str(tmp_path / "no"))
    with pytest.raises(BadInput, match="does not exist"):
        data_folder()
    assert data_folder(tmp_path) == tmp_path
    monkeypatch.setenv("REWRITE_DATA", str(tmp_path))
    assert data_folder() == tmp_path
