"""A splitter from nothing: it learns, goes on after a stop, and its folder runs without torch."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from rerank.errors import ModelNotFound
from rewrite.errors import BadInput, BadModel, BadOption
from rewrite.splitting.model import SplitModel
from rewrite.splitting.split import render
from tests.rewrite.splitting.marking import analyzer, words_in
from tests.training.heads import (
    Place,
    broken_copy,
    open_recipe,
    stop_and_go_on,
    without_torch,
    write_data,
    write_encoder,
    write_recipe,
)
from training.heads.examples import read_examples
from training.recipe import load_recipe
from training.splitter import main, splitter
from training.splitting.examples import Example

SOURCE = "Anna Brown was born in Oslo and she sold the old house in 1950 ."
SPLIT = ("Anna Brown was born in Oslo .", "She sold the old house in 1950 .")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("splitter")
    found = Place(write_data(folder / "data"), write_encoder(folder / "encoder"), folder / "run")
    assert splitter(open_recipe(folder, found.run, found.data, found.encoder)) == found.model
    return found


def test_it_learns_where_to_cut_and_what_to_drop(place: Place) -> None:
    figures = json.loads((place.run / "figures.json").read_text(encoding="utf-8"))
    assert figures["steps"] == 24
    assert figures["right cut"] == figures["right drop"] == 1.0
    assert figures["loss cut"] < 0.1


def test_the_packed_folder_splits_a_sentence_that_it_has_not_seen(place: Place) -> None:
    model = SplitModel(place.model, threads=1)
    words = words_in(SOURCE)
    ((splits, whole),) = model.propose([words])
    assert render(words, splits[0]) == SPLIT
    assert whole < splits[0].logprob <= 0
    assert [one.logprob for one in splits] == sorted((one.logprob for one in splits), reverse=True)


def test_a_sentence_has_the_splits_that_it_has_alone(place: Place) -> None:
    model = SplitModel(place.model, threads=1)
    texts = [SOURCE, "He left Rome .", "Tom Smith was born in Vienna and played for the club in 1970 ."]
    together = model.propose([words_in(text) for text in texts])
    for text, (splits, whole) in zip(texts, together, strict=True):
        ((alone, none),) = model.propose([words_in(text)])
        assert [one.start for one in alone[:3]] == [one.start for one in splits[:3]]
        assert none == pytest.approx(whole, abs=1e-3)
    assert model.propose([]) == []


def test_the_folder_has_a_card_checksums_and_a_signature(place: Place) -> None:
    card = json.loads((place.model / "card.json").read_text(encoding="utf-8"))
    assert (card["name"], card["task"]) == ("split-tiny", "splitting of English sentences")
    assert card["data"][0]["licence"] == "none stated"
    assert card["parser"] == analyzer().signature
    made = json.loads((place.run / "splitter" / "run.json").read_text(encoding="utf-8"))
    assert made["splitter.parser"] == card["parser"]
    summed = (place.model / "SHA256SUMS").read_text(encoding="utf-8")
    assert all(name in summed for name in ("model.bin", "head.npz", "openers.json", "tokenizer.json", "masked.json"))
    assert SplitModel(place.model).signature().startswith("splitter:split-tiny@")


def test_nothing_is_learnt_from_what_measures_or_from_the_dev_set(place: Place) -> None:
    examples = place.run / "splitter" / "examples"
    learnt = {one.origin for one in read_examples(Example, examples / "train.jsonl")}
    # The rows that measure are the eighth and ninth of those to learn from.
    assert not {"wikisplit-tune:8", "wikisplit-tune:9"} & learnt
    assert {"wikisplit-tune:1", "wikisplit-tune:60"} <= learnt
    assert {one.origin for one in read_examples(Example, examples / "dev.jsonl")} == {
        f"wikisplit-dev:{number}" for number in range(3501, 3505)
    }


def test_it_runs_where_there_is_no_torch(place: Place) -> None:
    code = (
        "from rewrite.splitting.model import SplitModel\n"
        "from rewrite.splitting.parsed_words import read_words, sentence_analyzer\n"
        f"model = SplitModel(Path({str(place.model)!r}), threads=1)\n"
        f"print(len(model.propose(read_words([{SOURCE!r}], sentence_analyzer()))[0][0]))"
    )
    assert int(without_torch(code)) > 0


def test_a_run_that_was_stopped_goes_on_and_ends_with_the_same_weights(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(write_recipe(tmp_path, place.encoder)), "--out", str(tmp_path / "run"), "--data", str(place.data)]
    out = stop_and_go_on(main, arguments, monkeypatch, capsys)
    assert "step 6/24" not in out
    assert "step 24/24" in out
    for name in ("model/model.bin", "model/openers.json", "figures.json"):
        assert (tmp_path / "run" / name).read_bytes() == (place.run / name).read_bytes(), name


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("openers.json", None),
        ("openers.json", "[["),
        ("openers.json", "5"),
        ("head.npz", None),
        ("head.npz", "no arrays"),
        ("masked.json", None),
        ("masked.json", "{}"),
        ("tokenizer.json", "{}"),
        ("tokenizer.json", None),
        ("model.bin", None),
    ],
)
def test_a_missing_or_broken_file_is_named(place: Place, tmp_path: Path, name: str, content: str | None) -> None:
    copy = broken_copy(place.model, tmp_path / "copy", name, content)
    with pytest.raises(ModelNotFound) as refused:
        SplitModel(copy, threads=1).propose([words_in(SOURCE)])
    assert name in str(refused.value)
    assert str(copy) in str(refused.value)
    assert "training.splitter" in refused.value.hint


def test_a_packed_model_with_a_small_window_is_named(place: Place, tmp_path: Path) -> None:
    copy = shutil.copytree(place.model, tmp_path / "copy")
    settings = json.loads((copy / "masked.json").read_text(encoding="utf-8"))
    (copy / "masked.json").write_text(json.dumps({**settings, "window": 121}), encoding="utf-8")
    with pytest.raises(BadModel, match="window holds 121 tokens, a splitter needs one of 122") as refused:
        SplitModel(copy)
    assert str(copy) in str(refused.value)


class TestRecipes:
    def test_the_shipped_one_loads(self) -> None:
        options = load_recipe("split-en").splitter
        assert options is not None
        assert options.dev not in options.sets
        assert all((item.licence or "").strip() for item in options.data)

    @pytest.mark.parametrize(
        ("changed", "told"),
        [
            ({"sets": ["wikisplt"]}, "no set is named wikisplt"),
            ({"sets": []}, "sets"),
            ({"dev": "test"}, "no set is named test"),
            ({"whole": {"minwiki": 1.5}}, "whole"),
            ({"repeat": {"minwiki": 0}}, "repeat"),
            ({"stepz": 5}, "did you mean steps"),
            ({"data": [{"name": "x"}]}, "no licence line for 'x'"),
        ],
    )
    def test_a_bad_value_is_refused_with_its_key(self, tmp_path: Path, changed: dict[str, object], told: str) -> None:
        with pytest.raises(BadOption, match=told):
            load_recipe(write_recipe(tmp_path, tmp_path, **changed))

    def test_one_without_the_section_is_told(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "a.yaml").write_text("name: a\n", encoding="utf-8")
        assert main([str(tmp_path / "a.yaml"), "--out", str(tmp_path / "out")]) == 2
        assert "no section splitter" in capsys.readouterr().err

    def test_another_recipe_in_the_same_folder_is_refused(self, place: Place, tmp_path: Path) -> None:
        with pytest.raises(BadOption, match=r"splitter\.steps is 30, was 24"):
            splitter(open_recipe(tmp_path, place.run, place.data, place.encoder, steps=30))

    def test_a_data_folder_without_the_set_is_named(self, place: Place, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match=r"validation\.tsv"):
            splitter(open_recipe(tmp_path, tmp_path / "run", tmp_path, place.encoder))

    @pytest.mark.parametrize(
        ("window", "told"), [(64, "its window holds 64 tokens"), (None, r"config\.json: it is not that of a BERT")]
    )
    def test_a_masked_model_that_does_not_fit_is_named_at_once(
        self, place: Place, tmp_path: Path, window: int | None, told: str
    ) -> None:
        encoder = tmp_path / "encoder" if window is None else write_encoder(tmp_path / "encoder", window=window)
        with pytest.raises(BadModel, match=told) as refused:
            splitter(open_recipe(tmp_path, tmp_path / "run", place.data, encoder))
        assert str(encoder) in str(refused.value)
        assert "masked" in refused.value.hint
        assert not (tmp_path / "run" / "splitter" / "examples").exists()
