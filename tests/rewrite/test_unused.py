"""Options that would mean nothing are refused, and options out of range are explained in plain words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rerank.analysis import Analyzer
from rewrite.cli import app
from rewrite.errors import BadOption, BadWeights
from rewrite.pipeline import Pipeline
from rewrite.request import Options, not_of
from rewrite.task_options import Step, steps_of
from tests.fakes import ListGenerator


def refusal(**values: Any) -> BadOption:
    with pytest.raises(BadOption) as caught:
        Pipeline(Options(**values))
    return caught.value


@pytest.mark.parametrize(
    ("values", "flag"),
    [
        ({"prompt": "chat_simplify_ru"}, "--prompt"),
        ({"top_p": 0.5}, "--top-p"),
        ({"top_k": 5}, "--top-k"),
        ({"max_tokens": 40}, "--max-tokens"),
    ],
)
@pytest.mark.parametrize("generator", ["edits", "deletion", "replay:file.jsonl", "deletion+edits"])
def test_what_only_a_language_model_takes_is_refused_without_one(
    generator: str, values: dict[str, Any], flag: str
) -> None:
    error = refusal(generator=generator, **values)
    assert error.message == f"The generator {generator!r} takes no {flag}."
    assert "ct2:MODEL" in error.hint
    Pipeline(Options(generator=f"{generator}+ct2:model", **values))


def test_all_that_is_refused_together_is_named() -> None:
    assert "takes no --top-p and no --top-k" in refusal(top_p=0.5, top_k=5).message


@pytest.mark.parametrize("generator", ["deletion", "replay:file.jsonl"])
def test_a_temperature_is_refused_where_nothing_is_drawn_at_random(generator: str) -> None:
    error = refusal(generator=generator, temperature=0.5)
    assert "takes no --temperature" in error.message
    assert "edits" in error.hint
    Pipeline(Options(generator=f"{generator}+edits", temperature=0.5))


def test_a_temperature_changes_what_edits_draw_and_the_signature_tells(analyzer: Analyzer) -> None:
    usual, cold = Pipeline(analyzer=analyzer), Pipeline(Options(temperature=0.0), analyzer=analyzer)
    assert usual.settings != cold.settings


def test_defaults_are_not_refused_even_if_they_are_given() -> None:
    given = {name: field.get_default(call_default_factory=True) for name, field in Options.model_fields.items()}
    for generator in ("edits", "deletion", "replay:file.jsonl"):
        Pipeline(Options(**{**given, "generator": generator}))


def test_a_generator_of_one_s_own_is_not_judged_by_the_option(analyzer: Analyzer) -> None:
    Pipeline(Options(top_p=0.5, engine={"a": "1"}), analyzer=analyzer, generator=ListGenerator({}))


def test_a_setting_needs_an_engine() -> None:
    error = refusal(engine={"key_env": "sk-secret"})
    assert "-e key_env" in error.message
    assert "secret" not in str(error)
    Pipeline(Options(engine={"device": "cpu"}, fluency="ct2:model", weights={"fluency": 1.0}))
    Pipeline(Options(engine={"device": "cpu", "ct2.threads": "1"}, generator="edits+ct2:model"))


def test_a_setting_for_an_engine_that_is_not_in_use_is_refused() -> None:
    error = refusal(generator="ct2:model", engine={"hf.device": "cpu"})
    assert "-e hf.device is for the engine 'hf', which is not in use" in error.message
    assert "ct2" in error.hint


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"n": 0}, "-n is 0: it should be greater than or equal to 1."),
        ({"n": "many"}, "-n is 'many': it should be a valid integer."),
        ({"best": 0}, "--best is 0: it should be greater than or equal to 1."),
        ({"top_p": 0}, "--top-p is 0: it should be greater than 0."),
        ({"top_p": "1.5"}, "--top-p is '1.5': it should be less than or equal to 1."),
        ({"top_p": "half"}, "--top-p is 'half': it should be a valid number."),
        ({"temperature": -1}, "--temperature is -1: it should be greater than or equal to 0."),
        ({"temperature": "nan"}, "--temperature is 'nan': it should be a finite number."),
        ({"top_k": -1}, "--top-k is -1: it should be greater than or equal to 0."),
        ({"top_k": 1.5}, "--top-k is 1.5: it should be a valid integer, got a number with a fractional part."),
        ({"control": 11}, "--control is 11: it should be less than or equal to 10."),
        ({"variant": "new"}, "--variant is 'new': it should be 'paper' or 'released'."),
        ({"fluency": ""}, "--fluency is '': it should have at least 1 character."),
        ({"weights": {"length": "big"}}, "-w length is 'big': it should be a valid number."),
        ({"engine": {"threads": 2}}, "-e threads is 2: it should be a valid string."),
        ({"strict": "perhaps"}, "--strict is 'perhaps': it should be a valid boolean."),
        ({"max_tokens": 0}, "--max-tokens is 0: give a number of tokens such as 45, or a ratio of at most 20"),
    ],
)
def test_a_value_out_of_range_is_said_in_plain_words(values: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption) as caught:
        Options(**values)
    assert str(caught.value).startswith(words)
    assert "nput should" not in str(caught.value)


def test_numbers_given_as_text_are_read() -> None:
    options = Options(top_p="0.5", top_k="3", temperature="0.7", seed="12", control="2")
    assert (options.top_p, options.top_k, options.temperature, options.seed, options.control) == (0.5, 3, 0.7, 12, 2.0)


def test_a_fluency_model_without_a_weight_is_refused() -> None:
    error = refusal(fluency="ct2:model")
    assert "--fluency ct2:model" in error.message
    assert "-w fluency=1" in error.hint


def test_a_fluency_model_with_a_weight_anywhere_is_not(tmp_path: Path) -> None:
    preset = tmp_path / "mine.yaml"
    preset.write_text("name: mine\nweights: {length: 1, fluency: 2}\n", encoding="utf-8")
    assert Pipeline(Options(fluency="ct2:model", preset=str(preset))).weights["fluency"] == 2.0
    assert Pipeline(Options(fluency="ct2:model", weights={"fluency": 1.0})).weights["fluency"] == 1.0
    # It is measured, for whoever weighs it afterwards.
    assert Pipeline(Options(fluency="ct2:model", weights={"fluency": 0.0})).weights["fluency"] == 0.0


@pytest.mark.parametrize("name", ["likeness", "fluencie"])
def test_fluency_is_listed_among_the_weights(name: str) -> None:
    with pytest.raises(BadWeights) as caught:
        Pipeline(Options(weights={name: 1.0}))
    assert "entities, fluency, grammar, length" in caught.value.hint
    assert ("Did you mean 'fluency'" in caught.value.hint) == (name == "fluencie")


def test_every_option_is_of_a_step() -> None:
    assert all(map(steps_of, Options.model_fields.values()))
    assert not_of(~Step(0)) == frozenset()
    assert "evaluator" in not_of(Step.DRAW)


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("generate", "--evaluator"),
        ("generate", "--preset"),
        ("score", "--best"),
        ("rerank", "--temperature"),
        ("compress", "--bias"),
    ],
)
def test_a_command_has_no_option_that_it_would_not_read(command: str, option: str) -> None:
    done = CliRunner().invoke(app, [command, option, "1"])
    assert done.exit_code == 2
    assert f"No such option: {option}" in done.output + done.stderr
