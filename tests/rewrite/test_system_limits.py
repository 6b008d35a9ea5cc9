"""Streams that are closed, terminals without Cyrillic, too little memory or files: one line and its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rewrite.errors import EXIT_CODES

SENTENCE = "Вследствие сильного снегопада движение поездов, которое осуществлялось по расписанию, было приостановлено."
SIMPLIFY = f"simplify --generator edits '{SENTENCE}'"
SHORTER = "Движение поездов было временно остановлено.\n"
ASCII = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}


def shell(command: str, before: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", f"{before}{sys.executable} -m rewrite {command}"],
        capture_output=True,
        timeout=120,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (f"{SIMPLIFY} >&-", "Cannot write to standard output: Bad file descriptor."),
        ("models >&-", "Cannot write to standard output: Bad file descriptor."),
        ("models --json > /dev/full", "Cannot write to standard output: No space left on device."),
        ("prompts > /dev/full", "Cannot write to standard output: No space left on device."),
        ("simplify --generator edits <&-", "Cannot read 'standard input': Bad file descriptor."),
    ],
)
def test_a_stream_that_cannot_be_used_is_said(command: str, complaint: str) -> None:
    done = shell(command)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().startswith(f"rewrite: {complaint}")
    assert done.stderr.count(b"\n") == 1


def test_with_standard_error_closed_a_complaint_is_no_answer() -> None:
    done = shell("simplify --generator nope Текст 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_a_file_that_is_read_does_not_take_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    source, output = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text(f"{SENTENCE}\n", encoding="utf-8")
    done = shell(f"simplify --generator edits -i {source} -o {output} <&- >&- 2>&-")
    assert (done.returncode, output.read_text(encoding="utf-8")) == (0, SHORTER)
    assert source.read_text(encoding="utf-8") == f"{SENTENCE}\n"


@pytest.mark.parametrize("command", [f"{SIMPLIFY} --explain", "models", "prompts chat_simplify_ru --text Текст"])
def test_a_terminal_without_cyrillic_gets_utf8_answers(command: str) -> None:
    done = shell(command, **ASCII)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert done.stderr.isascii()
    assert done.stdout == shell(command).stdout


@pytest.mark.parametrize("kilobytes", [60_000, 120_000, 160_000])
def test_too_little_memory_is_one_line(kilobytes: int) -> None:
    done = shell(SIMPLIFY, f"ulimit -v {kilobytes}; ")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        "rewrite: There is not enough memory. Raise the limit (ulimit -v), or use fewer --processes.\n"
    )


def test_too_few_files_are_one_line(tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text(f"{SENTENCE}\n" * 40, encoding="utf-8")
    done = shell(f"simplify --generator edits -i {source} --processes 2", "ulimit -n 8; ")
    assert done.returncode == 1
    assert done.returncode in EXIT_CODES
    assert done.stderr.decode() == "rewrite: Too many open files. Raise the limit: ulimit -n 1024.\n"
