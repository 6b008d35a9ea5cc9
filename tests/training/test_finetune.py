"""Fine-tuning as a user runs it: what comes out, what is refused, and how it ends."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from rewrite.engines.base import ModelInput
from rewrite.prompting import load_prompt
from tests.rewrite.engines.scored import exact_logprobs
from tests.rewrite.engines.tiny import tiny_bart, tiny_gpt2, tiny_t5
from tests.training.finetuning import PAIRS, recipe, redraw, run, weights
from training import finetune as command
from training.finetuning import base, saving
from training.recipe import load_recipe


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return redraw(tiny_t5(tmp_path_factory.mktemp("t5")), initializer_factor=0.3)


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return redraw(tiny_gpt2(tmp_path_factory.mktemp("gpt2")), initializer_range=0.1)


def logprobs(model: Path, prompt: str, pairs: Any = PAIRS) -> float:
    """Of the targets, by the engine that draws in use, from the very inputs that it draws from."""
    inputs: list[ModelInput] = [load_prompt(prompt).render(source) for source, _ in pairs]
    return sum(value for value, _ in exact_logprobs(model, inputs, [target for _, target in pairs]))


# -- What comes out ---------------------------------------------------------------------------------------------------


def test_an_encoder_decoder_learns_its_pairs_and_its_folder_is_ready_for_use(t5: Path, tmp_path: Path) -> None:
    path = recipe(tmp_path, t5, steps=80, learning_rate=0.02, save_every=100)
    assert run(path, tmp_path / "out") == 0
    prompt = str(tmp_path / "out" / "model" / "prompt.yaml")
    assert logprobs(tmp_path / "out" / "model", prompt) > 0.7 * logprobs(t5, prompt)
    told = json.loads((tmp_path / "out" / "figures.json").read_text())
    assert (told["steps"], told["kept"], told["pairs"]["used"]) == (80, 80, len(PAIRS))


def test_a_causal_model_learns_what_its_loss_counts(gpt2: Path, tmp_path: Path) -> None:
    settings = {"prompt": "rugpt3_simplify", "steps": 40, "learning_rate": 0.01, "save_every": 100}
    learnt = {}
    for loss in ("target", "whole"):
        assert run(recipe(tmp_path, gpt2, loss=loss, **settings), tmp_path / loss) == 0
        learnt[loss] = tmp_path / loss / "model"
    targets = [(source, f" {target} ") for source, target in PAIRS]
    before = logprobs(gpt2, "rugpt3_simplify", targets)
    assert all(logprobs(model, "rugpt3_simplify", targets) > 0.7 * before for model in learnt.values())
    assert by_itself(learnt["whole"]) > 0.7 * by_itself(gpt2)
    assert by_itself(learnt["target"]) < 1.2 * by_itself(learnt["whole"])


def by_itself(model: Path) -> float:
    """Log-probability of the sources as plain text."""
    found = exact_logprobs(model, [ModelInput(source="")] * len(PAIRS), [source for source, _ in PAIRS])
    return sum(value for value, _ in found)


def test_the_same_seed_gives_the_same_file_and_another_seed_another(t5: Path, tmp_path: Path) -> None:
    path = recipe(tmp_path, t5)
    assert [run(path, tmp_path / name) for name in "ab"] == [0, 0]
    assert weights(tmp_path / "a") == weights(tmp_path / "b")
    path.write_text(path.read_text().replace("seed: 3", "seed: 4"))
    assert run(path, tmp_path / "c") == 0
    assert weights(tmp_path / "c") != weights(tmp_path / "a")


def test_answers_begin_with_the_tokens_that_the_model_is_made_to_begin_with(tmp_path: Path) -> None:
    from training.finetuning.base import find_base
    from training.finetuning.data import Speller
    from training.recipe import Run

    model = tiny_bart(tmp_path / "bart")
    generation = json.loads((model / "generation_config.json").read_text())
    (model / "generation_config.json").write_text(json.dumps({**generation, "forced_bos_token_id": 1}))
    path = recipe(tmp_path, model)
    found = load_recipe(path)
    assert found.finetune is not None
    _, answer = Speller(find_base(found.finetune, Run(found, tmp_path)), load_prompt("seq2seq_plain"), 90).tokens(
        *PAIRS[0]
    )
    assert (answer[0], answer[-1]) == (1, 2)
    assert answer.count(1) == answer.count(2) == 1


def test_adapters_are_merged_and_kept(gpt2: Path, tmp_path: Path) -> None:
    pytest.importorskip("peft", reason="needs peft: pip install peft")
    path = recipe(tmp_path, gpt2, prompt="rugpt3_simplify", lora={"rank": 4, "targets": ["c_attn"]}, learning_rate=0.03)
    assert run(path, tmp_path / "out") == 0
    from safetensors.numpy import load_file

    before, after = (load_file(folder / "model.safetensors") for folder in (gpt2, tmp_path / "out" / "model"))
    changed = {name for name in before if (before[name] != after[name]).any()}
    assert changed
    assert all(name.endswith("attn.c_attn.weight") for name in changed)
    assert (tmp_path / "out" / "adapter" / "adapter_model.safetensors").is_file()


def test_a_run_goes_on_from_the_adapter_of_another(
    gpt2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("peft", reason="needs peft: pip install peft")
    from safetensors.numpy import load_file

    lora: dict[str, object] = {"rank": 4, "targets": ["c_attn"]}
    settings = {"prompt": "rugpt3_simplify", "learning_rate": 0.03}
    first = tmp_path / "first"
    assert run(recipe(tmp_path, gpt2, lora=lora, **settings), first) == 0
    lora["start"] = str(first / "adapter")
    # At a rate of next to nothing the second ends where it began.
    second = tmp_path / "second"
    assert run(recipe(tmp_path, gpt2, lora=lora, **settings | {"learning_rate": 1e-12}), second) == 0
    one, other = (load_file(folder / "adapter" / "adapter_model.safetensors") for folder in (first, second))
    assert one.keys() == other.keys()
    assert all(abs(one[name] - other[name]).max() < 1e-6 for name in one)
    assert any(abs(one[name]).max() > 0.01 for name in one if "lora_B" in name)
    for wrong, code, told in (({"rank": 2}, 2, "another shape"), ({"start": str(tmp_path / "nowhere")}, 1, "nowhere")):
        assert run(recipe(tmp_path, gpt2, lora=lora | wrong, **settings), tmp_path / "third") == code
        assert told in capsys.readouterr().err


# -- What is refused --------------------------------------------------------------------------------------------------


def test_another_recipe_or_other_pairs_in_the_folder_are_refused_until_told(
    t5: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(recipe(tmp_path, t5, steps=2), out) == 0
    assert run(recipe(tmp_path, t5, steps=2, save_every=1), out) == 0
    first = weights(out)
    assert run(recipe(tmp_path, t5, steps=2, learning_rate=0.01), out) == 2
    assert "finetune.learning_rate is 0.01, was 0.003" in capsys.readouterr().err
    assert run(recipe(tmp_path, t5, PAIRS[:3], steps=2), out) == 2
    assert "pairs.jsonl has changed" in capsys.readouterr().err
    assert weights(out) == first
    assert run(recipe(tmp_path, t5, PAIRS[:3], steps=2), out, "--restart") == 0
    assert weights(out) != first


def test_pairs_that_cannot_be_read_are_named_and_too_many_of_them_are_an_error(
    t5: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recipe(tmp_path, t5, steps=1)
    with (tmp_path / "pairs.jsonl").open("ab") as file:
        file.write(b'{"source": "\xd0\x94\xd0\xbe\xd0\xbc."}\n[]\n{"source"\n{"target": "\xd0\x94"}\n')
    assert run(path, tmp_path / "out") == 1
    told = capsys.readouterr().err
    assert f"4 of 10 rows are malformed, more than bad_rows = 0.05: {tmp_path}/pairs.jsonl, line 7: no key" in told
    assert all(f"pairs.jsonl, line {number}" in told for number in (7, 8, 9, 10))
    path.write_text(path.read_text().replace("batch_tokens", "bad_rows: 0.5\n  batch_tokens"))
    assert run(path, tmp_path / "out2") == 0
    assert "4 of 10 rows are malformed, left out:\n  " in capsys.readouterr().out


def test_pairs_that_are_too_long_or_like_dev_are_left_out_and_counted(
    t5: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dev.tsv").write_text("\t".join(PAIRS[0]) + "\n", encoding="utf-8")
    pairs = [*PAIRS, ("Очень " * 300 + "длинно.", "Длинно.")]
    dev = {"path": str(tmp_path / "dev.tsv"), "every": 1}
    assert run(recipe(tmp_path, t5, pairs, steps=1, dev=dev), tmp_path / "out") == 0
    assert "5 pairs; left out: 1 too long, 1 like a text of dev" in capsys.readouterr().out


def test_no_pairs_at_all_is_an_error(t5: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(recipe(tmp_path, t5, []), tmp_path / "out") == 1
    assert "No pair can be used: 0 rows read" in capsys.readouterr().err
    assert run(recipe(tmp_path, t5, [("а" * 5000, "а")]), tmp_path / "out2") == 1
    assert "1 too long" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"prompt": "rugpt3_simplify"}, "is of kind causal, the model of kind seq2seq"),
        ({"kind": "causal"}, "kind is causal, but the model"),
        ({"epochs": 2}, "give either epochs or steps"),
        ({"learning_rat": 1}, "did you mean learning_rate"),
    ],
)
def test_what_does_not_go_together_is_told(
    changes: dict[str, Any], told: str, t5: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(recipe(tmp_path, t5, **changes), tmp_path / "out") in (1, 2)
    shown = capsys.readouterr().err
    assert told in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("changes", "code", "told"),
    [
        (
            {"model": "./no-model"},
            1,
            "finetune.model is './no-model', and 'no-model' is not there. Make it as the head of the recipe says",
        ),
        ({"model": "runs/none/model"}, 1, "finetune.model is 'runs/none/model', and 'runs/none/model' is not there."),
        ({"prompt": "seq2seq_plian"}, 2, "Unknown prompt 'seq2seq_plian'. Did you mean"),
        (
            {"pairs": ["none.tsv"]},
            1,
            "finetune.pairs is 'none.tsv', and 'none.tsv' is not there. Make them as the head of the recipe says",
        ),
        ({"dev": {"path": "none.csv"}}, 1, "finetune.dev.path is 'none.csv', and 'none.csv' is not there."),
        ({"pairs": ["a"], "dev": {"path": "b"}}, 1, "is 'a', and 'a' is not there; finetune.dev.path is 'b', and"),
    ],
)
def test_what_is_missing_is_told_before_a_model_is_fetched(
    changes: dict[str, Any],
    code: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "find_base", lambda *_: pytest.fail("fetched"))
    named = {"model": "somebody/base", **changes}
    assert run(recipe(tmp_path, named.pop("model"), **named), tmp_path / "out") == code
    assert told in capsys.readouterr().err


def test_libraries_that_are_missing_are_told_before_a_model_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = importlib.util.find_spec
    missing = {"accelerate", "peft"}
    monkeypatch.setattr(command, "find_base", lambda *_: pytest.fail("fetched"))
    for module in (base, saving):
        monkeypatch.setattr(module, "find_spec", lambda name: None if name in missing else found(name))
    path = recipe(tmp_path, "somebody/base", lora={"rank": 4})
    for name in ("accelerate", "peft"):
        assert run(path, tmp_path / "out") == 1
        error = capsys.readouterr().err
        assert name in error
        assert "Run: pip install 'rewrite-rerank[train]'" in error
        missing.discard(name)
    assert not (tmp_path / "out").exists()


def test_a_loss_that_is_no_number_stops_the_run(t5: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recipe(tmp_path, t5, learning_rate=1.0, clip=0.0, steps=200, warmup=0, log_every=50, save_every=20)
    spoil(t5, tmp_path / "spoilt")
    path.write_text(path.read_text().replace(str(t5), str(tmp_path / "spoilt")))
    assert run(path, tmp_path / "out") == 1
    assert "The loss is nan at step 20" in capsys.readouterr().err
    assert not list((tmp_path / "out" / "finetune" / "checkpoints").glob("checkpoint-*"))


def spoil(model: Path, folder: Path) -> None:
    """A copy of the model in which a weight is no number."""
    import shutil

    from safetensors.torch import load_file, save_file

    shutil.copytree(model, folder)
    tensors = load_file(folder / "model.safetensors")
    tensors["shared.weight"][3] = float("nan")
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def test_a_folder_that_cannot_be_written_is_told(t5: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert run(recipe(tmp_path, t5), tmp_path / "file" / "out") == 1
    shown = capsys.readouterr().err
    assert "Not a directory" in shown
    assert "Traceback" not in shown


def test_the_page_names_every_key() -> None:
    from training.finetuning import learning

    page = (Path(__file__).resolve().parents[2] / "docs" / "finetune.md").read_text(encoding="utf-8")
    kinds = (learning.FinetuneOptions, learning.DevOptions, learning.LoraOptions, learning.PairsFile)
    keys = {key for kind in kinds for key in kind.model_fields}
    assert not sorted(key for key in keys if f"`{key}`" not in page)
