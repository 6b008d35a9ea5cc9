"""What the documents show is what the commands print, and their commands are the ones CI runs."""

from __future__ import annotations

import re
import shutil
import sys
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest

from rewrite.errors import EXIT_CODES
from tests.readme_blocks import DOCUMENTS, ROOT, refresh

_FIGURE = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\w)")


@pytest.mark.skipif(
    not (Path(sys.executable).parent / "rewrite").exists() and shutil.which("rewrite") is None,
    reason="the command `rewrite` is not installed: pip install -e .",
)
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_show_real_output(path: Path) -> None:
    shown = path.read_text(encoding="utf-8")
    printed = refresh(shown)
    hint = "to write the outputs anew: python -m tests.readme_blocks"
    assert _FIGURE.sub("#", printed) == _FIGURE.sub("#", shown), hint
    # Models in int8 round otherwise on another kind of processor.
    expected = [pytest.approx(float(figure), rel=0.05, abs=0.15) for figure in _FIGURE.findall(shown)]
    assert [float(figure) for figure in _FIGURE.findall(printed)] == expected, hint


def test_ci_runs_the_test_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^pip install .*scripts/check$", readme, flags=re.MULTILINE)
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_snippet_on_lists_and_encoders_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    document = (ROOT / "docs" / "similarity.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"^```python\n(.*?)^```$", document, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "ru_50k.txt").write_text("раз 900\nне 9000\nнеоднократно 2\nжители 50\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(snippet, names)
    assert capsys.readouterr().out.strip()
    assert "file:ru_50k.txt:4:" in names["pipeline"].settings


def test_exit_codes_are_documented() -> None:
    table = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for code, meaning in EXIT_CODES.items():
        assert f"| {code} | {meaning} |" in table


def test_links_between_documents_lead_somewhere() -> None:
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")):
        # What stands in an example is no link of the page.
        page = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_a_reason_is_given_for_each_dependency() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    names = {re.split(r"[\s<>=!;\[]", line)[0] for line in requires("rewrite-rerank") or ()} - {"rewrite-rerank"}
    assert {"ctranslate2", "httpx", "gguf"} <= names
    assert not {name for name in names if f"`{name}`" not in page}


def test_no_document_holds_a_placeholder() -> None:
    """`%FIGURE%`, `{{FIGURE}}`, `TODO` and their like stand where a figure was to be put in."""
    left = re.compile(r"%[A-Z][A-Z0-9_]+%|\{\{\s*\w+\s*\}\}|\b(?:TODO|FIXME|TBD|XXX)\b|@@\w+@@|<[A-Z]+_[A-Z_]+>")
    assert left.findall("%RU_PAIRS% {{ n }} TODO 50 % of A %, {source}, <TAB>") == ["%RU_PAIRS%", "{{ n }}", "TODO"]
    cards = ROOT.glob("re*/**/*.md")
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *cards):
        assert not left.findall(path.read_text(encoding="utf-8")), path.relative_to(ROOT)
