"""The tests' own server refuses what vLLM refuses, and the engine tells of it."""

from __future__ import annotations

from typing import Any

import pytest

from rewrite.errors import ContextTooLong, ServerError
from rewrite.generators.base import Sampling
from rewrite.prompting import load_prompt
from tests.rewrite.engines.asking import draw, engine, error, samples, text, turns
from tests.rewrite.engines.server import FakeServer, serving

httpx = pytest.importorskip("httpx")

COMPLETION = {"model": "model", "prompt": "Кот спит.", "max_tokens": 5, "temperature": 1.0, "seed": 1}
CHAT = {**COMPLETION, "messages": [{"role": "user", "content": "Кот спит."}]}
del CHAT["prompt"]


def post(payload: dict[str, Any], **behaviour: Any) -> tuple[int, dict[str, Any]]:
    path = "chat/completions" if "messages" in payload else "completions"
    with serving(FakeServer(**behaviour)) as (url,):
        answer = httpx.post(f"{url}/{path}", json=payload, trust_env=False)
    return answer.status_code, answer.json()


@pytest.mark.parametrize("payload", [COMPLETION, CHAT])
def test_what_is_fine_is_answered(payload: dict[str, Any]) -> None:
    fine = {"n": 3, "top_p": 1.0, "top_k": 0, "stop": ["a", "b", "c", "d"], "logprobs": True}
    for changes in ({}, fine, {"temperature": 0}, {"temperature": 2, "max_tokens": 1}):
        status, data = post({**payload, **changes})
        assert status == 200, data
        assert len(data["choices"]) == changes.get("n", 1)


@pytest.mark.parametrize("payload", [COMPLETION, CHAT])
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"n": 0}, "n must be at least 1, got 0."),
        ({"n": "two"}, "Input should be a valid integer, unable to parse string as an integer"),
        ({"n": 1.5}, "Input should be a valid integer, got a number with a fractional part"),
        ({"n": 2, "temperature": 0}, "n must be 1 when using greedy sampling, got 2."),
        ({"temperature": -0.5}, "temperature must be non-negative, got -0.5."),
        ({"temperature": 2.5}, "temperature must be in [0, 2], got 2.5."),
        ({"temperature": "hot"}, "Input should be a valid number, unable to parse string as a number"),
        ({"top_p": 0}, "top_p must be in (0, 1], got 0.0."),
        ({"top_p": 1.1}, "top_p must be in (0, 1], got 1.1."),
        ({"top_k": -2}, "top_k must be 0 (disable), or at least 1, got -2."),
        ({"max_tokens": 0}, "max_tokens must be at least 1, got 0."),
        ({"max_tokens": 4097}, "max_tokens=4097 cannot be greater than max_model_len=4096."),
        ({"seed": 2**63}, "Input should be less than"),
        ({"stop": [""]}, "stop cannot contain an empty string."),
        ({"stop": list("abcde")}, "List should have at most 4 items after validation, not 5"),
        ({"logprobs": "all"}, "Input should be a valid"),
        ({"best_off": 1}, "'loc': 'body.best_off'"),
    ],
)
def test_what_vllm_refuses_is_refused(payload: dict[str, Any], changes: dict[str, Any], said: str) -> None:
    status, data = post({**payload, **changes})
    assert status == 400
    assert said in data["error"]["message"]
    assert next(iter(changes)) in data["error"]["param"] or "temperature" in changes


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({**COMPLETION, "prompt": ""}, "must be provided and non-empty"),
        ({name: value for name, value in COMPLETION.items() if name != "prompt"}, "must be provided and non-empty"),
        ({**COMPLETION, "prompt": 5}, "Input should be a valid string"),
        ({**CHAT, "messages": "Кот"}, "Input should be a valid list"),
        ({**CHAT, "messages": [{"content": "Кот"}]}, "Field required"),
        ({**COMPLETION, "prompt": "кот " * 11}, "your prompt contains at least 11 input tokens"),
        ({**COMPLETION, "prompt": "кот " * 6}, "you requested 11 tokens (6 in the messages, 5 in the completion)"),
    ],
)
def test_prompts_that_vllm_does_not_read_are_refused(payload: dict[str, Any], said: str) -> None:
    status, data = post(payload, context=10)
    assert status == 400
    assert said in data["error"]["message"]


def test_an_unknown_model_is_not_found() -> None:
    status, data = post({**COMPLETION, "model": "other"})
    assert (status, data["error"]["message"]) == (404, "The model `other` does not exist.")


@pytest.mark.parametrize("ask", [text, turns])
def test_the_engine_tells_what_the_server_does_not_take(ask: Any) -> None:
    found = error(draw(FakeServer(), [ask("Кот.")], Sampling(n=1, temperature=2.5)))
    assert isinstance(found, ServerError)
    assert "temperature must be in [0, 2], got 2.5." in str(found)


@pytest.mark.parametrize("ask", [text, turns])
def test_a_prompt_beyond_the_context_is_told_with_lengths(ask: Any) -> None:
    found = error(draw(FakeServer(context=30), [ask("кот " * 40)], Sampling(n=1, max_tokens=5)))
    assert isinstance(found, ContextTooLong)
    assert (found.length, found.context) == (36, 30)


def test_a_prompt_with_more_stop_strings_than_the_server_takes_is_drawn() -> None:
    prompt = load_prompt("rugpt3_simplify_released")
    with serving(FakeServer(answers={"Кот": "Кот спит. EndText Text: Пёс"})) as urls:
        sampling = Sampling(n=2, max_tokens=20, stop=prompt.stop)
        (found,) = samples(engine(urls).sample([prompt.render("Кот сладко спит.")], sampling))
    assert [sample.text.strip() for sample in found] == ["Кот спит."] * 2
