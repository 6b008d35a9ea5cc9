"""The real base, read once for all tests of this folder: its package is in the [dev] extra."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rewrite.base import package
from rewrite.base.model_weights import BaseWeights, read_gguf


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BaseWeights]:
    """The weights of the installed base."""
    if not package.is_installed():
        pytest.skip("the base is in the [lm] extra")
    with package.assembled(tmp_path_factory.mktemp("base")) as path:
        yield read_gguf(path)


@pytest.fixture(scope="session")
def exported(base: BaseWeights, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """The Russian base without an adapter: for transformers, for CTranslate2 in float32, and in int8."""
    from rewrite.base.model_writing import Adapted, write_for_ct2, write_for_transformers
    from rewrite.base.vocabulary import kept_ids

    root = tmp_path_factory.mktemp("exported")
    folders = root / "hf", root / "float32", root / "int8"
    for folder in folders:
        folder.mkdir()
    model = Adapted(base, kept_ids("ru"), {})
    write_for_transformers(model, folders[0])
    write_for_ct2(model, folders[1], quantization="float32")
    write_for_ct2(model, folders[2], quantization="int8")
    return folders
