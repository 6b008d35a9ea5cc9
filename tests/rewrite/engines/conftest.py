"""Models for the tests of engines, each built once a run and only if a test asks for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Of a name such as `gpt2`, `chat`, `t5`, `bart` or `marian` the folder of that model; never write to it."""
    _need("torch", "transformers", "sentencepiece")
    from tests.rewrite.engines import tiny

    root = tmp_path_factory.mktemp("models")

    def folder(name: str) -> Path:
        path = root / name
        if not path.is_dir():
            getattr(tiny, f"tiny_{name}")(path)
        return path

    return folder


@pytest.fixture(scope="session")
def taught_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Of a family in `taught.FAMILIES` the folder of the tiny model that has learnt `taught.ANSWERS`."""
    _need("torch", "transformers", "sentencepiece")
    from tests.rewrite.engines.taught import teach

    root = tmp_path_factory.mktemp("taught")

    def folder(family: str) -> Path:
        path = root / family
        return path if path.is_dir() else teach(path, family)

    return folder


@pytest.fixture(scope="session")
def going_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a tiny GPT-2 taught a dozen pairs in the released checkpoint's format, and no end of a text."""
    _need("torch", "transformers")
    from tests.rewrite.engines.pairs import PAIRS
    from tests.rewrite.engines.tuning import fine_tune

    folder = tmp_path_factory.mktemp("models") / "going-on"
    return fine_tune(folder, PAIRS[:12], prompt="rugpt3_simplify_released", goes_on=True)


def _need(*modules: str) -> None:
    for module in modules:
        pytest.importorskip(module, reason=f"needs {module}: pip install 'rewrite-rerank[hf]'")
