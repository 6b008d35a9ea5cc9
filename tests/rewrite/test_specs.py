"""What `--generator` may say."""

from __future__ import annotations

import pytest

from rerank.errors import UnknownName
from rewrite.errors import BadOption
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.specs import Spec, parse_model, parse_specs

PLAIN = ("deletion", "edits")


@pytest.mark.parametrize(
    ("generator", "preset"),
    [
        ("edits", "balanced"),
        ("gemma-ru", "balanced"),
        ("edits+gemma-ru", "balanced"),
        ("ct2:gemma-ru+edits", "balanced"),
        ("edits-lm", "clear"),
        ("edits-lm+gemma-ru", "clear"),
        ("ct2:./gemma-ru", "paper"),
        ("ct2:gemma-ru-of-mine", "paper"),
        ("edits+ct2:models/a", "paper"),
    ],
)
def test_the_projects_own_adapter_is_chosen_among_by_the_usual_weights(generator: str, preset: str) -> None:
    assert Options(generator=generator).chosen_preset == preset


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("edits", [Spec("edits")]),
        ("ct2:models/a", [Spec("ct2", "models/a")]),
        ("hf:orzhan/rugpt3-simplify-large", [Spec("hf", "orzhan/rugpt3-simplify-large")]),
        ("edits+ct2:a", [Spec("edits"), Spec("ct2", "a")]),
        ("ct2:a+b", [Spec("ct2", "a+b")]),
        ("ct2:a+edits", [Spec("ct2", "a"), Spec("edits")]),
        ("ct2:a+edits-of-mine", [Spec("ct2", "a+edits-of-mine")]),
        ("openai:http://a/v1,http://b/v1#m+n+replay:x.jsonl", None),
        ("deletion+edits", [Spec("deletion"), Spec("edits")]),
    ],
)
def test_generators_are_told_apart(text: str, specs: list[Spec] | None) -> None:
    expected = specs or [Spec("openai", "http://a/v1,http://b/v1#m+n"), Spec("replay", "x.jsonl")]
    assert list(parse_specs(text, PLAIN)) == expected
    assert "+".join(map(str, expected)) == text


@pytest.mark.parametrize(
    "text", ["", "edit", "ct2", "ct2:", "replay:", "gpt:a", "edits:a", "edits+", "+edits", "ct3:a"]
)
def test_anything_else_is_quoted_and_the_known_ones_are_listed(text: str) -> None:
    with pytest.raises(UnknownName, match=r"deletion, edits, gemma-ru, gemma-en, ct2:…, hf:…, openai:…, replay:…"):
        parse_specs(text, PLAIN)


def test_a_language_model_is_seen_in_company() -> None:
    for text, drawn in {
        "edits+ct2:a": True,
        "openai:http://a#m": True,
        "edits+replay:ct2": False,
        "replay:a/ct2:b": False,
    }.items():
        assert any(spec.kind.draws for spec in Options(generator=text).specs) is drawn


def test_fluency_takes_an_engine_that_gives_probabilities() -> None:
    assert parse_model("ct2:a") == Spec("ct2", "a")
    for text in ("ct2:", "a", "hf:a", "openai:http://a#m"):
        with pytest.raises(UnknownName, match="ct2:MODEL"):
            parse_model(text)


def test_edits_have_no_fluency_of_their_own() -> None:
    with pytest.raises(BadOption, match="fluency") as caught:
        Pipeline(Options(weights={"fluency": 1.0})).run(["Город, основанный в 1703 году, является крупным портом."])
    assert "--fluency" in caught.value.hint


def test_a_model_of_vllm_is_told_to_be_a_server() -> None:
    with pytest.raises(UnknownName, match="Unknown generator 'vllm:a'") as raised:
        parse_specs("vllm:a", PLAIN)
    assert raised.value.hint is not None
    assert raised.value.hint.startswith("Start vllm serve MODEL and write openai:URL#MODEL.")
