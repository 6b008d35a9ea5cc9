"""One `--prompt` for several models: it goes to those that it fits, and the others find their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rerank.analysis import Analyzer
from rewrite.drawing import sampling_of
from rewrite.engines.base import Drawn, ModelInfo, ModelInput
from rewrite.errors import BadOption, UnknownName
from rewrite.generators import Sampling, create_generator
from rewrite.request import Options

MINE = 'name: mine\ntask: simplify\nlanguage: ru\nkind: causal\ntemplate: "{source} =>"\n'
SERVER = ModelInfo(name="some-model", kind="chat")
SOURCE = "Порт закрыт."


@dataclass
class _Listener:
    name: str
    info: ModelInfo
    heard: list[ModelInput]
    temperatures: list[float] = field(default_factory=list)

    def describe(self) -> Mapping[str, object]:
        return {}

    def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        self.heard += inputs
        self.temperatures.append(sampling.temperature)
        return [[] for _ in inputs]

    def close(self) -> None:
        pass


def _asked(
    models: Mapping[str, ModelInfo], monkeypatch: pytest.MonkeyPatch, analyzer: Analyzer, prompt: str | None
) -> dict[str, ModelInput]:
    """What each model reads for `SOURCE`, by its engine."""
    engines = {scheme: _Listener(scheme, info, []) for scheme, info in models.items()}
    monkeypatch.setattr("rewrite.engines.registry.create_engine", lambda scheme, target, settings: engines[scheme])
    spec = "+".join(f"{scheme}:{info.name}" for scheme, info in models.items())
    create_generator(Options(generator=spec, prompt=prompt), analyzer=analyzer).generate([SOURCE], Sampling(n=1))
    return {scheme: engine.heard[0] for scheme, engine in engines.items()}


@pytest.fixture
def local(tmp_path: Path) -> ModelInfo:
    (tmp_path / "prompt.yaml").write_text(MINE, encoding="utf-8")
    return ModelInfo(name="lm", kind="causal", model_type="gpt2", folder=tmp_path)


@pytest.mark.parametrize("turned", [False, True])
def test_a_chat_prompt_goes_to_the_server_and_the_local_model_takes_its_own(
    local: ModelInfo, analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch, turned: bool
) -> None:
    models = {"openai": SERVER, "ct2": local}
    models = dict(reversed(models.items())) if turned else models
    asked = _asked(models, monkeypatch, analyzer, "chat_simplify_ru")
    assert asked["openai"].messages[-1].content.endswith(SOURCE)
    assert asked["ct2"].text == f"{SOURCE} =>"


def test_a_prompt_that_fits_both_goes_to_both(
    local: ModelInfo, analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = {"openai": ModelInfo(name="any"), "ct2": local}
    asked = _asked(both, monkeypatch, analyzer, "rugpt3_simplify")
    assert asked["openai"].text == asked["ct2"].text != f"{SOURCE} =>"


def test_a_prompt_that_fits_none_is_refused(
    local: ModelInfo, analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadOption, match="'seq2seq_plain' is of kind seq2seq"):
        _asked({"openai": SERVER, "ct2": local}, monkeypatch, analyzer, "seq2seq_plain")


def test_who_has_no_prompt_of_its_own_is_not_told_to_name_the_one_that_does_not_fit(
    analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = ModelInfo(name="bare", kind="causal", model_type="gpt2")
    with pytest.raises(UnknownName, match=r"'bare'.*'chat_simplify_ru'.*no chat template") as caught:
        _asked({"openai": SERVER, "ct2": bare}, monkeypatch, analyzer, "chat_simplify_ru")
    assert "prompt.yaml" in caught.value.hint
    assert "Name one with --prompt" not in caught.value.hint


@pytest.mark.parametrize(("asked", "heard"), [(None, 0.3), (0.7, 0.7)])
def test_each_model_is_sampled_at_its_own_temperature_unless_one_is_asked_for(
    tmp_path: Path, analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch, asked: float | None, heard: float
) -> None:
    (tmp_path / "prompt.yaml").write_text(f"{MINE}temperature: 0.3\n", encoding="utf-8")
    cold = _Listener("ct2", ModelInfo(name="lm", kind="causal", model_type="gpt2", folder=tmp_path), [])
    plain = _Listener("openai", SERVER, [])
    engines = {"ct2": cold, "openai": plain}
    monkeypatch.setattr("rewrite.engines.registry.create_engine", lambda scheme, target, settings: engines[scheme])
    generator = create_generator(Options(generator="edits+ct2:lm+openai:some-model"), analyzer=analyzer)
    generator.generate([SOURCE], sampling_of(Options(n=1, temperature=asked)))
    assert cold.temperatures == [heard]
    assert plain.temperatures == [asked or 1.0]
