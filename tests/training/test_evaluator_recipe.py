"""What the section of an evaluator may say: what it learns from, what is refused, and the recipes that are shipped."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from rewrite.errors import BadInput, BadOption
from tests.training.heads import (
    Place,
    open_evaluator,
    open_recipe,
    pairs,
    write_data,
    write_encoder,
    write_evaluator_recipe,
)
from training.evaluating.examples import HUMAN_LABELLED, Taught, taught_examples
from training.evaluator import evaluator
from training.heads.examples import read_examples
from training.recipe import load_recipe


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("evaluator")
    return Place(write_data(folder / "data"), write_encoder(folder / "encoder"), folder / "run")


def learnt_from(place: Place, folder: Path, **changed: Any) -> list[Taught]:
    """The examples that a run of one step learns from."""
    run = open_evaluator(folder, folder / "run", place.data, str(place.encoder), steps=1, save_every=1, **changed)
    evaluator(run)
    return list(read_examples(Taught, run.out / "evaluator" / "examples" / "train.jsonl"))


def test_what_people_said_is_learnt_by_the_output_that_the_recipe_names(place: Place, tmp_path: Path) -> None:
    folder = place.data / "rucola" / "data"
    folder.mkdir(parents=True, exist_ok=True)
    rows = "id,sentence,acceptable,error_type,detailed_source\n0,He left .,1,0,x\n1,Left he the .,0,Syntax,x\n"
    (folder / "in_domain_train.csv").write_text(rows, encoding="utf-8")
    learnt = learnt_from(place, tmp_path, rated={"rucola": "grammar"})
    told = {one.text: (one.source, one.labels) for one in learnt if one.kind == HUMAN_LABELLED}
    assert told == {"He left .": ("", {"grammar": 1.0}), "Left he the .": ("", {"grammar": 0.0})}


def test_sources_are_learnt_as_their_own_texts_where_the_recipe_says_so(place: Place, tmp_path: Path) -> None:
    learnt = learnt_from(place, tmp_path, copies=1.0)
    good = {(one.source, one.text) for one in learnt if not one.kind and one.source}
    assert {(source, source) for source, _ in good} <= good


def test_sentences_of_sources_may_be_good_texts_too(place: Place, tmp_path: Path) -> None:
    learnt = learnt_from(place, tmp_path, extracts=0.5, outputs={"grammar": ["word-replacement"]})
    taken = [one for one in learnt if not one.kind and one.text in one.source]
    assert all(one.labels == {"grammar": 1.0} for one in taken)
    sources = {one.source for one in learnt}
    assert 0.2 < len({one.source for one in taken}) / len(sources) < 0.8
    of_taken = {one.group for one in taken}
    mutated = [one for one in learnt if one.kind and one.group in of_taken]
    assert len(mutated) > len(taken)


def test_an_output_may_learn_whether_a_text_was_mutated_and_not_how_much(place: Place, tmp_path: Path) -> None:
    learnt = learnt_from(place, tmp_path, binary=["quality"])
    assert {one.labels["quality"] for one in learnt if one.kind and "quality" in one.labels} == {0.0}
    assert {one.labels["grammar"] for one in learnt if one.kind and "grammar" in one.labels} != {0.0}
    assert {value for one in learnt if not one.kind for value in one.labels.values()} == {1.0}


def test_sentences_are_learnt_from_with_words_that_are_wrong_by_chance(place: Place, tmp_path: Path) -> None:
    run = open_evaluator(
        tmp_path, tmp_path / "run", place.data, "bundled:en", likelihood=["grammar"], sentences={"wikisplit": 60}
    )
    assert run.recipe.evaluator is not None
    found = [one for one in taught_examples(run.recipe.evaluator, run, "train") if one.group < 0]
    counts = Counter(one.kind for one in found)
    assert set(counts) == {"", "slips"}
    assert {one.source for one in found} == {""}
    assert all(one.labels == {"grammar": float(not one.kind)} for one in found)


def test_texts_of_a_file_of_ones_own_will_do(place: Place, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    rows = [{"source": joined, "text": " ".join(simple)} for joined, simple in pairs(100, 20)]
    own.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    changed: dict[str, Any] = {"positives": {str(own): 20}, "epochs": 0.5, "batch_rows": 4, "save_every": 1}
    evaluator(open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder), **changed))
    learnt = list(read_examples(Taught, tmp_path / "run" / "evaluator" / "examples" / "train.jsonl"))
    assert {one.source for one in learnt} - {""} <= {row["source"] for row in rows}
    figures = json.loads((tmp_path / "run" / "figures.json").read_text(encoding="utf-8"))
    # Half an epoch, four pairs a batch.
    assert figures["steps"] == pytest.approx(len(learnt) / 4 / 2, abs=2)


def test_a_recipe_without_the_section_is_told(place: Place, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="has no section evaluator"):
        evaluator(open_recipe(tmp_path, tmp_path / "run", place.data, place.encoder))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"outputs": {"quality": ["word-delition"]}}, "word-delition"),
        ({"outputs": {"quality": []}}, "quality"),
        ({"binary": ["grammer"]}, "no output is named grammer"),
        ({"rated": {"rucola": "grammer"}}, "no output is named grammer"),
        ({"encoder": "hf:bert"}, "takes head: cls"),
        ({"likelihood": ["grammer"]}, "no output is named grammer"),
        ({"likelihood": ["grammar"], "encoder": "runs/encoder"}, "goes with a bundled encoder"),
        ({"sentences": {"wikitext": 5}}, "no output is in `likelihood`"),
        ({"epochs": 0}, "epochs"),
        ({"window": 4}, "window"),
    ],
)
def test_a_bad_value_is_refused_with_its_key(tmp_path: Path, changed: dict[str, object], told: str) -> None:
    with pytest.raises(BadOption, match=told):
        load_recipe(write_evaluator_recipe(tmp_path, "bundled:en", **changed))


def test_steps_and_epochs_are_not_both_told(tmp_path: Path) -> None:
    path = write_evaluator_recipe(tmp_path, "bundled:en")
    path.write_text(path.read_text(encoding="utf-8").replace("steps: 80", "steps: 80\n  epochs: 2"), encoding="utf-8")
    with pytest.raises(BadOption, match="either steps or epochs"):
        load_recipe(path)


def test_a_set_that_there_is_none_of_is_told(place: Place, tmp_path: Path) -> None:
    run = open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder), positives={"newsroom": 5})
    with pytest.raises(BadInput, match="No set and no file"):
        evaluator(run)


@pytest.mark.parametrize("name", ["evaluator-summaries-en", "evaluator-rewrites-en", "evaluator-rewrites-ru"])
def test_the_shipped_recipes_read_nothing_that_measures(name: str) -> None:
    options = load_recipe(name).evaluator
    assert options is not None
    assert not {"newsroom", "qags", "wikisplit-dev"} & set(options.positives)
    assert set(options.outputs) == {"quality", "grammar", "content"}


def test_the_setting_of_the_paper_is_a_recipe() -> None:
    options = load_recipe("evaluator-bert").evaluator
    assert options is not None
    assert (options.learning_rate, options.epochs, options.batch_rows) == (1e-5, 3, 14)
    assert (options.window, options.negatives, options.loss, options.head) == (512, 5, "mse", "cls")
