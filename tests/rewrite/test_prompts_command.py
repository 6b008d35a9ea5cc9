"""`rewrite prompts`: what it prints, and how it ends where that cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rewrite.prompting import known_prompts

FULL = Path("/dev/full")


def prompts(*arguments: str, stdout: Any = subprocess.PIPE) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "rewrite", "prompts", *arguments]
    # As most run it: what Python holds back for standard output fails only when it ends.
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, timeout=60, env=plain)


def test_every_prompt_has_its_line() -> None:
    lines = prompts().stdout.decode("utf-8").splitlines()
    assert [line.split()[0] for line in lines] == list(known_prompts())


def test_a_prompt_is_shown_filled_in() -> None:
    assert prompts("seq2seq_plain", "--text", "Кот спит.").stdout.decode("utf-8").strip() == "Кот спит."
    chat = prompts("chat_simplify_ru", "--text", "Кот спит.").stdout.decode("utf-8")
    assert chat.startswith("system: ")
    assert "Кот спит." in chat.rpartition("user: ")[2]


@pytest.mark.parametrize("arguments", [(), ("chat_simplify_ru",)])
def test_a_closed_pipe_has_its_exit_code(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = prompts(*arguments, stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [(), ("chat_simplify_ru",)])
def test_a_full_disk_is_one_line_and_exit_code_1(arguments: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        done = prompts(*arguments, stdout=full)
    assert done.returncode == 1
    assert done.stderr.startswith(b"rewrite: Cannot write to standard output")
    assert done.stderr.count(b"\n") == 1
