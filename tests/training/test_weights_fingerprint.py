"""Tables are drawn anew where a model, a recording or the code behind them is another, whatever its name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rewrite
from rewrite.errors import BadInput, ModelNotFound
from rewrite.request import Options
from training.weighting import draw, fingerprint
from training.weighting.cache import TableStore
from training.weighting.draw import draw_tables
from training.weighting.fingerprint import code_digest, file_digest, models_digest, trainer_digest

TEXT = "Старый дом номер один стоит на берегу большой реки."


def drawn_anew(options: Options, store: TableStore) -> bool:
    """Whether tables had to be drawn."""
    told: list[str] = []
    draw_tables([TEXT], options, store, processes=1, report=told.append)
    return "were there" not in told[-1]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small model, which may be written to."""
    for library in ("torch", "transformers", "sentencepiece"):
        pytest.importorskip(library, reason="the hf extra")
    from tests.rewrite.engines.tiny import tiny_gpt2

    monkeypatch.setenv("REWRITE_CACHE", str(tmp_path / "cache"))
    return tiny_gpt2(tmp_path / "model")


def train_again(folder: Path) -> None:
    """Other weights in a file of the same size."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    save_file({name: values * 0.5 for name, values in load_file(path).items()}, path, metadata={"format": "pt"})


@pytest.mark.parametrize("engine", ["ct2", "hf"])
def test_a_model_that_was_trained_again_draws_again(engine: str, model: Path, tmp_path: Path) -> None:
    options = Options(generator=f"{engine}:{model}", prompt="rugpt3_simplify", n=2)
    store = TableStore(tmp_path / "tables")
    assert drawn_anew(options, store)
    assert not drawn_anew(options, store)
    train_again(model)
    assert drawn_anew(options, store)
    assert not drawn_anew(options, store)


def test_the_model_of_fluency_counts_as_well(model: Path, tmp_path: Path) -> None:
    options = Options(generator="edits", fluency=f"hf:{model}")
    before = models_digest(options)
    assert before == models_digest(options) != models_digest(Options())
    train_again(model)
    assert models_digest(options) != before


def test_a_changed_tokenizer_or_prompt_is_another_model_and_a_card_is_none(model: Path) -> None:
    options = Options(generator=f"edits+hf:{model}")
    seen = {models_digest(options)}
    (model / "README.md").write_text("What it is.", encoding="utf-8")
    (model / ".lock").write_text("", encoding="utf-8")
    assert models_digest(options) in seen
    for name in ("tokenizer.json", "generation_config.json"):
        path = model / name
        path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
        seen.add(models_digest(options))
    (model / "prompt.yaml").write_text("template: '{source}'\n", encoding="utf-8")
    seen.add(models_digest(options))
    assert len(seen) == 4


def test_another_recording_of_the_same_name_is_played_anew(tmp_path: Path) -> None:
    recording, store = tmp_path / "drawn.jsonl", TableStore(tmp_path / "tables")
    options = Options(generator=f"replay:{recording}")
    line = '{{"source": "{}", "candidates": [{{"text": "{}"}}]}}\n'
    recording.write_text(line.format(TEXT, "Дом стоит на берегу."), encoding="utf-8")
    assert drawn_anew(options, store)
    assert not drawn_anew(options, store)
    recording.write_text(line.format(TEXT, "Дом стоит у берега."), encoding="utf-8")
    assert drawn_anew(options, store)


def test_models_that_are_not_there_are_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"Cannot read '.*none\.jsonl'"):
        models_digest(Options(generator=f"replay:{tmp_path / 'none.jsonl'}"))
    with pytest.raises(ModelNotFound):
        models_digest(Options(generator="ct2:model-of-nobody"))


def test_a_file_is_read_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"one")
    fingerprint._read.cache_clear()
    assert file_digest(path) == file_digest(path)
    assert fingerprint._read.cache_info().misses == 1
    before = file_digest(path)
    path.write_bytes(b"other")
    assert file_digest(path) != before


@pytest.fixture
def fresh_digests() -> Iterator[None]:
    """Nothing is remembered of digests before, nor after."""
    code_digest.cache_clear()
    trainer_digest.cache_clear()
    yield
    code_digest.cache_clear()
    trainer_digest.cache_clear()


@pytest.mark.usefixtures("fresh_digests")
def test_the_digest_of_the_code_follows_code_and_bundled_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    for name, data in {"__init__.py": b"", "a.py": b"x = 1", "models/m.npz": b"0", "__pycache__/a.pyc": b"0"}.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_bytes(data)
    monkeypatch.setattr(rewrite, "__file__", str(package / "__init__.py"))

    def now() -> str:
        code_digest.cache_clear()
        return code_digest()

    seen = [now()]
    (package / "__pycache__" / "a.pyc").write_bytes(b"1")
    assert now() == seen[0]
    for name in ("a.py", "models/m.npz"):
        (package / name).write_bytes(b"changed")
        seen.append(now())
    (package / "a.py").rename(package / "b.py")
    seen.append(now())
    assert len(set(seen)) == 4


def test_other_code_draws_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = TableStore(tmp_path)
    assert drawn_anew(Options(n=2), store)
    assert not drawn_anew(Options(n=2), store)
    monkeypatch.setattr(draw, "code_digest", lambda: "other")
    assert drawn_anew(Options(n=2), store)


@pytest.mark.usefixtures("fresh_digests")
def test_the_digest_of_the_training_follows_its_module_and_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [trainer_digest()]
    changed = tmp_path / "edit_model.py"
    changed.write_bytes(fingerprint._TRAINER.read_bytes() + b"x = 1\n")
    monkeypatch.setattr(fingerprint, "_TRAINER", changed)
    trainer_digest.cache_clear()
    seen.append(trainer_digest())
    monkeypatch.setattr(fingerprint, "_version", lambda name: "99" if name == "scikit-learn" else "1")
    trainer_digest.cache_clear()
    seen.append(trainer_digest())
    assert len(set(seen)) == 3


def test_the_edit_model_is_trained_by_nothing_else_of_training() -> None:
    assert "import training" not in (text := fingerprint._TRAINER.read_text(encoding="utf-8"))
    assert "from training" not in text
