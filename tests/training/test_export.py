"""Packing a trained model: what is in the folder, that it runs, and that it is whole or not there."""

from __future__ import annotations

import errno
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

from rewrite.checksums import SUMS, verify_sums
from rewrite.engines.ct2 import create
from rewrite.engines.hf import create as create_hf
from rewrite.errors import BadModel, CannotWrite
from rewrite.generators import create_generator
from rewrite.generators.base import Sampling
from rewrite.prompting import load_prompt
from tests.rewrite.engines.taught import ANSWERS, teach
from tests.rewrite.engines.tiny import SOURCES
from training import export as command
from training.exporting import package
from training.exporting.card import base_of
from training.finetuning.options import FinetuneOptions
from training.recipe import Run, load_recipe

ROOT = Path(__file__).resolve().parents[2]
GREEDY = Sampling(n=1, temperature=0, max_tokens=40)
FIGURE = {
    "name": "SARI",
    "on": "dev",
    "value": 38.25,
    "interval": [37.5, 39.0],
    "baselines": {"source | itself": 12.5},
    "command": "rewrite evaluate rsse --data DIR",
}


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the models that a fine-tuning step would have left, one a family."""
    root = tmp_path_factory.mktemp("taught")
    for family in ("pegasus", "gpt2"):
        teach(root / family, family)
    return root


@pytest.fixture(scope="module")
def exported(taught: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an export of each, made with all sentences that they have learnt; never write to it."""
    root = tmp_path_factory.mktemp("exported")
    for family in ("pegasus", "gpt2"):
        recipe = write_recipe(root, taught / family, verify={"sentences": list(SOURCES), "same": 1.0})
        assert command.main([str(recipe), "--out", str(root / family)]) == 0
    return root


@pytest.fixture
def run(taught: Path, tmp_path: Path) -> Callable[..., Path]:
    """Writes a recipe for a model and exports it by the command; gives the folder of the run."""

    def exported(*, code: int = 0, drop: str = "", **changes: Any) -> Path:
        write_recipe(tmp_path, taught / "pegasus", drop=drop, **changes)
        assert command.main([str(tmp_path / "recipe.yaml"), "--out", str(tmp_path / "out")]) == code
        return tmp_path / "out"

    return exported


def write_recipe(folder: Path, trained: Path, *, drop: str = "", **changes: Any) -> Path:
    data = [{"name": "Toy pairs", "licence": "CC0", "used_for": "fine-tuning"}]
    section = {
        "licence": "mit",
        "model": str(trained),
        "prompt": "rugpt3_simplify" if trained.name == "gpt2" else "seq2seq_plain",
        "data": data,
        "verify": {"sentences": ["Дождь."]},
        **changes,
    }
    section.pop(drop, None)
    recipe = {"name": "tiny", "language": "ru", "seed": 7, "export": section}
    path = folder / "recipe.yaml"
    path.write_text(f"# By hand.\n{yaml.safe_dump(recipe, allow_unicode=True)}", encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("family", ["pegasus", "gpt2"])
def test_an_export_runs_at_once_and_says_what_the_model_has_learnt(
    family: str, exported: Path, taught: Path, analyzer: Any
) -> None:
    folder = exported / family / "export" / "tiny"
    generator = create_generator(f"ct2:{folder}", analyzer=analyzer)
    drawn = [found[0].text for found in generator.generate(SOURCES, GREEDY)]
    assert sum(text == answer for text, answer in zip(drawn, ANSWERS, strict=True)) >= 3
    prompt = load_prompt(str(folder / "prompt.yaml"))
    asked = [prompt.render(source) for source in SOURCES]
    ours = create(str(folder), {}).sample(asked, GREEDY)
    theirs = create_hf(str(taught / family), {}).sample(asked, GREEDY)
    assert [group[0].text for group in ours if isinstance(group, list)] == [
        group[0].text for group in theirs if isinstance(group, list)
    ]


def test_two_exports_of_one_model_are_the_same_byte_by_byte(exported: Path, tmp_path: Path) -> None:
    first = contents(exported / "gpt2" / "export" / "tiny")
    # In a process of its own: what depends on the order of a set differs between two.
    recipe = [str(exported / "recipe.yaml"), "--out", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "training.export", *recipe], check=True, timeout=120, cwd=ROOT)
    assert contents(tmp_path / "export" / "tiny") == first
    assert {"model.bin", "tokenizer.json", "prompt.yaml", "README.md", "card.json", SUMS} <= set(first)


def test_the_sums_cover_every_file_and_name_the_one_that_differs(exported: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(exported / "pegasus" / "export" / "tiny", tmp_path / "copy")
    assert verify_sums(folder) == len(contents(folder)) - 1
    (folder / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes() + b"\n")
    with pytest.raises(BadModel, match=r"tokenizer\.json: it differs"):
        verify_sums(folder)
    (folder / "model.bin").unlink()
    with pytest.raises(BadModel, match=r"model\.bin: the file is missing"):
        verify_sums(folder)


def test_the_card_tells_data_recipe_seed_figures_and_limits(run: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "figures.json").write_text(json.dumps({"figures": [FIGURE], "loss": 1}), encoding="utf-8")
    folder = run(limits=["Knows four answers."], base="someone/base", summary="A toy.") / "export" / "tiny"
    text = (folder / "README.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    assert yaml.safe_load(front) == {
        "language": ["ru"],
        "license": "mit",
        "base_model": "someone/base",
        "datasets": ["Toy pairs"],
        "library_name": "ctranslate2",
        "pipeline_tag": "text2text-generation",
        "tags": ["ctranslate2", "rewrite-rerank"],
    }
    assert "| Toy pairs | fine-tuning | CC0 |  |" in body
    assert r"| figure | on | this model | source \| itself | command |" in body
    assert f"| SARI | dev | 38.25 (37.5 to 39) | 12.5 | `{FIGURE['command']}` |" in body
    assert "- Knows four answers." in body
    assert "Seed 7." in body
    recipe = (tmp_path / "recipe.yaml").read_text(encoding="utf-8")
    assert recipe in body
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["recipe"] == recipe
    assert card["figures"] == [FIGURE]
    assert card["data"][0]["licence"] == "CC0"
    assert card["verified"]["same"] == card["verified"]["sentences"] == 1
    assert card["bytes"] == sum((folder / name).stat().st_size for name in card["files"])
    assert {"ctranslate2", "torch", "transformers"} <= set(card["libraries"])
    sizes = {name: len(data) for name, data in contents(folder).items()}
    assert card["files"] == {name: size for name, size in sizes.items() if name not in ("README.md", "card.json", SUMS)}


def test_parameters_are_counted_from_the_checkpoint(exported: Path, taught: Path) -> None:
    import transformers

    card = json.loads((exported / "pegasus" / "export" / "tiny" / "card.json").read_text(encoding="utf-8"))
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(taught / "pegasus")
    buffers = model.final_logits_bias.numel()
    assert card["parameters"] == sum(p.numel() for p in model.parameters()) + buffers


def test_without_figures_the_card_says_that_none_were_measured(
    run: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    text = (run() / "export" / "tiny" / "README.md").read_text(encoding="utf-8")
    assert "None were measured" in text
    assert "No figures" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"data": [{"name": "RuAdapt"}]}, "no licence line for 'RuAdapt'"),
        ({"data": [{"name": "RuAdapt", "licence": " "}]}, "no licence line for 'RuAdapt'"),
        ({"data": []}, "export.data"),
        ({"drop": "data"}, "export.data: missing"),
        ({"drop": "prompt"}, "no prompt.yaml"),
        ({"model": "{out}/nothing"}, "no folder"),
        ({"figures": "{out}/none.json"}, "none.json"),
        ({"licence": "other"}, "licence_name"),
        ({"quantization": "int4"}, "int4"),
        ({"quantisation": "int8"}, "did you mean quantization"),
        ({"prompt": "rugpt3_simplify"}, "of kind causal"),
        ({"max_mb": 0.02}, "export.max_mb is 0.02"),
        ({"verify": {"sentences": ["Дождь."], "gap": 0.0}}, "other things than the checkpoint"),
    ],
)
def test_what_is_wrong_is_one_line_and_leaves_nothing(
    changes: dict[str, Any], said: str, run: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code = 1 if said in ("no folder", "none.json", "export.max_mb is 0.02", "other things than the checkpoint") else 2
    folder = run(code=code, **changes)
    error = capsys.readouterr().err.splitlines()[-1]
    assert said in error
    assert not (folder / "export").exists() or not list((folder / "export").iterdir())


@pytest.mark.parametrize("missing", ["name", "value", "command"])
def test_a_figure_without_its_command_is_named(
    missing: str, run: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "figures.json"
    path.write_text(json.dumps({"figures": [FIGURE, {k: v for k, v in FIGURE.items() if k != missing}]}))
    run(code=1, figures=str(path))
    assert re.search(rf"figure 2 .*{missing}: ", capsys.readouterr().err)


@pytest.mark.parametrize("how", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_what_breaks_off_leaves_the_earlier_export(
    how: BaseException, run: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run()
    before = contents(folder)

    def broken(path: Path) -> None:
        raise how

    full = isinstance(how, OSError)
    with monkeypatch.context() as patch:
        patch.setattr(package, "write_sums", broken)
        run(code=1 if full else 130, summary="Another.")
    assert contents(folder) == before
    error = capsys.readouterr().err.splitlines()[-1]
    assert ("No space left on device; nothing of it was kept" in error) == full
    if full:
        after = contents(run(summary="Another."))
        assert set(before) == set(after)
        assert before["export/tiny/README.md"] != after["export/tiny/README.md"]


def test_the_bound_on_the_size_is_kept_to_the_byte(
    run: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def export(size: int) -> int:
        # The recipe is part of the card, so bounds are written with as many digits as the first.
        text = recipe.read_text(encoding="utf-8")
        recipe.write_text(re.sub(r"max_mb: \S+", f"max_mb: {size / 1e6:.6f}", text), encoding="utf-8")
        return command.main([str(recipe), "--out", str(tmp_path / "out")])

    folder = run(max_mb=0.987654)
    recipe = tmp_path / "recipe.yaml"
    size = sum(len(data) for data in contents(folder).values())
    shutil.rmtree(folder / "export")
    assert export(size) == 0
    assert sum(len(data) for data in contents(folder).values()) == size
    shutil.rmtree(folder / "export")
    # The card and the sums count: without them the model would be small enough.
    assert export(size - 1) == 1
    assert f"export.max_mb is {(size - 1) / 1e6:g}" in capsys.readouterr().err
    assert not contents(folder / "export")


def test_a_recipe_that_cannot_be_read_is_one_line_with_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "recipe.yaml"
    for data, said in (
        (None, r"^export: Cannot read the recipe '.*recipe\.yaml': No such file or directory\. .*one of the shipped: "),
        ("name: модель\n".encode("cp1251"), r"^export: .*recipe\.yaml, byte 6: not UTF-8\. Save it as UTF-8\.$"),
    ):
        if data is not None:
            path.write_bytes(data)
        assert command.main([str(path), "--out", str(tmp_path / "out")]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert re.search(said, line)


@pytest.mark.parametrize(
    ("base", "said"),
    [(None, " Training began with `ai-forever/ruT5-base`."), ("a T5 of ours", " Training began with `a T5 of ours`.")],
)
def test_the_card_tells_what_training_began_with(base: str | None, said: str, taught: Path, tmp_path: Path) -> None:
    path = write_recipe(tmp_path, taught / "pegasus", **({"base": base} if base else {}))
    recipe = yaml.safe_load(path.read_text(encoding="utf-8")) | {"finetune": {"model": "ai-forever/ruT5-base"}}
    path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
    assert command.main([str(path), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "export" / "tiny" / "README.md").read_text(encoding="utf-8")
    assert f"Seed 7.{said} The recipe:" in text
    assert ("\nbase_model: " in text) == (base is None)


def test_the_card_holds_no_path_of_a_folder_that_training_began_with(taught: Path, tmp_path: Path) -> None:
    path = write_recipe(tmp_path, taught / "pegasus")
    for model in (str(taught / "pegasus"), "~/models/t5", "{out}/model"):
        recipe = load_recipe(path).model_copy(update={"finetune": FinetuneOptions(model=model)})
        assert recipe.export is not None
        assert base_of(recipe, recipe.export) is None
        assert base_of(recipe, recipe.export.model_copy(update={"base": "a T5 of ours"})) == "a T5 of ours"


def test_a_folder_that_is_no_export_is_left_alone(taught: Path, tmp_path: Path) -> None:
    recipe = load_recipe(write_recipe(tmp_path, taught / "pegasus"))
    own = tmp_path / "out" / "export" / "tiny" / "notes.txt"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    with pytest.raises(CannotWrite, match="no export"):
        package.export(Run(recipe, tmp_path / "out"), "", lambda line: None)
    assert own.read_text() == "mine"


def test_weights_are_kept_in_the_numbers_that_the_recipe_names(run: Callable[..., Path]) -> None:
    sizes = {
        numbers: (run(quantization=numbers) / "export" / "tiny" / "model.bin").stat().st_size
        for numbers in ("int8", "float32")
    }
    assert sizes["int8"] < sizes["float32"]
