"""Which components a run measures."""

from __future__ import annotations

from pathlib import Path

from rerank.types import Candidate
from rewrite.generators.replay import Recorder
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.simplification import SIMPLIFY

SOURCE = "В связи с ремонтом, который начался осенью, движение по старому мосту было временно приостановлено."


def names(options: Options) -> list[str]:
    return [scorer.name for scorer in SIMPLIFY.scorers(options, frozenset(options.weights))]


def test_ndd_is_measured_where_it_has_a_weight_and_nowhere_else() -> None:
    assert "ndd" not in names(Options())
    assert "ndd" in names(Options(weights={"ndd": 1.0}))
    table = Pipeline(Options(weights={"ndd": 1.0})).score([(SOURCE, [Candidate("Движение приостановлено.")])])[0]
    value = table.values[0, table.components.index("ndd")]
    assert 0.001 < value < 1


def test_what_a_preset_file_names_is_measured(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nweights: {ndd: 2, ppl: 0}\n")
    pipeline = Pipeline(Options(preset=str(path)))
    assert {"ndd", "ppl"} <= {scorer.name for scorer in pipeline.scorers}
    assert pipeline.weights["ndd"] == 2


def test_the_doubts_of_edits_are_their_own_and_those_of_a_model_are_read_off_its_texts(tmp_path: Path) -> None:
    def reads_texts(generator: str) -> bool:
        (found,) = (s for s in SIMPLIFY.scorers(Options(generator=generator), frozenset()) if s.name == "caution")
        return "texts" in found.signature()

    path = tmp_path / "drawn.jsonl"
    Recorder(str(path)).write(SOURCE, [Candidate("Движение приостановили.", "ct2", -3.0, 5)])
    assert not reads_texts("edits")
    assert reads_texts("edits+ct2:model")
    assert reads_texts(f"replay:{path}")


def test_the_bundled_model_of_drawn_texts_tells_a_plain_cut_from_a_torn_text() -> None:
    pool = [
        Candidate("Движение по старому мосту было временно приостановлено.", "ct2", -3.0, 14, count=3),
        Candidate("В связи с мосту движение начался осенью которой слона.", "ct2", -34.0, 16),
    ]
    options = Options(generator="ct2:model", preset="balanced")
    table = Pipeline(options).score([(SOURCE, pool)])[0]
    sure, torn = table.values[:, table.components.index("caution")].tolist()
    assert sure > 3 * torn
