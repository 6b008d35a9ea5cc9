"""A small masked model from nothing: it learns, goes on after a kill, and its masks are drawn as they should be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from rewrite.errors import BadOption
from tests.training.heads import stop_and_go_on
from tests.training.masked import HELD_BACK, open_recipe, write_recipe
from training.masked.texts import MaskedBatches, choose
from training.masked.vocabulary import MASK, PAD
from training.masked_lm import main, masked_lm
from training.packed import Pack
from training.recipe import Run, load_recipe

STEPS = {"steps": 60, "save_every": 20, "judge_every": 30, "log_every": 20}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("masked")
    run = open_recipe(folder, folder / "run", **STEPS)
    masked_lm(run)
    return run


def _batches(run: Run, *, seed: int = 0, share: float = 0.2, whole: float = 0.5) -> MaskedBatches:
    pack = Pack(run.out / "masked" / "packs" / "train")
    return MaskedBatches(pack, tokens=512, seed=seed, share=share, whole=whole, updates=1000)


def test_a_model_learns_more_than_how_frequent_words_are(trained: Run) -> None:
    told = json.loads((trained.out / "figures.json").read_text(encoding="utf-8"))
    assert told["kept"] == told["steps"] == 60
    assert told["held_out"]["loss"] < told["frequency_alone"]["loss"] - 0.3
    assert told["held_out"]["accuracy"] > told["frequency_alone"]["accuracy"]
    assert told["held_out_one_word"]["masks"] < told["held_out"]["masks"]
    assert told["texts"]["train"] > 500


def test_the_model_is_one_that_transformers_loads(trained: Run) -> None:
    import transformers

    model = transformers.AutoModelForMaskedLM.from_pretrained(trained.out / "model")
    tokenizer = transformers.AutoTokenizer.from_pretrained(trained.out / "model")
    assert type(model).__name__ == "BertForMaskedLM"
    assert tokenizer.mask_token_id == MASK
    assert model(**tokenizer("The mayor sold [MASK].", return_tensors="pt")).logits.shape[-1] == len(tokenizer)


def test_no_text_is_learnt_from_that_is_held_out_or_measures_models(trained: Run) -> None:
    from tokenizers import Tokenizer

    packs = trained.out / "masked" / "packs"
    tokenizer = Tokenizer.from_file(str(packs / "tokenizer.json"))
    texts = {
        name: {tokenizer.decode(pack[i][0].tolist()) for i in range(len(pack))}
        for name, pack in ((name, Pack(packs / name)) for name in ("train", "held-out"))
    }
    learnt = " ".join(texts["train"])
    assert texts["held-out"]
    assert all(
        sentence not in learnt for text in texts["held-out"] for sentence in text.split(" . ") if len(sentence) > 20
    )
    assert tokenizer.decode(tokenizer.encode(HELD_BACK).ids).removesuffix(" .") not in learnt


def test_masks_are_the_same_for_seed_and_batch_and_others_in_the_next_epoch(trained: Run) -> None:
    first, again, other = _batches(trained), _batches(trained), _batches(trained, seed=1)
    for name, table in first[5].items():
        np.testing.assert_array_equal(table, again[5][name])
    assert not np.array_equal(first[5]["places"], other[5]["places"])
    per_epoch = first.batches_in_epoch
    assert not np.array_equal(first[0]["places"], first[per_epoch]["places"])


def test_a_batch_holds_its_tokens_again_when_masks_are_filled(trained: Run) -> None:
    batches, pack = _batches(trained), Pack(trained.out / "masked" / "packs" / "train")
    known = {tuple(pack[i][0].tolist()) for i in range(len(pack))}
    for number in range(5):
        batch = {name: table.numpy() for name, table in batches[number].items()}
        tokens = batch["input_ids"].copy()
        assert (tokens.ravel()[batch["places"]] == MASK).all()
        tokens.ravel()[batch["places"]] = batch["targets"]
        assert {tuple(row[row != PAD].tolist()) for row in tokens} <= known
        assert ("attention_mask" in batch) == bool((tokens == PAD).any())


def test_words_are_masked_whole_with_the_share_asked_for_and_special_tokens_never() -> None:
    rng = np.random.default_rng(0)
    starts = (rng.random((400, 40)) < 0.6).astype(np.int64)
    starts[:, :2] = 1
    lengths = rng.integers(4, 41, size=400)
    for row, length in zip(starts, lengths, strict=True):
        row[length - 1] = 1
    words = np.cumsum(starts, axis=1)
    chosen = choose(starts, lengths, rng, share=0.2, whole=1.0)
    for row, (own, length) in enumerate(zip(chosen, lengths, strict=True)):
        assert not own[0]
        assert not own[length - 1 :].any()
        assert own.any()
        masked = set(words[row][own].tolist())
        assert all(own[place] == (words[row][place] in masked) for place in range(1, length - 1))
    pieces = choose(starts, lengths, np.random.default_rng(1), share=0.2, whole=0.0)
    free = (lengths - 2).sum()
    assert 0.17 < chosen.sum() / free < 0.26
    assert 0.17 < pieces.sum() / free < 0.26
    follows = (starts == 0) & (np.arange(40) < lengths[:, None] - 1)
    assert (pieces[:, 1:] != pieces[:, :-1])[follows[:, 1:]].any()


def test_a_stopped_run_goes_on_and_ends_with_the_same_weights(
    trained: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = str(write_recipe(tmp_path, **STEPS))
    stop_and_go_on(main, [recipe, "--out", str(tmp_path / "run")], monkeypatch, capsys)
    for name in ("model/model.safetensors", "model/tokenizer.json", "figures.json"):
        assert (tmp_path / "run" / name).read_bytes() == (trained.out / name).read_bytes(), name


def test_another_recipe_in_the_same_folder_is_refused(trained: Run, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"masked\.width is 64, was 32"):
        masked_lm(open_recipe(tmp_path, trained.out, steps=60, width=64))


def test_what_a_recipe_lacks_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text("name: a\n", encoding="utf-8")
    assert main([str(tmp_path / "a.yaml"), "--out", str(tmp_path / "out")]) == 2
    assert "no section masked" in capsys.readouterr().err
    for text, told in (
        ("{sets: {abd: 1}, steps: 1}", "no set is named abd"),
        ("{steps: 1}", "give sets or files"),
        ("{sets: {abc: 1}, steps: 1, width: 24, heads: 5}", "no multiple of heads"),
        ("{sets: {abc: 1}, steps: 1, export: {licence: mit, data: [{name: x}]}}", "no licence line for 'x'"),
    ):
        (tmp_path / "a.yaml").write_text(f"name: a\nlanguage: en\nmasked: {text}\n", encoding="utf-8")
        with pytest.raises(BadOption, match=told):
            load_recipe(tmp_path / "a.yaml")


def test_the_page_names_every_key() -> None:
    from training.finetuning.learning import Learning
    from training.masked import masked_options

    page = (Path(__file__).resolve().parents[2] / "docs" / "masked-models.md").read_text(encoding="utf-8")
    keys = {
        key
        for kind in (masked_options.MaskedOptions, masked_options.MaskedExport, masked_options.TextFile, Learning)
        for key in kind.model_fields
    }
    assert not sorted(key for key in keys if f"`{key}`" not in page)
