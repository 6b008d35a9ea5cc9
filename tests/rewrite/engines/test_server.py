"""What vLLM refuses (the tests' own server does, too) the engine tells of, or avoids."""

from __future__ import annotations

from typing import Any

import pytest

from rewrite.errors import ServerError
from rewrite.generators.base import Sampling
from rewrite.prompting import load_prompt
from tests.rewrite.engines.asking import draw, engine, error, samples, text, turns
from tests.rewrite.engines.server import FakeServer, serving

pytest.importorskip("httpx")


@pytest.mark.parametrize("ask", [text, turns])
def test_the_engine_tells_what_the_server_does_not_take(ask: Any) -> None:
    found = error(draw(FakeServer(), [ask("Кот.")], Sampling(n=1, temperature=2.5)))
    assert isinstance(found, ServerError)
    assert "temperature must be in [0, 2], got 2.5." in str(found)


@pytest.mark.parametrize("ask", [text, turns])
def test_a_prompt_beyond_the_context_is_told_in_its_words(ask: Any) -> None:
    found = error(draw(FakeServer(context=30), [ask("кот " * 40)], Sampling(n=1, max_tokens=5)))
    assert isinstance(found, ServerError)
    assert "maximum context length is 30 tokens" in str(found)


def test_a_prompt_with_more_stop_strings_than_the_server_takes_is_drawn() -> None:
    prompt = load_prompt("rugpt3_simplify_released")
    with serving(FakeServer(answers={"Кот": "Кот спит. EndText Text: Пёс"})) as urls:
        sampling = Sampling(n=2, max_tokens=20, stop=prompt.stop)
        (found,) = samples(engine(urls).sample([prompt.render("Кот сладко спит.")], sampling))
    assert [sample.text.strip() for sample in found] == ["Кот спит."] * 2
