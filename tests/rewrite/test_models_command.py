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
    assert listed["edits_ru.npz"]["size"] == (MODELS / "edits_ru.npz").stat().st_size
    assert listed["lexicon_ru"]["size"] == sum(path.stat().st_size for path in (MODELS / "lexicon_ru").iterdir())
    assert all(row["what"] for row in listed.values())
    assert {name for name, row in listed.items() if row["language"] != "ru"} == {
        "names_en.json.gz",
        "splits_en.npz",
        "splits_lm_en.json",
        "simpler_en.json",
        "texts_en.json",
        "gemma-en",
        "verdict-en",
        "valency_en.json.gz",
        *catalogue.OF_SPLITTER,
        "paraphrases-en",
        "evaluator-rewrites-en",
        "evaluator-summaries-en",
    }


def test_the_splitter_is_listed_by_its_card(online: Hub, run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    (row,) = (row for row in rows(run_command, capfd) if row["name"] == "split-en")
    assert (row["where"], row["language"], row["licence"]) == ("bundled", "en", "apache-2.0")
    assert (row["what"], row["generator"]) == ("splitting of English sentences", "")
    assert row["folder"] == str(catalogue.SPLITTER)
    assert row["size"] == sum(path.stat().st_size for path in catalogue.SPLITTER.iterdir())


def test_the_table_has_a_line_for_each(online: Hub, run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    listed = rows(run_command, capfd)
    assert run_command("models") == 0
    head, *lines = capfd.readouterr().out.splitlines()
    assert head.split() == "name where language what parameters size licence".split()
    assert [line.split()[0] for line in lines] == [row["name"] for row in listed]


def test_a_model_is_fetched_without_pickles_and_code_and_converted(
    online: Hub, tiny_model: Callable[[str], Path], tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    online.repositories[NAME] = shutil.copytree(tiny_model("gpt2"), tmp_path / "repository")
    for name in ("pytorch_model.bin", "modeling.py", "flax_model.msgpack"):
        (tmp_path / "repository" / name).write_bytes(b"no")
    assert run_command("models", "get", NAME) == 0
    said = capfd.readouterr()
    folder = Path(said.out.strip())
    assert is_converted(folder)
    assert f"Run it: --generator ct2:{NAME}" in said.err
    (snapshot,) = (online.cache / "models--ai-forever--rugpt3small_based_on_gpt2" / "snapshots").iterdir()
    fetched = {path.name for path in snapshot.iterdir()}
    assert "model.safetensors" in fetched
    assert not fetched & {"pytorch_model.bin", "modeling.py", "flax_model.msgpack"}
    (here,) = [row for row in rows(run_command, capfd) if row["name"] == NAME]
    assert (here["where"], here["generator"], here["folder"]) == ("converted", f"ct2:{NAME}", str(folder))
    assert here["size"] > 0
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
    assert run_command("models", "get", NAME) == 1
    assert "-e allow_pickle=true" in capfd.readouterr().err
    assert not online.cache.exists()


def test_a_packed_model_on_the_hub_runs_without_torch(
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
    assert "Run it: --generator ct2:someone/ru-tiny" in said.err
    assert {path.name for path in Path(said.out.strip()).iterdir()} == {path.name for path in packed.iterdir()}
    assert run_command("generate", "--generator", "ct2:someone/ru-tiny", "-n", "2", SOURCE) == 0


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("gema-ru", 1, "No folder 'gema-ru', and it cannot be had from the hub: no way to the hub"),
        ("someone/quite-unlike-any", 1, " Without a network"),
        ("ai-forever/ruT5-base", 1, "hf download ai-forever/ruT5-base"),
        ("./nothing-here", 1, "There is no folder"),
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
    assert run_command("models", "get", "ai-forever/ruT5-base") == 1
    assert "pip install 'rewrite-rerank[hf]'" in capfd.readouterr().err.splitlines()[-1]
    assert run_command("models") == 0


def test_without_torch_what_is_missing_is_told(
    online: Hub,
    tiny_model: Callable[[str], Path],
    run_command: Run,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    online.repositories[NAME] = tiny_model("gpt2")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run_command("models", "get", NAME) == 1
    assert "pip install 'rewrite-rerank[hf]'" in capfd.readouterr().err


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
    assert (target / "SHA256SUMS").is_file() == packed_already
    assert not (target / "origin.txt").exists()
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
    assert run_command("models", "get", "ai-forever/ruT5-base", "-e", "compute_type=int4") == 2
    assert "int4" in capfd.readouterr().err
