"""The engine hf: its settings, and errors that say what to do."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from rewrite.engines.base import Engine, Message, ModelInput
from rewrite.engines.hf import create
from rewrite.errors import BadModel, BadOption, MissingExtra, RewriteError
from tests.rewrite.engines.hf_cases import GREEDY, SAMPLED, ModelFolder, inputs, new, samples, texts

torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
transformers = pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")


def test_a_conversation_needs_a_chat_template(tiny_model: ModelFolder) -> None:
    with pytest.raises(BadModel, match="no chat template"):
        new(tiny_model("gpt2")).sample([ModelInput("Кот.", messages=(Message("user", "Кот."),))], GREEDY)


def test_a_failing_chat_template_is_named(tiny_model: ModelFolder, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_model("chat"), tmp_path / "chat")
    (folder / "chat_template.jinja").write_text("{{ raise_exception('only two turns') }}", encoding="utf-8")
    with pytest.raises(BadModel, match="only two turns"):
        new(folder).sample([ModelInput("Кот.", messages=(Message("user", "Кот."),))], GREEDY)


def test_description_and_options(tiny_model: ModelFolder) -> None:
    engine = new(tiny_model("t5"), dtype="bfloat16")
    assert isinstance(engine, Engine)
    assert (engine.info.kind, engine.info.model_type, engine.info.chat) == ("seq2seq", "t5", False)
    assert engine.info.folder == tiny_model("t5")
    described = engine.describe()
    assert described["model"] == "t5"
    assert described["dtype"] == "bfloat16"
    assert described["transformers"] == transformers.__version__
    samples(engine, inputs(), GREEDY)
    assert engine._loaded().model.dtype == torch.bfloat16
    assert torch.get_num_threads() == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"device": "tpu"}, "'tpu'"),
        ({"dtype": "int3"}, "'int3'"),
        ({"batch_rows": "many"}, "'many'"),
        ({"batch": "3"}, "batch: unknown key .did you mean batch_rows"),
    ],
)
def test_wrong_options_are_named(options: dict[str, str], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        create("any", options)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_device_that_is_not_there_is_refused(tiny_model: ModelFolder) -> None:
    with pytest.raises(BadOption, match="'cuda'"):
        new(tiny_model("gpt2"), device="cuda").sample(inputs(), GREEDY)


@pytest.mark.parametrize(
    ("said", "hint"), [("CUDA out of memory. Tried", "batch_rows"), ("device-side assert", "device=cpu")]
)
def test_a_failure_of_torch_comes_with_a_way_out(
    said: str, hint: str, tiny_model: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError(f"{said}\nmore")

    engine = new(tiny_model("gpt2"))
    monkeypatch.setattr(engine._loaded().model, "generate", fail)
    with pytest.raises(RewriteError, match=said) as caught:
        engine.sample(inputs(), GREEDY)
    assert hint in caught.value.hint


def test_numbers_that_overflow_are_an_error(tiny_model: ModelFolder) -> None:
    engine = new(tiny_model("gpt2"))
    with torch.no_grad():
        engine._loaded().model.transformer.ln_f.weight.fill_(float("nan"))
    with pytest.raises(RewriteError, match="overflow"):
        engine.sample(inputs(), SAMPLED)


def test_a_closed_engine_loads_again(tiny_model: ModelFolder) -> None:
    engine = new(tiny_model("gpt2"))
    before = texts(engine, inputs(), GREEDY)
    engine.close()
    engine.close()
    assert engine._model is None
    assert texts(engine, inputs(), GREEDY) == before


@pytest.mark.parametrize("module", ["torch", "transformers"])
def test_without_the_extra_the_command_that_installs_it_is_named(
    module: str, tiny_model: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = new(tiny_model("gpt2"))
    monkeypatch.setitem(sys.modules, module, None)
    for use in (lambda: engine.info, engine.describe, lambda: engine.sample(inputs(), GREEDY)):
        with pytest.raises(MissingExtra, match=module) as caught:
            use()
        assert "pip install 'rewrite-rerank[hf]'" in caught.value.hint
