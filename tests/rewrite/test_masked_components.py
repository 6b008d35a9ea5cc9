"""The components that ask a masked language model, where a weight asks for them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rerank.scorer import Scorer
from rerank.types import Candidate
from rewrite.cli import app
from rewrite.errors import BadOption, TextTooLong, UnknownName
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.simplification import SIMPLIFY
from tests.fakes import column

SOURCE = "Дети нашли во дворе большую рыжую кошку."
CLOSE = "Дети нашли во дворе рыжую кошку."
FAR = "Кошку нашли."
LONG = f"{'очень ' * 200}долго."


@pytest.fixture
def model(tiny_masked_model: Callable[[str], Path]) -> str:
    return f"hf:{tiny_masked_model('bert')}"


def chosen(options: Options) -> tuple[Scorer, ...]:
    return SIMPLIFY.scorers(options, frozenset(options.weights))


def names(options: Options) -> list[str]:
    return [scorer.name for scorer in chosen(options)]


def test_they_are_measured_where_they_have_a_weight_and_nowhere_else() -> None:
    assert "ndd" not in names(Options())
    assert names(Options(weights={"ndd": 1.0, "cosine": 0.0}))[-2:] == ["ndd", "cosine"]


def test_ndd_is_a_factor_of_the_choice(model: str) -> None:
    options = Options(weights={"ndd": 4.0}, masked_model=model)
    (table,) = Pipeline(options).score([(SOURCE, [Candidate(CLOSE), Candidate(FAR), Candidate(SOURCE)])])
    values = column(table, "ndd")
    assert values[2] == 1.0
    assert all(0 < value < 1 for value in values[:2])
    assert table.source_values[table.components.index("ndd")] == 1.0
    assert any("hf:" in scorer.signature() for scorer in chosen(options))


def test_several_components_share_one_model(model: str) -> None:
    options = Options(weights={"ndd": 1.0, "ppl": 1.0, "cosine": 1.0}, masked_model=model)
    asked = [scorer for scorer in chosen(options) if scorer.name in options.weights]
    assert len({id(scorer._model) for scorer in asked}) == 1  # type: ignore[attr-defined]


def test_a_model_that_counts_for_nothing_and_one_that_nobody_knows_are_refused() -> None:
    with pytest.raises(BadOption, match=r"--masked-model hf:x counts for nothing.*-w ndd=1"):
        chosen(Options(masked_model="hf:x"))
    with pytest.raises(UnknownName, match=r"'gpt:x'.*hf:NAME"):
        chosen(Options(masked_model="gpt:x", weights={"ndd": 1.0}))


def test_work_with_a_model_is_not_forked() -> None:
    assert not Options().runs_alone
    assert Options(weights={"ndd": 1.0}).runs_alone
    assert Options(masked_model="hf:x").runs_alone


def test_a_sentence_beyond_the_window_fails_its_own_line(model: str, tmp_path: Path) -> None:
    pipeline = Pipeline(Options(weights={"ndd": 1.0}, masked_model=model))
    pools = [(SOURCE, [Candidate(CLOSE)]), (LONG, [Candidate("Долго.")]), (SOURCE, [Candidate(LONG)])]
    assert {place: type(error) for place, error in pipeline.failures(pools).items()} == {1: TextTooLong, 2: TextTooLong}
    path = tmp_path / "pools.jsonl"
    rows = [{"source": source, "candidates": [c.text for c in pool]} for source, pool in pools[:2]]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    done = CliRunner().invoke(app, ["score", "-w", "ndd=1", "--masked-model", model, "-i", str(path)])
    assert done.exit_code == 3, done.output
    assert "204 tokens" in done.stderr
    assert "Traceback" not in done.output
