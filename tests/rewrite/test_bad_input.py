"""Every input line gives one output line; whatever goes wrong is said in one line, with a documented exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rewrite.cli import app
from rewrite.errors import EXIT_CODES
from tests.processor import at_most

COMMAND = [sys.executable, "-m", "rewrite"]
SENTENCE = "Положение стало угрожающим для царевича, когда Филипп женился на знатной македонянке Клеопатре."


def run(*arguments: str, stdin: bytes = b"", **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, timeout=120, **options)  # type: ignore[call-overload,no-any-return]


def quickly(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """As `run`, within this process: for what is refused before there is any work."""
    done = CliRunner().invoke(app, list(arguments))
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout_bytes, done.stderr_bytes)


def complaint(done: subprocess.CompletedProcess[bytes], code: int) -> str:
    """The one line on standard error of a run that failed with `code` and printed nothing else."""
    assert done.returncode == code, done.stderr.decode()
    assert code in EXIT_CODES
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("rewrite: ")
    return line


ODD_LINES = [
    "",
    "   ",
    "no Cyrillic here at all, none",
    "👍🏽 🎉🎉 👨‍👩‍👧",
    "Мама мыла раму 👍, папа читал вечернюю газету на старом диване 🎉.",
    "нуль\x00внутри строки с русскими словами",
    "\x1b[31mкрасный\x1b[0m текст в этой строке",
    "строка\x0bс вертикальной\x0cтабуляцией и прогоном",
    "строка\u2028с разделителем\u2029и ещё одним\x85и NEL",
    "возврат\rкаретки внутри строки с русскими словами",
    "\ttабуляция\tвнутри строки с русскими словами",
    "\ufeffметка порядка байтов не в начале файла",
    "«" * 50 + "(" * 50,
    "а" * 5000,
    "- - - , , , . . .",
    SENTENCE,
]


@pytest.fixture(scope="module")
def odd_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("odd") / "odd.txt"
    path.write_bytes("\n".join(ODD_LINES).encode())
    return path


@pytest.mark.parametrize("processes", ["1", "2"])
def test_each_odd_line_gives_one_line_in_order(odd_file: Path, processes: str) -> None:
    done = run("simplify", "-i", str(odd_file), "--processes", processes)
    assert "line 3: 'no Cyrillic here at all, none'" in complaint(done, 3)
    lines = done.stdout.decode().removesuffix("\n").split("\n")
    assert len(lines) == len(ODD_LINES)
    unchanged = [i for i in range(len(ODD_LINES)) if i not in (4, 9, 10, 11, len(ODD_LINES) - 1)]
    assert [lines[i] for i in unchanged] == [ODD_LINES[i] for i in unchanged]
    assert lines[-1] != SENTENCE


def test_jsonl_rows_keep_their_sources(odd_file: Path) -> None:
    done = run("simplify", "-i", str(odd_file), "--format", "jsonl")
    lines = done.stdout.decode().splitlines()  # the strictest reader: any Unicode line break would cut a row
    assert [json.loads(line)["source"] for line in lines] == ODD_LINES


def test_windows_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "windows.txt"
    path.write_bytes("\ufeffпервая строка\r\n\r\nтретья строка\r\n".encode())
    assert run("simplify", "-i", str(path)).stdout == "первая строка\r\n\r\nтретья строка\r\n".encode()


def test_a_line_of_100_kb() -> None:
    endless = ("слово " * 9_000).encode()
    sentences = (" ".join([SENTENCE] * 560)).encode()
    assert len(endless) > 95_000
    assert len(sentences) > 95_000
    with at_most(60):
        done = run("simplify", stdin=endless + b"\n" + sentences + b"\n")
    first, second = done.stdout.removesuffix(b"\n").split(b"\n")
    assert first == endless
    assert second.decode().count(".") >= 560


@pytest.mark.parametrize("from_file", [True, False])
def test_invalid_utf8_is_named_by_line_and_offset(tmp_path: Path, from_file: bool) -> None:
    data = "да\nнет ".encode() + b"\xff\n"
    path = tmp_path / "bad.txt"
    path.write_bytes(data)
    done = run("simplify", "-i", str(path)) if from_file else run("simplify", stdin=data)
    line = complaint(done, 1)
    assert "line 2" in line
    assert "byte 8" in line
    assert "offset 12" in line
    assert "0xff" in line
    # A file is checked before any work; a pipe cannot be, and gives the lines before the bad one.
    assert done.stdout == (b"" if from_file else "да\n".encode())


def test_invalid_utf8_on_the_command_line() -> None:
    done = subprocess.run([*COMMAND, "simplify", b"\xd0\xff"], capture_output=True, timeout=60)
    assert "text 1" in complaint(done, 1)


def test_a_missing_file() -> None:
    assert "'nowhere.txt': No such file" in complaint(quickly("simplify", "-i", "nowhere.txt"), 1)


def test_a_missing_output_folder() -> None:
    assert "nowhere/out.txt: No such file" in complaint(quickly("simplify", "-o", "nowhere/out.txt", SENTENCE), 1)


def test_output_onto_the_input_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("первая строка\n")
    complaint(quickly("simplify", "-i", str(path), "-o", str(path)), 2)
    assert path.read_text() == "первая строка\n"


@pytest.mark.parametrize(("option", "what"), [("-i", "--input"), ("--output", "--output")])
def test_a_file_option_given_twice_is_refused(tmp_path: Path, option: str, what: str) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for path in (first, second):
        path.write_text("первая строка\n")
    line = complaint(quickly("simplify", option, str(first), option, str(second)), 2)
    assert f"{what} was given more than once" in line
    assert second.read_text() == "первая строка\n"


def test_lines_that_fail_are_named_by_their_number(tmp_path: Path) -> None:
    endless = "word and thing " * 60
    path = tmp_path / "in.txt"
    # More lines than the first chunk has.
    path.write_text("\n".join(["A cat sat on the mat.", ""] * 5 + [endless, "A dog came.", endless]) + "\n")
    done = run("compress", "-i", str(path))
    assert done.returncode == 3
    assert [line.split(": ")[1] for line in done.stderr.decode().splitlines()] == ["line 11", "line 13"]
    assert done.stdout.decode().count("\n") == 13


@pytest.mark.parametrize("source", [[], ["-i", "-"]])
def test_output_onto_standard_input_is_refused(tmp_path: Path, source: list[str]) -> None:
    path = tmp_path / "text.txt"
    path.write_text("первая строка\n", encoding="utf-8")
    with path.open("rb") as stream:
        command = [*COMMAND, "simplify", *source, "-o", str(path)]
        done = subprocess.run(command, stdin=stream, capture_output=True, timeout=60)
    assert "is the input file" in complaint(done, 2)
    assert path.read_text(encoding="utf-8") == "первая строка\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("option", [True, False])
def test_a_full_disk(option: bool) -> None:
    if option:
        done = run("simplify", "-o", "/dev/full", "один два")
    else:
        with open("/dev/full", "wb") as full:
            done = subprocess.run([*COMMAND, "simplify", "один два"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert "No space left on device" in complaint(done, 1)


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_closed_pipe_ends_quietly(tmp_path: Path, processes: str) -> None:
    path = tmp_path / "many.txt"
    path.write_text("да\n" * 200_000)
    script = (
        f"{sys.executable} -m rewrite simplify -i {path} --processes {processes} | head -1; echo ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, timeout=120)
    assert done.stdout.decode() == "да\n141\n"
    assert done.stderr == b""


@pytest.mark.parametrize("processes", ["1", "2"])
def test_ctrl_c_leaves_whole_lines(tmp_path: Path, processes: str) -> None:
    source, target = tmp_path / "many.txt", tmp_path / "out.txt"
    words = [f"Мама {i} раз мыла большую старую раму вчера вечером дома." for i in range(20_000)]
    source.write_text("\n".join(words) + "\n")
    process = subprocess.Popen(
        [*COMMAND, "simplify", "-i", str(source), "-o", str(target), "--processes", processes],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    part = target.with_name("out.txt.part")
    while not (part.exists() and part.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert f"What is done is in {part}; the same command goes on from there." in errors.decode()
    assert not target.exists()
    written = part.read_text()
    assert written.endswith("\n")
    lines = written.splitlines()
    assert 0 < len(lines) < len(words)
    for before, after in zip(words, lines, strict=False):
        assert after.split()[1] == before.split()[1] or after.split()[0] == before.split()[0]
        assert after.endswith(".")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["-w", "likeness=2"], ["'likeness'", "similarity", "depth", "fluency"]),
        (["-w", "length=-1"], ["length=-1"]),
        (["-w", "length=nan"], ["length=nan"]),
        (["-w", "length"], ["'length'", "NAME=NUMBER"]),
        (["--preset", "simpel"], ["'simpel'", "simple", "accurate", "balanced"]),
        (["--control", "11"], ["control", "11"]),
        (["--generator", "edit"], ["'edit'", "edits", "deletion"]),
        (["--variant", "printed"], ["'printed'", "paper", "released"]),
        (["-n", "0"], ["-n is '0'", "greater than or equal to 1"]),
        (["--top-p", "half"], ["--top-p is 'half'", "a valid number"]),
        (["--top-p", "0.5"], ["--top-p", "'edits'", "ct2:MODEL"]),
        (["-i", "file.txt"], ["--input"]),
    ],
)
def test_wrong_options_are_quoted_and_the_known_ones_listed(arguments: list[str], parts: list[str]) -> None:
    line = complaint(quickly("simplify", *arguments, "--", SENTENCE), 2)
    assert all(part in line for part in parts), line


def test_a_missing_preset_file() -> None:
    assert "nowhere.yaml" in complaint(quickly("simplify", "--preset", "nowhere.yaml", SENTENCE), 1)


def test_what_edits_gain_may_be_more_than_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(
        '{"source": "Он шёл домой по дороге.", "candidates": [{"text": "Он шёл домой.", "logprob": 3, "tokens": 5, '
        '"generator": "edits"}]}\n',
        encoding="utf-8",
    )
    assert quickly("score", "-i", str(path)).returncode == 0


@pytest.mark.parametrize(("options", "asked"), [("--max-words", "3 words"), ("--sentences", "become 3")])
@pytest.mark.parametrize("processes", ["1", "2"])
def test_lengths_that_no_rewrite_has_are_told_at_the_end(
    tmp_path: Path, options: str, asked: str, processes: str
) -> None:
    path = tmp_path / "lines.txt"
    # More lines than the first chunk has; those passed through are none to rewrite.
    path.write_text(f"{SENTENCE}\nДа.\n" * 8, encoding="utf-8")
    done = run("simplify", "-i", str(path), options, "3", "--processes", processes)
    assert done.returncode == 0
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("rewrite: 8 of 16 lines have sentences ")
    assert line.endswith(f"{asked}: nothing better passed")


def test_rerank_tells_of_lengths_and_words_that_no_source_has(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{SENTENCE}\tЦаревич испугался, когда Филипп женился.\nДа.\tДа.\n", encoding="utf-8")
    done = quickly("rerank", "-i", str(path), "--max-words", "3")
    assert done.returncode == 0
    assert done.stderr.decode() == "rewrite: 1 of 2 sources has sentences of more than 3 words: nothing better passed\n"
    assert "--keep Нева: there is no such word" in complaint(quickly("rerank", "-i", str(path), "--keep", "Нева"), 2)
    # Of several sources each word need be in one.
    assert quickly("rerank", "-i", str(path), "--keep", "филипп", "--keep", "да").returncode == 0


def test_an_empty_file_and_an_empty_text(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.touch()
    assert run("simplify", "-i", str(path)).stdout == b""
    assert run("simplify", "").stdout == b"\n"


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("нет табуляции", "no tab"),
        ('{"source": 1, "candidates": []}', "source"),
        ('{"candidates": []}', "source"),
        ('{"source": "а", "candidates": ["б"]', "not JSON"),
        ('{"source": ' + "[" * 100_000, "within one another without end"),
        ('{"source": "а", "candidates": ["\\ud800"]}', "surrogate"),
        ('{"source": "а", "candidates": [{"text": "б", "risk": -1}]}', "risk is -1.0, below 0"),
        ('{"source": "а", "candidates": [{"text": "б", "first": -1}]}', "first is -1, below 0"),
        ('{"source": "а", "candidates": [{"text": "б", "certainty": 1.1}]}', "certainty is 1.1, above 1"),
        ('{"source": "а", "candidates": ["в", {"text": "б", "tokens": 0}]}', "candidates.1: tokens is 0, below 1"),
        ('{"source": "а", "candidates": [{"text": "б", "logprob": 3, "tokens": 1}]}', "logprob is 3.0, above 0"),
        ('{"source": "а", "candidates": [{"text": "б", "least_logprob": 1}]}', "least_logprob is 1.0, above 0"),
        ('{"source": "а", "candidates": [{"text": "б", "source_tokens": 0}]}', "source_tokens is 0, below 1"),
        ('{"source": "а", "candidates": [{"text": "б", "count": 0}]}', "count is 0, below 1"),
        ('{"source": "а", "candidates": [{"text": "б", "logprob": NaN}]}', "logprob"),
        ('{"source": "а", "candidates": [{"text": "б", "source_logprob": -1e999}]}', "source_logprob"),
    ],
)
@pytest.mark.parametrize("command", ["score", "rerank"])
def test_bad_candidate_rows_are_named_by_line(tmp_path: Path, command: str, line: str, part: str) -> None:
    path = tmp_path / "rows.txt"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    message = complaint(quickly(command, "-i", str(path)), 1)
    assert "line 2" in message.lower()
    assert part in message
