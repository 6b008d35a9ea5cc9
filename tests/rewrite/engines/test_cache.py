"""The cache of converted models: what makes a new copy, and what becomes of old ones."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.engines import cache as cache_module
from rewrite.engines import convert
from rewrite.engines.base import ModelInput
from rewrite.engines.cache import hold, place, remove_unused
from rewrite.engines.convert import CARD, converted, held_copy
from rewrite.engines.ct2 import create
from rewrite.errors import BadModel
from rewrite.generators.base import Sampling
from rewrite.generators.language_model import LanguageModelGenerator

GREEDY = Sampling(n=1, temperature=0, max_tokens=4)
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


@pytest.mark.parametrize(
    "name",
    [
        *("model.safetensors", "config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json"),
        *("vocab.json", "merges.txt", "spiece.model", "source.spm", "added_tokens.json"),
    ],
)
def test_files_that_are_converted_do_and_the_old_copy_goes(
    name: str, cache: Path, model: Path, quick: list[Path]
) -> None:
    if not (model / name).exists():
        (model / name).write_text("{}", encoding="utf-8")
    first = converted(model, quantization="int8")
    touch(model / name)
    second = converted(model, quantization="int8")
    assert second != first
    assert copies(cache) == [second.name]


def test_a_pickle_counts_only_where_it_is_read(cache: Path, model: Path, quick: list[Path]) -> None:
    first = converted(model, quantization="int8", allow_pickle=True)
    (model / "pytorch_model.bin").write_bytes(b"weights")
    assert converted(model, quantization="int8", allow_pickle=True) == first
    (model / "model.safetensors").unlink()
    assert converted(model, quantization="int8", allow_pickle=True) != first


def test_copies_in_other_numbers_stay_until_the_model_changes(cache: Path, model: Path, quick: list[Path]) -> None:
    both = [converted(model, quantization=numbers).name for numbers in ("int8", "float32")]
    assert copies(cache) == sorted(both)
    touch(model / "config.json")
    third = converted(model, quantization="int8")
    assert copies(cache) == [third.name]


def test_copies_of_another_folder_of_the_same_name_stay(
    cache: Path, model: Path, tmp_path: Path, quick: list[Path]
) -> None:
    other = shutil.copytree(model, tmp_path / "other" / "model")
    theirs = converted(other, quantization="int8")
    converted(model, quantization="int8")
    touch(model / "config.json")
    ours = converted(model, quantization="int8")
    assert place(model) != place(other)
    assert copies(cache) == sorted([theirs.name, ours.name])


def test_a_copy_in_use_stays_until_nobody_uses_it(cache: Path, model: Path, quick: list[Path]) -> None:
    old = held_copy(model, quantization="int8")
    touch(model / "config.json")
    new = converted(model, quantization="int8")
    assert copies(cache) == sorted([old.folder.name, new.name])
    old.held.close()
    converted(model, quantization="int8")
    assert copies(cache) == [new.name]


def _use(folder: str, begun: object, over: object) -> None:
    copy = held_copy(Path(folder), quantization="int8")
    begun.set()  # type: ignore[attr-defined]
    over.wait(30)  # type: ignore[attr-defined]
    copy.held.close()


def test_a_copy_that_another_process_uses_stays(cache: Path, model: Path, quick: list[Path]) -> None:
    context = multiprocessing.get_context("fork")
    begun, over = context.Event(), context.Event()
    process = context.Process(target=_use, args=(str(model), begun, over))
    process.start()
    try:
        assert begun.wait(30)
        (old,) = copies(cache)
        touch(model / "config.json")
        new = converted(model, quantization="int8")
        assert copies(cache) == sorted([old, new.name])
    finally:
        over.set()
        process.join(30)
    converted(model, quantization="int8")
    assert copies(cache) == [new.name]


def test_a_copy_that_goes_before_it_is_held_is_made_anew(
    cache: Path, model: Path, quick: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[Path] = []

    def late(path: Path) -> object:
        held.append(path)
        if len(held) == 1:
            remove_unused([path.parent], CARD)
        return hold(path)

    monkeypatch.setattr(convert, "hold", late)
    copy = held_copy(model, quantization="int8")
    assert (copy.folder / CARD).is_file()
    assert len(quick) == 2
    assert copies(cache) == [copy.folder.name]


def test_a_copy_that_lost_its_card_is_named(cache: Path, model: Path, quick: list[Path]) -> None:
    folder = converted(model, quantization="int8")
    (folder / CARD).unlink()
    with pytest.raises(BadModel, match=folder.name) as caught:
        held_copy(model, quantization="int8")
    assert "Delete" in caught.value.hint


def test_a_model_that_changes_while_it_is_converted_leaves_newer_copies_alone(
    cache: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []

    def slow(folder: Path, output: Path, **_: object) -> None:
        (output / CARD).write_text("{}", encoding="utf-8")
        if not made:
            made.append(output)
            touch(model / "config.json")
            made.append(converted(model, quantization="int8"))  # another process, which is through sooner

    monkeypatch.setattr(convert, "convert", slow)
    late = converted(model, quantization="int8")
    assert copies(cache) == sorted([late.name, made[1].name])
    assert converted(model, quantization="int8") == made[1]
    assert copies(cache) == [made[1].name]


def test_what_was_moved_aside_and_not_removed_goes_the_next_time(cache: Path, model: Path, quick: list[Path]) -> None:
    first = converted(model, quantization="int8")
    first.rename(first.with_name(f"{first.name}.removed"))
    second = converted(model, quantization="int8")
    converted(model, quantization="int8")
    assert copies(cache) == [second.name]


def _convert_until_killed(folder: str, begun: object) -> None:
    def stuck(folder: Path, output: Path, **_: object) -> None:
        (output / "model.bin").write_bytes(b"half")
        begun.set()  # type: ignore[attr-defined]
        time.sleep(60)

    convert.convert = stuck
    converted(Path(folder), quantization="int8")


def test_what_a_killed_conversion_leaves_goes_with_the_next_and_not_while_it_runs(
    cache: Path, model: Path, tmp_path: Path, quick: list[Path]
) -> None:
    context = multiprocessing.get_context("fork")
    begun = context.Event()
    process = context.Process(target=_convert_until_killed, args=(str(model), begun))
    process.start()
    try:
        assert begun.wait(30)
        (half,) = copies(cache)
        assert half.startswith(".")
        meanwhile = converted(model, quantization="float32")
        assert copies(cache) == sorted([half, meanwhile.name])
    finally:
        process.kill()
        process.join(30)
    other = converted(shutil.copytree(model, tmp_path / "other" / "model"), quantization="int8")
    assert half in copies(cache)
    touch(model / "config.json")
    last = converted(model, quantization="int8")
    assert copies(cache) == sorted([other.name, last.name])


def test_without_locks_nothing_is_removed(
    cache: Path, model: Path, quick: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "_lock", lambda file, shared: False)
    first = held_copy(model, quantization="int8").folder
    touch(model / "config.json")
    second = held_copy(model, quantization="int8").folder
    assert copies(cache) == sorted([first.name, second.name])


def test_an_engine_keeps_its_copy_and_goes_on_drawing_from_it(cache: Path, model: Path) -> None:
    engine = create(str(model), {"threads": "1"})
    asked = [ModelInput("Кот спал.", text="Кот спал.")]
    before = engine.sample(asked, GREEDY)
    changed = json.loads((model / "config.json").read_text(encoding="utf-8"))
    (model / "config.json").write_text(json.dumps({**changed, "note": 1}), encoding="utf-8")
    create(str(model), {"threads": "1"}).sample(asked, GREEDY)
    assert len(copies(cache)) == 2
    engine.close()
    assert engine.sample(asked, GREEDY) == before


def test_a_prompt_is_read_from_the_model_s_own_folder_without_converting_it_anew(
    cache: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = []
    for name in ("first", "second"):
        (model / "prompt.yaml").write_text(PROMPT.format(name), encoding="utf-8")
        names.append(LanguageModelGenerator(create(str(model), {})).prompt.name)
        monkeypatch.setattr(convert, "convert", lambda *_, **__: pytest.fail("converted twice"))
    assert names == ["first", "second"]
