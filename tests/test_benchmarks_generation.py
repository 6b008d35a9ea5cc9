"""The benchmark that needs torch: every row draws what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")

from benchmarks import generation
from benchmarks.generation import Shape, draw_of, make, sources
from rewrite.generators.base import Sampling

SAMPLES, TOKENS = 3, 4
SAMPLING = Sampling(n=SAMPLES, max_tokens=TOKENS)
TINY = Shape(1, 32, 2, n_positions=64)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shapes")
    make(TINY, folder)
    return folder


@pytest.mark.parametrize("row", ["hf", "ct2", "ctranslate2"])
def test_a_row_draws_all_that_it_was_asked_for(row: str, models: Path) -> None:
    plain, packed = make(TINY, models)
    assert draw_of(row, plain if row == "hf" else packed, sources(2), SAMPLING, 1)() == 2 * SAMPLES * TOKENS


def test_a_source_has_forty_tokens(models: Path) -> None:
    from rewrite.engines.tokens import load_tokens

    tokens = load_tokens(models / "float32")
    texts = sources(8)
    assert [len(tokens.encode(text)) for text in texts] == [40] * 8
    assert len(set(texts)) == 8


def test_rows_are_compared_in_processes_of_their_own(
    models: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(generation._BARS, ("ct2", "ctranslate2"), 1e9)
    assert generation.compare(TINY, models, 1, SAMPLING, rounds=1, threads=1)
    heading, *rows, _, bar = capsys.readouterr().out.splitlines()
    assert heading.split() == ["1", "source", "tokens/s", "ratio"]
    assert [row.split()[0] for row in rows] == ["hf", "ctranslate2", "ctranslate2", "ct2"]
    assert all(row.endswith("MiB") for row in rows)
    assert bar.endswith("MISSED")
