"""The model of a fold rewrites what it never saw, and nothing that it does not say so of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rerank.types import Candidate
from rewrite.datasets import Example
from rewrite.errors import BadInput, BadOption, CannotWrite
from rewrite.generators.edits.model import EditModel
from rewrite.generators.replay import Recorder
from training import gain, weights
from training.weighting.draw import folds_of
from training.weighting.held_out import check_held_out, held_out_file, write_held_out

SOURCES = [f"Старый дом номер {i} стоит на берегу большой реки." for i in range(8)]
SHORT = "Дом стоит на берегу реки."


def models(folder: Path, folds: list[list[str]]) -> str:
    """Folders of models with their lists, as a generator's name."""
    for fold, sources in enumerate(folds):
        (folder / str(fold)).mkdir(parents=True)
        write_held_out(folder / str(fold), sources, fold=fold)
    return f"edits+ct2:{folder}/{{fold}}"


def test_sources_that_were_held_out_pass_however_they_are_typed(tmp_path: Path) -> None:
    generator = models(tmp_path, [SOURCES[:4], SOURCES[4:]])
    check_held_out(generator, 0, SOURCES[:4])
    check_held_out(generator, 1, SOURCES[5:6])
    check_held_out(generator, 1, [SOURCES[5].upper().replace(" ", "  ").replace("Й", "\u0418\u0306")])


def test_the_first_source_that_was_not_held_out_is_named(tmp_path: Path) -> None:
    generator = models(tmp_path, [SOURCES[:4], SOURCES[4:]])
    with pytest.raises(BadInput, match=r"/1 is not known to have held out 'Старый дом номер 2 .*--seed 0, --folds 5"):
        check_held_out(generator, 1, [SOURCES[5], SOURCES[2], SOURCES[1]])
    with pytest.raises(BadInput, match="not known"):
        check_held_out(generator, 0, [SOURCES[0] + " Вот."])


def test_every_model_of_a_fold_is_asked_and_no_other(tmp_path: Path) -> None:
    one, two = (models(tmp_path / name, [SOURCES[:n]]) for name, n in (("a", 4), ("b", 3)))
    both = f"{one}+{two.removeprefix('edits+')}+ct2:no/such/model"
    check_held_out(both, 0, SOURCES[:3])
    with pytest.raises(BadInput, match=r"b/0 is not known.*номер 3"):
        check_held_out(both, 0, SOURCES[:4])
    check_held_out("edits+ct2:no/such/model", 0, SOURCES)


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"never_seen": "all"}', '{"never_seen": null}'])
def test_a_model_that_does_not_say_is_refused(text: str | None, tmp_path: Path) -> None:
    generator = models(tmp_path, [SOURCES])
    path = held_out_file(tmp_path / "0")
    path.unlink() if text is None else path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match="does not say" if text is None else "no list `never_seen`"):
        check_held_out(generator, 0, SOURCES[:1])
    with pytest.raises(BadInput, match="does not say"):
        check_held_out("edits+ct2:org/on-the-hub-{fold}", 0, SOURCES[:1])


def test_a_list_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match=r"held_out\.json"):
        write_held_out(tmp_path / "missing", SOURCES, fold=0)


@pytest.fixture
def recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Recordings of two folds with their lists, for `edits` joined with them; no edit model is trained."""
    monkeypatch.setattr("training.edit_model.train_edit_model", lambda *_: EditModel.load())
    folds = folds_of(len(SOURCES), 2, 0)
    for fold in (0, 1):
        path = tmp_path / f"drawn-{fold}.jsonl"
        recorder = Recorder(str(path))
        for source in SOURCES:
            recorder.write(source, [Candidate(SHORT, generator="replay"), Candidate(source[:-1] + " и сада.")])
        write_held_out(path, [SOURCES[i] for i in np.flatnonzero(folds == fold)], fold=fold)
    return f"edits+replay:{tmp_path}/drawn-{{fold}}.jsonl"


@pytest.fixture
def run(recordings: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """`training.weights` on the recordings of two folds, with other arguments: exit status and what went wrong."""
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("\n".join(f"{source}\t{SHORT}" for source in SOURCES), encoding="utf-8")
    given = ["--sources", str(pairs), "--generator", recordings, "--folds", "2", "--settings", "20", "--samples", "100"]

    def call(*arguments: str) -> tuple[int, str]:
        status = weights.main([*given, "--processes", "1", "--out", str(tmp_path / "out"), *arguments])
        return status, capsys.readouterr().err

    return call


def test_weights_take_the_folds_of_the_models_and_no_others(
    run: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    assert run("--cross-fit") == (0, "")
    (tmp_path / "out" / "preset.yaml").unlink()
    for arguments in (("--seed", "1"), ("--folds", "3"), ("--limit", "6")):
        status, error = run("--cross-fit", *arguments)
        assert status == 1, arguments
        assert "not known to have held out 'Старый дом" in error or "does not say" in error
    # They are refused before anything is drawn, and also where tables are there already.
    assert not (tmp_path / "out" / "preset.yaml").exists()


def test_without_cross_fitting_there_are_no_folds(run: Callable[..., tuple[int, str]]) -> None:
    status, error = run()
    assert status == 2
    assert "names a model for each fold" in error
    assert "--cross-fit" in error


def test_gain_takes_the_folds_of_the_models_and_no_others(recordings: str, tmp_path: Path) -> None:
    options = gain.WeightOptions(generator=recordings, n=3, seed=1, folds=2, cross_fit=True)
    examples = [Example(source, (SHORT,)) for source in SOURCES]
    with pytest.raises(BadInput, match="not known to have held out"):
        gain._pools(examples, options, tmp_path)
    assert not (tmp_path / "models").exists()
    pools = gain._pools(examples, options.model_copy(update={"seed": 0}), tmp_path)
    assert len(pools.measured) == len(SOURCES)
    assert pools.folds == folds_of(len(SOURCES), 2, 0).tolist()


def test_a_generator_without_edits_is_refused_with_its_models(recordings: str, tmp_path: Path) -> None:
    options = gain.WeightOptions(generator=recordings.removeprefix("edits+"), folds=2, cross_fit=True)
    with pytest.raises(BadOption, match="--cross-fit with the generator"):
        gain._pools([Example(source, (SHORT,)) for source in SOURCES], options, tmp_path)
