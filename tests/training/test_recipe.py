"""Recipes: every shipped one holds, and what is wrong with another is told with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rerank.errors import BadInput, UnknownName
from rewrite.errors import BadOption, exit_code
from tests.readme_blocks import ROOT
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
        ("name: a\nsede: 1\n", "sede: unknown key (did you mean seed?)"),
        ("name: a\nfilter: {pairs: [x.tsv], job: 2}\n", "filter.job: unknown key (did you mean jobs?)"),
        ("name: a\nfilter: {pairs: [x.tsv], thresholds: {lenght: 0.5}}\n", "did you mean length?"),
        ("name: a\nfilter: {pairs: [{path: x.tsv, sorce: 1}]}\n", "did you mean source?"),
        ("name: a\nfinetune: {model: m, dev: {path: x, patence: 2}}\n", "did you mean patience?"),
        ("name: a\nexport: {licence: mit, data: [{name: x, license: y}]}\n", "did you mean licence?"),
        ("name: a\nweights: {zzz: 1}\n", "weights.zzz: unknown key (known: sources, "),
        ("seed: 1\n", "name: missing"),
        ("name: a/../b\n", "name is 'a/../b': it should match pattern"),
        ("name: a\nseed: -1\n", "seed is -1: it should be greater than or equal to 0"),
        ("name: a\nseed: one\n", "seed is 'one': it should be a valid integer."),
        (
            "name: a\nfinetune: {model: m, precision: bf8}\n",
            "precision is 'bf8': it should be 'bf16', 'fp32' or 'fp16'",
        ),
        (
            "name: a\nfilter: {pairs: [{path: x, source: [1], target: 2}]}\n",
            "filter.pairs.0.source is [1]: it should be a valid string",
        ),
        ("name: a\nfilter: {pairs: []}\n", "filter.pairs is []: it should have at least 1 item"),
        (
            "name: a\nweights: {fixed: {caution: -1}}\n",
            "weights.fixed.caution is -1: it should be greater than or equal to 0",
        ),
        ("name: a\nexport: {licence: mit, data: [{name: x}]}\n", "no licence line for 'x'"),
        ("name: a\nexport: {licence: mit, data: [{name: x, licence: ' '}]}\n", "no licence line for 'x'"),
        ("name: a\nexport: {licence: mit, data: []}\n", "export.data is []: it should have at least 1 item"),
        ("name: a\nexport: {licence: mit}\n", "export.data: missing"),
        ("name: a\nexport: {licence: other, data: [{name: x, licence: y}]}\n", "licence_name has to say which"),
        ("name: a\nexport: 3\n", "export is 3: it should be a valid dictionary."),
        ("name: a\nfinetune: {steps: 1}\n", "finetune.model: missing"),
    ],
)
def test_what_no_recipe_takes_is_told_with_its_key_in_plain_words(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadOption) as caught:
        _load(tmp_path, text)
    assert exit_code(caught.value) == 2
    assert "recipe.yaml" in caught.value.message
    assert told in caught.value.message
    assert not re.search(r"[Ii]nput should|unable to|\?\.|constrained", str(caught.value))


@pytest.mark.parametrize(
    ("text", "told"), [("- a\n", "expected a mapping"), ("name: [a\n", "line 2, column 1: not YAML")]
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadInput) as caught:
        _load(tmp_path, text)
    assert "recipe.yaml" in caught.value.message
    assert told in caught.value.message


def test_one_wrong_item_of_a_list_is_one_fault(tmp_path: Path) -> None:
    with pytest.raises(BadOption) as caught:
        _load(tmp_path, "name: a\nfilter: {pairs: [{path: x.tsv, sorce: 1}]}\n")
    assert str(caught.value).endswith("unknown key (did you mean source?). See docs/filter.md.")


@pytest.mark.parametrize(
    ("section", "page"),
    [
        ("filter: {zzz: 1}", "filter.md"),
        ("finetune: {zzz: 1}", "finetune.md"),
        ("export: {zzz: 1}", "base-model.md"),
        ("weights: {zzz: 1}", "tuning.md"),
        ("zzz: 1", "training.md"),
    ],
)
def test_the_page_of_the_section_is_named_and_is_there(tmp_path: Path, section: str, page: str) -> None:
    with pytest.raises(BadOption) as caught:
        _load(tmp_path, f"name: a\n{section}\n")
    assert f"See docs/{page}" in caught.value.hint
    assert (ROOT / "docs" / page).is_file()


def test_a_shipped_name_that_is_misspelt_is_answered_with_the_closest() -> None:
    with pytest.raises(UnknownName, match=r"'gemma-r'\. Did you mean gemma-ru\?"):
        load_recipe("gemma-r")


def test_a_recipe_that_is_not_there_is_answered_with_the_shipped_ones(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="gemma-ru") as caught:
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
