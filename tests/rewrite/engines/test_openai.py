"""The openai engine: what it asks for, and what it makes of answers and settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from rewrite.engines.base import Engine, ModelInput, Sample
from rewrite.engines.openai import Settings, create
from rewrite.errors import BadOption
from rewrite.generators.base import Sampling
from tests.rewrite.engines.asking import SAMPLING, SOURCES, draw, engine, samples, text, turns
from tests.rewrite.engines.server import FakeServer, Fault, faulty, refused_url

pytest.importorskip("httpx")


@pytest.mark.parametrize("kind", [text, turns])
def test_each_input_gets_its_samples_in_order(kind: Callable[[str], ModelInput]) -> None:
    fake = FakeServer()
    drawn = samples(draw(fake, [kind(source) for source in SOURCES]))
    assert [len(found) for found in drawn] == [3] * 40
    assert len({sample.text for found in drawn for sample in found}) == 120
    assert len(fake.posted) == 40


def test_the_engine_is_one() -> None:
    assert isinstance(create("http://127.0.0.1:1#model", {}), Engine)


def test_without_inputs_nothing_is_asked() -> None:
    assert engine([refused_url()]).sample([], SAMPLING) == []


def test_a_completion_sends_what_is_set_and_no_more() -> None:
    draw(
        fake := FakeServer(), [text("Кот.")], Sampling(n=2, seed=5, temperature=0.7, top_p=0.9, top_k=0, max_tokens=40)
    )
    (asked,) = fake.posted
    assert asked.path == "/v1/completions"
    seed = asked.payload["seed"]
    assert 0 <= seed < 2**31
    assert asked.payload == {
        "model": "model",
        "prompt": "<s>Кот. <Simplify:>",
        "n": 2,
        "seed": seed,
        "temperature": 0.7,
        "top_p": 0.9,
        "max_tokens": 40,
        "logprobs": 1,
    }


def test_a_conversation_goes_to_the_chat_api() -> None:
    draw(fake := FakeServer(), [turns("Кот.")], Sampling(n=1, top_k=50, stop=("###",)))
    (asked,) = fake.posted
    assert asked.path == "/v1/chat/completions"
    assert asked.payload["messages"] == [
        {"role": "system", "content": "Упрости."},
        {"role": "user", "content": "Кот."},
    ]
    assert asked.payload["logprobs"] is True
    assert asked.payload["top_k"] == 50
    assert asked.payload["stop"] == ["###"]
    assert "n" not in asked.payload


def test_the_api_can_be_chosen() -> None:
    draw(fake := FakeServer(), [text("Кот.")], api="chat")
    assert fake.posted[0].payload["messages"] == [{"role": "user", "content": "<s>Кот. <Simplify:>"}]
    with pytest.raises(BadOption, match="completions"):
        engine([refused_url()], api="completions").sample([turns("Кот.")], SAMPLING)


def test_a_ratio_of_tokens_leaves_room_for_the_whole_source() -> None:
    source = "Учёные из Новосибирска изучали ледники Алтая в течение десяти лет."
    draw(fake := FakeServer(), [text(source)], Sampling(n=1, max_tokens=1.5))
    # As many tokens as letters: no tokenizer in use is worse.
    assert len(source) <= fake.payloads[0]["max_tokens"] <= 2 * len(source)


@pytest.mark.parametrize("kind", [text, turns])
def test_logprobs_are_summed_over_the_tokens_drawn(kind: Callable[[str], ModelInput]) -> None:
    ((found,),) = samples(draw(FakeServer(), [kind("Кот.")], Sampling(n=1)))
    assert found.tokens is not None
    assert 5 <= found.tokens <= 8
    assert found.logprob == -sum(range(found.tokens + 1)) / 4
    assert found.finish_reason == "stop"


def test_without_logprobs_they_are_unknown() -> None:
    ((found,),) = samples(draw(FakeServer(logprobs=False), [text("Кот.")], Sampling(n=1)))
    assert (found.logprob, found.tokens) == (None, None)


@pytest.mark.parametrize("values", [[-0.5, None], [-0.5, float("-inf")], [], ["x"], "x"])
def test_broken_logprobs_are_unknown(values: object) -> None:
    choice = {"index": 0, "text": "кот", "finish_reason": "abort", "logprobs": {"token_logprobs": values}}
    body = Fault("json", 200, body=json.dumps({"choices": [choice]}))
    ((found,),) = samples(draw(FakeServer(faults=faulty(body)), [text("Кот.")], Sampling(n=1)))
    assert found == Sample("кот", None, None, None)


def test_a_text_that_is_cut_off_says_so() -> None:
    ((found,),) = samples(draw(FakeServer(), [text("Кот.")], Sampling(n=1, max_tokens=2)))
    assert found.finish_reason == "length"
    assert found.tokens == 2


@pytest.mark.parametrize("honours", [True, False])
def test_texts_end_before_the_first_stop_string(honours: bool) -> None:
    ((whole,),) = samples(draw(FakeServer(), [text("Кот.")], Sampling(n=1)))
    first, second = whole.text.split()[1:3]
    sampling = Sampling(n=1, stop=(second, first, "никогда"))
    ((found,),) = samples(draw(FakeServer(honours_stop=honours), [text("Кот.")], sampling))
    assert found.text == whole.text[: whole.text.index(first)]
    assert found.finish_reason == "stop"
    # A server that went on told the probability of another text.
    assert (found.logprob is None) is not honours


def test_a_stop_string_that_the_server_leaves_in_place_is_cut_but_counts() -> None:
    choice = {"text": "кот###", "finish_reason": "stop", "logprobs": {"token_logprobs": [-1.0, -0.5]}}
    body = Fault("json", 200, body=json.dumps({"choices": [choice]}))
    ((found,),) = samples(draw(FakeServer(faults=faulty(body)), [text("Кот.")], Sampling(n=1, stop=("###",))))
    assert found == Sample("кот", -1.5, 2, "stop", -1.0)


def test_choices_come_in_the_order_of_their_indexes() -> None:
    body = json.dumps({"choices": [{"index": i, "text": str(i), "finish_reason": "eos"} for i in (2, 0, 1)]})
    (found,) = samples(draw(FakeServer(faults=faulty(Fault("json", 200, body=body))), [text("Кот.")]))
    assert [sample.text for sample in found] == ["0", "1", "2"]


def test_greedy_decoding_asks_once_and_repeats() -> None:
    fake = FakeServer()
    (found,) = samples(draw(fake, [text("Кот.")], Sampling(n=4, temperature=0)))
    assert len(found) == 4
    assert len(set(found)) == 1
    assert fake.payloads[0]["temperature"] == 0
    assert "n" not in fake.payloads[0]
    assert "top_k" not in fake.payloads[0]


def test_a_chat_model_that_says_nothing_gives_an_empty_text() -> None:
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": None}, "finish_reason": "length"}]})
    ((found,),) = samples(
        draw(FakeServer(faults=faulty(Fault("json", 200, body=body))), [turns("Кот.")], Sampling(n=1))
    )
    assert found == Sample("", None, None, "length")


def test_what_an_input_draws_does_not_depend_on_its_company() -> None:
    together = samples(draw(FakeServer(), [text(source) for source in SOURCES]))
    alone = samples(draw(FakeServer(), [text(SOURCES[7])]))
    assert alone[0] == together[7]
    assert samples(draw(FakeServer(), [text(source) for source in reversed(SOURCES)])) == together[::-1]


def test_other_seeds_draw_other_texts() -> None:
    one, two = (samples(draw(FakeServer(), [text("Кот.")], replace(SAMPLING, seed=seed))) for seed in (1, 2))
    assert not {sample.text for sample in one[0]} & {sample.text for sample in two[0]}


def test_seeds_do_not_change_between_processes() -> None:
    draw(fake := FakeServer(), [text("Кот."), turns("Кот.")])
    assert sorted(payload["seed"] for payload in fake.payloads) == [42711729, 901176339]


@pytest.mark.parametrize(
    ("target", "urls", "model"),
    [
        ("http://127.0.0.1:8000/v1#m", ["http://127.0.0.1:8000/v1"], "m"),
        ("http://127.0.0.1:8000#m", ["http://127.0.0.1:8000/v1"], "m"),
        ("http://a:1/, https://b/api/v1/#org/name:7b", ["http://a:1/v1", "https://b/api/v1"], "org/name:7b"),
        ("http://a/v1,http://a/v1#m#1", ["http://a/v1"], "m#1"),
        ("http://[::1]:8000#m", ["http://[::1]:8000/v1"], "m"),
    ],
)
def test_a_target_is_addresses_and_a_model(target: str, urls: list[str], model: str) -> None:
    assert repr(create(target, {})) == f"OpenAIEngine({urls!r}, {model!r})"


@pytest.mark.parametrize(
    "address",
    [
        "localhost:8000/v1",
        "ftp://a/v1",
        "http://",
        "http://a:99999",
        "http://a b/v1",
        "http://[::1",
        "http://a/?x=1",
        "",
    ],
)
def test_a_bad_address_is_quoted(address: str) -> None:
    with pytest.raises(BadOption) as refused:
        create(f"http://fine/v1,{address}#model", {})
    # Behind a question mark a key may stand.
    assert repr(address.partition("?")[0]) in str(refused.value)
    assert "openai:URL" in refused.value.hint


@pytest.mark.parametrize(
    "address",
    [
        "https://user:hunter2@host/v1#m",
        "https://user:hunter2#ss@host/v1#m",
        "https://user:hunter2,x@host/v1#m",
        "https://host/v1?api_key=hunter2#m",
    ],
)
def test_a_password_in_an_address_is_refused_unseen(address: str) -> None:
    with pytest.raises(BadOption) as refused:
        create(address, {})
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("target", ["http://127.0.0.1:8000", "http://127.0.0.1:8000/v1#", "http://a, http://b# "])
def test_a_model_has_to_be_named(target: str) -> None:
    with pytest.raises(BadOption, match="No model is named") as refused:
        create(target, {})
    assert "/v1/models" in refused.value.hint


def test_a_named_model_is_described_without_asking() -> None:
    asked = create(f"{refused_url()}#org/model", {"api": "chat"})
    assert asked.describe() == {"model": "org/model", "api": "chat"}
    assert asked.info.name == "org/model"


@pytest.mark.parametrize(
    ("name", "value"),
    [("timeout", "0"), ("timeout", "soon"), ("timeout", "inf"), ("retries", "-1"), ("retries", "1.5"),
     ("in_flight", "0"), ("api", "magic"), ("connect_timeout", "")],
)  # fmt: skip
def test_a_bad_setting_is_named_and_quoted(name: str, value: str) -> None:
    with pytest.raises(BadOption) as refused:
        create("http://a#m", {name: value})
    assert f"{name} is {value!r}" in str(refused.value)


def test_an_unknown_setting_lists_the_known_ones() -> None:
    with pytest.raises(BadOption, match="threads: unknown key") as refused:
        create("http://a#m", {"threads": "2"})
    assert all(name in str(refused.value) for name in Settings.model_fields)


def test_a_key_in_place_of_its_name_is_not_quoted() -> None:
    with pytest.raises(BadOption, match="key_env") as refused:
        create("http://a#m", {"key_env": "sk-abc123"})
    assert "sk-abc123" not in str(refused.value)


def test_settings_are_read_from_text() -> None:
    settings = {"timeout": "7.5", "retries": "0", "key_env": "MY_KEY", "in_flight": "3"}
    asked = create("http://a#m", settings)
    assert asked._settings == Settings(timeout=7.5, retries=0, key_env="MY_KEY", in_flight=3)
    assert all(field.description for field in Settings.model_fields.values())
