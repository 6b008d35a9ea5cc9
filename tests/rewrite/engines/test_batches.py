"""In which order ct2 asks the model: longest first, and neighbours in a batch of like length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rewrite.engines import ct2
from rewrite.engines.base import ModelInput
from rewrite.engines.ct2 import CT2Engine
from rewrite.generators.base import Sampling
from tests.rewrite.engines.hf_cases import ModelFolder

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

GREEDY = Sampling(n=1, temperature=0, max_tokens=3)
SAMPLED = Sampling(n=2, seed=1, max_tokens=3)
# In the order given a long text would stand beside a short one in every batch of two.
INPUTS = [ModelInput(source="кот", text="кот " * words) for words in (1, 12, 2, 10, 3, 8, 4, 6)]
# What a call of a model was asked: the lengths of its rows, in tokens.
Call = list[int]


class Spy:
    """A CTranslate2 model that notes what it is asked."""

    def __init__(self, runner: Any, calls: list[Call]) -> None:
        self._runner = runner
        self._calls = calls

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def ask(rows: Sequence[Sequence[str]], *rest: Any, **options: Any) -> Any:
            self._calls.append([len(row) for row in rows])
            return getattr(self._runner, name)(rows, *rest, **options)

        return ask


def assert_longest_first(calls: Sequence[Call]) -> None:
    lengths = [length for call in calls for length in call]
    assert len(set(lengths)) == len(INPUTS)
    assert lengths == sorted(lengths, reverse=True)


@pytest.fixture(params=["gpt2", "t5"])
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ct2_calls(
    family: str, tiny_model: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Sampling], list[Call]]:
    def calls(sampling: Sampling) -> list[Call]:
        found: list[Call] = []
        load = CT2Engine._load
        monkeypatch.setattr(CT2Engine, "_load", lambda *given: Spy(load(*given), found))
        monkeypatch.setattr(ct2, "_BATCH", 2)
        engine = ct2.create(str(tiny_model(family)), {"workers": "1"})
        assert all(isinstance(group, list) for group in engine.sample(INPUTS, sampling))
        return found

    return calls


def test_ct2_decodes_greedily_in_batches_of_like_length(ct2_calls: Callable[[Sampling], list[Call]]) -> None:
    calls = ct2_calls(GREEDY)
    assert [len(call) for call in calls] == [2] * 4
    assert_longest_first(calls)


def test_ct2_begins_with_the_longest_source_where_it_draws(ct2_calls: Callable[[Sampling], list[Call]]) -> None:
    calls = ct2_calls(SAMPLED)
    assert [len(call) for call in calls] == [1] * len(INPUTS)
    assert_longest_first(calls)
