"""Whatever is wrong with a model's folder is said in one line that names the user's own file and what to do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rewrite.engines import ct2, hf
from rewrite.engines.base import Message, ModelInput
from rewrite.errors import BadInput, BadModel, BadOption, RewriteError
from rewrite.generators.base import Sampling
from rewrite.generators.language_model import LanguageModelGenerator

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

ENGINES = [ct2.create, hf.create]
GREEDY = Sampling(n=1, temperature=0, max_tokens=2)


@pytest.fixture
def model(tiny_model: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REWRITE_CACHE", str(tmp_path / "cache"))
    return shutil.copytree(tiny_model("gpt2"), tmp_path / "mine")


def change(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")


def fault(make: Any, folder: Path, kind: type[RewriteError] = BadModel) -> RewriteError:
    with pytest.raises(kind) as caught:
        make(str(folder), {"device": "cpu"}).sample([ModelInput("Кот.", text="Кот.")], GREEDY)
    said = str(caught.value)
    assert "\n" not in said
    assert "cache" not in said
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize("changes", [{"n_embd": 64}, {"vocab_size": 999}])
def test_sizes_that_are_not_those_of_the_weights(make: Any, changes: dict[str, int], model: Path) -> None:
    change(model / "config.json", **changes)
    found = fault(make, model)
    assert found.message.startswith(f"{model / 'config.json'}: it asks for other sizes")
    assert str(*changes.values()) in found.message or "192" in found.message
    assert "ignore_mismatched_sizes" not in str(found)


@pytest.mark.parametrize("make", ENGINES)
def test_a_type_that_nobody_knows(make: Any, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(model / "config.json", model_type="gpt9")
    found = fault(make, model)
    assert found.message.startswith(f"{model}: ")
    assert "'gpt9'" in found.message
    assert found.hint == "Run: pip install -U transformers"
    assert "Converting" not in capsys.readouterr().err


@pytest.mark.parametrize("make", ENGINES)
def test_settings_that_contradict_each_other(make: Any, model: Path) -> None:
    change(model / "config.json", n_head=3)
    assert "config.json" in fault(make, model).hint


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize(
    "text", ['{"version"', '{"version": "1.0"}', '{"version": "1.0", "model": {"type": "WordPiece"}}', "[]"]
)
def test_a_broken_tokenizer(make: Any, text: str, model: Path) -> None:
    (model / "tokenizer.json").write_text(text, encoding="utf-8")
    assert fault(make, model).message.startswith(f"{model / 'tokenizer.json'}: ")


@pytest.mark.parametrize("make", ENGINES)
def test_a_tokenizer_that_is_not_there(make: Any, model: Path) -> None:
    (model / "tokenizer.json").unlink()
    assert "there is no tokenizer.json" in fault(make, model).message


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize("name", ["generation_config.json", "tokenizer_config.json"])
def test_broken_settings(make: Any, name: str, model: Path) -> None:
    (model / name).write_text("{", encoding="utf-8")
    assert fault(make, model).message.startswith(f"{model / name}: it cannot be read as JSON")


@pytest.mark.parametrize("make", ENGINES)
def test_an_end_that_is_no_token(make: Any, model: Path) -> None:
    change(model / "generation_config.json", eos_token_id="x")
    assert "eos_token_id is 'x'" in fault(make, model).message


@pytest.mark.parametrize("make", ENGINES)
def test_a_bad_prompt_is_the_user_s_own(make: Any, model: Path) -> None:
    (model / "prompt.yaml").write_text("name: mine\nkind: banana\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        _ = LanguageModelGenerator(make(str(model), {"device": "cpu"})).prompt
    assert caught.value.message.startswith(f"{model / 'prompt.yaml'}, ")


@pytest.mark.parametrize("make", ENGINES)
def test_a_chat_template_that_fails_is_the_user_s_own(make: Any, model: Path) -> None:
    (model / "chat_template.jinja").write_text("{% for %}\n{{ x }}", encoding="utf-8")
    with pytest.raises(BadModel) as caught:
        make(str(model), {"device": "cpu"}).sample([ModelInput("Кот.", messages=(Message("user", "Кот."),))], GREEDY)
    assert caught.value.message.startswith(f"{model}: its chat template fails")
    assert "\n" not in str(caught.value)


def test_what_ctranslate2_cannot_convert_is_to_be_run_by_the_other_engine(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ctranslate2.converters import transformers as converters

    monkeypatch.delitem(converters._MODEL_LOADERS, "GPT2Config")
    found = fault(ct2.create, model)
    assert found.message == f"{model}: CTranslate2 takes no models of type 'gpt2'."
    assert f"hf:{model}" in found.hint


def test_a_broken_copy_is_named_and_is_to_be_deleted(model: Path) -> None:
    engine = ct2.create(str(model), {"device": "cpu"})
    copy = engine.folder
    (copy / "model.bin").write_bytes((copy / "model.bin").read_bytes()[:1_000])
    with pytest.raises(BadModel, match=copy.name) as caught:
        engine.sample([ModelInput("Кот.", text="Кот.")], GREEDY)
    assert "Delete that folder" in caught.value.hint


def test_a_gpu_that_is_not_there_is_no_fault_of_the_model(model: Path) -> None:
    import ctranslate2

    if ctranslate2.get_cuda_device_count():
        pytest.skip("there is a GPU")
    engine = ct2.create(str(model), {"device": "cuda"})
    with pytest.raises(BadOption, match="'device' got 'cuda'") as caught:
        engine.sample([ModelInput("Кот.", text="Кот.")], GREEDY)
    assert "device=cpu" in caught.value.hint
    assert "Delete" not in str(caught.value)


@pytest.mark.parametrize("make", ENGINES)
def test_threads_that_no_system_has_room_for_are_refused(make: Any) -> None:
    with pytest.raises(BadOption, match=r"threads is '100000'.*1024"):
        make("model", {"threads": "100000"})
    with pytest.raises(BadOption, match=r"workers is '100000'.*1024"):
        ct2.create("model", {"workers": "100000"})
