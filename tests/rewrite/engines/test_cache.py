"""The cache of converted models: what makes a new copy, and what becomes of old ones."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.engines import convert
from rewrite.engines.cache import place
from rewrite.engines.convert import CARD, converted
from rewrite.engines.ct2 import create
from rewrite.generators.language_model import LanguageModelGenerator

PROMPT = 'name: {}\ntask: simplify\nlanguage: ru\nkind: causal\ntemplate: "{{source}} ="\n'


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REWRITE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "ct2"


@pytest.fixture
def model(tiny_model: Callable[[str], Path], tmp_path: Path) -> Path:
    return shutil.copytree(tiny_model("gpt2"), tmp_path / "model")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Conversions that take no time; the models that were converted."""
    done: list[Path] = []

    def convert_at_once(folder: Path, output: Path, **_: object) -> None:
        done.append(folder)
        (output / CARD).write_text("{}", encoding="utf-8")

    monkeypatch.setattr(convert, "convert", convert_at_once)
    return done


def touch(path: Path) -> None:
    """As if the file had been written again, with the same bytes."""
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))


def age(folder: Path) -> None:
    """As if it had not been used for eight days."""
    then = time.time() - 8 * 24 * 60 * 60
    os.utime(folder, (then, then))


def copies(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir())


def test_files_that_are_not_converted_bring_no_new_copy(cache: Path, model: Path, quick: list[Path]) -> None:
    first = converted(model, quantization="int8")
    for name in (
        "README.md",
        "checkpoint.pt",
        "prompt.yaml",
        "data.jsonl",
        "training_args.bin",
        "model.fp16.safetensors",
    ):
        (model / name).write_text("new", encoding="utf-8")
    (model / "chat_template.jinja").write_text("{{ messages }}", encoding="utf-8")
    (model / "runs").mkdir()
    assert converted(model, quantization="int8") == first
    assert len(quick) == 1


def test_files_that_are_converted_do(cache: Path, model: Path, quick: list[Path]) -> None:
    made = set()
    for name in (
        *("model.safetensors", "config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json"),
        *("vocab.json", "merges.txt", "spiece.model", "source.spm", "added_tokens.json"),
    ):
        if not (model / name).exists():
            (model / name).write_text("{}", encoding="utf-8")
        made.add(converted(model, quantization="int8"))
        touch(model / name)
        made.add(converted(model, quantization="int8"))
    assert len(made) == len(quick) >= 11


def test_a_pickle_counts_only_where_it_is_read(cache: Path, model: Path, quick: list[Path]) -> None:
    first = converted(model, quantization="int8", allow_pickle=True)
    (model / "pytorch_model.bin").write_bytes(b"weights")
    assert converted(model, quantization="int8", allow_pickle=True) == first
    (model / "model.safetensors").unlink()
    assert converted(model, quantization="int8", allow_pickle=True) != first


def test_copies_in_other_numbers_stay(cache: Path, model: Path, quick: list[Path]) -> None:
    both = [converted(model, quantization=numbers).name for numbers in ("int8", "float32")]
    assert copies(cache) == sorted(both)


def test_copies_of_another_folder_of_the_same_name_stay(
    cache: Path, model: Path, tmp_path: Path, quick: list[Path]
) -> None:
    other = shutil.copytree(model, tmp_path / "other" / "model")
    theirs = converted(other, quantization="int8")
    age(theirs)
    ours = converted(model, quantization="int8")
    assert place(model) != place(other)
    assert copies(cache) == sorted([theirs.name, ours.name])


def test_an_outdated_copy_or_half_of_one_goes_a_week_after_its_last_use(
    cache: Path, model: Path, quick: list[Path]
) -> None:
    first = converted(model, quantization="int8")
    age(first)
    assert converted(model, quantization="int8") == first  # which is a use
    half = cache / f".{first.name}-half"
    half.mkdir()
    touch(model / "config.json")
    second = converted(model, quantization="int8")
    assert copies(cache) == sorted([half.name, first.name, second.name])
    age(first)
    age(half)
    age(second)
    converted(model, quantization="int8")
    assert copies(cache) == [second.name]


def test_a_prompt_is_read_from_the_model_s_own_folder_without_converting_it_anew(
    cache: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = []
    for name in ("first", "second"):
        (model / "prompt.yaml").write_text(PROMPT.format(name), encoding="utf-8")
        names.append(LanguageModelGenerator(create(str(model), {})).prompt.name)
        monkeypatch.setattr(convert, "convert", lambda *_, **__: pytest.fail("converted twice"))
    assert names == ["first", "second"]
