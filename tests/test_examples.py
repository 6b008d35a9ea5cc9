"""The examples of `docs/architecture.md` run as it says, each in at most thirty lines of code a part."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
_MOST_LINES = 30
_SENTENCE = "На сегодняшний день музей закрыт в связи с тем, что крыша течёт."


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the plug-in is installed in."""
    # A copy: setuptools builds in place.
    source = shutil.copytree(EXAMPLES / "plugin", tmp_path_factory.mktemp("plugin") / "source")
    target = source.parent / "installed"
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(source)], check=True)
    return target


def _simplify(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(installed)])}
    command = [sys.executable, "-m", "rewrite", "simplify", *arguments, _SENTENCE]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        ("0", "Сейчас музей закрыт в связи с тем, что крыша течёт.\n"),
        ("4", "Сейчас музей закрыт, потому что крыша течёт.\n"),
    ],
)
def test_the_plug_in_generates_and_its_scorer_counts(installed: Path, weight: str, expected: str) -> None:
    done = _simplify(installed, "--generator", "phrases", "-w", f"plainness={weight}")
    assert (done.stdout, done.stderr) == (expected, "")


def test_an_unknown_component_is_still_refused(installed: Path) -> None:
    done = _simplify(installed, "--generator", "phrases", "-w", "plain=1")
    assert done.returncode == 2
    assert "Unknown weight 'plain'" in done.stderr


def test_the_task_runs_in_both_languages_as_any_command_does(tmp_path: Path) -> None:
    texts = (
        "At this point in time 12 roads are closed due to the fact that it snows.",
        "Zum jetzigen Zeitpunkt sind 12 Straßen gesperrt.",
    )
    given = tmp_path / "given.txt"
    given.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    command = [sys.executable, EXAMPLES / "task.py", "-i", given, "--format", "jsonl", "-w", "ratio=2", "--explain"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["text"], round(row["score"], 2)) for row in rows] == [
        ("Now 12 roads are closed because it snows.", 0.5),
        ("Jetzt sind 12 Straßen gesperrt.", 0.29),
    ]
    assert all("weights:ratio=2" in row["signature"] for row in rows)
    assert "{+Now+}" in done.stderr


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("plugin/rewrite_phrases.py", ("PhraseGenerator", "_texts", "_replaced")),
        ("plugin/rewrite_phrases.py", ("Plainness",)),
        ("task.py", ("PlainOptions", "PLAIN", "changed_numbers")),
        ("task.py", ("PHRASES",)),
        ("task.py", ("plain",)),
        ("task.py", ("PhraseGenerator",)),
    ],
    ids=["generator", "scorer", "task and guard", "language", "verb", "generator of the task"],
)
def test_each_part_is_short(path: str, names: tuple[str, ...]) -> None:
    tree = ast.parse((EXAMPLES / path).read_text(encoding="utf-8"))
    lengths = {_name(node): (node.end_lineno or node.lineno) - node.lineno + 1 for node in tree.body}
    assert sum(lengths[name] for name in names) <= _MOST_LINES


def _name(node: ast.stmt) -> str:
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        return target.id if isinstance(target, ast.Name) else ""
    return getattr(node, "name", "")
