"""The generator of `rewrite simplify` where none is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rewrite import defaults
from rewrite.base import package

FACT = (
    "Софья Ковалевская была вынуждена преподавать в Стокгольме, так как в российских университетах женщин к чтению "
    "лекций в то время не допускали."
)


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(defaults.VARIABLE)


@pytest.mark.usefixtures("unset")
@pytest.mark.parametrize(("installed", "generator"), [(True, "edits-lm"), (False, "edits")])
def test_the_default_is_the_best_that_is_installed(
    installed: bool, generator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(defaults, "is_installed", lambda: installed)
    assert defaults.default_generator() == generator
    assert bool(defaults.what_is_missing("edits")) is not installed
    assert not defaults.what_is_missing("deletion")


def test_the_environment_names_another_and_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(defaults.VARIABLE, "deletion")
    monkeypatch.setattr(defaults, "is_installed", lambda: False)
    assert defaults.default_generator() == "deletion"
    assert not defaults.what_is_missing("edits")


@pytest.mark.usefixtures("unset")
def test_what_to_install_is_told_at_a_terminal_and_not_in_a_pipe(
    run_command: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(defaults, "is_installed", lambda: False)
    assert run_command("simplify", FACT) == 0
    assert not capfd.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert run_command("simplify", FACT) == 0
    assert capfd.readouterr().err.count("pip install 'rewrite-rerank[lm]'") == 1


@pytest.mark.usefixtures("unset")
@pytest.mark.skipif(not package.is_installed(), reason="the base is in the [lm] extra")
def test_a_long_sentence_is_cut_in_two_by_default(
    run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command("simplify", FACT) == 0
    assert capfd.readouterr().out.count(". ") == 1
    assert run_command("simplify", "--generator", "edits", FACT) == 0
    assert ". " not in capfd.readouterr().out
