"""An evaluator from nothing: it learns, its folder says what torch says, and any encoder of Hugging Face will do."""

from __future__ import annotations

import json
import re
from collections import Counter
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
from rerank.evaluator.pairs import PairRow
from rerank.evaluator.registry import create_evaluator
from rewrite.errors import BadInput, BadModel, BadOption
from tests.rerank.tiny_masked import WORDS, build
from tests.training.encoders import Place, broken_copy, stop_and_go_on, without_torch, write_section
from tests.training.splitting import open_recipe, pairs, write_data, write_encoder
from training.evaluating.base import open_base
from training.evaluating.batches import TaughtBatches
from training.evaluating.examples import HUMAN_LABELLED, Taught
from training.evaluating.likelihood import UNTOLD
from training.evaluating.measure import pairwise, said
from training.evaluating.network import new_network
from training.evaluating.stored import StoredExamples
from training.evaluator import evaluator, main
from training.finetuning.judging import step_with_least
from training.finetuning.trainer import best_checkpoint
from training.recipe import Run, load_recipe

OUTPUTS = {"quality": ["word-replacement", "cross-pair"], "grammar": ["word-replacement"]}


def write_evaluator_recipe(folder: Path, base: str, **changed: Any) -> Path:
    """A recipe that learns from `tests.training.splitting.write_data` for a few steps."""
    values: dict[str, Any] = {
        "encoder": base,
        "positives": {"wikisplit-tune": 60},
        "outputs": OUTPUTS,
        "alone": {"grammar": 0.4},
        "window": 96,
        "dev": 8,
        "steps": 80,
        "learning_rate": 2e-3,
        "warmup": 4,
        "save_every": 20,
        "log_every": 40,
        "judge_every": 40,
        **changed,
    }
    if "epochs" in changed:
        del values["steps"]
    return write_section(folder, "evaluator-tiny", "evaluator", values)


def open_evaluator(folder: Path, out: Path, data: Path, base: str, **changed: Any) -> Run:
    return Run(load_recipe(write_evaluator_recipe(folder, base, **changed)), out, str(data))


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
    found = PackedEvaluator(place.model, place.model, threads=1)
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
    network = new_network(base.encoder(0.0), 2, dropout=0.0, head="mixed", loss="mse")
    best, _ = best_checkpoint(place.run / "evaluator" / "checkpoints", step_with_least)
    network.load_state_dict(load_file(best / "model.safetensors"))
    # One pair is longer than the window, one has no source.
    given = [(joined, " ".join(simple)) for joined, simple in pairs(0, 6)]
    given += [("He met the mayor , " * 40, "He left . " * 30), ("", "She sold the old house .")]
    examples = [Taught(source, text, {}, "", n) for n, (source, text) in enumerate(given)]
    batches = TaughtBatches(examples, list(base.rows(given)), ("quality", "grammar"), tokens=512, seed=0)
    wanted = said(network, batches, 2)
    found = PackedEvaluator(place.model, place.model, threads=1).judge(given)
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
    learnt, dev = (list(StoredExamples(folder / f"{side}.jsonl")) for side in ("train", "dev"))
    assert {one.source for one in dev} - {""}
    assert not ({one.source for one in learnt} & {one.source for one in dev}) - {""}
    for one in (*learnt, *dev):
        assert one.kind in ("", "word-replacement", "cross-pair")
        assert set(one.labels) <= {"quality", "grammar"} - ({"grammar"} if one.kind == "cross-pair" else set())
        assert set(one.labels) == {"grammar"} or one.source
        assert one.kind or set(one.labels.values()) == {1.0}
    assert Counter(bool(one.source) for one in learnt)[False] > 10


def test_what_people_said_is_learnt_by_the_output_that_the_recipe_names(place: Place, tmp_path: Path) -> None:
    folder = place.data / "rucola" / "data"
    folder.mkdir(parents=True, exist_ok=True)
    rows = "id,sentence,acceptable,error_type,detailed_source\n0,He left .,1,0,x\n1,Left he the .,0,Syntax,x\n"
    (folder / "in_domain_train.csv").write_text(rows, encoding="utf-8")
    changed = {"rated": {"rucola": "grammar"}, "steps": 1, "save_every": 1}
    evaluator(open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder), **changed))
    learnt = list(StoredExamples(tmp_path / "run" / "evaluator" / "examples" / "train.jsonl"))
    told = {one.text: (one.source, one.labels) for one in learnt if one.kind == HUMAN_LABELLED}
    assert told == {"He left .": ("", {"grammar": 1.0}), "Left he the .": ("", {"grammar": 0.0})}


def test_sources_are_learnt_as_their_own_texts_where_the_recipe_says_so(place: Place, tmp_path: Path) -> None:
    changed = {"copies": 1.0, "steps": 1, "save_every": 1}
    evaluator(open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder), **changed))
    learnt = list(StoredExamples(tmp_path / "run" / "evaluator" / "examples" / "train.jsonl"))
    good = {(one.source, one.text) for one in learnt if not one.kind and one.source}
    assert {(source, source) for source, _ in good} <= good


def test_an_output_may_learn_from_sentences_of_sources_too(place: Place, tmp_path: Path) -> None:
    changed = {"extracts": {"grammar": 0.5}, "alone": {}, "steps": 1, "save_every": 1}
    evaluator(open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder), **changed))
    learnt = list(StoredExamples(tmp_path / "run" / "evaluator" / "examples" / "train.jsonl"))
    taken = [one for one in learnt if not one.kind and set(one.labels) == {"grammar"}]
    assert all(one.text in one.source and one.labels == {"grammar": 1.0} for one in taken)
    sources = {one.source for one in learnt}
    assert 0.2 < len({one.source for one in taken}) / len(sources) < 0.8
    of_taken = {one.group for one in taken}
    mutated = [one for one in learnt if one.kind and one.group in of_taken]
    assert len(mutated) > len(taken)
    assert {tuple(one.labels) for one in mutated} == {("grammar",)}


def test_an_output_may_learn_whether_a_text_was_mutated_and_not_how_much(place: Place, tmp_path: Path) -> None:
    changed = {"binary": ["quality"], "steps": 1, "save_every": 1}
    evaluator(open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder), **changed))
    learnt = list(StoredExamples(tmp_path / "run" / "evaluator" / "examples" / "train.jsonl"))
    assert {one.labels["quality"] for one in learnt if one.kind and "quality" in one.labels} == {0.0}
    assert {one.labels["grammar"] for one in learnt if one.kind and "grammar" in one.labels} != {0.0}
    assert {value for one in learnt if not one.kind for value in one.labels.values()} == {1.0}


def test_sentences_are_learnt_from_with_words_that_are_wrong_by_chance(place: Place, tmp_path: Path) -> None:
    changed: dict[str, Any] = {"sentences": {"wikisplit": 60}, "steps": 1, "save_every": 1}
    evaluator(open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder), **changed))
    learnt = list(StoredExamples(tmp_path / "run" / "evaluator" / "examples" / "train.jsonl"))
    found = [one for one in learnt if one.group < 0]
    counts = Counter(one.kind for one in found)
    assert set(counts) == {"", "slips"}
    assert {one.source for one in found} == {""}
    assert all(one.labels == {"grammar": float(not one.kind)} for one in found)


def test_texts_alone_are_told_by_how_likely_they_are_and_the_packed_folder_says_the_same(
    place: Place, tmp_path: Path
) -> None:
    import torch

    run = open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder))
    assert run.recipe.evaluator is not None
    options = run.recipe.evaluator.model_copy(update={"likelihood": ("grammar",)})
    base = open_base(options, run, place.run / "evaluator")
    torch.manual_seed(0)
    network = new_network(base.encoder(0.0), 2, dropout=0.0, head="mixed", loss="mse", likely=[1]).eval()
    network.word_out.bias.data -= 0.5
    base.pack(network, tmp_path / "packed", ("quality", "grammar"), np.array([[0.7, 3.0]]))
    packed = PackedEvaluator(tmp_path / "packed", tmp_path, threads=1)
    given = [("", "She sold the old house ."), ("", "He left ."), ("He left Rome .", "He left .")]
    examples = [Taught(*pair, {}, "", 0) for pair in given]
    batches = TaughtBatches(examples, list(base.rows(given)), ("quality", "grammar"), tokens=512, seed=0)
    wanted, found = said(network, batches, 2), packed.judge(given)
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
    found = list(StoredExamples(place.run / "evaluator" / "examples" / "train.jsonl"))
    rows = [PairRow((2, *[5] * len(one.text), 3), (0, *[3] * len(one.text), 3)) for one in found]
    ranked = TaughtBatches(found, rows, ("quality", "grammar"), tokens=1200, seed=0, ranked=True)
    seen: dict[int, set[int]] = {}
    for number in range(len(ranked)):
        given, numbers = ranked[number]["groups"].tolist(), ranked.indices(number)
        assert given == [2 * found[n].group + (not found[n].source) for n in numbers]
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
    learnt = list(StoredExamples(run.out / "evaluator" / "examples" / "train.jsonl"))
    labels = [one.labels["quality"] for one in learnt if "quality" in one.labels]
    best, _ = best_checkpoint(run.out / "evaluator" / "checkpoints", step_with_least)
    before = load_file(best / "model.safetensors")["out.bias"].numpy()
    with np.load(model / "head.npz") as head:
        shift = head["out.bias"] - before
    odds = {"quality": np.log(labels.count(0.0) / labels.count(1.0)), "grammar": 0.0}
    assert run.recipe.evaluator is not None
    assert shift == pytest.approx([odds[name] for name in run.recipe.evaluator.outputs], abs=0.01)


def test_a_run_learns_the_likelihood_of_words_beside_what_its_outputs_are_taught(place: Place, tmp_path: Path) -> None:
    changed: dict[str, Any] = {"likelihood": ["grammar"], "steps": 40, "learning_rate": 5e-4, "window": 64}
    run = open_evaluator(tmp_path, tmp_path / "run", place.data, "bundled:en", **changed)
    model = evaluator(run)
    assert json.loads((model / "outputs.json").read_text(encoding="utf-8"))["likely"] == ["grammar"]
    found = PackedEvaluator(model, model, threads=1).judge([("", "He left ."), ("He left Rome .", "He left .")])
    assert ((found > 0) & (found < 1)).all()
    told = np.fromfile(run.out / "evaluator" / "likelihoods-train.bin", dtype=np.float32)
    assert 0.005 < (told != UNTOLD).mean() < 0.15
    assert (told[told != UNTOLD] < 0).all()


def test_texts_of_a_file_of_ones_own_will_do(place: Place, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    rows = [{"source": joined, "text": " ".join(simple)} for joined, simple in pairs(100, 20)]
    own.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    changed: dict[str, Any] = {"positives": {str(own): 20}, "epochs": 0.5, "batch_rows": 4, "save_every": 1}
    evaluator(open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder), **changed))
    learnt = list(StoredExamples(tmp_path / "run" / "evaluator" / "examples" / "train.jsonl"))
    assert {one.source for one in learnt} - {""} <= {row["source"] for row in rows}
    figures = json.loads((tmp_path / "run" / "figures.json").read_text(encoding="utf-8"))
    # Half an epoch, four pairs a batch.
    assert figures["steps"] == pytest.approx(len(learnt) / 4 / 2, abs=2)


@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_any_encoder_of_hugging_face_will_do(place: Place, tmp_path: Path, family: str) -> None:
    tiny = build(family, tmp_path / family)
    own = tmp_path / "own.jsonl"
    rows = [{"source": " ".join(WORDS[n : n + 12]), "text": " ".join(WORDS[n : n + 6])} for n in range(24)]
    own.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    changed: dict[str, Any] = {
        **{"positives": {str(own): 24}, "head": "cls", "loss": "mse", "dev": 4, "epochs": 1, "batch_rows": 14},
        **{"outputs": {"quality": ["word-deletion"]}, "alone": {}, "window": 64, "judge_every": 4, "save_every": 4},
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
    assert found.signature() == create_evaluator(str(run.out / "model")).signature()
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
        ("outputs.json", '{"outputs": ["quality"], "alone": []}'),
    ],
)
def test_a_missing_or_broken_file_is_named(place: Place, tmp_path: Path, name: str, content: str | None) -> None:
    copy = broken_copy(place.model, tmp_path / "copy", name, content)
    with pytest.raises(ModelNotFound) as refused:
        _ = create_evaluator(str(copy)).judge([("a", "b")])
    assert str(copy) in str(refused.value)
    assert "training.evaluator" in refused.value.hint


def test_a_recipe_without_the_section_is_told(place: Place, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="has no section evaluator"):
        evaluator(open_recipe(tmp_path, tmp_path / "run", place.data, place.encoder))


def test_an_evaluator_that_is_too_large_is_refused(place: Place, tmp_path: Path) -> None:
    changed = {"steps": 1, "save_every": 1, "max_mb": 0.001}
    with pytest.raises(BadModel, match=r"evaluator\.max_mb is 0\.001"):
        evaluator(open_evaluator(tmp_path, tmp_path / "run", place.data, str(place.encoder), **changed))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"outputs": {"quality": ["word-delition"]}}, "word-delition"),
        ({"outputs": {"quality": []}}, "quality"),
        ({"alone": {"grammer": 0.5}}, "no output is named grammer"),
        ({"binary": ["grammer"]}, "no output is named grammer"),
        ({"rated": {"rucola": "grammer"}}, "no output is named grammer"),
        ({"encoder": "hf:bert"}, "takes head: cls"),
        ({"likelihood": ["quality"]}, "in `alone`"),
        ({"likelihood": ["grammer"]}, "no output is named grammer"),
        ({"likelihood": ["grammar"], "encoder": "runs/encoder"}, "goes with a bundled encoder"),
        ({"sentences": {"wikitext": 5}, "alone": {}}, "no output is in `alone`"),
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
    assert options.max_mb <= 15
    assert set(options.outputs) == {"quality", "grammar", "content"}


def test_the_setting_of_the_paper_is_a_recipe() -> None:
    options = load_recipe("evaluator-bert").evaluator
    assert options is not None
    assert (options.learning_rate, options.epochs, options.batch_rows) == (1e-5, 3, 14)
    assert (options.window, options.negatives, options.loss, options.head) == (512, 5, "mse", "cls")


def test_a_mutation_is_compared_with_the_text_that_it_was_made_of() -> None:
    examples = [
        Taught("s", "good", {"q": 1.0}, "", 0),
        Taught("s", "bad", {"q": 0.5}, "names", 0),
        Taught("s", "even", {"q": 0.5}, "order", 0),
        Taught("", "good", {"q": 1.0}, "", 1),
        Taught("", "bad", {"q": 0.5}, "names", 1),
        # The good text of this one is told without its source: there is nothing to compare with.
        Taught("t", "bad", {"q": 0.5}, "names", 1),
    ]

    class Batches:
        def __init__(self) -> None:
            self.examples = examples

    values = np.array([0.9, 0.2, 0.9, 0.3, 0.6, 0.1])
    found = pairwise(Batches(), values, np.ones(6, dtype=bool))  # type: ignore[arg-type]
    assert found == {"names": 0.5, "order": 0.5, "pairs": 0.5}
