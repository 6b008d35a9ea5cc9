"""What may be asked of a split, the presets, recipes that name them, and what is told of the steps."""

from __future__ import annotations

from typing import Any

import pytest

from rerank.likelihood import Caution, Consensus, Likelihood
from rerank.structure import Brevity, Splits
from rerank.weights import Weights
from rewrite.errors import BadOption
from rewrite.splitting.search import edits_of
from rewrite.splitting.split_options import SplitOptions
from rewrite.splitting.splitter import SPLIT_PRESETS, Splitter
from tests.rewrite.splitting.marking import marked

COMPONENTS = [scorer.name for scorer in (Splits, Brevity, Likelihood, Consensus, Caution)]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("sentences", 0),
        ("sentences", 51),
        ("sentences", "many"),
        ("max_words", 2),
        ("max_words", 1001),
        ("n", 0),
        ("best", 0),
        ("preset", ""),
        ("model", ""),
        ("control", -0.5),
        ("control", 10.5),
        ("control", float("nan")),
        ("weights", {"length": "heavy"}),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_options_name(option: str, value: Any) -> None:
    quoted = next(iter(value.values())) if isinstance(value, dict) else value
    with pytest.raises(BadOption) as refused:
        SplitOptions(**{option: value})
    option_name = "-w length" if option == "weights" else option
    assert option_name.replace("_", "-") in str(refused.value).replace("_", "-")
    assert str(quoted) in str(refused.value)


def test_an_unknown_option_is_refused_with_its_name() -> None:
    with pytest.raises(BadOption, match=r"sentence-count.*did you mean sentences"):
        SplitOptions(sentence_count=2)


def test_options_within_range_are_taken_as_they_are() -> None:
    options = SplitOptions(sentences=3, max_words=3, n=1000, control=0, weights={"splits": 2})
    assert (options.sentences, options.max_words, options.n, options.control) == (3, 3, 1000, 0)
    assert options.weights == {"splits": 2.0}
    assert SplitOptions() == SplitOptions()


@pytest.mark.parametrize("preset", SPLIT_PRESETS)
def test_a_preset_names_the_splitters_components_alone(preset: str) -> None:
    weights = Weights.resolve(COMPONENTS, preset=preset, control=None, explicit={}, presets=SPLIT_PRESETS, also=())
    assert dict(SPLIT_PRESETS[preset]) == {name: weights[name] for name in SPLIT_PRESETS[preset]}


def test_simple_weighs_splitting_higher_than_caution_and_accurate_the_other_way_round() -> None:
    share = {name: weights["splits"] / weights["caution"] for name, weights in SPLIT_PRESETS.items()}
    assert share["accurate"] < share["balanced"] < 1 < share["simple"]


@pytest.mark.parametrize(
    ("text", "opener", "lead", "steps"),
    [
        ("Tom left Rome{ and| he sold the house}.", "", 0, ("cut at “he sold …”", "dropped “and”")),
        (
            "Tom left Rome{, and| sold the house}.",
            "he also",
            0,
            ("cut at “sold the …”", "dropped “and”", "began with “he also”"),
        ),
        ("Tom left Rome{;| he sold the house}.", "", 0, ("cut at “he sold …”",)),
        (
            "Anna{, who| lives in Rome,} wrote it.",
            "she",
            0,
            ("took out “lives in …”", "dropped “who”", "began with “she”"),
        ),
        (
            "The house burned down{, making| way for a park}.",
            "this <past>",
            0,
            ("cut at “way for …”", "dropped “making”", "began with “this made”"),
        ),
        (
            "Although it rained{,| he went home}.",
            "however ,",
            1,
            ("cut at “he went …”", "dropped “Although”", "began with “however ,”"),
        ),
    ],
)
def test_the_steps_of_a_split_are_told(text: str, opener: str, lead: int, steps: tuple[str, ...]) -> None:
    assert edits_of(*marked(text, opener, lead=lead)) == steps


@pytest.mark.parametrize("preset", SPLIT_PRESETS)
def test_a_preset_weighs_every_component_and_no_other(preset: str) -> None:
    splitter = Splitter(SplitOptions(preset=preset))
    assert set(SPLIT_PRESETS[preset]) == {scorer.name for scorer in splitter.scorers}
