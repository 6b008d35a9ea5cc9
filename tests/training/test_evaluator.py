"""An evaluator from nothing: it learns, its folder says what torch says, and any encoder of Hugging Face will do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from rerank.errors import ModelNotFound
from rerank.evaluator.hf import HfEvaluator
from rerank.evaluator.packed import PackedEvaluator
from rerank.evaluator.pair_rows import PairRow
from rerank.evaluator.registry import create_evaluator
from rewrite.errors import BadModel
from tests.rerank.tiny_masked import WORDS, build
from tests.training.heads import (
    Place,
    broken_copy,
    open_evaluator,
    pairs,
    stop_and_go_on,
    without_torch,
    write_data,
    write_encoder,
    write_evaluator_recipe,
)
from training.evaluating.examples import Taught
from training.evaluating.likelihood import UNTOLD, TaughtBatches, predictions
from training.evaluating.network import EvaluatorNetwork
from training.evaluator import evaluator, main, open_base
from training.finetuning.trainer import best_checkpoint
from training.heads.examples import read_examples


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("evaluator")
    found = Place(write_data(folder / "data"), write_encoder(folder / "encoder"), folder / "run")
    run = open_evaluator(folder, found.run, found.data, str(found.encoder))
    assert evaluator(run) == found.model
    return found


def test_it_learns_to_tell_good_texts_from_mutations(place: Place) -> None:
    figures = json.loads((place.run / "figures.json").read_text(encoding="utf-8"))
    assert figures["steps"] == 80
    assert figures["grammar pairs"] > 0.8
    found = PackedEvaluator(place.model, threads=1)
    assert set(found.outputs) == {"quality", "grammar"}
    ((joined, simple),) = pairs(3, 1)
    good, bad = found.judge([(joined, " ".join(simple)), (joined, "Oslo house . sold 1950 in was He lost")])
    assert (good > bad).all()


def test_the_packed_folder_says_what_the_network_says(place: Place, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    run = open_evaluator(tmp_path, place.run, place.data, str(place.encoder))
    options = run.recipe.evaluator
    assert options is not None
    base = open_base(options, run, place.run / "evaluator")
    network = EvaluatorNetwork(base.encoder(0.0), 2, dropout=0.0, head="mixed", loss="mse")
    best, _ = best_checkpoint(place.run / "evaluator" / "checkpoints")
    network.load_state_dict(load_file(best / "model.safetensors"))
    # One pair is longer than the window, one has no source.
    given = [(joined, " ".join(simple)) for joined, simple in pairs(0, 6)]
    given += [("He met the mayor , " * 40, "He left . " * 30), ("", "She sold the old house .")]
    examples = [Taught(source, text, {}, "", n) for n, (source, text) in enumerate(given)]
    batches = TaughtBatches(examples, base.rows, ("quality", "grammar"), tokens=512, seed=0)
    wanted = predictions(network, batches)
    found = PackedEvaluator(place.model, threads=1).judge(given)
    assert np.abs(found - wanted).max() < 0.03
    assert wanted.max() - wanted.min() > 0.1


def test_it_runs_where_there_is_no_torch(place: Place) -> None:
    code = (
        "from rerank.evaluator.registry import create_evaluator\n"
        f"print(create_evaluator({str(place.model)!r}).judge([('He left .', 'He left .')])[0, 0])"
    )
    assert 0 <= float(without_torch(code)) <= 1


def test_no_source_is_on_both_sides_and_outputs_learn_from_their_kinds(place: Place) -> None:
    folder = place.run / "evaluator" / "examples"
    learnt, dev = (list(read_examples(Taught, folder / f"{side}.jsonl")) for side in ("train", "dev"))
    assert {one.source for one in dev}
    assert not {one.source for one in learnt} & {one.source for one in dev}
    for one in (*learnt, *dev):
        assert one.kind in ("", "word-replacement", "cross-pair")
        assert set(one.labels) <= {"quality", "grammar"} - ({"grammar"} if one.kind == "cross-pair" else set())
        assert one.source
        assert one.kind or set(one.labels.values()) == {1.0}


def test_texts_alone_are_told_by_how_likely_they_are_and_the_packed_folder_says_the_same(
    place: Place, tmp_path: Path
) -> None:
    import torch

    run = open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder))
    assert run.recipe.evaluator is not None
    options = run.recipe.evaluator.model_copy(update={"likelihood": ("grammar",)})
    base = open_base(options, run, place.run / "evaluator")
    torch.manual_seed(0)
    network = EvaluatorNetwork(base.encoder(0.0), 2, dropout=0.0, head="mixed", loss="mse", likely=[1]).eval()
    network.word_out.bias.data -= 0.5
    base.pack(network, ("quality", "grammar"), np.array([[0.7, 3.0]]), tmp_path / "packed")
    packed = PackedEvaluator(tmp_path / "packed", threads=1)
    given = [("", "She sold the old house ."), ("", "He left ."), ("He left Rome .", "He left .")]
    examples = [Taught(*pair, {}, "", 0) for pair in given]
    batches = TaughtBatches(examples, base.rows, ("quality", "grammar"), tokens=512, seed=0)
    wanted, found = predictions(network, batches), packed.judge(given)
    with torch.no_grad():
        batch = batches[0]
        likely = network.likelihood(batch["pieces"], batch["attention"], batch["kinds"]).numpy()
    assert np.abs(found[:, 0] - wanted[:, 0]).max() < 0.03
    assert found[2, 1] == pytest.approx(wanted[2, 1], abs=0.03)
    assert likely[batches.indices(0).index(2)] == 0
    for place_in_batch, n in enumerate(batches.indices(0)):
        if n < 2:
            assert found[n, 1] == pytest.approx(1 / (1 + np.exp(-(0.7 * likely[place_in_batch] + 3))), abs=0.03)


def test_good_texts_and_their_mutations_share_a_batch_where_they_are_ranked(place: Place) -> None:
    found = list(read_examples(Taught, place.run / "evaluator" / "examples" / "train.jsonl"))

    def rows(pairs: Iterable[tuple[str, str]]) -> Iterator[PairRow]:
        return (PairRow((2, *[5] * len(text), 3), (0, *[3] * len(text), 3)) for _, text in pairs)

    ranked = TaughtBatches(found, rows, ("quality", "grammar"), tokens=1200, seed=0, ranked=True)
    seen: dict[int, set[int]] = {}
    for number in range(len(ranked)):
        given, numbers = ranked[number]["groups"].tolist(), ranked.indices(number)
        assert given == [found[n].group for n in numbers]
        for group in given:
            seen.setdefault(group, set()).add(number)
    # A batch that is full breaks a group off, no other.
    assert sum(len(batches) > 1 for batches in seen.values()) < len(ranked)
    assert sorted(n for number in range(len(ranked)) for n in ranked.indices(number)) == list(range(len(found)))
    assert "groups" not in TaughtBatches(found, rows, ("quality",), tokens=1200, seed=0)[0]


def test_a_run_may_learn_by_rank_as_well_and_tells_good_and_bad_as_if_they_were_as_frequent(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from safetensors.torch import load_file

    lost = {}
    for ranking in (0.0, 2.0):
        changed = {"ranking": ranking, "binary": ["quality"], "steps": 2, "save_every": 1, "log_every": 1}
        run = open_evaluator(tmp_path, tmp_path / f"run-{ranking}", place.data, str(place.encoder), **changed)
        model = evaluator(run)
        (lost[ranking],) = re.findall(r"step 1/2 .*loss ([0-9.]+)", capsys.readouterr().out)
    assert float(lost[2.0]) > float(lost[0.0]) + 0.5
    learnt = list(read_examples(Taught, run.out / "evaluator" / "examples" / "train.jsonl"))
    labels = [one.labels["quality"] for one in learnt if "quality" in one.labels]
    best, _ = best_checkpoint(run.out / "evaluator" / "checkpoints")
    before = load_file(best / "model.safetensors")["out.bias"].numpy()
    with np.load(model / "head.npz") as head:
        shift = head["out.bias"] - before
    odds = {"quality": np.log(labels.count(0.0) / labels.count(1.0)), "grammar": 0.0}
    assert run.recipe.evaluator is not None
    assert shift == pytest.approx([odds[name] for name in run.recipe.evaluator.outputs], abs=0.01)


def test_a_run_learns_the_likelihood_of_words_beside_what_its_outputs_are_taught(place: Place, tmp_path: Path) -> None:
    changed: dict[str, Any] = {
        "likelihood": ["grammar"],
        "sentences": {"wikisplit": 40},
        "steps": 16,
        "learning_rate": 5e-4,
        "window": 64,
    }
    run = open_evaluator(tmp_path, tmp_path / "run", place.data, "bundled:en", **changed)
    model = evaluator(run)
    assert json.loads((model / "outputs.json").read_text(encoding="utf-8"))["likely"] == ["grammar"]
    found = PackedEvaluator(model, threads=1).judge([("", "He left ."), ("He left Rome .", "He left .")])
    assert ((found > 0) & (found < 1)).all()
    told = np.fromfile(run.out / "evaluator" / "likelihoods-train.bin", dtype=np.float32)
    assert 0.001 < (told != UNTOLD).mean() < 0.15
    assert (told[told != UNTOLD] < 0).all()


@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_any_encoder_of_hugging_face_will_do(place: Place, tmp_path: Path, family: str) -> None:
    tiny = build(family, tmp_path / family)
    own = tmp_path / "own.jsonl"
    rows = [{"source": " ".join(WORDS[n : n + 12]), "text": " ".join(WORDS[n : n + 6])} for n in range(24)]
    own.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    changed: dict[str, Any] = {
        **{"positives": {str(own): 24}, "head": "cls", "loss": "mse", "dev": 4, "epochs": 1, "batch_rows": 14},
        **{"outputs": {"quality": ["word-deletion"]}, "window": 64, "judge_every": 4, "save_every": 4},
    }
    run = open_evaluator(tmp_path, tmp_path / "run", place.data, f"hf:{tiny}", **changed)
    found = create_evaluator(str(evaluator(run)))
    assert isinstance(found, HfEvaluator)
    values = found.judge([(WORDS[0], WORDS[1]), ("a " * 90, "b " * 90), ("", "x")])
    assert values.shape == (3, 1)
    assert ((values > 0) & (values < 1)).all()
    # Batches of other lengths change nothing.
    alone = found.judge([("a " * 90, "b " * 90)])
    assert alone[0, 0] == pytest.approx(values[1, 0], abs=1e-5)
    signature = found.signature()
    assert create_evaluator(str(run.out / "model")).signature() == signature
    vocabulary = run.out / "model" / "tokenizer.json"
    vocabulary.write_bytes(vocabulary.read_bytes() + b" ")
    assert create_evaluator(str(run.out / "model")).signature() != signature
    settings = json.loads((run.out / "model" / "evaluator.json").read_text(encoding="utf-8"))
    (run.out / "model" / "evaluator.json").write_text(json.dumps({**settings, "outputs": ["a", "b"]}), encoding="utf-8")
    with pytest.raises(BadModel, match=r"head\.safetensors: .*it is not for 2 outputs of vectors of"):
        create_evaluator(str(run.out / "model")).judge([("a", "b")])


def test_a_run_that_was_stopped_goes_on_and_ends_with_the_same_weights(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = write_evaluator_recipe(tmp_path, str(place.encoder))
    arguments = [str(recipe), *("--out", str(tmp_path / "run"), "--data", str(place.data))]
    out = stop_and_go_on(main, arguments, monkeypatch, capsys)
    assert "step 80/80" in out
    for name in ("model/model.bin", "figures.json"):
        assert (tmp_path / "run" / name).read_bytes() == (place.run / name).read_bytes(), name


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("head.npz", None),
        ("head.npz", "no arrays"),
        ("outputs.json", "{"),
        ("outputs.json", '{"outputs": ["quality"]}'),
    ],
)
def test_a_missing_or_broken_file_is_named(place: Place, tmp_path: Path, name: str, content: str | None) -> None:
    copy = broken_copy(place.model, tmp_path / "copy", name, content)
    with pytest.raises(ModelNotFound) as refused:
        _ = create_evaluator(str(copy)).judge([("a", "b")])
    assert str(copy) in str(refused.value)
    assert "training.evaluator" in refused.value.hint
