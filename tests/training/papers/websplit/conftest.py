from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.papers.websplit.small import players


@pytest.fixture(scope="session")
def benchmark_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return players(tmp_path_factory.mktemp("players"))
