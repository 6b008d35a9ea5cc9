"""Models for the tests of engines, each built once a run and only if a test asks for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Of a name such as `gpt2`, `chat`, `t5`, `bart` or `marian` the folder of that model; never write to it."""
    for module in ("torch", "transformers", "sentencepiece"):
        pytest.importorskip(module, reason=f"needs {module}: pip install 'rewrite-rerank[hf]'")
    from tests.rewrite.engines import tiny

    root = tmp_path_factory.mktemp("models")

    def folder(name: str) -> Path:
        path = root / name
        if not path.is_dir():
            getattr(tiny, f"tiny_{name}")(path)
        return path

    return folder
