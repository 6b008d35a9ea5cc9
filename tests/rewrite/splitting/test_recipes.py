"""The recipes of WebSplit that run the splitter name what it has."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import training.papers.websplit
from rewrite.splitting.options import SplitOptions
from rewrite.splitting.splitter import SPLIT_PRESETS, Splitter

RECIPES = sorted((Path(training.papers.websplit.__file__).parent / "recipes").glob("split-edit*.yaml"))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_has_weights_of_components_there_are(path: Path) -> None:
    asked = yaml.safe_load(path.read_text(encoding="utf-8"))["edit"]
    assert Splitter(SplitOptions(**asked)).weights["caution"] == asked["weights"]["caution"]


@pytest.mark.parametrize("preset", SPLIT_PRESETS)
def test_a_preset_weighs_every_component_and_no_other(preset: str) -> None:
    splitter = Splitter(SplitOptions(preset=preset))
    assert set(SPLIT_PRESETS[preset]) == {scorer.name for scorer in splitter.scorers}
