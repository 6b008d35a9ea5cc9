"""ct2 when its work is broken off, and when it is closed: draws end, and weights are freed."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rewrite.engines.base import ModelInput, Sample
from rewrite.engines.ct2 import CT2Engine, create
from rewrite.engines.tokens import Draft
from rewrite.errors import RewriteError
from rewrite.generators.base import Sampling
from tests.rewrite.engines.hf_cases import ModelFolder

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

# More than any step of a draw here takes, in seconds; a test that waits so long has failed.
PATIENCE = 10.0
TOKENS = 100
SAMPLED = Sampling(n=1, seed=1, temperature=2.0, max_tokens=TOKENS)
INPUTS = [ModelInput(source="кот", text="кот " * words) for words in range(12, 0, -1)]


class Interrupted:
    """Has the input that is waited for first, the longest, fail once another is being drawn; notes what is drawn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = threading.Event()
        self.cancelled: threading.Event | None = None
        self.decoded: list[str] = []
        self.tokens = 0
        self._patience = PATIENCE
        self._decode, self._add = CT2Engine._decode, Draft.add
        monkeypatch.setattr(CT2Engine, "_decode", self._spied_decode())
        monkeypatch.setattr(Draft, "add", self._spied_add())

    def _spied_decode(self) -> Callable[..., Any]:
        def decode(engine: CT2Engine, runner: Any, batch: Sequence[Any], *given: Any) -> Any:
            self.decoded.append(batch[0].key)
            self.cancelled = next(one for one in given if isinstance(one, threading.Event))
            if INPUTS[0].text in batch[0].key:
                given[-1].close()  # lets another set its seed
                assert self.begun.wait(PATIENCE)
                raise RewriteError("the longest one fails")
            return self._decode(engine, runner, batch, *given)

        return decode

    def _spied_add(self) -> Callable[..., bool]:
        def add(draft: Draft, token: str, logprob: float) -> bool:
            self.tokens += 1
            self.begun.set()
            # The draw stands still until the others hear of the failure.
            assert self.cancelled is not None
            if not self.cancelled.wait(self._patience):
                self._patience = 0.0
            return self._add(draft, token, logprob)

        return add


def test_an_error_ends_what_is_being_drawn_and_what_waits_is_not_begun(
    tiny_model: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = create(str(tiny_model("gpt2")), {"workers": "2"})
    watched = Interrupted(monkeypatch)
    with pytest.raises(RewriteError, match="the longest one fails"):
        engine.sample(INPUTS, SAMPLED)
    assert watched.cancelled is not None
    assert watched.cancelled.is_set()
    assert len(watched.decoded) < len(INPUTS) / 2
    # A token of each draw that had begun, and not the hundred that it was to have.
    assert 0 < watched.tokens <= len(watched.decoded)


class Weights:
    """Stands for a model in memory: it can be seen to go."""

    def __init__(self, runner: Any) -> None:
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._runner, name)


@pytest.mark.parametrize("sampling", [Sampling(n=1, temperature=0, max_tokens=2), Sampling(n=2, max_tokens=2)])
def test_closing_frees_the_weights_and_the_next_use_loads_them_again(
    sampling: Sampling, tiny_model: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[weakref.ref[Weights]] = []
    load = CT2Engine._load

    def watched(*given: Any) -> Weights:
        weights = Weights(load(*given))
        loaded.append(weakref.ref(weights))
        return weights

    monkeypatch.setattr(CT2Engine, "_load", watched)
    engine = create(str(tiny_model("gpt2")), {"workers": "1"})
    before = drawn(engine, sampling)
    gc.collect()
    # A runner that was seeded for one source serves that alone.
    assert bool([weights for weights in loaded if weights() is not None]) is sampling.greedy
    engine.close()
    gc.collect()
    assert not [weights for weights in loaded if weights() is not None]
    count = len(loaded)
    assert drawn(engine, sampling) == before
    assert len(loaded) > count


def drawn(engine: CT2Engine, sampling: Sampling) -> list[Sample]:
    (found,) = engine.sample(INPUTS[:1], sampling)
    assert isinstance(found, list)
    return found
