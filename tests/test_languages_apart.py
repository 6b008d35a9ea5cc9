"""Code of one language loads none of the other: both plug into the same protocols."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ENGLISH = (
    *("rerank.english", "rerank.opposites.english", "rewrite.splitting"),
    *("rewrite.plain_english", "rewrite.acceptance.english_texts"),
)
RUSSIAN = (
    *("rerank.facts", "rerank.morphology", "rerank.opposites.russian", "rerank.wellformed"),
    *("rewrite.acceptance.russian_texts", "rewrite.acceptance.break_judge", "rewrite.generators.edits"),
)


@pytest.mark.parametrize(("language", "other"), [(ENGLISH, RUSSIAN), (RUSSIAN, ENGLISH)], ids=["English", "Russian"])
def test_the_modules_of_one_language_load_none_of_the_other(language: tuple[str, ...], other: tuple[str, ...]) -> None:
    modules = [module for name in language for module in _with_all_inside(name)]
    assert len(modules) > len(language)
    code = "\n".join([*(f"import {module}" for module in modules), "import sys", "print(*sys.modules)"])
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    inside = tuple(f"{name}." for name in other)
    assert [name for name in done.stdout.split() if f"{name}.".startswith(inside)] == []


def _with_all_inside(name: str) -> list[str]:
    """A module, and where it is a package all that are in it."""
    folder = ROOT / name.replace(".", "/")
    files = sorted(path.relative_to(ROOT).with_suffix("") for path in folder.rglob("*.py"))
    return [".".join(path.parts).removesuffix(".__init__") for path in files] or [name]
