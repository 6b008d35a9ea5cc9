"""What imports what: no circles, and neither language loads the other."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = ("rerank", "rewrite", "training", "benchmarks")
LANGUAGES = {
    "ru": (
        *("rerank.facts", "rerank.wellformed.readings", "rerank.wellformed.agreement", "rerank.wellformed.loss"),
        *("rewrite.acceptance.break_judge", "rewrite.generators.edits", "rewrite.generators.needed"),
    ),
    "en": ("rewrite.splitting",),
}
"""Modules and packages of one language alone whose names do not say so."""
WORDS = {"ru": {"ru", "russian"}, "en": {"en", "english"}}


def _modules() -> dict[str, Path]:
    paths = {path: path.relative_to(ROOT) for top in PRODUCT for path in (ROOT / top).rglob("*.py")}
    return {".".join(name.with_suffix("").parts).removesuffix(".__init__"): path for path, name in paths.items()}


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a file imports, in functions too, each with the names that may be modules of it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif not _is_for_types(node):
            yield from _imported(node)


def _imports() -> Mapping[str, set[str]]:
    modules = _modules()
    graph: dict[str, set[str]] = {}
    for name, path in modules.items():
        imported = set(_imported(ast.parse(path.read_text(encoding="utf-8"))))
        graph[name] = {one if one in modules else one.rpartition(".")[0] for one in imported} & set(modules) - {name}
    return graph


def test_no_module_imports_itself_through_others() -> None:
    graph = _imports()
    assert len(graph) > 300
    assert "rerank.tree" in graph["rewrite.splitting.parsed_words"]
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' ← '.join(error.args[1])}")


def _is_of(language: str, module: str) -> bool:
    """Whether a module of the product is of this language alone, as its name or `LANGUAGES` says."""
    is_named = not WORDS[language].isdisjoint(re.split(r"[._]", module))
    is_listed = f"{module}.".startswith(tuple(f"{name}." for name in LANGUAGES[language]))
    return module.startswith(("rerank.", "rewrite.")) and (is_named or is_listed)


def test_names_tell_the_language() -> None:
    assert [n for n in ("rewrite.new_ru", "rerank.russian.new", "rewrite.true", "razdel.ru") if _is_of("ru", n)] == [
        "rewrite.new_ru",
        "rerank.russian.new",
    ]
    assert all(_is_of("en", name) for name in ("rerank.english", "rewrite.plain_english", "rewrite.splitting.model"))


@pytest.mark.parametrize(("language", "other"), [("en", "ru"), ("ru", "en")])
def test_neither_language_loads_the_other(language: str, other: str) -> None:
    names = [name for name in _modules() if _is_of(language, name)]
    shared = ["rewrite.compression.compressor", "rewrite.generators", "rewrite.pipeline"]
    code = f"import {', '.join(names + shared)}, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    foreign = {name for name in done.stdout.split() if _is_of(other, name)}
    assert len(names) > 20
    assert not foreign
