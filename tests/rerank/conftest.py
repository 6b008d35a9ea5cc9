"""Tiny masked language models, made once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rerank import tiny_masked


@pytest.fixture(scope="session")
def tiny_masked_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folder of a tiny random masked model of a family of `tiny_masked.FAMILIES`, made when first asked for."""
    pytest.importorskip("transformers", reason="making a model needs the [hf] extra")
    pytest.importorskip("torch", reason="making a model needs the [hf] extra")
    made: dict[str, Path] = {}

    def folder(family: str) -> Path:
        if family not in made:
            made[family] = tiny_masked.build(family, tmp_path_factory.mktemp("masked") / family)
        return made[family]

    return folder
