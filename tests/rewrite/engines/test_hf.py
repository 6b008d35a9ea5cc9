"""The engine hf against transformers' own decoding, and what a draw may and may not depend on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from rewrite.engines.base import Message, ModelInput
from rewrite.engines.hf import HFEngine
from rewrite.engines.hf_text import ModelText
from rewrite.errors import ContextTooLong
from rewrite.generators.base import Sampling
from tests.rewrite.engines.hf_cases import GREEDY, SAMPLED, ModelFolder, Theirs, inputs, new, numbers, samples, texts
from tests.rewrite.engines.tiny import CHAT_TEMPLATE, SOURCES

torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
transformers = pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

KINDS = ("gpt2", "chat", "t5", "bart", "marian", "pegasus")


@pytest.fixture(scope="module")
def theirs(tiny_model: ModelFolder) -> Callable[[str], Theirs]:
    torch.set_num_threads(1)
    return cache(lambda name: Theirs(tiny_model(name), seq2seq=name not in ("gpt2", "chat")))


@pytest.fixture(scope="module")
def engine(tiny_model: ModelFolder) -> Iterator[Callable[[str], HFEngine]]:
    """Engines in float32."""
    engines: dict[str, HFEngine] = {}

    def of(name: str) -> HFEngine:
        if name not in engines:
            engines[name] = new(tiny_model(name))
        return engines[name]

    yield of
    for one in engines.values():
        one.close()


@pytest.fixture
def as_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts come as the numbers of their tokens, without the end token."""
    monkeypatch.setattr(ModelText, "decode", lambda self, tokens: " ".join(map(str, tokens)))


@pytest.mark.parametrize("name", KINDS)
def test_greedy_text_is_that_of_transformers(
    name: str, engine: Callable[[str], HFEngine], theirs: Callable[[str], Theirs]
) -> None:
    for source, (sample,) in zip(SOURCES, samples(engine(name), inputs(), GREEDY), strict=True):
        tokens = theirs(name).greedy(source, 24)
        assert sample.text == theirs(name).decode(tokens)
        assert sample.tokens == len(tokens)
        assert sample.logprob == pytest.approx(theirs(name).logprob(source, tokens), abs=1e-4)


@pytest.mark.parametrize("name", ["gpt2", "t5"])
def test_what_is_drawn_does_not_depend_on_company(name: str, engine: Callable[[str], HFEngine]) -> None:
    together = samples(engine(name), inputs(), SAMPLED)
    alone = [samples(engine(name), [one], SAMPLED)[0] for one in inputs()]
    reversed_order = samples(engine(name), inputs()[::-1], SAMPLED)[::-1]
    for group in (alone, reversed_order):
        assert [[s.text for s in drawn] for drawn in group] == [[s.text for s in drawn] for drawn in together]
        for a, b in zip(chain(*group), chain(*together), strict=True):
            assert a.logprob == pytest.approx(b.logprob, abs=1e-4)


def test_the_seed_decides_and_equal_inputs_draw_the_same(engine: Callable[[str], HFEngine]) -> None:
    one, same = texts(engine("t5"), inputs(SOURCES[0], SOURCES[0]), SAMPLED)
    assert one == same
    assert len(set(one)) > 1
    (other,) = texts(engine("t5"), inputs(SOURCES[0]), replace(SAMPLED, seed=4))
    assert other != one


def test_torch_s_own_random_numbers_are_left_alone(tiny_model: ModelFolder) -> None:
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    first = texts(new(tiny_model("gpt2")), inputs(), SAMPLED)
    assert torch.equal(torch.random.get_rng_state(), before)
    torch.manual_seed(6)
    assert texts(new(tiny_model("gpt2")), inputs(), SAMPLED) == first


def test_greedy_is_drawn_once_and_repeated(engine: Callable[[str], HFEngine], monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    model = engine("gpt2")._loaded().model
    generate = model.generate
    monkeypatch.setattr(model, "generate", lambda **k: rows.append(len(k["input_ids"])) or generate(**k))
    drawn = samples(engine("gpt2"), inputs(), Sampling(n=5, top_k=1, max_tokens=6))
    assert sum(rows) == len(SOURCES)
    assert all(len(set(five)) == 1 for five in drawn)


@pytest.mark.parametrize("name", ["gpt2", "t5", "marian"])
@pytest.mark.usefixtures("as_numbers")
def test_only_tokens_of_the_tokenizer_are_drawn(name: str, tiny_model: ModelFolder, theirs: Any) -> None:
    hot = Sampling(n=40, temperature=30.0, top_p=1.0, top_k=0, max_tokens=30)
    found = samples(new(tiny_model(name)), inputs(), hot)
    drawn = {number for sample in chain(*found) for number in numbers(sample)}
    assert len(drawn) > 100
    assert max(drawn) < len(theirs(name).tokenizer)
    if name == "marian":
        assert theirs(name).tokenizer.pad_token_id not in drawn


@pytest.mark.parametrize("name", ["gpt2", "t5"])
def test_a_stop_string_ends_a_text_and_its_probability(
    name: str, engine: Callable[[str], HFEngine], theirs: Callable[[str], Theirs]
) -> None:
    for source in SOURCES[:2]:
        tokens = theirs(name).greedy(source, 24)
        text = theirs(name).decode(tokens)
        stop = next(text[i : i + 2] for i in range(6, len(text)) if "�" not in text[i : i + 2])
        length = next(n for n in range(1, 25) if stop in theirs(name).decode(tokens[:n]))
        sampling = Sampling(n=1, temperature=0, max_tokens=24, stop=("no such text", stop))
        ((sample,),) = samples(engine(name), inputs(source), sampling)
        assert sample.text == text[: text.index(stop)]
        assert (sample.tokens, sample.finish_reason) == (length, "stop")
        assert sample.logprob == pytest.approx(theirs(name).logprob(source, tokens[:length]), abs=1e-4)


@pytest.mark.usefixtures("as_numbers")
def test_a_special_token_can_be_a_stop_string(tiny_model: ModelFolder, theirs: Any) -> None:
    engine = new(tiny_model("gpt2"))
    hot = {"n": 30, "temperature": 5.0, "top_p": 1.0, "top_k": 0, "max_tokens": 40}
    free = chain(*samples(engine, inputs(), Sampling(**hot)))
    stopped = chain(*samples(engine, inputs(), Sampling(**hot, stop=("<s>",))))
    special = theirs("gpt2").tokenizer.bos_token_id
    hits = 0
    for a, b in zip(free, stopped, strict=True):
        before = numbers(a)
        if special in before:
            hits += 1
            assert numbers(b) == before[: before.index(special)]
            assert (b.finish_reason, b.tokens) == ("stop", before.index(special) + 1)
        else:
            assert a.text == b.text
    assert hits


def test_each_text_keeps_to_its_own_limit(engine: Callable[[str], HFEngine], theirs: Any) -> None:
    ratio = Sampling(n=1, temperature=0, max_tokens=0.5)
    for source, (sample,) in zip(SOURCES, samples(engine("gpt2"), inputs(), ratio), strict=True):
        limit = ratio.limit(len(theirs("gpt2").tokenizer(source)["input_ids"]))
        assert (sample.tokens, sample.finish_reason) == (limit, "length")


@pytest.mark.parametrize(("name", "context"), [("gpt2", 128), ("bart", 96), ("marian", 96)])
def test_only_the_input_that_does_not_fit_fails(
    name: str, context: int, engine: Callable[[str], HFEngine], theirs: Any
) -> None:
    long = "Кот спал. " * 40
    length = len(theirs(name).tokenizer(long)["input_ids"])
    first, second, third = engine(name).sample(inputs(SOURCES[0], long, SOURCES[1]), GREEDY)
    assert isinstance(first, list)
    assert isinstance(third, list)
    assert isinstance(second, ContextTooLong)
    assert second.context == context
    assert second.length == (length + 24 if name == "gpt2" else length)


def test_a_prompt_that_just_fits_is_drawn(engine: Callable[[str], HFEngine], theirs: Any) -> None:
    left = 128 - len(theirs("gpt2").tokenizer(SOURCES[0])["input_ids"])
    fits, over = (Sampling(n=1, temperature=0, max_tokens=tokens) for tokens in (left, left + 1))
    assert isinstance(engine("gpt2").sample(inputs(SOURCES[0]), fits)[0], list)
    assert isinstance(engine("gpt2").sample(inputs(SOURCES[0]), over)[0], ContextTooLong)


def test_relative_positions_take_long_texts(engine: Callable[[str], HFEngine]) -> None:
    assert isinstance(engine("t5").sample(inputs("Кот спал. " * 100), GREEDY)[0], list)


def test_a_conversation_is_read_through_the_chat_template(engine: Callable[[str], HFEngine]) -> None:
    assert "add_generation_prompt" in CHAT_TEMPLATE
    turns = (Message("system", "Упрощай."), Message("user", SOURCES[0]))
    rendered = f"<s>system: Упрощай.</s><s>user: {SOURCES[0]}</s><s>assistant:"
    as_turns, as_text = texts(
        engine("chat"), [ModelInput(SOURCES[0], messages=turns), ModelInput(SOURCES[0], text=rendered)], GREEDY
    )
    assert as_turns == as_text


def test_the_token_that_begins_texts_is_not_doubled(engine: Callable[[str], HFEngine]) -> None:
    text = engine("chat")._loaded().text
    bare = text.encode(ModelInput("", text=SOURCES[0]))
    assert bare[0] == 1
    assert bare[1] != 1
    assert text.encode(ModelInput("", text=f"<s>{SOURCES[0]}")) == bare


def test_the_checkpoint_s_own_sampling_is_set_aside(tiny_model: ModelFolder, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_model("gpt2"), tmp_path / "gpt2")
    path = folder / "generation_config.json"
    own = {"repetition_penalty": 9.0, "no_repeat_ngram_size": 1, "num_beams": 3, "min_new_tokens": 9, "max_length": 5}
    own |= {"do_sample": True, "temperature": 0.01, "top_k": 2, "length_penalty": 4.0, "early_stopping": True}
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | own), encoding="utf-8")
    for sampling in (GREEDY, SAMPLED):
        plain = texts(new(tiny_model("gpt2")), inputs(), sampling)
        assert texts(new(folder), inputs(), sampling) == plain


def test_an_end_token_copied_from_another_model_is_not_believed(tiny_model: ModelFolder, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_model("gpt2"), tmp_path / "gpt2")
    (first, *_), _ = samples(new(folder), inputs(SOURCES[0], SOURCES[1]), GREEDY)
    common = transformers.AutoTokenizer.from_pretrained(folder)(first.text[:1])["input_ids"][0]
    for file in ("config.json", "generation_config.json"):
        data = json.loads((folder / file).read_text(encoding="utf-8"))
        (folder / file).write_text(json.dumps(data | {"eos_token_id": common}), encoding="utf-8")
    ((again,),) = samples(new(folder), inputs(SOURCES[0]), GREEDY)
    assert (again.text, again.finish_reason) == (first.text, "length")


def test_no_inputs_give_no_samples(engine: Callable[[str], HFEngine]) -> None:
    assert engine("gpt2").sample([], GREEDY) == []
