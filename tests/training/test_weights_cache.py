"""Tables on disk: the same to the last bit, made once, and whole whatever happens."""

from __future__ import annotations

import errno
import gzip
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.types import Candidate
from rerank.weights import Weights
from rewrite.datasets import Example
from rewrite.errors import BadOption, CannotWrite, RewriteError
from rewrite.generators.base import Sampling
from rewrite.generators.edits import EditsGenerator
from rewrite.generators.edits.model import EditModel
from rewrite.generators.replay import Recorder
from rewrite.request import Options
from tests.fakes import ListGenerator
from tests.training.contested import COMPONENTS, made_up
from training.weighting import draw
from training.weighting.cache import TableStore, plain, restore
from training.weighting.draw import cross_fitted, draw_tables, fold_model, pipeline_options
from training.weighting.options import WeightOptions

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


def drawn(store: TableStore, generator: ListGenerator, texts: Sequence[str] = TEXTS, **changes: int) -> list[str]:
    options = pipeline_options(WeightOptions(generator="edits", **changes))  # type: ignore[arg-type]
    results = draw_tables(texts, options, store, generator=generator, processes=1, report=lambda line: None)
    return [result.text for result in results]


def test_results_come_back_to_the_last_bit(tmp_path: Path) -> None:
    results = made_up(20)
    store = TableStore(tmp_path)
    store.save("key", [plain(result) for result in results])
    rows = store.load("key") or []
    weights = Weights(dict.fromkeys(COMPONENTS, 1.0))
    for row, before in zip(rows, results, strict=True):
        after = restore(row, options=before.options, weights=weights, settings=before.settings)
        assert (after.text, after.layout, after.source) == (before.text, before.layout, before.source)
        for a, b in zip(after.sentences, before.sentences, strict=True):
            assert (a.skipped, a.choices) == (b.skipped, b.choices)
            if a.table is not None and b.table is not None:
                np.testing.assert_array_equal(a.table.values, b.table.values)
                np.testing.assert_array_equal(a.table.source_values, b.table.source_values)
                assert (a.table.candidates, a.table.blocked) == (b.table.candidates, b.table.blocked)


def test_everything_a_candidate_tells_is_kept(tmp_path: Path) -> None:
    told = Candidate("т", "g", -1.5, 3, 7, "stop", 2, 0, ("− а", "б → в"), 0.1 + 0.2, -0.0, 5, ("trim",), "")
    result = made_up(1, seed=5)[0]
    table = result.sentences[0].table
    assert table is not None
    assert table.candidates
    table = replace(table, candidates=(told, *table.candidates[1:]))
    sentence = replace(result.sentences[0], table=table)
    TableStore(tmp_path).save("k", [plain(replace(result, sentences=(sentence,)))])
    (row,) = TableStore(tmp_path).load("k") or []
    again = restore(row, options=result.options, weights=result.weights, settings="").sentences[0].table
    assert again is not None
    assert again.candidates[0] == told


def test_tables_are_drawn_once(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    store = TableStore(tmp_path)
    assert drawn(store, first) == drawn(store, second)
    assert first.asked == TEXTS
    assert second.asked == []


def test_another_seed_or_text_is_drawn_anew(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    drawn(store, Counting())
    other = Counting()
    drawn(store, other, seed=1)
    assert other.asked == TEXTS
    longer = Counting()
    drawn(store, longer, [*TEXTS, "Старый дом номер девять стоит на берегу."])
    assert longer.asked == [TEXTS[6], "Старый дом номер девять стоит на берегу."]


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        drawn(store, Counting(breaks_at=TEXTS[4]))
    rest = Counting()
    drawn(store, rest)
    assert rest.asked == TEXTS[3:]


@pytest.mark.parametrize("damage", [b"", b"no gzip", None])
def test_a_damaged_file_is_drawn_again(tmp_path: Path, damage: bytes | None) -> None:
    store = TableStore(tmp_path)
    texts = drawn(store, Counting())
    victim = sorted(tmp_path.glob("*.gz"))[0]
    victim.write_bytes(victim.read_bytes()[:-20] if damage is None else damage)
    again = Counting()
    assert drawn(store, again) == texts
    assert 0 < len(again.asked) <= 3


def test_rows_of_another_key_are_not_taken(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    store.save("one", [{"a": 1}])
    os.rename(tmp_path / "one.jsonl.gz", tmp_path / "two.jsonl.gz")
    assert store.load("two") is None


def test_a_file_that_lacks_rows_is_not_taken(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    store.save("k", [{"a": 1}, {"a": 2}])
    assert store.load("k") == [{"a": 1}, {"a": 2}]
    (path,) = tmp_path.iterdir()
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(lines[:-1])))
    assert store.load("k") is None
    path.write_bytes(gzip.compress(b"".join([*lines, lines[-1]])))
    assert store.load("k") is None


def test_equal_tables_make_equal_files(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        drawn(TableStore(tmp_path / folder), Counting())
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / f).iterdir()} for f in ("a", "b"))
    assert one == two
    assert all(gzip.decompress(data) for data in one.values())


def test_a_full_disk_is_said_and_leaves_what_was_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = TableStore(tmp_path)
    write, calls = Path.write_bytes, []

    def full(path: Path, data: bytes) -> int:
        calls.append(path)
        if len(calls) == 2:
            write(path, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CannotWrite, match="No space left"):
        drawn(store, Counting())
    monkeypatch.setattr(Path, "write_bytes", write)
    assert len(list(tmp_path.iterdir())) == 1
    rest = Counting()
    drawn(store, rest)
    assert rest.asked == TEXTS[3:]


def test_a_failed_generator_stops_the_step_and_is_not_kept(tmp_path: Path) -> None:
    class Failing(ListGenerator):
        def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
            from rewrite.generators.base import SourcesFailed

            if TEXTS[3] in sources:
                raise SourcesFailed({0: RewriteError("the server is gone")}, [[] for _ in sources])
            return super().generate(sources, sampling)

    store = TableStore(tmp_path)
    with pytest.raises(RewriteError, match=r"the server is gone.*run again"):
        drawn(store, Failing(POOL))
    assert len(list(tmp_path.iterdir())) == 1


def test_options_that_change_no_table_are_refused() -> None:
    with pytest.raises(BadOption, match=r"pipeline\.preset"):
        pipeline_options(WeightOptions(pipeline={"preset": "simple"}))
    with pytest.raises(BadOption, match="unknown option 'temprature'"):
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
    folds, store = np.array([0, 1, 0, 1]), TableStore(tmp_path / "tables")
    results = cross_fitted(examples, folds, options, store, processes=1, report=lambda line: None)
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
    cross_fitted(examples, folds, Options(n=3), TableStore(tmp_path / "tables"), processes=1, report=lambda line: None)
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
    for name in ("code_digest", "trainer_digest"):
        with monkeypatch.context() as patched:
            patched.setattr(draw, name, lambda: "other")
            assert path_of(TEXTS, [0, 3]) != first
    assert len(made) == 5


def test_tables_follow_the_bytes_of_the_edit_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.edit_model.train_edit_model", lambda *_: EditModel.load())
    examples, folds = [Example(text, (text,)) for text in TEXTS[:4]], np.array([0, 1, 0, 1])
    told: list[str] = []

    def run() -> bool:
        told.clear()
        store = TableStore(tmp_path / "tables")
        cross_fitted(examples, folds, Options(n=3), store, processes=1, report=told.append)
        return sum("were there" in line for line in told) == 2

    assert [run(), run()] == [False, True]
    for path in (tmp_path / "models").glob("*.npz"):
        model = EditModel.load(path)
        replace(model, weights=model.weights * 2).save(path)
    assert not run()
