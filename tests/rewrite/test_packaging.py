"""What is in the wheel, and that it works from a clean environment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rewrite import catalogue

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli", reason="reading pyproject.toml needs Python 3.11 or tomli")

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# Bytecode of all that is installed would take longer than the commands: what they import is compiled as they run.
NO_COMPILE = {"PIP_NO_COMPILE": "1"}
SENTENCE = "Жители деревни, расположенной на берегу озера, неоднократно обращались в администрацию."


def test_every_package_is_listed() -> None:
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("rerank", "rewrite")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == found | {"rewrite._prompts"}


def test_public_names_exist() -> None:
    import rewrite

    assert all(getattr(rewrite, name) is not None for name in rewrite.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = rewrite.nothing


def test_rerank_imports_nothing_of_ours() -> None:
    for path in (ROOT / "rerank").rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not line.strip().startswith(
                ("from rewrite", "import rewrite", "from training", "import training")
            ), path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A copy: setuptools builds in place, and would take along what an earlier build left there.
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in ("rerank", "rewrite", "prompts"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=300, env=os.environ | NO_COMPILE)
    (path,) = folder.glob("*.whl")
    return path


@pytest.mark.install
def test_the_wheel_holds_the_two_packages_and_their_data(wheel: Path) -> None:
    assert wheel.stat().st_size <= 70_000_000
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"rerank", "rewrite"}
    assert any(name.startswith("rewrite/_prompts/") and name.endswith(".yaml") for name in names)
    own = ("rewrite/models", "rerank/models", "rerank/english/model")
    folders = [*(ROOT / name for name in own), *catalogue.OF_SPLITTER.values()]
    models = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    data = {path.relative_to(ROOT).as_posix() for path in models if path.suffix not in (".py", ".pyc")}
    assert {"rerank/models/README.md", "rewrite/models/README.md", "rewrite/models/lexicon_ru/verbs.tsv"} <= data
    masked = {f"rerank/models/mlm-{language}/model.bin" for language in ("en", "ru")}
    tables = {f"rerank/models/paraphrases-{language}/table.tsv.gz" for language in ("en", "ru")}
    evaluators = {f"{folder.relative_to(ROOT).as_posix()}/difference.npz" for folder in catalogue.EVALUATORS.values()}
    assert {*masked, *tables, *evaluators, "rerank/english/model/parser/model"} <= data
    assert data <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.install
def test_the_command_works_from_a_clean_environment(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True, timeout=120)
    scripts = environment / "bin"
    install = [scripts / "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel]
    # What PYTHONPATH names may look installed already.
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run(install, check=True, capture_output=True, timeout=600, env=clean | NO_COMPILE)
    done = subprocess.run(
        [scripts / "rewrite", "simplify", "--format", "jsonl", SENTENCE],
        capture_output=True,
        cwd=tmp_path,
        env=clean,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    row = json.loads(done.stdout)
    assert row["text"] not in ("", SENTENCE)
    texts = (
        "The company, which was founded in 1998 by two brothers from Ohio, sold 1,300 cars last year.",
        "Город, основанный в 1703 году, является крупным портом, через который проходит половина грузов страны.",
    )
    done = subprocess.run(
        [scripts / "rewrite", "compress", *texts], capture_output=True, cwd=tmp_path, env=clean, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()
    english, russian = done.stdout.decode().splitlines()
    assert english == "The company sold 1,300 cars last year."
    assert russian.startswith("Город")
    assert 4 <= len(russian.split()) < 10
    done = subprocess.run(
        [scripts / "rewrite", "split", "Tom Brown was born in Rome and he sold an old house in 1950."],
        capture_output=True,
        cwd=tmp_path,
        env=clean,
        timeout=120,
    )
    assert done.stdout.decode() == "Tom Brown was born in Rome. He sold an old house in 1950.\n", done.stderr.decode()
    # What only the dictionary can write.
    assert any("не раз" in candidate["text"] for candidate in row["candidates"])
    probe = [
        scripts / "python",
        "-c",
        "import importlib.util as u; print(u.find_spec('torch'), u.find_spec('training'))",
    ]
    assert subprocess.run(probe, capture_output=True, cwd=tmp_path, env=clean, check=True).stdout == b"None None\n"
