"""The generator of `rewrite simplify` and `rewrite split` where none is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.base import package
from rewrite.commands import default_generator
from rewrite.commands.default_generator import SIMPLIFY_DEFAULT, SPLIT_DEFAULT, DefaultGenerator

FACT = (
    "Софья Ковалевская была вынуждена преподавать в Стокгольме, так как в российских университетах женщин к чтению "
    "лекций в то время не допускали."
)

ENGLISH = "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office."


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for default in (SIMPLIFY_DEFAULT, SPLIT_DEFAULT):
        monkeypatch.delenv(default.variable)


@pytest.mark.usefixtures("unset")
@pytest.mark.parametrize("default", [SIMPLIFY_DEFAULT, SPLIT_DEFAULT])
def test_the_default_is_the_best_that_is_installed(default: DefaultGenerator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default_generator, "is_installed", lambda: True)
    assert default.chosen() == (default.best, "")
    monkeypatch.setattr(default_generator, "is_installed", lambda: False)
    generator, notice = default.chosen()
    assert generator == default.plain
    assert "pip install 'rewrite-rerank[lm]'" in notice


def test_the_environment_names_another_and_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SIMPLIFY_DEFAULT.variable, "deletion")
    monkeypatch.setattr(default_generator, "is_installed", lambda: False)
    assert SIMPLIFY_DEFAULT.chosen() == ("deletion", "")


@pytest.mark.usefixtures("unset")
def test_what_to_install_is_told_at_a_terminal_to_who_named_no_generator(
    run_command: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(default_generator, "is_installed", lambda: False)
    assert run_command("simplify", FACT) == 0
    assert not capfd.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert run_command("simplify", FACT) == 0
    assert capfd.readouterr().err.count("pip install 'rewrite-rerank[lm]'") == 1
    assert run_command("simplify", "--generator", "edits", FACT) == 0
    assert "lm" not in capfd.readouterr().err


def test_a_default_that_is_none_tells_where_it_comes_from(
    run_command: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(SIMPLIFY_DEFAULT.variable, "edit")
    assert run_command("simplify", FACT) == 2
    assert SIMPLIFY_DEFAULT.variable in capfd.readouterr().err


@pytest.mark.usefixtures("unset")
@pytest.mark.skipif(not package.is_installed(), reason="the base is in the [lm] extra")
def test_without_a_cache_the_default_says_what_does_without(
    run_command: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REWRITE_CACHE", "/proc/nowhere")
    assert run_command("simplify", FACT) == 1
    assert "--generator edits" in capfd.readouterr().err
    assert run_command("split", ENGLISH) == 1
    assert "--generator splitter." in capfd.readouterr().err


@pytest.mark.usefixtures("unset")
@pytest.mark.skipif(not package.is_installed(), reason="the base is in the [lm] extra")
def test_processes_are_left_out_by_a_default_that_has_one(
    run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command("simplify", "--processes", "2", FACT) == 0
    assert "--processes 2 is left out" in capfd.readouterr().err
    assert run_command("simplify", "--generator", "edits-lm", "--processes", "2", FACT) == 2


@pytest.mark.usefixtures("unset")
@pytest.mark.skipif(not package.is_installed(), reason="the base is in the [lm] extra")
def test_a_recording_of_the_default_is_chosen_from_as_it_was(
    run_command: Callable[..., int], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    recording = str(tmp_path / "drawn.jsonl")
    assert run_command("simplify", "--record", recording, FACT) == 0
    first = capfd.readouterr().out
    assert run_command("simplify", "--generator", f"replay:{recording}", FACT) == 0
    assert capfd.readouterr().out == first


@pytest.mark.usefixtures("unset")
@pytest.mark.skipif(not package.is_installed(), reason="the base is in the [lm] extra")
def test_a_long_sentence_is_cut_in_two_by_default(
    run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command("simplify", FACT) == 0
    assert capfd.readouterr().out.count(". ") == 1
    assert run_command("simplify", "--generator", "edits", FACT) == 0
    assert ". " not in capfd.readouterr().out


@pytest.mark.usefixtures("unset")
@pytest.mark.skipif(not package.is_installed(), reason="the base is in the [lm] extra")
def test_splits_are_judged_by_the_language_model_by_default(
    run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command("split", "--processes", "2", "--format", "jsonl", ENGLISH) == 0
    answered = capfd.readouterr()
    (row,) = map(json.loads, answered.out.splitlines())
    assert row["split"] == [
        "Alan Shepard was born in New Hampshire.",
        "He served as the Chief of the Astronaut Office.",
    ]
    assert "splits_lm_en" in row["signature"]
    assert "verdict-en" in row["signature"]
    assert "--processes 2 is left out" in answered.err
    assert run_command("split", "--generator", "splitter", "--format", "jsonl", ENGLISH) == 0
    assert "splits_lm_en" not in capfd.readouterr().out
