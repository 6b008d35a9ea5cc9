"""Recipes: every shipped one holds, and what is wrong with another is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.errors import BadInput
from training.recipe import Recipe, Run, load_recipe, shipped_recipes


def _load(folder: Path, text: str) -> Recipe:
    path = folder / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    return load_recipe(path)


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_shipped_recipe_holds(name: str) -> None:
    assert load_recipe(name).name


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: a\nsede: 1\n", "sede: unknown key, did you mean seed?"),
        ("name: a\nfilter: {pairs: [x.tsv], job: 2}\n", "filter.job: unknown key, did you mean jobs?"),
        ("name: a\nfilter: {pairs: [x.tsv], thresholds: {lenght: 0.5}}\n", "did you mean length?"),
        ("name: a\nfilter: {pairs: [{path: x.tsv, sorce: 1}]}\n", "did you mean source?"),
        ("name: a\nfinetune: {model: m, dev: {path: x, patence: 2}}\n", "did you mean patience?"),
        ("name: a\nexport: {licence: mit, data: [{name: x, license: y}]}\n", "did you mean licence?"),
        ("name: a\nweights: {zzz: 1}\n", "weights.zzz: unknown key, known: sources, "),
        ("seed: 1\n", "name: missing"),
        ("name: a/../b\n", "name: string should match"),
        ("name: a\nseed: -1\n", "seed: input should be greater than or equal to 0, got -1"),
        ("- a\n", "expected a mapping"),
        ("name: [a\n", "line 2, column 1: not YAML"),
    ],
)
def test_what_is_wrong_is_told_with_its_key_or_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadInput) as caught:
        _load(tmp_path, text)
    assert "recipe.yaml" in caught.value.message
    assert told in caught.value.message


def test_a_recipe_that_is_not_there_is_answered_with_the_shipped_ones(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="ru-small") as caught:
        load_recipe(tmp_path / "none.yaml")
    assert "No such file" in caught.value.message


def test_paths_stand_in_the_data_folder_in_the_runs_own_or_where_the_command_runs(tmp_path: Path) -> None:
    run = Run(Recipe(name="a"), tmp_path / "out", str(tmp_path))
    assert run.path("{data}/x.csv") == tmp_path / "x.csv"
    assert run.path("{out}/model") == tmp_path / "out" / "model"
    assert run.path("x/y") == Path("x/y")


def test_a_data_folder_is_asked_for_only_where_a_path_needs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REWRITE_DATA", raising=False)
    run = Run(Recipe(name="a"), tmp_path)
    assert run.path("x.csv") == Path("x.csv")
    with pytest.raises(BadInput, match="--data"):
        run.path("{data}/x.csv")
