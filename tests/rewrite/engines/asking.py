"""What the tests of the openai engine ask, and how they take the answers apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewrite.engines.base import Message, ModelInput, Sample
from rewrite.engines.dispatch import Pace
from rewrite.engines.openai import OpenAIEngine, Settings
from rewrite.errors import RewriteError
from rewrite.generators.base import Sampling
from tests.rewrite.engines.server import FakeServer, FakeTime, serving

__all__ = ["SAMPLING", "SOURCES", "draw", "engine", "error", "samples", "text", "turns"]

SOURCES = [f"Предложение номер {i}." for i in range(40)]
SAMPLING = Sampling(n=3, seed=1)


def text(source: str) -> ModelInput:
    return ModelInput(source, text=f"<s>{source} <Simplify:>")


def turns(source: str) -> ModelInput:
    return ModelInput(source, messages=(Message("system", "Упрости."), Message("user", source)))


def engine(urls: Sequence[str], model: str = "model", *, pace: Pace | None = None, **settings: Any) -> OpenAIEngine:
    return OpenAIEngine(urls, model, Settings(**settings), pace=pace or FakeTime().pace())


def draw(
    fake: FakeServer, inputs: Sequence[ModelInput], sampling: Sampling = SAMPLING, **settings: Any
) -> list[list[Sample] | RewriteError]:
    with serving(fake) as urls:
        return engine(urls, **settings).sample(inputs, sampling)


def samples(drawn: Sequence[list[Sample] | RewriteError]) -> list[list[Sample]]:
    assert not [found for found in drawn if isinstance(found, RewriteError)]
    return [found for found in drawn if isinstance(found, list)]


def error(drawn: Sequence[list[Sample] | RewriteError]) -> RewriteError:
    (found,) = drawn
    assert isinstance(found, RewriteError)
    return found
