"""The openai engine where a server refuses: fields it does not take, prompts too long, keys, unknown models."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest

from rewrite.errors import BadOption, ServerError
from rewrite.generators.base import Sampling
from tests.rewrite.engines.asking import SAMPLING, SOURCES, draw, engine, error, samples, text
from tests.rewrite.engines.server import Asked, FakeServer, Fault, faulty, refused_url, serving

pytest.importorskip("httpx")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("top_k", "Unrecognized request argument supplied: top_k"),
        ("logprobs", "This model does not support logprobs."),
        ("stop", "Invalid 'stop': array too long."),
        ("n", "Only one completion choice is allowed"),
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        ("seed", "Unknown field seed"),
        ("top_p", "Unsupported parameter: 'top_p' is not supported with this model."),
        ("top_p", "`temperature` and `top_p` cannot both be specified for this model."),
        ("temperature", "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1)."),
    ],
)
def test_a_field_that_a_server_refuses_is_left_out_from_then_on(
    field: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    fake = FakeServer(refuses={field: message})
    with serving(fake, well := FakeServer()) as urls:
        asked = engine(urls, in_flight=1)
        sampling = replace(SAMPLING, stop=("никогда",), top_p=0.9)
        first = samples(asked.sample([text(source) for source in SOURCES[:6]], sampling))
        samples(asked.sample([text(source) for source in SOURCES[:6]], sampling))
    assert [len(found) for found in first] == [3] * 6
    assert sum(field in payload for payload in fake.payloads) == 1
    assert any(field in payload for payload in well.payloads)
    # Told once, and only of what makes the samples other than asked for.
    told = [record.getMessage() for record in caplog.records if record.name == "rewrite.engines.openai"]
    assert len(told) == (field not in ("stop", "n", "max_tokens"))
    assert all(urls[0] in line and repr(field) in line for line in told)


def test_a_field_refused_by_place_is_left_out() -> None:
    body = json.dumps({"detail": [{"loc": ["body", "top_k"], "msg": "Extra inputs are not permitted", "input": 200}]})
    fake = FakeServer(faults=faulty(Fault("json", 422, body=body)))
    samples(draw(fake, [text("Кот.")]))
    assert ["top_k" in payload for payload in fake.payloads] == [True, False]


def test_a_nucleus_of_everything_is_not_asked_for() -> None:
    samples(draw(fake := FakeServer(), [text("Кот.")], replace(SAMPLING, top_p=1.0)))
    assert "top_p" not in fake.payloads[0]


def test_a_value_that_a_server_finds_out_of_range_is_an_error() -> None:
    body = json.dumps({"error": {"message": "temperature must be between 0 and 2, got 9", "param": "temperature"}})
    found = error(draw(FakeServer(faults=lambda *_: Fault("json", 400, body=body)), [text("Кот.")]))
    assert "got 9. Correct what it names." in str(found)


def test_a_refusal_that_goes_on_is_an_error() -> None:
    fake = FakeServer(faults=lambda *_: Fault("status", 400, "top_k and logprobs and nothing else will do"))
    found = error(draw(fake, [text("Кот.")]))
    assert "nothing else will do" in str(found)
    assert len(fake.posted) == 3


def test_an_old_llama_server_is_asked_for_one_text_at_a_time() -> None:
    message = Fault("status", 500, "Only one completion choice is allowed")
    fake = FakeServer(faults=lambda _, asked: message if "n" in asked.payload else None)
    (found,) = samples(draw(fake, [text("Кот.")], Sampling(n=5)))
    assert len({sample.text for sample in found}) == 5
    assert len(fake.posted) == 6


@pytest.mark.parametrize("always", [1, 2, 7])
def test_a_server_that_does_not_count_is_asked_until_there_are_enough(always: int) -> None:
    fake = FakeServer(always=always)
    (found,) = samples(draw(fake, [text("Кот.")], Sampling(n=5)))
    assert len({sample.text for sample in found}) == 5
    assert len({payload["seed"] for payload in fake.payloads}) == len(fake.payloads)
    # After the first answer no more is asked for at once than comes.
    assert [payload.get("n", 1) for payload in fake.payloads[1:]] in {1: [[1] * 4], 2: [[2, 1], [1, 2]], 7: [[]]}[
        always
    ]


def test_a_short_answer_is_made_up_for() -> None:
    fake = FakeServer(faults=faulty(Fault("fewer", count=1)))
    (found,) = samples(draw(fake, [text("Кот.")], Sampling(n=4)))
    assert len(found) == 4


def test_many_texts_are_asked_for_in_several_requests() -> None:
    fake = FakeServer()
    (found,) = samples(draw(fake, [text("Кот.")], Sampling(n=300)))
    assert len(found) == 300
    assert sorted(payload["n"] for payload in fake.payloads) == [44, 128, 128]


@pytest.mark.parametrize(
    "body",
    [
        '{"choices": []}',
        '{"choices": null}',
        '{"result": "ok"}',
        '{"choices": [{"index": 0}]}',
        '{"choices": [{"message": {"role": "assistant"}}]}',
        '{"choices": ["кот"]}',
        '{"choices": [{"text": 5}]}',
    ],
)
def test_an_answer_without_texts_is_quoted(body: str) -> None:
    found = error(draw(FakeServer(faults=lambda *_: Fault("json", 200, body=body)), [text("Кот.")]))
    assert isinstance(found, ServerError)
    assert f"answered other than asked: {body!r}" in str(found)


TOO_LONG = [
    "This model's maximum context length is 1024 tokens. However, you requested 1100 tokens (1060 in the messages, "
    "40 in the completion). Please reduce the length of the messages or completion.",
    "This model's maximum context length is 2,048 tokens, however you requested about 2,300 tokens.",
    "'max_tokens' or 'max_completion_tokens' is too large: 40. This model's maximum context length is 64 tokens "
    "and your request has 30 input tokens (40 > 64 - 30).",
    "The decoder prompt (length 5951) is longer than the maximum model length of 4096.",
    "max_tokens=140000 cannot be greater than max_model_len=max_total_tokens=131072.",
    "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
    "request (1407 tokens) exceeds the available context size (256 tokens), try increasing it.",
    "Requested tokens (2285) exceed context window of 2048.",
    "prompt is too long: 213462 tokens > 200000 maximum.",
]


@pytest.mark.parametrize("message", TOO_LONG, ids=map(str, range(len(TOO_LONG))))
def test_a_prompt_that_does_not_fit_is_told_in_the_words_of_the_server(message: str) -> None:
    fake = FakeServer(faults=lambda *_: Fault("status", 400, message))
    found = error(draw(fake, [text("Кот.")], replace(SAMPLING, max_tokens=40)))
    assert isinstance(found, ServerError)
    assert f"{message} Split the text, or ask for fewer --max-tokens." in str(found)
    assert len(fake.posted) == 1


@pytest.mark.parametrize("status", [400, 500])
def test_llama_tells_it_by_a_type_of_its_own(status: int) -> None:
    problem = {"code": status, "message": "try a shorter one", "type": "exceed_context_size_error"}
    fake = FakeServer(faults=lambda *_: Fault("json", status, body=json.dumps({"error": problem})))
    found = error(draw(fake, [text("Кот.")], replace(SAMPLING, max_tokens=40)))
    assert isinstance(found, ServerError)
    assert "try a shorter one. Split the text" in str(found)
    assert len(fake.posted) == 1


def test_only_the_input_that_is_too_long_fails() -> None:
    long = "слово " * 500
    drawn = draw(FakeServer(context=400), [text("Кот."), text(long), text("Пёс.")])
    assert isinstance(drawn[1], ServerError)
    assert "max_model_len=400" in str(drawn[1])
    assert len(samples([drawn[0], drawn[2]])) == 2


def test_a_key_that_is_missing_or_wrong_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with serving(FakeServer(key="right-key")) as urls:
        with pytest.raises(ServerError, match=r"wants a key, and \$OPENAI_API_KEY is not set"):
            engine(urls).sample([text("Кот.")], SAMPLING)
        monkeypatch.setenv("MY_KEY", "wrong-key")
        with pytest.raises(ServerError, match=r"refuses the key in \$MY_KEY") as refused:
            engine(urls, key_env="MY_KEY").sample([text("Кот.")], SAMPLING)
        assert urls[0] in str(refused.value)
        assert "wrong-key" not in str(refused.value)
        monkeypatch.setenv("MY_KEY", " right-key\n")
        samples(engine(urls, key_env="MY_KEY").sample([text("Кот.")], SAMPLING))


def test_the_key_shows_nowhere(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    key = "sk-very-secret"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    caplog.set_level(logging.DEBUG)
    echo = Fault("status", 400, f"you said Bearer {key}")
    page = Fault("body", 200, body=f"<p>{key}</p>")
    broken = Fault("json", 200, body=json.dumps({"wrong": key}))
    shown: list[str] = []
    for fault in (echo, page, broken, Fault("status", 500, key), Fault("status", 302, key), Fault("status", 404, key)):
        fake = FakeServer(faults=lambda *_, fault=fault: fault)
        with serving(fake) as urls:
            asked = engine(urls, retries=1)
            try:
                shown += [str(found) + repr(found) for found in asked.sample([text("Кот.")], SAMPLING)]
            except ServerError as raised:
                shown += [str(raised), repr(raised), raised.hint]
            shown += [repr(asked), str(asked.describe()), str(asked.info), repr(vars(asked))]
        assert fake.posted[0].headers["Authorization"] == f"Bearer {key}"
    assert key not in "".join(shown)
    assert key not in caplog.text
    assert key not in "".join(capfd.readouterr())


def test_a_key_that_cannot_be_sent_is_not_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "ключ\nи ещё")
    with pytest.raises(BadOption, match="OPENAI_API_KEY") as refused:
        engine([refused_url()]).sample([text("Кот.")], SAMPLING)
    assert "ключ" not in str(refused.value)


@pytest.mark.parametrize(
    ("status", "message", "fields"),
    [
        (400, "Invalid model: three", {}),
        (400, "Sorry.", {"code": "model_not_found"}),
        (422, "three is not a valid model ID", {}),
    ],
)
def test_a_model_that_is_missing_ends_the_run_whatever_the_status(
    status: int, message: str, fields: dict[str, object]
) -> None:
    body = json.dumps({"error": {"message": message, **fields}})
    fake = FakeServer(faults=lambda *_: Fault("body", status, body=body))
    with serving(fake) as urls, pytest.raises(ServerError, match="'three' is not there") as refused:
        engine(urls, "three").sample([text("Кот.")], SAMPLING)
    assert f"HTTP {status}" in refused.value.message


def test_what_is_not_there_says_what_to_look_at() -> None:
    page = FakeServer(faults=lambda *_: Fault("body", 404, body="<h1>Not found</h1>"))
    for fake, said in ((FakeServer(models=("one", "two")), "The model `three` does not exist."), (page, "Not found")):
        with serving(fake) as urls, pytest.raises(ServerError, match="'three' is not there") as refused:
            engine(urls, "three").sample([text("Кот.")], SAMPLING)
        assert said in refused.value.message
        assert f"{urls[0]}/completions" in refused.value.message
        assert f"{urls[0]}/models" in refused.value.hint


def test_a_redirect_is_an_error() -> None:
    moved = FakeServer(faults=lambda *_: Fault("status", 308, "moved"))
    with serving(moved) as urls, pytest.raises(ServerError, match="HTTP 308"):
        engine(urls).sample([text("Кот.")], SAMPLING)


def test_another_refusal_is_that_of_its_input() -> None:
    def picky(_: int, asked: Asked) -> Fault | None:
        return Fault("status", 400, "I do not talk of dogs.") if "Пёс" in asked.payload["prompt"] else None

    drawn = draw(FakeServer(faults=picky), [text("Кот."), text("Пёс."), text("Лес.")])
    assert isinstance(drawn[1], ServerError)
    assert "I do not talk of dogs." in str(drawn[1])
    assert len(samples([drawn[0], drawn[2]])) == 2
