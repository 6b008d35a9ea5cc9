"""`rewrite generate`: candidates alone, in the language of each line, those told that miss the length asked for."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rerank.analysis import Analyzer
from rerank.types import Candidate
from rewrite import generators
from rewrite.engines.base import Drawn, ModelInfo, ModelInput, Sample
from rewrite.generators import Engines, Sampling, create_generator
from rewrite.request import Options
from rewrite.simplification import SIMPLIFY
from tests.fakes import WordModel

RUSSIAN = "Дети нашли во дворе большую рыжую кошку, которая спала на старом диване."
ENGLISH = "The children found a large ginger cat in the yard, which slept on an old sofa."
GERMAN = "Die Kinder haben im Hof eine große Katze gefunden, die auf einem alten Sofa schlief."

UKRAINIAN = "Колись тут було велике місто, яке заснували козаки, але його зруйнували."


@pytest.fixture
def recorded(tmp_path: Path) -> str:
    path = tmp_path / "pools.jsonl"
    texts = ["The children found a cat.", "The children found a cat. It slept on an old sofa."]
    path.write_text(json.dumps({"source": ENGLISH, "candidates": texts}) + "\n", encoding="utf-8")
    return f"replay:{path}"


@pytest.mark.parametrize(
    ("options", "kept", "reason"),
    [(("--sentences", "2"), 1, "1 sentence, not 2"), (("--max-words", "5"), 0, "a sentence of 6 words, more than 5")],
)
def test_candidates_of_another_length_are_dropped_and_told(
    recorded: str, options: tuple[str, ...], kept: int, reason: str, run_command: Callable[..., int], capfd: Any
) -> None:
    command = ("generate", "--generator", recorded, *options, ENGLISH)
    assert run_command(*command) == 0
    assert capfd.readouterr().out.count("cat") == 1
    assert run_command(*command, "--format", "jsonl", "--debug") == 0
    out, err = capfd.readouterr()
    dropped = [candidate.get("dropped", "") for candidate in json.loads(out)["candidates"]]
    assert dropped[kept] == ""
    assert dropped[1 - kept] == reason
    assert f"dropped: {reason}" in err


@pytest.mark.parametrize(
    ("text", "told", "language"),
    [
        (ENGLISH, None, "en"),
        (RUSSIAN, None, "ru"),
        (GERMAN, None, "other"),
        (UKRAINIAN, None, "other"),
        (UKRAINIAN, "ru-RU", "ru"),
        (ENGLISH, "ru", "ru"),
        ("12345", None, "ru"),
    ],
)
def test_the_language_is_as_it_reads_unless_it_is_told(text: str, told: str | None, language: str) -> None:
    assert SIMPLIFY.language(text, Options(generator="edits", lang=told)) == language


def test_english_is_drawn_by_default_as_in_simplify(
    run_command: Callable[..., int], capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, list[str]]] = []

    class Nothing:
        name = "nothing"

        def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
            return [[] for _ in sources]

    def create(options: Options, language: str, **_: object) -> Nothing:
        asked.append((language, [str(spec) for spec in options.specs_in(language)]))
        return Nothing()

    monkeypatch.delenv("REWRITE_GENERATOR")
    monkeypatch.setattr("rewrite.commands.default_generator.is_installed", lambda: True)
    monkeypatch.setattr("rewrite.commands.work.create_generator", create)
    assert run_command("generate", ENGLISH, RUSSIAN) == 0
    assert asked == [("en", ["ct2:gemma-en"]), ("ru", ["edits-lm"])]
    assert capfd.readouterr() == ("\n\n", "")


def test_a_text_that_nothing_draws_is_told(run_command: Callable[..., int], capfd: Any) -> None:
    assert run_command("generate", "--generator", "edits", GERMAN, UKRAINIAN, ENGLISH) == 3
    assert capfd.readouterr() == (
        "\n\n\n",
        f"rewrite: 2 lines passed over, the first: {GERMAN[:60]!r}: It does not look like Russian or English.\n"
        f"rewrite: {ENGLISH[:60]!r}: --generator edits is for Russian, and the text is English. "
        "For English: --generator edits-lm, gemma-en, or a model of your own, as ct2:MODEL.\n",
    )


def test_each_line_is_asked_for_in_its_own_language(
    run_command: Callable[..., int], capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Named:
        name = "named"

        def __init__(self, language: str) -> None:
            self._language = language

        def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
            return [[Candidate(self._language)] for _ in sources]

    monkeypatch.setattr("rewrite.commands.work.create_generator", lambda options, language, **_: Named(language))
    assert run_command("generate", "--generator", "ct2:model", "--task", "split", ENGLISH, RUSSIAN, ENGLISH) == 0
    assert capfd.readouterr().out == "en\nru\nen\n"


def test_a_model_that_draws_in_both_languages_is_made_once(
    run_command: Callable[..., int], capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Server:
        name, info = "openai", ModelInfo(name="some-model", kind="chat")

        def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
            return [[Sample(f"{one.source.partition(',')[0]}.", -3.0, 5)] for one in inputs]

    made: list[str] = []

    def create(scheme: str, target: str, settings: Mapping[str, str]) -> Server | WordModel:
        made.append(target)
        return WordModel(window=1_000) if target == "verdict-en" else Server()

    monkeypatch.setattr(generators, "is_installed", lambda: True)
    monkeypatch.setattr("rewrite.engines.registry.create_engine", create)
    arguments = ("-n", "1", "--format", "jsonl", ENGLISH, RUSSIAN, ENGLISH)
    assert run_command("generate", "--generator", "openai:http://localhost#some-model", *arguments) == 0
    rows = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    # Of English alone there is a model that says whether a reader would pass it.
    chance = pytest.approx(math.exp(-0.5), abs=1e-3)
    assert [[one.get("certainty") for one in row["candidates"]] for row in rows] == [[chance], [None], [chance]]
    assert made == ["http://localhost#some-model", "verdict-en"]


def test_a_setting_of_the_engine_that_draws_is_not_one_of_the_engine_that_judges(
    analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generators, "is_installed", lambda: True)
    engines = Engines({"timeout": "5"})
    spec = "openai:http://localhost#some-model"
    options = Options(generator=spec, lang="en")
    assert create_generator(options, "en", analyzer=analyzer, engines=engines).name == "openai"


def test_what_draws_english_alone_says_so_of_a_russian_line(run_command: Callable[..., int], capfd: Any) -> None:
    assert run_command("generate", "--generator", "gemma-en", RUSSIAN) == 3
    out, err = capfd.readouterr()
    assert out == "\n"
    assert "--generator gemma-en is for English, and the text is Russian." in err
    for verb in ("generate", "simplify"):
        assert run_command(verb, "--generator", "edits", "--lang", "en", ENGLISH) == 2
        assert "--generator edits is for Russian, and the text is English." in capfd.readouterr().err


@pytest.mark.parametrize("mark", ["- ", "— ", "1.2.3. ", "\t"])
def test_marks_of_lists_stand_before_each_candidate(mark: str, run_command: Callable[..., int], capfd: Any) -> None:
    line = f"{mark}В связи с проведением ремонтных работ движение по мосту было временно приостановлено."
    assert run_command("generate", "--generator", "edits", "--format", "jsonl", "--", line) == 0
    row = json.loads(capfd.readouterr().out)
    assert row["source"] == line
    assert f"{mark}Из-за проведения ремонта движение по мосту приостановили." in [c["text"] for c in row["candidates"]]
    assert all(candidate["text"].startswith(mark) for candidate in row["candidates"])
