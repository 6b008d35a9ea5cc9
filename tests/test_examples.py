"""The examples of `docs/architecture.md` run as it says, and are as short as it says."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
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
    ("part", "path", "left_out"),
    [
        ("generator", "plugin/rewrite_phrases.py", ("Plainness",)),
        ("scorer", "plugin/rewrite_phrases.py", ("PhraseGenerator", "_texts", "_replaced", "")),
        ("task", "task.py", ()),
    ],
)
def test_each_part_is_as_short_as_the_page_says(part: str, path: str, left_out: tuple[str, ...]) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    claimed = re.search(rf"^- \*\*A {part}\*\* \((\d+) lines", page, re.MULTILINE)
    assert claimed
    _, *code = ast.parse((EXAMPLES / path).read_text(encoding="utf-8")).body
    counted = [
        n for n in code if not isinstance(n, (ast.Import, ast.ImportFrom)) and getattr(n, "name", "") not in left_out
    ]
    assert sum(_lines(node) for node in counted) == int(claimed[1])


def _lines(node: ast.stmt) -> int:
    """Its lines, those of its decorators among them."""
    first = min(part.lineno for part in [node, *getattr(node, "decorator_list", [])])
    return (node.end_lineno or first) - first + 1
