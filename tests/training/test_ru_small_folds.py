"""The models of the cross-validation learn from everything but their own fold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rerank.errors import BadInput
from rewrite.datasets import load_rsse
from training import ru_small_folds
from training.recipe import Recipe, Run, load_recipe
from training.ru_small_folds import sources_of_folds, train_folds, without_fold
from training.weighting.held_out import check_held_out

SOURCES = [f"Старый дом номер {i} стоит на берегу большой реки." for i in range(10)]


def test_a_fold_is_left_out_and_nothing_else_changes() -> None:
    recipe = load_recipe("ru-small")
    own = without_fold(recipe, 3)
    assert recipe.finetune is not None
    assert own.finetune is not None
    before, after = ([file.path for file in r.finetune.files] for r in (recipe, own))  # type: ignore[union-attr]
    assert [path.replace("rsse-without-3", "rsse") for path in after] == before
    assert "rsse.jsonl" not in " ".join(after)
    same = own.finetune.model_copy(update={"pairs": recipe.finetune.pairs})
    assert same == recipe.finetune


def test_a_recipe_that_does_not_learn_from_the_folds_is_refused() -> None:
    with pytest.raises(BadInput, match=r"rsse\.jsonl"):
        without_fold(load_recipe("ru-small-general"), 0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with ten sources."""
    folder = tmp_path / "data" / "rsse"
    folder.mkdir(parents=True)
    rows = "".join(f'"{source}","Дом {i} стоит."\n' for i, source in enumerate(SOURCES))
    (folder / "dev_sents.csv").write_text(f"INPUT:source,OUTPUT:output\n{rows}", encoding="utf-8")
    return folder.parent


def write_pairs(folder: Path, data: Path, *, leaking: int | None = None) -> Recipe:
    """A recipe, and pairs for each fold; the fold `leaking` learns from its own sources as well."""
    folder.mkdir(exist_ok=True)
    folds = sources_of_folds(load_rsse(data / "rsse" / "dev_sents.csv"))
    for fold, own in enumerate(folds):
        seen = [source for source in SOURCES if source not in own or fold == leaking]
        rows = (json.dumps({"source": source, "target": "Дом стоит."}, ensure_ascii=False) for source in seen)
        (folder / f"rsse-without-{fold}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    finetune = {"model": "m", "pairs": [str(folder / "rsse.jsonl")], "epochs": 1}
    return Recipe.model_validate({"name": "small", "finetune": finetune})


def test_each_model_lists_the_sources_that_its_pairs_lack(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[Run] = []

    def finetune(run: Run) -> Path:
        trained.append(run)
        (run.out / "model").mkdir(parents=True)
        return run.out / "model"

    monkeypatch.setattr(ru_small_folds, "finetune", finetune)
    train_folds(write_pairs(tmp_path / "pairs", data), tmp_path / "out", str(data))
    assert [run.recipe.name for run in trained] == [f"small-{fold}" for fold in range(5)]
    folds = sources_of_folds(load_rsse(data / "rsse" / "dev_sents.csv"))
    assert sorted(source for own in folds for source in own) == sorted(SOURCES)
    spec = f"ct2:{tmp_path / 'out'}/{{fold}}/model"
    for fold, own in enumerate(folds):
        check_held_out(spec, fold, own)
        for source in set(SOURCES) - set(own):
            with pytest.raises(BadInput, match="not known to have held out"):
                check_held_out(spec, fold, [source])


def test_pairs_that_hold_a_source_of_their_fold_are_refused_before_any_training(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ru_small_folds, "finetune", lambda run: pytest.fail("trained"))
    recipe = write_pairs(tmp_path / "pairs", data, leaking=4)
    with pytest.raises(BadInput, match=r"rsse-without-4\.jsonl holds 'Старый дом.*small-4 must not see"):
        train_folds(recipe, tmp_path / "out", str(data))
