"""A small masked model from nothing: it learns, goes on after a kill, and its masks are drawn as they should be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

import torch

from rerank.masked.base import Row, Word
from rerank.masked.bundled import BundledMaskedModel
from rerank.masked.registry import create_masked_model
from rewrite.checksums import verify_sums
from rewrite.errors import BadOption
from tests.training.heads import stop_and_go_on
from tests.training.masked import HELD_BACK, open_recipe, write_recipe
from training.heads.encoder import open_encoder, read_encoder
from training.heads.options import MaskedOptions
from training.masked.batches import MaskedBatches
from training.masked.vocabulary import CLS, MASK, PAD, SEP, read_vocabulary
from training.masked_lm import main, masked_lm
from training.packed import IGNORED
from training.recipe import Run, load_recipe

STEPS = {"steps": 60, "window": 128, "learning_rate": 1.2e-2, "save_every": 20, "judge_every": 30, "log_every": 20}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("masked")
    run = open_recipe(folder, folder / "run", **STEPS)
    masked_lm(run)
    return run


def _texts(run: Run, side: str) -> list[str]:
    lines = (run.out / "masked" / "texts" / f"{side}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _batches(run: Run, *, seed: int = 0, share: float = 0.2, whole: float = 0.5) -> MaskedBatches:
    tokenizer = read_vocabulary(run.out / "model", 128)
    settings = {"masked": share, "whole_words": whole, "tokens": 512, "updates": 1000}
    return MaskedBatches(_texts(run, "train"), tokenizer, seed=seed, **settings)


def _by_frequency(run: Run) -> float:
    """The loss of one who knows how frequent tokens are and nothing else."""
    tokenizer = read_vocabulary(run.out / "model", 128)
    counts = np.ones(len(tokenizer))
    for row in tokenizer(_texts(run, "train"), add_special_tokens=False)["input_ids"]:
        np.add.at(counts, row, 1)
    tokens = [
        token for row in tokenizer(_texts(run, "held-out"), add_special_tokens=False)["input_ids"] for token in row
    ]
    return float(-np.log(counts / counts.sum())[tokens].mean())


def test_a_model_learns_more_than_how_frequent_words_are(trained: Run) -> None:
    told = json.loads((trained.out / "figures.json").read_text(encoding="utf-8"))
    assert told["steps"] == STEPS["steps"]
    assert told["loss"] < _by_frequency(trained) - 0.3
    assert told["accuracy"] > 0.1
    assert told["texts"] > 400


def test_the_packed_model_guesses_a_hidden_word_and_says_what_it_learnt_from(trained: Run) -> None:
    model = create_masked_model(f"bundled:{trained.out / 'model'}")
    tokens = [token for word in "The mayor of the town sold".split() for token in model.tokens(Word(word))]
    row = (*model.prefix, *tokens[:2], model.mask, *tokens[3:], *model.suffix)
    (logprobs,) = model.predict([Row(row, (3,))])
    assert tokens[2] in logprobs[0].argsort()[-10:]
    assert verify_sums(trained.out / "model")
    readme = (trained.out / "model" / "README.md").read_text(encoding="utf-8")
    assert "| a grammar |  | none stated |" in readme
    assert "| accuracy |" in readme


def test_a_network_can_begin_with_the_packed_model(trained: Run, tmp_path: Path) -> None:
    folder = open_encoder(str(trained.out / "model"), trained, tmp_path, "evaluator")
    row = (CLS, 20, 21, 22, SEP)
    (vectors,) = BundledMaskedModel(trained.out / "model").vectors([row])
    with torch.no_grad():
        again = read_encoder(folder, 0.0).eval()(input_ids=torch.tensor([row])).last_hidden_state[0]
    assert np.abs(vectors - again.numpy()).max() < 0.2


def test_no_text_is_learnt_from_that_is_held_out_or_measures_models(trained: Run) -> None:
    learnt = " ".join(_texts(trained, "train"))
    held_out = _texts(trained, "held-out")
    assert held_out
    assert all(sentence not in learnt for text in held_out for sentence in text.split(". ") if len(sentence) > 20)
    assert HELD_BACK.removesuffix(".") not in learnt


def test_masks_are_the_same_for_seed_and_batch_and_others_in_the_next_epoch(trained: Run) -> None:
    first, again, other = _batches(trained), _batches(trained), _batches(trained, seed=1)
    for name, table in first[5].items():
        np.testing.assert_array_equal(table, again[5][name])
    assert first[5]["labels"].shape != other[5]["labels"].shape or (first[5]["labels"] != other[5]["labels"]).any()
    later = first[first.batches_in_epoch]["labels"]
    assert first[0]["labels"].shape != later.shape or (first[0]["labels"] != later).any()


def test_a_batch_holds_its_tokens_again_when_masks_are_filled(trained: Run) -> None:
    batches = _batches(trained)
    known = set(map(tuple, read_vocabulary(trained.out / "model", 128)(_texts(trained, "train"))["input_ids"]))
    for number in range(5):
        tokens, labels = (batches[number][name].numpy() for name in ("input_ids", "labels"))
        masked = labels != IGNORED
        assert (tokens[masked] == MASK).all()
        filled = np.where(masked, labels, tokens)
        assert {tuple(row[row != PAD].tolist()) for row in filled} <= known
        assert (filled != PAD).sum() == batches[number]["attention_mask"].sum()


def test_words_are_masked_whole_with_the_share_asked_for_and_special_tokens_never(trained: Run) -> None:
    pieces = read_vocabulary(trained.out / "model", 128).convert_ids_to_tokens
    parted = {}
    for whole in (0.0, 1.0):
        batches = _batches(trained, whole=whole)
        shares, parted[whole] = [], 0
        for number in range(20):
            labels, tokens = (batches[number][name].numpy() for name in ("labels", "input_ids"))
            masked, filled = labels != IGNORED, np.where(labels != IGNORED, labels, tokens)
            assert not masked[np.isin(filled, (CLS, SEP, PAD))].any()
            shares.append(masked.sum() / (~np.isin(filled, (CLS, SEP, PAD))).sum())
            goes_on = np.char.startswith(np.array([pieces(row.tolist()) for row in filled]), "##")[:, 1:]
            parted[whole] += int((masked[:, 1:] != masked[:, :-1])[goes_on].sum())
        assert 0.15 < np.mean(shares) < 0.25
    assert parted[1.0] == 0 < parted[0.0]


def test_a_stopped_run_goes_on_and_ends_with_the_same_weights(
    trained: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = str(write_recipe(tmp_path, **STEPS))
    stop_and_go_on(main, [recipe, "--out", str(tmp_path / "run")], monkeypatch, capsys)
    for name in ("model/model.bin", "model/head.npz", "model/tokenizer.json", "figures.json"):
        assert (tmp_path / "run" / name).read_bytes() == (trained.out / name).read_bytes(), name


def test_another_recipe_in_the_same_folder_is_refused(trained: Run, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"masked\.width is 64, was 32"):
        masked_lm(open_recipe(tmp_path, trained.out, **STEPS, width=64))


def test_what_a_recipe_lacks_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text("name: a\n", encoding="utf-8")
    assert main([str(tmp_path / "a.yaml"), "--out", str(tmp_path / "out")]) == 2
    assert "no section masked" in capsys.readouterr().err
    for text, told in (
        ("{sets: {abd: 1}, steps: 1}", "no set is named abd"),
        ("{steps: 1}", "give sets or files"),
        ("{sets: {abc: 1}, steps: 1, width: 24, heads: 5}", "no multiple of heads"),
        ("{sets: {abc: 1}, steps: 1, data: [{name: x}]}", "no licence line for 'x'"),
    ):
        (tmp_path / "a.yaml").write_text(f"name: a\nlanguage: en\nmasked: {text}\n", encoding="utf-8")
        with pytest.raises(BadOption, match=told):
            load_recipe(tmp_path / "a.yaml")


def test_the_page_names_every_key() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "masked-models.md").read_text(encoding="utf-8")
    assert not sorted(key for key in MaskedOptions.model_fields if f"`{key}`" not in page)
