"""The cache of converted models: what makes a new copy, and what becomes of old ones."""

from __future__ import annotations

import errno
import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rewrite.engines import convert
from rewrite.engines.base import ModelInput
from rewrite.engines.cache import build_anew, place
from rewrite.engines.convert import CARD, converted
from rewrite.engines.ct2 import create
from rewrite.errors import CannotWrite
from rewrite.generators.base import Sampling
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


def build_beside(half: Path, *_: object, **__: object) -> None:
    """As on a disk that is full while `half` is there."""
    if half.exists():
        raise OSError(errno.ENOSPC, "No space left on device")


def test_halves_on_a_full_disk_go_before_a_model_is_converted(
    cache: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = cache / ".another-int8-1234.half"
    monkeypatch.setattr(convert, "convert", partial(build_beside, half))
    half.mkdir(parents=True)
    with pytest.raises(CannotWrite, match=r"No space left .* REWRITE_CACHE"):
        converted(model, quantization="int8")  # it may be one that is built now
    assert copies(cache) == [half.name]
    age(half)
    made = converted(model, quantization="int8")
    assert copies(cache) == [made.name]


def kill_in(folder: Path) -> None:
    (folder / "model.bin").write_bytes(b"1")
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_a_killed_process_left_of_a_folder_goes_before_it_is_built_anew(tmp_path: Path) -> None:
    target = tmp_path / "model"
    killed = multiprocessing.get_context("fork").Process(target=build_anew, args=(target, kill_in))
    killed.start()
    killed.join()
    (half,) = tmp_path.iterdir()
    others = [tmp_path / name for name in (".model-old", ".model-2", "model-2", ".another-1234.half")]
    for folder in others:
        folder.mkdir()
        age(folder)
    with pytest.raises(OSError, match="No space left"):
        build_anew(target, partial(build_beside, half))
    age(half)
    build_anew(target, partial(build_beside, half))
    assert sorted(tmp_path.iterdir()) == sorted([target, *others])


def test_the_earlier_folder_is_never_taken_for_a_half(tmp_path: Path) -> None:
    half = tmp_path / ".model-1234.half"
    (half / "earlier").mkdir(parents=True)  # killed between moving that away and putting the new one in its place
    for is_left in (True, False):
        age(half)
        build_anew(tmp_path / "model", lambda _: None)
        assert half.exists() == is_left


def test_a_copy_that_is_drawn_from_is_in_use(
    cache: Path, model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    drawing, sampling = create(str(model), {"threads": "1"}), Sampling(n=1, max_tokens=2)
    asked = [ModelInput("Дождь.", text="<s>Дождь. <Simplify:>")]
    drawing.sample(asked, sampling)
    age(drawing.folder)
    drawing.sample(asked, sampling)
    monkeypatch.setattr(convert, "convert", lambda *_, **__: None)
    touch(model / "config.json")
    converted(model, quantization="int8")
    assert drawing.folder.is_dir()
    # A folder that the user has converted is left as it was.
    own = shutil.copytree(drawing.folder, tmp_path / "own")
    age(own)
    before = own.stat().st_mtime
    create(str(own), {"threads": "1"}).sample(asked, sampling)
    assert own.stat().st_mtime == before


def test_a_prompt_is_read_from_the_model_s_own_folder_without_converting_it_anew(
    cache: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = []
    for name in ("first", "second"):
        (model / "prompt.yaml").write_text(PROMPT.format(name), encoding="utf-8")
        names.append(LanguageModelGenerator(create(str(model), {})).prompt.name)
        monkeypatch.setattr(convert, "convert", lambda *_, **__: pytest.fail("converted twice"))
    assert names == ["first", "second"]
