"""The openai engine where a server has no such model: what it has is named, or what to look at."""

from __future__ import annotations

import json

import pytest

from rewrite.errors import ServerError
from tests.rewrite.engines.asking import SAMPLING, draw, engine, error, text, turns
from tests.rewrite.engines.server import FakeServer, Fault, serving

pytest.importorskip("httpx")

MANY = [f"vendor/model-{i}" for i in range(40)]


def refusal(fake: FakeServer, model: str, *, chat: bool = False) -> ServerError:
    with serving(fake) as urls, pytest.raises(ServerError) as refused:
        engine(urls, model).sample([turns("Кот.") if chat else text("Кот.")], SAMPLING)
    assert fake.url in refused.value.message
    assert "\n" not in str(refused.value)
    return refused.value


def answer(status: int, message: str, **fields: object) -> FakeServer:
    """A server that lists no models and says that to every request."""
    body = json.dumps({"error": {"message": message, **fields}})
    return FakeServer(models=(), faults=lambda *_: Fault("body", status, body=body))


def test_of_many_models_those_of_like_names_come_first() -> None:
    hint = refusal(FakeServer(models=MANY), "model-33").hint
    assert hint.index("vendor/model-33") < hint.index("vendor/model-0")
    assert "and 30 more" in hint
    assert "after #" in hint


def test_a_model_that_a_silent_server_does_not_know_is_named_and_not_the_address() -> None:
    found = refusal(answer(404, "The model `three` does not exist."), "three")
    assert "has no model 'three'" in found.message
    assert "does not exist" in found.message
    assert "after #" in found.hint
    assert "/models" in found.hint


@pytest.mark.parametrize(
    ("status", "message", "fields"),
    [
        (400, "Invalid model: three", {}),
        (400, "Sorry.", {"code": "model_not_found"}),
        (422, "three is not a valid model ID", {}),
    ],
)
def test_other_statuses_say_so_too(status: int, message: str, fields: dict[str, object]) -> None:
    assert "has no model 'three'" in refusal(answer(status, message, **fields), "three").message


def test_an_address_that_is_not_there_says_what_to_check() -> None:
    fake = FakeServer(models=(), faults=lambda *_: Fault("body", 404, body="<h1>Not found</h1>"))
    found = refusal(fake, "three")
    assert "/completions is not there" in found.message
    assert "/v1" in found.hint
    assert "model's name" in found.hint


@pytest.mark.parametrize("chat", [True, False])
def test_a_server_that_has_the_model_but_not_this_way_of_asking_is_asked_in_the_other(chat: bool) -> None:
    fake = FakeServer(models=("three",), faults=lambda *_: Fault("body", 404, body="<h1>Not found</h1>"))
    assert f"-e api={'completions' if chat else 'chat'}" in refusal(fake, "three", chat=chat).hint


def test_a_refusal_that_speaks_of_a_model_it_has_is_one_of_the_input() -> None:
    fake = FakeServer(faults=lambda *_: Fault("status", 400, "For the model 'model' a template was not found."))
    found = error(draw(fake, [text("Кот.")]))
    assert "refuses the request (HTTP 400)" in found.message
