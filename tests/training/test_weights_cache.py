"""Tables on disk are made once for what they hold, and whole whatever happens."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.types import Candidate
from rewrite.datasets import Example
from rewrite.errors import BadOption, CannotWrite, RewriteError
from rewrite.generators.base import Sampling
from rewrite.generators.edits import EditsGenerator
from rewrite.generators.edits.keep_and_gain import EditModel
from rewrite.generators.replay import Recorder
from rewrite.request import Options
from tests.fakes import ListGenerator
from training.weighting import draw
from training.weighting.draw import cross_fitted, draw_tables, fold_model, pipeline_options
from training.weighting.weight_options import WeightOptions

TEXTS = [f"Старый дом номер {i} стоит на берегу большой реки." for i in range(7)]
POOL = {text: ["Дом стоит на берегу реки.", "Старый дом стоит на берегу реки."] for text in TEXTS}


class Counting(ListGenerator):
    """Notes what it was asked for; may break off."""

    def __init__(self, *, breaks_at: str = "") -> None:
        super().__init__(POOL)
        self.asked: list[str] = []
        self._breaks_at = breaks_at

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        if self._breaks_at in sources:
            raise KeyboardInterrupt
        self.asked += sources
        return super().generate(sources, sampling)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "BATCH", 3)


def drawn(folder: Path, generator: ListGenerator, texts: Sequence[str] = TEXTS, **changes: int) -> list[str]:
    options = pipeline_options(WeightOptions(generator="edits", **changes))  # type: ignore[arg-type]
    results = draw_tables(texts, options, folder, generator=generator, processes=1, report=lambda line: None)
    return [result.text for result in results]


def test_tables_are_drawn_once(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    assert drawn(tmp_path, first) == drawn(tmp_path, second)
    assert first.asked == TEXTS
    assert second.asked == []


def test_another_seed_or_text_is_drawn_anew(tmp_path: Path) -> None:
    drawn(tmp_path, Counting())
    other = Counting()
    drawn(tmp_path, other, seed=1)
    assert other.asked == TEXTS
    longer = Counting()
    drawn(tmp_path, longer, [*TEXTS, "Старый дом номер девять стоит на берегу."])
    assert longer.asked == [TEXTS[6], "Старый дом номер девять стоит на берегу."]


@pytest.mark.parametrize("damaged", [b"", b"no archive", None])
def test_a_damaged_batch_is_drawn_again(damaged: bytes | None, tmp_path: Path) -> None:
    told = drawn(tmp_path, Counting())
    path = min(tmp_path.iterdir())
    path.write_bytes(path.read_bytes()[:-20] if damaged is None else damaged)
    again = Counting()
    assert drawn(tmp_path, again) == told
    assert 0 < len(again.asked) <= 3


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        drawn(tmp_path, Counting(breaks_at=TEXTS[4]))
    rest = Counting()
    drawn(tmp_path, rest)
    assert rest.asked == TEXTS[3:]


def test_a_full_disk_is_said_and_leaves_what_was_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, calls = Path.write_bytes, []

    def full(path: Path, data: bytes) -> int:
        calls.append(path)
        if len(calls) == 2:
            write(path, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CannotWrite, match="No space left"):
        drawn(tmp_path, Counting())
    monkeypatch.setattr(Path, "write_bytes", write)
    assert len(list(tmp_path.iterdir())) == 1
    rest = Counting()
    drawn(tmp_path, rest)
    assert rest.asked == TEXTS[3:]


def test_a_failed_generator_stops_the_step_and_is_not_kept(tmp_path: Path) -> None:
    class Failing(ListGenerator):
        def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
            from rewrite.generators.base import SourcesFailed

            if TEXTS[3] in sources:
                raise SourcesFailed({0: RewriteError("the server is gone")}, [[] for _ in sources])
            return super().generate(sources, sampling)

    with pytest.raises(RewriteError, match=r"the server is gone.*run again"):
        drawn(tmp_path, Failing(POOL))
    assert len(list(tmp_path.iterdir())) == 1


def test_options_that_change_no_table_are_refused() -> None:
    with pytest.raises(BadOption, match=r"pipeline\.preset"):
        pipeline_options(WeightOptions(pipeline={"preset": "simple"}))
    with pytest.raises(BadOption, match="--temprature: unknown key"):
        pipeline_options(WeightOptions(pipeline={"temprature": 1}))
    assert isinstance(pipeline_options(WeightOptions(pipeline={"strict": True})), Options)


def test_what_is_joined_with_edits_draws_for_each_fold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Training the edit model itself is tested with it; here any will do.
    monkeypatch.setattr("training.edit_model.train_edit_model", lambda *_: EditModel.load())
    recorder = Recorder(str(tmp_path / "drawn.jsonl"))
    for text in TEXTS[:4]:
        recorder.write(text, [Candidate("Дом стоит на берегу реки.", generator="replay")])
    options = Options(generator=f"edits+replay:{tmp_path / 'drawn.jsonl'}", n=3)
    examples = [Example(text, (text,)) for text in TEXTS[:4]]
    folds, folder = np.array([0, 1, 0, 1]), tmp_path / "tables"
    results = cross_fitted(examples, folds, options, folder, processes=1, report=lambda line: None)
    assert [result.source for result in results] == TEXTS[:4]
    tables = [result.sentences[0].table for result in results]
    assert all(table and "replay" in {one.generator for one in table.candidates} for table in tables)


def test_the_model_of_a_fold_is_trained_on_the_others_and_draws_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = EditModel.load()
    trained: list[list[tuple[str, list[str]]]] = []

    def train(analyzer: object, sources: Sequence[str], references: Sequence[list[str]]) -> EditModel:
        trained.append(list(zip(sources, references, strict=True)))
        return replace(shipped, weights=shipped.weights + len(trained))

    drawn_by: list[tuple[float, list[str]]] = []

    class Spy(EditsGenerator):
        def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
            drawn_by.append((round(float((self._model.weights - shipped.weights).mean()), 3), list(sources)))
            return [[] for _ in sources]

    monkeypatch.setattr("training.edit_model.train_edit_model", train)
    monkeypatch.setattr("rewrite.generators.edits.EditsGenerator", Spy)
    examples = [Example(text, (text.lower(),)) for text in TEXTS]
    folds = np.array([0, 1, 2, 0, 1, 2, 0])
    cross_fitted(examples, folds, Options(n=3), tmp_path / "tables", processes=1, report=lambda line: None)
    for fold in range(3):
        others = [(e.source, list(e.references)) for e, own in zip(examples, folds, strict=True) if own != fold]
        assert trained[fold] == others
        asked = {text for place, texts in drawn_by if place == fold + 1 for text in texts} & set(TEXTS)
        assert asked == {text for text, own in zip(TEXTS, folds, strict=True) if own == fold}


def test_the_model_of_a_fold_is_made_once_for_its_sources_and_its_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    monkeypatch.setattr("training.edit_model.train_edit_model", lambda *given: made.append(given) or EditModel.load())

    def path_of(texts: Sequence[str], without: Sequence[int]) -> Path:
        examples = [Example(text, (text,)) for text in texts]
        return fold_model(examples, without, tmp_path, Analyzer(), lambda line: None)

    first = path_of(TEXTS, [0, 3])
    assert path_of(TEXTS, [3, 0]) == first
    assert len(made) == 1
    assert len({first, path_of(TEXTS, [0]), path_of(TEXTS[:-1], [0, 3])}) == 3
    monkeypatch.setattr(draw, "_code", lambda: "other")
    assert path_of(TEXTS, [0, 3]) != first
    assert len(made) == 4


def drawn_anew(options: Options, folder: Path) -> bool:
    """Whether tables had to be drawn."""
    told: list[str] = []
    draw_tables(TEXTS[:1], options, folder, processes=1, report=told.append)
    return "were there" not in told[-1]


@pytest.mark.parametrize(("key", "engine"), [("generator", "hf"), ("fluency", "ct2")])
def test_a_model_that_was_trained_again_is_another(key: str, engine: str, tmp_path: Path) -> None:
    from tests.rewrite.engines.tiny import tiny_gpt2

    model = tiny_gpt2(tmp_path / "model")
    options = Options(**{key: f"{engine}:{model}"})  # type: ignore[arg-type]
    before = draw._models(options)
    assert before == draw._models(options) != draw._models(Options())
    os.utime(model / "model.safetensors", (1, 1))
    assert draw._models(options) != before


def test_another_recording_or_other_code_draws_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording, tables = tmp_path / "drawn.jsonl", tmp_path / "tables"
    options = Options(generator=f"replay:{recording}", n=2)
    for text in ("Дом стоит на берегу реки.", "Старый дом стоит на берегу."):
        Recorder(str(recording)).write(TEXTS[0], [Candidate(text)])
        assert [drawn_anew(options, tables) for _ in range(2)] == [True, False]
    monkeypatch.setattr(draw, "_code", lambda: "other")
    assert drawn_anew(options, tables)
