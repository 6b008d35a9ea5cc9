"""Simplifying English: what is drawn by a model or a recording is checked for facts and form, and scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.types import Candidate
from rewrite.errors import BadOption
from rewrite.generators.replay import Recorder
from rewrite.layout import skip_reason
from rewrite.pipeline import Pipeline
from rewrite.plain_english import english_specs
from rewrite.request import make_options

SOURCE = "The municipality commenced the construction of the bridge, which may cause floods, in 1903."
GOOD = "The town began to build the bridge in 1903. It may cause floods."
WRONG = {
    "The town began to build the bridge in 1904.": "1904",
    "The town began to build the bridge, which causes floods, in 1903.": "'may' is gone",
    "The town began to build the bridge in 1903 (the first.": "is never closed",
}

# What is not blocked is chosen: what is looked at here is what blocks.
EAGER = {"caution": 0.0, "similarity": 0.0, "likelihood": 0.0, "structure": 0.0}


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("english") / "drawn.jsonl"
    Recorder(str(path)).write(SOURCE, [Candidate(text, "ct2", -3.0, 12) for text in (GOOD, *WRONG)])
    return f"replay:{path}"


def test_what_changes_facts_or_is_torn_is_not_chosen(recording: str) -> None:
    (result,) = Pipeline(make_options(generator=recording, lang="en", weights=EAGER)).run([SOURCE])
    assert result.text == GOOD
    table = result.sentences[0].table
    assert table is not None
    told = {candidate.text: reason for candidate, reason in zip(table.candidates, table.blocked, strict=True)}
    assert not told[GOOD]
    for text, reason in WRONG.items():
        assert reason in told[text]


def test_other_candidates_can_be_ranked_too(recording: str) -> None:
    pipeline = Pipeline(make_options(generator=recording, lang="en", weights=EAGER))
    (result,) = pipeline.rerank([(SOURCE, [Candidate(GOOD), *map(Candidate, WRONG)])])
    assert result.text == GOOD
    assert result.sentences[0].language == "en"


def test_english_is_passed_through_where_nobody_says_that_it_is_english(recording: str) -> None:
    (result,) = Pipeline(make_options(generator=recording)).run([SOURCE])
    assert result.text == SOURCE
    assert result.sentences[0].skipped == "no Cyrillic letters"


def test_a_recording_is_made_in_the_language_that_is_told(recording: str, tmp_path: Path) -> None:
    target = tmp_path / "again.jsonl"
    Pipeline(make_options(generator=recording, lang="en", record=str(target))).run([SOURCE])
    assert GOOD in target.read_text(encoding="utf-8")
    Pipeline(make_options(generator="edits", lang="ru", record=str(tmp_path / "russian.jsonl")))


def test_without_a_model_the_message_says_what_to_name() -> None:
    with pytest.raises(BadOption, match="it is rewritten by a language model") as refused:
        Pipeline(make_options(lang="en")).run([SOURCE])
    assert "ct2:MODEL" in refused.value.hint


@pytest.mark.parametrize(
    ("options", "told"),
    [({"lang": "de"}, "simplify knows Russian, ru, and English, en"), ({"lang": "en", "strict": True}, "--strict")],
)
def test_what_counts_for_nothing_is_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(BadOption, match=told):
        make_options(**options)


@pytest.mark.parametrize(
    "code",
    ['if (x > 0) { return foo(x, "bar"); }', "Call the function main() before you leave.", "<p>One two three.</p>"],
)
def test_code_is_passed_through(recording: str, code: str) -> None:
    (result,) = Pipeline(make_options(generator=recording, lang="en")).run([code])
    assert result.text == code
    assert {sentence.skipped for sentence in result.sentences} <= {"code", "fewer than 4 words"}


def test_prose_with_brackets_is_no_code() -> None:
    for text in ("He lived in Paris (France); she stayed at home.", "The set (see Table 2); it works for all of us."):
        assert not skip_reason(text, "en")


def test_a_recording_in_english_is_chosen_from_by_english_weights(recording: str) -> None:
    assert make_options(generator=recording, lang="en").chosen_preset == "balanced"


def test_a_model_of_ones_own_gets_english_only_where_it_is_told() -> None:
    own = "edits-lm+ct2:a-russian-model"
    assert [str(spec) for spec in english_specs(make_options(generator=own))] == ["ct2:gemma-en"]
    assert [str(spec) for spec in english_specs(make_options(generator=own, lang="en"))] == ["ct2:a-russian-model"]
