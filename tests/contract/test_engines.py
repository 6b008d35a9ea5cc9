"""What every engine promises, whichever library or server runs the model.

One more is tested where the environment names it, as `scripts/check-vllm` does: `REWRITE_TEST_SERVER` is the target of
an `openai:` spec.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rewrite.engines.base import Engine, ModelInput, Sample
from rewrite.engines.registry import create_engine
from rewrite.errors import ContextTooLong, RewriteError, ServerError
from rewrite.generators.base import Sampling
from tests.rewrite.engines.server import FakeServer, serving

SOURCES = [
    "Жители деревни обращались в администрацию много раз, но ответа так и не получили.",
    "Дождь.",
    "Город стоит у моря, в нём есть порт.",
    "Дождь шёл весь день.",
]
INPUTS = [ModelInput(source=source, text=f"<s>{source} <Simplify:>") for source in SOURCES]
SAMPLING = Sampling(n=5, seed=3, max_tokens=12)
# Longer than any context here, in any tokens.
LONG = ModelInput(source="слово " * 20_000, text="<s>" + "слово " * 20_000)


def _spec(name: str, models: Callable[[str], Path], server: str) -> tuple[str, str]:
    if name == "fake server":
        return "openai", f"{server}#model"
    if name == "real server":
        return "openai", os.environ["REWRITE_TEST_SERVER"]
    scheme, _, family = name.partition(" ")
    return scheme, str(models(family))


def _names() -> list[str]:
    names = ["ct2 gpt2", "ct2 t5", "ct2 bart", "ct2 marian", "hf gpt2", "hf t5", "hf bart", "hf marian", "fake server"]
    return names + (["real server"] if os.environ.get("REWRITE_TEST_SERVER") else [])


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving(FakeServer()) as (url,):
        yield url


@pytest.fixture(scope="module", params=_names())
def spec(request: pytest.FixtureRequest, tiny_model: Callable[[str], Path], server: str) -> tuple[str, str]:
    return _spec(request.param, tiny_model, server)


@pytest.fixture(scope="module")
def engine(spec: tuple[str, str]) -> Iterator[Engine]:
    created = create_engine(*spec)
    yield created
    created.close()


@pytest.fixture(scope="module")
def drawn(engine: Engine) -> list[list[Sample]]:
    return samples(engine, SAMPLING)


def samples(engine: Engine, sampling: Sampling, inputs: list[ModelInput] = INPUTS) -> list[list[Sample]]:
    found = engine.sample(inputs, sampling)
    assert not [error for error in found if isinstance(error, RewriteError)]
    return [one for one in found if not isinstance(one, RewriteError)]


def texts(found: list[list[Sample]]) -> list[list[str]]:
    return [[sample.text for sample in group] for group in found]


def test_it_is_an_engine_with_the_name_it_is_asked_for_by(engine: Engine, spec: tuple[str, str]) -> None:
    assert isinstance(engine, Engine)
    assert engine.name == spec[0]
    assert engine.info.name
    assert all(isinstance(name, str) for name in engine.describe())


def test_n_samples_for_each_input_nested_in_order(engine: Engine, drawn: list[list[Sample]]) -> None:
    assert [len(group) for group in drawn] == [5] * len(INPUTS)
    assert [len(group) for group in samples(engine, replace(SAMPLING, n=1))] == [1] * len(INPUTS)


def test_no_inputs_give_no_samples(engine: Engine) -> None:
    assert engine.sample([], SAMPLING) == []


def test_every_sample_tells_its_probability_length_and_end(drawn: list[list[Sample]]) -> None:
    for sample in (sample for group in drawn for sample in group):
        assert sample.logprob is not None
        assert math.isfinite(sample.logprob)
        assert sample.logprob <= 0
        assert sample.tokens is not None
        assert sample.tokens >= 1
        assert sample.finish_reason in ("stop", "length")


def test_new_tokens_are_limited_by_number_and_by_ratio(engine: Engine) -> None:
    for group in samples(engine, replace(SAMPLING, max_tokens=3)):
        assert all(sample.tokens is not None and sample.tokens <= 3 for sample in group)
    # A hundredth of a source is a token, and eight more are always allowed.
    for group in samples(engine, replace(SAMPLING, max_tokens=0.01, n=20)):
        assert all(sample.tokens is not None and sample.tokens <= 10 for sample in group)


def test_the_same_seed_draws_the_same_and_another_seed_something_else(
    engine: Engine, drawn: list[list[Sample]]
) -> None:
    assert texts(samples(engine, SAMPLING)) == texts(drawn)
    other = texts(samples(engine, replace(SAMPLING, seed=4)))
    assert all(a != b for a, b in zip(other, texts(drawn), strict=True))


def test_samples_of_one_input_differ(drawn: list[list[Sample]]) -> None:
    assert all(len(set(group)) > 1 for group in texts(drawn))


def test_an_input_draws_the_same_alone_as_in_company(engine: Engine, drawn: list[list[Sample]]) -> None:
    alone = [samples(engine, SAMPLING, [one])[0] for one in INPUTS]
    assert texts(alone) == texts(drawn)
    backwards = samples(engine, SAMPLING, INPUTS[::-1])[::-1]
    assert texts(backwards) == texts(drawn)


def test_greedy_decoding_has_one_text_whatever_the_seed(engine: Engine) -> None:
    found = texts(samples(engine, replace(SAMPLING, temperature=0)))
    assert [len(group) for group in found] == [5] * len(INPUTS)
    assert all(len(set(group)) == 1 for group in found)
    assert texts(samples(engine, replace(SAMPLING, top_k=1, seed=9))) == found


def test_the_prompt_is_never_in_the_result(drawn: list[list[Sample]]) -> None:
    for one, group in zip(INPUTS, drawn, strict=True):
        assert not [sample for sample in group if one.source in sample.text or "<Simplify:>" in sample.text]


def test_stop_strings_end_a_text_and_are_no_part_of_it(engine: Engine, drawn: list[list[Sample]]) -> None:
    # A stop that surely comes: the most frequent letter of what was drawn without it.
    letters = [letter for group in texts(drawn) for text in group for letter in text.strip() if letter.isalpha()]
    stop = max(sorted(set(letters)), key=letters.count)
    stopped = samples(engine, replace(SAMPLING, stop=(stop,)))
    assert not [text for group in texts(stopped) for text in group if stop in text]
    assert [sample for group in stopped for sample in group if sample.finish_reason == "stop"]


def test_what_comes_before_a_stop_string_is_kept(engine: Engine) -> None:
    greedy = replace(SAMPLING, temperature=0, n=1)
    cut = 0
    for one, (full,) in zip(INPUTS, texts(samples(engine, greedy)), strict=True):
        letters = [letter for letter in full.strip() if letter.isalpha()]
        # The last letter to come up first: as much as can be stands before it.
        stop = max(letters, key=full.index, default="")
        if not stop:
            continue
        ((stopped,),) = samples(engine, replace(greedy, stop=(stop,)), [one])
        assert stopped.text.strip() == full.partition(stop)[0].strip()
        assert stopped.finish_reason == "stop"
        cut += bool(stopped.text.strip())
    assert cut


def test_a_source_longer_than_the_context_fails_with_both_lengths_and_the_others_go_on(engine: Engine) -> None:
    first, long, last = engine.sample([INPUTS[0], LONG, INPUTS[1]], SAMPLING)
    assert isinstance(long, ContextTooLong | ServerError)
    if isinstance(long, ContextTooLong):
        assert f"{long.length:,}" in str(long)
        assert f"{long.context:,}" in str(long)
        assert long.length > long.context
    else:
        # A server's own words.
        assert "context length" in str(long)
    assert isinstance(first, list)
    assert isinstance(last, list)
    assert len(first) == len(last) == 5


def test_it_may_be_closed_and_used_again(engine: Engine, drawn: list[list[Sample]]) -> None:
    engine.close()
    engine.close()
    assert texts(samples(engine, SAMPLING)) == texts(drawn)


_JOB = """
import sys
from rewrite.engines.base import ModelInput
from rewrite.engines.registry import create_engine
from rewrite.generators.base import Sampling

engine = create_engine(sys.argv[1], sys.argv[2])
one = ModelInput(source="Дождь.", text="<s>Дождь. <Simplify:>")
engine.sample([one], Sampling(n=1, max_tokens=1))
print("ready", flush=True)
while True:
    engine.sample([one] * 20, Sampling(n=50, max_tokens=60))
"""


# One model of an engine is enough.
@pytest.mark.parametrize(
    "spec", [name for name in _names() if not name.endswith((" t5", " bart", " marian"))], indirect=True, scope="module"
)
def test_cancelled_work_leaves_no_process_behind(spec: tuple[str, str]) -> None:
    job = subprocess.Popen(
        [sys.executable, "-c", _JOB, *spec],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert job.stdout is not None
    try:
        assert any(line == "ready\n" for line in iter(job.stdout.readline, ""))
        time.sleep(0.5)
        os.kill(job.pid, signal.SIGINT)
        job.wait(timeout=60)
        # Interrupted, and not crashed on the way.
        assert job.returncode in (1, -signal.SIGINT, 128 + signal.SIGINT)
        deadline = time.monotonic() + 120
        while _alive(job.pid) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not _alive(job.pid)
    finally:
        if _alive(job.pid):
            os.killpg(job.pid, signal.SIGKILL)


def _alive(session: int) -> bool:
    """Whether any process of the job's session is left."""
    try:
        os.killpg(session, 0)
    except ProcessLookupError:
        return False
    return True
