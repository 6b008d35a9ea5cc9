"""A judge of whole sentences from nothing: it learns, goes on after a stop, and its folder says what torch says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from rerank.errors import ModelNotFound
from rewrite.errors import BadModel, BadOption
from rewrite.splitting.wholeness import SentenceJudge
from tests.training.heads import (
    Place,
    broken_copy,
    open_recipe,
    open_whole,
    pairs,
    stop_and_go_on,
    without_torch,
    write_data,
    write_encoder,
    write_whole_recipe,
)
from training.finetuning.trainer import best_checkpoint
from training.heads.examples import read_examples
from training.masked.corpora import HeldBack
from training.recipe import load_recipe
from training.whole.examples import Example
from training.whole.network import WholeBatches, WholeNetwork, probabilities
from training.wholeness import main, wholeness

GOOD = ["Anna Brown was born in Oslo .", "She sold the old house in 1950 .", "Tom Smith was born in Paris ."]
BAD = ["Was born in Oslo .", "They was born in Oslo .", "Because she sold the old house in 1950 .", "In 1950 ."]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("wholeness")
    found = Place(write_data(folder / "data"), write_encoder(folder / "encoder"), folder / "run")
    assert wholeness(open_whole(folder, found.run, found.data, found.encoder)) == found.model
    return found


def test_it_learns_to_tell_whole_sentences_from_broken_ones(place: Place) -> None:
    figures = json.loads((place.run / "figures.json").read_text(encoding="utf-8"))
    assert figures["steps"] == 60
    assert figures["auc"] > 0.9
    judge = SentenceJudge(place.model, threads=1)
    assert judge.probabilities(GOOD).min() > judge.probabilities(BAD).max()


def test_the_packed_folder_says_what_the_network_says(place: Place) -> None:
    from safetensors.torch import load_file

    network = WholeNetwork(place.encoder, 0.0)
    best, _ = best_checkpoint(place.run / "whole" / "checkpoints")
    network.load_state_dict(load_file(best / "model.safetensors"))
    # One is longer than the window of 122.
    texts = [*GOOD, *BAD, "He met the mayor , " * 40 + "and left .", "They sold the old house"]
    examples = [Example(text, True, "good", "x:1") for text in texts]
    batches = WholeBatches(examples, place.encoder, tokens=512, seed=0)
    wanted = probabilities(network, batches)
    found = SentenceJudge(place.model, threads=1).probabilities(texts)
    assert np.abs(found - wanted).max() < 0.02
    assert wanted.max() - wanted.min() > 0.5


def test_nothing_is_learnt_from_what_measures_or_from_the_dev_side(place: Place) -> None:
    examples = place.run / "whole" / "examples"
    learnt, dev = (list(read_examples(Example, examples / f"{side}.jsonl")) for side in ("train", "dev"))
    # The rows that measure are the eighth and ninth of those to learn from.
    assert not {"wikisplit-tune:8", "wikisplit-tune:9"} & {one.origin for one in (*learnt, *dev)}
    assert not {one.origin for one in learnt} & {one.origin for one in dev}
    held = HeldBack(text for joined, simple in [*pairs(7, 2), *pairs(1000, 4)] for text in (joined, *simple))
    looked_at = HeldBack(one.text for one in dev if one.kind == "good")
    whole = [one.text for one in learnt if one.kind == "good"]
    assert whole
    assert not [text for text in whole if text in held or text in looked_at]


def test_the_folder_has_a_card_checksums_and_a_signature(place: Place) -> None:
    card = json.loads((place.model / "card.json").read_text(encoding="utf-8"))
    assert (card["name"], card["task"]) == ("whole-tiny", "telling whole English sentences from broken ones")
    assert card["data"][0]["licence"] == "none stated"
    summed = (place.model / "SHA256SUMS").read_text(encoding="utf-8")
    assert all(name in summed for name in ("model.bin", "head.npz", "tokenizer.json", "masked.json"))
    assert SentenceJudge(place.model).signature().startswith("whole:whole-tiny@")


def test_it_runs_where_there_is_no_torch(place: Place) -> None:
    code = (
        "from rewrite.splitting.wholeness import SentenceJudge\n"
        f"print(SentenceJudge(Path({str(place.model)!r}), threads=1).probabilities([{GOOD[0]!r}])[0])"
    )
    assert 0 <= float(without_torch(code)) <= 1


def test_a_run_that_was_stopped_goes_on_and_ends_with_the_same_weights(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        str(write_whole_recipe(tmp_path, place.encoder)),
        *("--out", str(tmp_path / "run"), "--data", str(place.data)),
    ]
    out = stop_and_go_on(main, arguments, monkeypatch, capsys)
    assert "step 30/60" in out
    assert "step 60/60" in out
    for name in ("model/model.bin", "figures.json"):
        assert (tmp_path / "run" / name).read_bytes() == (place.run / name).read_bytes(), name


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("head.npz", None),
        ("head.npz", "no arrays"),
        ("masked.json", None),
        ("masked.json", "{}"),
        ("tokenizer.json", "{}"),
        ("model.bin", None),
    ],
)
def test_a_missing_or_broken_file_is_named(place: Place, tmp_path: Path, name: str, content: str | None) -> None:
    copy = broken_copy(place.model, tmp_path / "copy", name, content)
    with pytest.raises(ModelNotFound) as refused:
        SentenceJudge(copy, threads=1).probabilities(GOOD)
    assert str(copy) in str(refused.value)
    assert "training.wholeness" in refused.value.hint


def test_the_head_of_another_model_is_no_head(place: Place, tmp_path: Path) -> None:
    copy = shutil.copytree(place.model, tmp_path / "copy")
    np.savez(copy / "head.npz", words=np.zeros(3))
    with pytest.raises(ModelNotFound, match=r"head\.npz: it cannot be read"):
        SentenceJudge(copy, threads=1).probabilities(GOOD)


def test_what_the_splitter_proposes_is_learnt_from_where_the_recipe_says_so(place: Place, tmp_path: Path) -> None:
    changed = {"proposals": 20, "each": 2, "steps": 1, "save_every": 1}
    wholeness(open_whole(tmp_path, tmp_path / "run", place.data, place.encoder, **changed))
    learnt = list(read_examples(Example, tmp_path / "run" / "whole" / "examples" / "train.jsonl"))
    found = [one for one in learnt if one.kind == "proposed"]
    assert found
    assert not [one for one in found if one.is_whole]
    usual = read_examples(Example, place.run / "whole" / "examples" / "train.jsonl")
    assert "proposed" not in {one.kind for one in usual}


def test_a_recipe_without_the_section_is_told(place: Place, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="has no section whole"):
        wholeness(open_recipe(tmp_path, tmp_path / "run", place.data, place.encoder))


def test_a_masked_model_that_is_not_there_is_named_with_the_key_of_the_recipe(place: Place, tmp_path: Path) -> None:
    with pytest.raises(BadModel, match=r"config\.json: it is not that of a BERT") as refused:
        wholeness(open_whole(tmp_path, tmp_path / "run", place.data, tmp_path / "encoder"))
    assert "whole.encoder" in refused.value.hint


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"pairs": {"wikisplt": 5}}, "no set is named wikisplt"),
        ({"pairs": {}}, "pairs"),
        ({"pairs": {"minwiki": 0}}, "pairs"),
        ({"paragraphs": {"nowhere": 5}}, "no set is named nowhere"),
        ({"stepz": 5}, "did you mean steps"),
        ({"data": [{"name": "x"}]}, "no licence line for 'x'"),
    ],
)
def test_a_bad_value_is_refused_with_its_key(tmp_path: Path, changed: dict[str, object], told: str) -> None:
    with pytest.raises(BadOption, match=told):
        load_recipe(write_whole_recipe(tmp_path, tmp_path, **changed))


def test_the_shipped_recipe_reads_nothing_that_measures() -> None:
    options = load_recipe("whole-en").whole
    assert options is not None
    assert "wikisplit-dev" not in options.pairs
