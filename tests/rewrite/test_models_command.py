"""`rewrite models`: what is listed, and how a model gets here; the hub is played by a folder."""

from __future__ import annotations

import errno
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rerank.checkpoint import is_converted
from rewrite import catalogue
from rewrite.base.package import KNOWN
from rewrite.catalogue import described, known_models
from rewrite.checksums import SUMS, write_sums
from tests.rewrite.hub import Hub

pytest.importorskip("huggingface_hub", reason="needs huggingface_hub: pip install 'rewrite-rerank[hf]'")

MODELS = Path(catalogue.__file__).parent / "models"
SOURCE = "Город, основанный в 1703 году, является крупным портом."
NAME = "ai-forever/rugpt3small_based_on_gpt2"
Run = Callable[..., int]


def rows(run_command: Run, capfd: pytest.CaptureFixture[str], *options: str) -> list[dict[str, Any]]:
    assert run_command("models", "--json", *options) == 0
    found: list[dict[str, Any]] = json.loads(capfd.readouterr().out)["models"]
    return found


def test_everything_in_the_package_is_listed_with_its_size(
    online: Hub, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    listed = {row["name"]: row for row in rows(run_command, capfd) if row["where"] == "bundled"}
    code = ("__init__.py", "__pycache__", "README.md", "WORDNET-LICENSE.txt", "known.yaml")
    elsewhere = {*catalogue.OF_SPLITTER, *catalogue.PARAPHRASES, *catalogue.EVALUATORS, *KNOWN}
    assert set(listed) == {path.name for path in MODELS.iterdir()} - set(code) | elsewhere
    assert set(described()) <= set(listed)
    assert listed["edits_ru.npz"]["bytes"] == (MODELS / "edits_ru.npz").stat().st_size
    assert listed["lexicon_ru"]["bytes"] == sum(path.stat().st_size for path in (MODELS / "lexicon_ru").iterdir())
    assert all(row["what"] for row in listed.values())
    assert {name for name, row in listed.items() if row["language"] != "ru"} == {
        "names_en.json.gz",
        "splits_en.npz",
        "splits_lm_en.json",
        "texts_en.json",
        "gemma-en",
        "verdict-en",
        "valency_en.json.gz",
        *catalogue.OF_SPLITTER,
        "paraphrases-en",
        "evaluator-rewrites-en",
        "evaluator-summaries-en",
    }


def test_the_splitter_is_listed_by_its_card_and_checked(
    online: Hub, run_command: Run, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = (row for row in rows(run_command, capfd) if row["name"] == "split-en")
    assert (row["where"], row["language"], row["licence"]) == ("bundled", "en", "apache-2.0")
    assert (row["what"], row["generator"]) == ("splitting of English sentences", None)
    assert row["folder"] == str(catalogue.SPLITTER)
    assert row["bytes"] == sum(path.stat().st_size for path in catalogue.SPLITTER.iterdir())
    copy = shutil.copytree(catalogue.SPLITTER, tmp_path / "model")
    monkeypatch.setattr(catalogue, "OF_SPLITTER", {**catalogue.OF_SPLITTER, "split-en": copy})
    assert run_command("models", "--check") == 0
    (copy / "openers.json").write_text("[]")
    assert run_command("models", "--check") == 1
    error = capfd.readouterr().err
    assert "openers.json: it differs" in error
    assert "pip install --force-reinstall" in error


def test_what_is_known_on_the_hub_has_an_approximate_size(
    online: Hub, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    small = next(row for row in rows(run_command, capfd) if row["hub"] == NAME)
    assert small["name"] == "rugpt3-small"
    assert small["approximate"] is True
    assert small["generator"] is None
    assert 400e6 < small["bytes"] < 700e6
    assert len({model.name for model in known_models()}) == len({m.hub for m in known_models()}) == len(known_models())
    assert online.asked == []


def test_the_table_has_a_line_for_each(online: Hub, run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    listed = rows(run_command, capfd)
    assert run_command("models") == 0
    head, *lines = capfd.readouterr().out.splitlines()
    assert head.split() == "name where name on the hub language what parameters size licence".split()
    assert [line.split()[0] for line in lines] == [row["name"] for row in listed]
    assert any("≈ 500 MB" in line and "none stated" in line for line in lines)


def test_a_model_is_fetched_without_pickles_and_code_and_converted(
    online: Hub, tiny_model: Callable[[str], Path], tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    online.repositories[NAME] = shutil.copytree(tiny_model("gpt2"), tmp_path / "repository")
    for name in ("pytorch_model.bin", "modeling.py", "flax_model.msgpack"):
        (tmp_path / "repository" / name).write_bytes(b"no")
    assert run_command("models", "get", "rugpt3-small") == 0
    said = capfd.readouterr()
    folder = Path(said.out.strip())
    assert is_converted(folder)
    assert f"Run it: --generator ct2:{NAME}" in said.err
    assert "about 500 MB" in said.err
    (snapshot,) = (online.cache / "models--ai-forever--rugpt3small_based_on_gpt2" / "snapshots").iterdir()
    fetched = {path.name for path in snapshot.iterdir()}
    assert "model.safetensors" in fetched
    assert not fetched & {"pytorch_model.bin", "modeling.py", "flax_model.msgpack"}
    here = [row for row in rows(run_command, capfd) if row["hub"] == NAME]
    assert [(row["name"], row["where"], row["generator"]) for row in here] == [
        ("rugpt3-small", "converted", f"ct2:{NAME}"),
        ("rugpt3-small", "hub cache", f"ct2:{NAME}"),
    ]
    assert all(row["bytes"] > 0 and row["folder"] and not row["approximate"] for row in here)
    online.asked.clear()
    assert run_command("models", "get", NAME) == 0
    assert online.asked == []


def test_weights_in_a_pickle_alone_are_refused_until_they_are_asked_for(
    online: Hub, tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "config.json").write_text('{"model_type": "gpt2"}')
    (repository / "pytorch_model.bin").write_bytes(b"pickle")
    online.repositories[NAME] = repository
    assert run_command("models", "get", "rugpt3-small") == 1
    assert "-e allow_pickle=true" in capfd.readouterr().err
    assert not online.cache.exists()


def test_a_packed_model_on_the_hub_is_verified_and_runs_without_torch(
    online: Hub,
    packed: Path,
    run_command: Run,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    online.repositories["someone/ru-tiny"] = packed
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run_command("models", "get", "someone/ru-tiny") == 0
    said = capfd.readouterr()
    assert "files agree with their checksums" in said.err
    assert "Run it: --generator ct2:someone/ru-tiny" in said.err
    assert {path.name for path in Path(said.out.strip()).iterdir()} == {path.name for path in packed.iterdir()}
    assert run_command("generate", "--generator", "ct2:someone/ru-tiny", "-n", "2", SOURCE) == 0


def test_a_file_that_was_damaged_on_its_way_is_named(
    online: Hub, packed: Path, tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    online.repositories["someone/ru-tiny"] = shutil.copytree(packed, tmp_path / "repository")
    with (tmp_path / "repository" / "tokenizer.json").open("ab") as file:
        file.write(b" ")
    assert run_command("models", "get", "someone/ru-tiny") == 1
    error = capfd.readouterr().err.splitlines()[-1]
    assert "tokenizer.json: it differs" in error
    assert run_command("models", "--check") == 1
    assert "tokenizer.json: it differs" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("rugpt3-smal", 2, "Did you mean rugpt3-small"),
        ("gema-ru", 2, "Did you mean gemma-ru or gemma-en?"),
        ("quite-unlike-any", 2, "Known: gemma-ru, gemma-en, verdict-en, rugpt3-small, "),
        ("ai-forever/rugpt3smal_based_on_gpt2", 1, "Did you mean ai-forever/rugpt3small_based_on_gpt2"),
        ("someone/quite-unlike-any", 1, "no way to the hub. Known: ai-forever/rugpt3small_based_on_gpt2, "),
        ("someone/quite-unlike-any", 1, " Without a network"),
        ("rut5-base", 1, "hf download ai-forever/ruT5-base"),
        ("./nothing-here", 2, "No folder and no known model"),
    ],
)
def test_a_model_that_cannot_be_had_is_one_line(
    name: str, code: int, said: str, online: Hub, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command("models", "get", name) == code
    found = capfd.readouterr()
    assert said in found.err.splitlines()[-1]
    assert found.out == ""


def test_a_full_disk_is_told_from_a_missing_network(
    online: Hub, packed: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    online.repositories["someone/ru-tiny"] = packed
    online.fault = OSError(errno.ENOSPC, "No space left on device")
    assert run_command("models", "get", "someone/ru-tiny") == 1
    error = capfd.readouterr().err.splitlines()[-1]
    assert "No space left to fetch someone/ru-tiny" in error
    assert "HF_HOME" in error


def test_without_the_hub_library_the_command_that_installs_it_is_named(
    run_command: Run, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert run_command("models", "get", "rut5-base") == 1
    assert "pip install 'rewrite-rerank[hf]'" in capfd.readouterr().err.splitlines()[-1]
    assert run_command("models") == 0


def test_without_torch_a_model_is_fetched_and_what_is_missing_is_told(
    online: Hub,
    tiny_model: Callable[[str], Path],
    run_command: Run,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    online.repositories[NAME] = tiny_model("gpt2")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run_command("models", "get", "rugpt3-small") == 0
    said = capfd.readouterr()
    assert (Path(said.out.strip()) / "model.safetensors").is_file()
    assert "pip install 'rewrite-rerank[hf]'" in said.err


@pytest.mark.parametrize("packed_already", [False, True])
def test_a_folder_is_written_where_the_user_says_and_runs(
    packed_already: bool,
    online: Hub,
    packed: Path,
    tiny_model: Callable[[str], Path],
    tmp_path: Path,
    run_command: Run,
    capfd: pytest.CaptureFixture[str],
) -> None:
    source = packed if packed_already else tiny_model("pegasus")
    target = tmp_path / "mine" / "model"
    assert run_command("models", "get", str(source), "--to", str(target)) == 0
    assert capfd.readouterr().out == f"{target}\n"
    assert is_converted(target)
    assert (target / SUMS).is_file() == packed_already
    assert run_command("generate", "--generator", f"ct2:{target}", "-n", "2", SOURCE) == 0
    assert [path.name for path in target.parent.iterdir()] == ["model"]
    assert run_command("models", "get", str(source), "--to", str(target)) == 1
    assert "is not empty" in capfd.readouterr().err


def test_the_numbers_of_the_weights_can_be_chosen(
    tiny_model: Callable[[str], Path], tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    sizes = []
    for numbers in ("int8", "float32"):
        target = tmp_path / numbers
        options = ["-e", f"compute_type={numbers}", "--to", str(target)]
        assert run_command("models", "get", str(tiny_model("gpt2")), *options) == 0
        sizes.append((target / "model.bin").stat().st_size)
    assert sizes[0] < 0.5 * sizes[1]
    assert run_command("models", "get", "rut5-base", "-e", "compute_type=int4") == 2
    assert "int4" in capfd.readouterr().err


def test_of_a_repository_only_what_was_fetched_is_compared(
    online: Hub, packed: Path, tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    repository = shutil.copytree(packed, tmp_path / "repository")
    (repository / "training.log").write_text("not fetched")
    write_sums(repository)
    online.repositories["someone/ru-tiny"] = repository
    assert run_command("models", "get", "someone/ru-tiny") == 0
    said = capfd.readouterr()
    count = len(list(packed.iterdir())) - 1
    assert not (Path(said.out.strip()) / "training.log").exists()
    assert f"{count} files agree" in said.err
    assert run_command("models", "--check") == 0
    of_adapters = (adapter.folder for adapter in KNOWN.values())
    folders = (
        *catalogue.OF_SPLITTER.values(),
        *catalogue.PARAPHRASES.values(),
        *catalogue.EVALUATORS.values(),
        *of_adapters,
    )
    own = sum(len(list(folder.iterdir())) - 1 for folder in folders)
    assert f"{count + own} files agree" in capfd.readouterr().err
    # Whoever has the whole folder has all of it.
    (repository / "training.log").unlink()
    assert run_command("models", "get", str(repository)) == 1
    assert "training.log: the file is missing" in capfd.readouterr().err
