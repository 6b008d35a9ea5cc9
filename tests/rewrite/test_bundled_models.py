"""Generators that lie in the package: listed, checked, run by their names."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite import bundled
from rewrite.base.adapters import ADAPTERS
from rewrite.checksums import SUMS
from rewrite.errors import ModelNotFound, UnknownName
from rewrite.request import Options, draws_here, runs_alone
from rewrite.specs import Spec, is_language_model, parse_specs
from tests.rewrite.hub import Hub

SOURCE = "Город, основанный в 1703 году, является крупным портом."
Run = Callable[..., int]


def test_a_bundled_generator_is_listed_with_what_its_card_says(
    with_ru_small: Path, online: Hub, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command("models", "--json") == 0
    first = json.loads(capfd.readouterr().out)["models"][0]
    assert (first["name"], first["where"], first["generator"]) == ("ru-small", "bundled", "ru-small")
    assert (first["what"], first["parameters"], first["licence"]) == ("simplify", 12_345_678, "mit")
    assert first["bytes"] == sum(path.stat().st_size for path in with_ru_small.iterdir())


def test_check_compares_what_is_bundled_and_names_the_file_that_differs(
    with_ru_small: Path, online: Hub, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command("models", "--check") == 0
    # All but the sums, of all that lie in the package.
    folders = (
        with_ru_small,
        *bundled.OF_SPLITTER.values(),
        *bundled.PARAPHRASES.values(),
        *bundled.EVALUATORS.values(),
        *(adapter.folder for adapter in ADAPTERS.values()),
    )
    count = sum(len(list(folder.iterdir())) - 1 for folder in folders)
    assert f"{count} files agree" in capfd.readouterr().err
    (with_ru_small / "config.json").write_text("{}")
    assert run_command("models", "--check") == 1
    assert "config.json: it differs" in capfd.readouterr().err


@pytest.mark.parametrize("command", [("models", "get", "ru-small"), ("models", "--check")])
@pytest.mark.parametrize(
    ("missing", "said"),
    [
        (["tokenizer.json"], "tokenizer.json: the file is missing, but SHA256SUMS names it."),
        (["model.bin"], "model.bin: the file is missing, but SHA256SUMS names it."),
        (["config.json", "prompt.yaml"], "ru-small: config.json, prompt.yaml are missing, but SHA256SUMS names them."),
        ([SUMS], "SHA256SUMS: it cannot be read: No such file or directory."),
    ],
)
def test_what_the_package_lacks_is_named_with_the_command_that_brings_it_back(
    missing: list[str],
    said: str,
    command: tuple[str, ...],
    with_ru_small: Path,
    online: Hub,
    run_command: Run,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in missing:
        (with_ru_small / name).unlink()
    assert run_command(*command) == 1
    error = capfd.readouterr().err.splitlines()[-1]
    assert said in error
    assert "pip install --force-reinstall --no-deps rewrite-rerank" in error


def test_a_bundled_model_that_is_whole_is_where_it_was(
    with_ru_small: Path, online: Hub, tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    count = len(list(with_ru_small.iterdir())) - 1
    assert run_command("models", "get", "ru-small") == 0
    said = capfd.readouterr()
    assert said.out == f"{with_ru_small}\n"
    assert f"{count} files agree" in said.err
    assert "Run it: --generator ru-small" in said.err
    assert run_command("models", "get", "ru-small", "--to", str(tmp_path / "mine")) == 0
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {path.name for path in with_ru_small.iterdir()}


def test_a_generator_without_its_weights_says_how_to_get_them(
    with_ru_small: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    (with_ru_small / "model.bin").unlink()
    assert run_command("generate", "--generator", "ru-small", "-n", "2", SOURCE) == 1
    error = capfd.readouterr().err
    assert "model.bin: the file of the bundled model is missing" in error
    assert "--force-reinstall" in error


@pytest.mark.parametrize("spec", ["ru-small", "ct2:ru-small", "edits+ru-small"])
def test_a_bundled_generator_runs_by_its_name(
    spec: str, with_ru_small: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command("generate", "--generator", spec, "-n", "3", "--format", "jsonl", SOURCE) == 0
    drawn = {candidate["generator"] for candidate in json.loads(capfd.readouterr().out)["candidates"]}
    assert "ct2" in drawn
    assert ("edits" in drawn) == spec.startswith("edits")


def test_a_bundled_generator_is_a_language_model_wherever_it_is_named(with_ru_small: Path) -> None:
    assert parse_specs("edits+ru-small", ("edits",)) == (Spec("edits"), Spec("ct2", "ru-small"))
    for spec in ("ru-small", "edits+ru-small", "ru-small+edits"):
        assert is_language_model(spec)
        options = Options(generator=spec)
        assert options.chosen_preset == "paper"
        assert runs_alone(options)
        assert draws_here(options)
    assert not is_language_model("edits")
    assert not is_language_model("replay:ru-small")
    with pytest.raises(UnknownName, match="edits, gemma-ru, ru-small, ct2:…"):
        parse_specs("ru-smal", ("edits",))


@pytest.mark.parametrize("spec", ["ru-small", "edits+ru-small"])
def test_a_generator_that_is_not_bundled_is_told_as_such(
    spec: str, tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models").mkdir()
    monkeypatch.setattr(bundled, "_ROOT", tmp_path / "models")
    assert run_command("simplify", "--generator", spec, SOURCE) == 1
    assert "'ru-small' is not bundled with this version" in capfd.readouterr().err
    monkeypatch.chdir(tmp_path)
    for there in (False, True):
        with pytest.raises(ModelNotFound) as caught:
            bundled.bundled_folder("ru-small")
        assert ("the folder of yours is asked for as ./ru-small" in caught.value.hint) == there
        (tmp_path / "ru-small").mkdir(exist_ok=True)


def test_a_folder_of_the_same_name_is_reached_by_its_path(
    packed: Path, tmp_path: Path, run_command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models").mkdir()
    monkeypatch.setattr(bundled, "_ROOT", tmp_path / "models")
    shutil.copytree(packed, tmp_path / "ru-small")
    monkeypatch.chdir(tmp_path)
    assert run_command("generate", "--generator", "ct2:./ru-small", "-n", "2", SOURCE) == 0
