"""Reading and writing lines."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.batch import LineWriter, Pace, arguments, check_output, check_record, inspect_file, read_lines
from rewrite.candidates import merge_pools, read_pools
from rewrite.commands.lines import jsonl_line
from rewrite.errors import BadInput, BadOption, CannotWrite, RewriteError
from rewrite.pipeline import Pipeline
from rewrite.request import Options


def lines_of(path: Path, size: int = 3) -> list[bytes]:
    chunks = list(read_lines(str(path), Pace(size, steady=True)))
    lines = [chunk.split(b"\n") for chunk in chunks]
    assert all(len(chunk) <= size for chunk in lines)
    return [line for chunk in lines for line in chunk]


@given(st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=20), max_size=12))
def test_only_lf_ends_a_line(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = tmp_path_factory.mktemp("lines") / "text"
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    expected = [line.encode() for line in lines]
    if expected:
        expected[0] = expected[0].removeprefix(b"\xef\xbb\xbf")
    assert lines_of(path) == expected
    assert inspect_file(str(path)) == len(lines)


def test_a_last_line_without_an_end_is_a_line(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"a\n\nb")
    assert lines_of(path) == [b"a", b"", b"b"]


def test_lines_longer_than_a_block_and_across_blocks(tmp_path: Path) -> None:
    path = tmp_path / "text"
    long = "ж".encode() * 100_000
    path.write_bytes(b"\n".join([long, b"x", long, b""]))
    assert lines_of(path) == [long, b"x", long]


def test_slow_work_gets_fewer_lines_and_quick_work_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("rewrite.batch.time.monotonic", lambda: clock[0])
    path = tmp_path / "text"
    path.write_bytes(b"x\n" * 100)
    sizes = []
    for chunk in read_lines(str(path), Pace(4)):
        sizes.append(chunk.count(b"\n") + 1)
        clock[0] += 20 if len(sizes) in (1, 2, 3) else 1 if len(sizes) > 4 else 9
    assert sizes == [4, 2, 1, 1, 1, 2, 4, 8, 16, 32, 29]
    assert [c.count(b"\n") + 1 for c in arguments(["x"] * 7, Pace(3))] == [3, 4]
    assert [c.count(b"\n") + 1 for c in arguments(["x"] * 7)] == [7]


@pytest.mark.parametrize(
    ("generator", "fluency", "paced"),
    [
        ("ct2:a", None, True),
        ("edits+hf:a/b", None, True),
        ("edits", "ct2:a", True),
        ("edits", None, False),
        ("replay:a", None, False),
        ("openai:http://a/v1#b", None, False),
        ("ct2:a+openai:http://a/v1#b", None, False),
    ],
)
def test_servers_get_many_lines_at_once_however_slow(generator: str, fluency: str | None, paced: bool) -> None:
    assert Options(generator=generator, fluency=fluency).draws_here is paced


def test_a_pipe_is_answered_as_it_comes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    answered = threading.Event()

    def write() -> None:
        with open(pipe, "wb", buffering=0) as stream:
            stream.write(b"first\n")
            if answered.wait(timeout=20):
                stream.write(b"second\n")

    writer = threading.Thread(target=write)
    writer.start()
    chunks = read_lines(str(pipe))
    assert next(chunks) == b"first"
    answered.set()
    assert list(chunks) == [b"second"]
    writer.join()
    assert inspect_file("/dev/null") is None


def test_the_bad_byte_is_placed_and_the_lines_before_it_are_given(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("да\nнет\nа".encode() + b"\xfe\n")
    chunks = read_lines(str(path))
    assert next(chunks) == "да\nнет".encode()
    with pytest.raises(BadInput, match=r"line 3, byte 3 of the line \(offset 14 in the input\): 0xfe"):
        next(chunks)


def test_texts_on_the_command_line_may_hold_lines() -> None:
    assert list(arguments(["один\nдва\n", ""])) == ["один\nдва\n".encode()]


def test_the_writer_writes_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "out"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    with LineWriter(str(path)) as writer:
        writer.write(b"a\n")
        writer.write(b"b\nc\n")
    reader.join(timeout=20)
    assert read == [b"a\nb\nc\n"]
    with pytest.raises(CannotWrite, match="nowhere"):
        LineWriter(str(tmp_path / "nowhere" / "out"))


def test_the_output_may_not_be_the_input(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.touch()
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(BadOption, match="is the input"):
        check_output(str(tmp_path / "link"), str(path))
    check_output(str(tmp_path / "other"), str(path))


def test_rows_survive_readers_that_cut_at_any_line_break() -> None:
    row = {"text": "а\u2028б\x85в\x0bг\x1cд\x7f"}
    assert len(jsonl_line(row).splitlines()) == 1


def test_neighbours_of_one_source_are_one_pool_across_chunks() -> None:
    chunks = ["а\tб\nа\tв", "а\tг\tд\nе\tж", '\n{"source": "а", "candidates": ["з", {"text": "и", "score": 1}]}']
    pools = [pool for batch in merge_pools(read_pools(c.encode() for c in chunks)) for pool in batch]
    assert [(pool.source, [candidate.text for candidate in pool.candidates]) for pool in pools] == [
        ("а", ["б", "в", "г", "д"]),
        ("е", ["ж"]),
        ("", []),
        ("а", ["з", "и"]),
    ]


def test_what_a_run_reads_or_writes_is_not_recorded_over(tmp_path: Path) -> None:
    path, other = tmp_path / "text.txt", str(tmp_path / "other.txt")
    path.write_text("Город.\n", encoding="utf-8")
    for clash in ({"source": str(path)}, {"output": str(path)}, {"recordings": [str(tmp_path / "." / "text.txt")]}):
        given = {"source": other, "output": other, "recordings": [str(tmp_path / "third.txt")], **clash}
        with pytest.raises(BadOption, match="--record"):
            check_record(str(path), **given)  # type: ignore[arg-type]
    check_record(str(path), source=other, output=None, recordings=[other])
    check_record(None, source=other, output=other, recordings=[str(path)])


def test_a_recording_is_not_emptied_for_a_model_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(RewriteError):
        Pipeline(Options(generator=f"ct2:{tmp_path / 'nowhere'}", record=str(path)))
    assert path.read_text(encoding="utf-8") == "{}\n"


def test_what_is_played_back_is_not_written_over(tmp_path: Path) -> None:
    recording, linked = tmp_path / "r.jsonl", tmp_path / "linked"
    recording.write_text("{}")
    os.link(recording, linked)
    for path in (recording, linked):
        for written in ({"record": str(path), "output": None}, {"record": None, "output": str(path)}):
            with pytest.raises(BadOption, match="played back"):
                check_record(**written, source=None, recordings=[str(recording)])
    check_record(None, source=None, output=os.devnull, recordings=[os.devnull])
