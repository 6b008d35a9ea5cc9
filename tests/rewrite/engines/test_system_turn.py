"""Models that know no system turn read what it says in the user's first words."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.engines.base import Message, ModelInput, without_system
from rewrite.engines.registry import create_engine
from rewrite.errors import BadModel
from rewrite.generators.base import Sampling
from tests.rewrite.engines.asking import SAMPLING, draw, error, samples, turns
from tests.rewrite.engines.server import FakeServer, Fault

pytest.importorskip("httpx")

SYSTEM, USER, ANSWER = (Message("system", "Упрости."), Message("user", "Дождь."), Message("assistant", "Лей."))
REFUSING = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for message in messages %}<s>{{ message['role'] }}: {{ message['content'] }}</s>{% endfor %}<s>assistant:"
)


def test_what_it_says_goes_before_the_first_words_of_the_user() -> None:
    assert without_system((SYSTEM, USER, ANSWER, USER)) == (Message("user", "Упрости.\n\nДождь."), ANSWER, USER)
    assert without_system((USER, ANSWER)) == (USER, ANSWER)
    assert without_system((ANSWER,)) == (ANSWER,)


@pytest.mark.parametrize("name", ["ct2", "hf"])
def test_a_template_that_refuses_it_is_given_the_rest(
    name: str, tiny_model: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_model("chat"), folder)
    (folder / "chat_template.jinja").unlink(missing_ok=True)
    config = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps(config | {"chat_template": REFUSING}), encoding="utf-8")
    engine, greedy = create_engine(name, str(folder), {}), Sampling(n=1, temperature=0, max_tokens=8)
    written = ModelInput("Дождь.", text="<s>user: Упрости.\n\nДождь.</s><s>assistant:")
    (asked,), (plain,) = (
        engine.sample([one], greedy) for one in (ModelInput("Дождь.", messages=(SYSTEM, USER)), written)
    )
    assert asked == plain
    never = config | {"chat_template": "{{ raise_exception('never') }}"}
    (folder / "tokenizer_config.json").write_text(json.dumps(never), encoding="utf-8")
    with pytest.raises(BadModel, match="never"):
        create_engine(name, str(folder), {}).sample([ModelInput("Дождь.", messages=(SYSTEM, USER))], greedy)


@pytest.mark.parametrize("words", ["System role not supported", "Conversation roles must alternate user/assistant/…"])
def test_a_server_that_refuses_it_is_asked_without_from_then_on(words: str) -> None:
    fake = FakeServer(
        faults=lambda _, asked: (
            Fault("status", 400, words) if asked.payload["messages"][0]["role"] == "system" else None
        )
    )
    found = samples(draw(fake, [turns("Дождь."), turns("Снег.")], SAMPLING, in_flight=1))
    assert [len(group) for group in found] == [3, 3]
    roles = [[turn["role"] for turn in payload["messages"]] for payload in fake.payloads]
    assert roles == [["system", "user"], ["user"], ["user"]]
    said = {payload["messages"][0]["content"] for payload in fake.payloads[1:]}
    assert said == {"Упрости.\n\nДождь.", "Упрости.\n\nСнег."}


def test_a_server_that_refuses_whatever_is_asked_is_an_error() -> None:
    fake = FakeServer(faults=lambda *_: Fault("status", 400, "System role not supported"))
    assert "System role" in str(error(draw(fake, [turns("Дождь.")])))
