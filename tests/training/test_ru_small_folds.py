"""The models of the cross-validation learn from everything but their own fold."""

from __future__ import annotations

import pytest

from rerank.errors import BadInput
from training.recipe import load_recipe
from training.ru_small_folds import without_fold


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
