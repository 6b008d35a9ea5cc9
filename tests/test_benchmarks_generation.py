"""The benchmarks that need torch: every row draws what it says, both trainings take the same steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")

from benchmarks import training
from benchmarks.drawing import draw_of
from benchmarks.generation import COMPARISONS, Comparison, compare
from benchmarks.shapes import Shape, make, make_int8, sources
from rewrite.generators.base import Sampling

SAMPLES, TOKENS = 3, 4
SAMPLING = Sampling(n=SAMPLES, max_tokens=TOKENS)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shapes")
    for family in ("gpt2", "t5", "bart"):
        make_int8(make(Shape(family, 1, 32, 2, vocabulary=5_003, tokens=5_000, positions=64), folder / family))
    return folder


@pytest.mark.parametrize(
    ("row", "family"),
    [(row, "gpt2") for row in ("transformers", "ctranslate2", "ctranslate2 keeping")]
    + [(e, f) for e in ("hf", "ct2") for f in ("gpt2", "t5", "bart")],
)
def test_a_row_draws_all_that_it_was_asked_for(row: str, family: str, models: Path) -> None:
    assert draw_of(row, models / family, 1, SAMPLING, 1)() == SAMPLES * TOKENS


def test_a_source_has_forty_tokens_in_a_vocabulary_of_the_size_asked_for(models: Path) -> None:
    from rewrite.engines.tokens import load_tokens

    tokens = load_tokens(models / "gpt2")
    texts = sources(8)
    assert [len(tokens.encode(text)) for text in texts] == [40] * 8
    assert len(set(texts)) == 8


def test_rows_are_compared_in_processes_of_their_own(models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = Comparison("Tiny", "gpt2", ("ctranslate2", "ct2"), bars={("ct2", "ctranslate2"): 1e9})
    assert compare(tiny, models, SAMPLING, rounds=1, threads=1)
    heading, *rows, bar = capsys.readouterr().out.splitlines()
    assert heading.split() == ["Tiny", "tokens/s", "ratio"]
    assert [row.split()[0] for row in rows] == ["ctranslate2", "ct2"]
    assert all(row.endswith("MiB") for row in rows)
    assert bar.endswith("MISSED")


def test_every_bar_is_about_rows_that_run() -> None:
    assert all({row, other} <= set(one.rows) for one in COMPARISONS for row, other in one.bars)


def test_trainer_and_bare_loop_take_the_same_steps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")
    from transformers import PegasusForConditionalGeneration

    shapes: list[tuple[int, ...]] = []
    forward = PegasusForConditionalGeneration.forward

    def noted(self: Any, *given: Any, **named: Any) -> Any:
        shapes.append(tuple(named["input_ids"].shape))
        return forward(self, *given, **named)

    monkeypatch.setattr(PegasusForConditionalGeneration, "forward", noted)
    assert training.main(["--steps", "3", "--rounds", "1", "--batch-tokens", "128"]) in (0, 1)
    assert len(shapes) == 6
    assert shapes[:3] == shapes[3:]
    told = capsys.readouterr().out.splitlines()
    assert told[0].split() == ["3", "steps", "of", "each", "tokens/s", "ratio"]
    assert told[3].startswith("finetune: ")
