"""Weights refuse what is wrong, and are merged in the promised order."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rerank.errors import BadInput, BadWeights
from rerank.weights import PRESETS, RELEASED_THRESHOLD, Weights, knob_weights, load_preset

KNOWN = (
    *("similarity", "entities", "lexical", "depth", "length", "readability"),
    *("structure", "brevity", "likelihood", "caution"),
)


@given(st.floats().filter(lambda x: not (math.isfinite(x) and x >= 0)))
def test_negative_infinite_and_nan_weights_are_refused(value: float) -> None:
    with pytest.raises(BadWeights, match="length"):
        Weights({"length": value})


@pytest.mark.parametrize("value", ["2", None, True, [1]])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(BadWeights, match="not a number"):
        Weights({"length": value})  # type: ignore[dict-item]


def test_an_unknown_name_lists_the_known_ones_and_the_closest() -> None:
    with pytest.raises(BadWeights) as caught:
        Weights.resolve(KNOWN, explicit={"similarty": 1})
    text = str(caught.value)
    assert "'similarty'" in text
    assert "Did you mean 'similarity'?" in text
    assert all(name in text for name in KNOWN)


def test_an_unknown_preset_lists_the_known_ones() -> None:
    with pytest.raises(BadWeights, match=r"'acurate'.*'accurate'.*balanced"):
        Weights.resolve(KNOWN, preset="acurate")


def test_later_layers_override_earlier_ones() -> None:
    presets = {
        "balanced": {"length": 1.0, "depth": 2.0},
        "accurate": {"length": 0.0},
        "simple": {"length": 9.0},
        "mine": {"length": 3.0, "depth": 4.0},
    }
    known = ("length", "depth", "lexical")
    assert Weights.resolve(known, presets=presets) == {"length": 1.0, "depth": 2.0, "lexical": 0.0}
    assert Weights.resolve(known, preset="mine", presets=presets) == {"length": 3.0, "depth": 4.0, "lexical": 0.0}
    with_knob = Weights.resolve(known, preset="mine", control=10, presets=presets)
    assert with_knob["length"] == 9.0
    assert Weights.resolve(known, control=10, explicit={"length": 5}, presets=presets)["length"] == 5.0


def test_named_presets_are_cut_down_to_what_is_scored_but_own_ones_are_not() -> None:
    assert set(Weights.resolve(("length",), preset="accurate")) == {"length"}
    with pytest.raises(BadWeights, match="'depth'"):
        Weights.resolve(("length",), preset={"depth": 1.0})


@pytest.mark.parametrize(("control", "preset"), [(0, "accurate"), (5, "balanced"), (10, "simple")])
def test_the_knob_passes_through_the_presets(control: float, preset: str) -> None:
    assert knob_weights(control) == pytest.approx(PRESETS[preset])


@given(st.floats(0, 10), st.floats(0, 10))
def test_more_control_never_weighs_meaning_more(a: float, b: float) -> None:
    low, high = sorted((a, b))
    before, after = knob_weights(low), knob_weights(high)
    assert after["similarity"] <= before["similarity"] + 1e-12
    assert after["length"] >= before["length"] - 1e-12


@pytest.mark.parametrize("control", [-0.1, 10.5, float("nan"), float("inf")])
def test_control_out_of_range_is_refused(control: float) -> None:
    with pytest.raises(BadWeights, match="0 to 10"):
        Weights.resolve(KNOWN, control=control)


def test_weights_are_frozen_and_hashable() -> None:
    weights = Weights({"length": 1})
    with pytest.raises(TypeError):
        weights._values["length"] = 2.0  # type: ignore[index]
    assert hash(weights) == hash(Weights({"length": 1.0}))
    assert weights.with_("length", 2) == {"length": 2.0}
    assert weights == {"length": 1.0}


def test_the_paper_preset_holds_the_exponents_of_the_released_code() -> None:
    released = {
        "similarity": 1.583,
        "depth": 0.208,
        "entities": 0.721,
        "lexical": 1.502,
        "length": 1.236,
        "readability": 0.334,
    }
    # What RuSimScore does not have must not count, not even with the default preset beneath.
    assert Weights.resolve(KNOWN, preset="paper") == {**dict.fromkeys(KNOWN, 0.0), **released}
    assert RELEASED_THRESHOLD == 0.8


def test_every_preset_weighs_every_component_that_is_always_measured() -> None:
    assert all(set(preset) == set(KNOWN) for preset in PRESETS.values())


def test_the_closer_to_the_source_the_more_what_guards_it_weighs() -> None:
    for guard in ("similarity", "entities", "structure", "caution"):
        weights = [PRESETS[name][guard] for name in ("accurate", "balanced", "simple")]
        assert weights == sorted(weights, reverse=True)
        assert weights[0] > weights[-1]


def test_the_presets_are_documented_as_they_are() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "scores-and-weights.md"
    rows = [[cell.strip().strip("`") for cell in line.split("|")[1:-1]] for line in page.read_text().splitlines()]
    names = next(row[1:] for row in rows if row[:1] == [""])
    shown = {
        row[0]: {name: float(cell) for name, cell in zip(names, row[1:], strict=True) if cell != "–"}
        for row in rows
        if row and row[0] in PRESETS
    }
    assert shown == PRESETS


def test_a_preset_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nweights: {length: 2, similarity: 0.5}\n", encoding="utf-8")
    assert load_preset(path) == ("mine", Weights({"length": 2.0, "similarity": 0.5}))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name: [", "line 2"),
        ("- 1", "mapping"),
        ("name: a\nweights: {length: 1}\nextra: 1", "'extra'"),
        ("weights: {length: 1}", "name"),
        ("name: a\nweights: [1]", "weights"),
        ("name: a\nweights: {1: 1}", "weights"),
        ("name: a\nweights: {length: -1}", "length=-1"),
        ("name: a\nweights: {length: x}", "length='x'"),
    ],
)
def test_a_bad_preset_file_names_file_and_place(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises((BadInput, BadWeights)) as caught:
        load_preset(path)
    assert str(path) in str(caught.value)
    assert place in str(caught.value)


def test_a_preset_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Cannot read"):
        load_preset(tmp_path / "none.yaml")
    path = tmp_path / "latin.yaml"
    path.write_bytes("name: имя".encode("cp1251"))
    with pytest.raises(BadInput, match="byte 6"):
        load_preset(path)
