"""Simplifying English: what is drawn by a model or a recording is checked for facts and form, and scored."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rerank.types import Candidate
from rerank.weights import ENGLISH_PRESETS, PRESETS
from rewrite.acceptance.text_acceptance import TextCaution
from rewrite.errors import BadOption, OtherLanguage
from rewrite.generators.replay import Recorder
from rewrite.layout import skip_reason
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.simplification import SIMPLIFY

SOURCE = "The municipality commenced the construction of the bridge, which may cause floods, in 1903."
GOOD = "The town began to build the bridge in 1903. It may cause floods."
WRONG = {
    "The town began to build the bridge in 1904.": "1904",
    "The town began to build the bridge, which causes floods, in 1903.": "'may' is gone",
    "The town began to build the bridge in 1903 (the first.": "is never closed",
}

# What is not blocked is chosen: what is looked at here is what blocks.
EAGER = {"caution": 0.0, "similarity": 0.0, "likelihood": 0.0, "structure": 0.0}
EAGERLY = [word for name, weight in EAGER.items() for word in ("-w", f"{name}={weight}")]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("english") / "drawn.jsonl"
    Recorder(str(path)).write(SOURCE, [Candidate(text, "ct2", -3.0, 12) for text in (GOOD, *WRONG)])
    return f"replay:{path}"


@pytest.mark.parametrize("generator", ["edits-lm", "gemma-en", "edits+gemma-en"])
def test_what_readers_would_hardly_pass_counts_for_little_whatever_draws_english(generator: str) -> None:
    assert any(
        isinstance(scorer, TextCaution) for scorer in SIMPLIFY.scorers(Options(generator=generator), frozenset())
    )


def test_what_changes_facts_or_is_torn_is_not_chosen(recording: str) -> None:
    (result,) = Pipeline(Options(generator=recording, lang="en", weights=EAGER)).run([SOURCE])
    assert result.text == GOOD
    table = result.sentences[0].table
    assert table is not None
    told = {candidate.text: reason for candidate, reason in zip(table.candidates, table.blocked, strict=True)}
    assert not told[GOOD]
    for text, reason in WRONG.items():
        assert reason in told[text]


# 14 words, 22 syllables (com-menc-ed has three where runs of vowels are counted); 13 words of 13, in two sentences.
GRADES = {"source": 8.4, "text": -1.3}


def test_the_school_grade_is_shown(recording: str, run_command: Callable[..., int], capfd: Any) -> None:
    command = ["simplify", "--lang", "en", "--generator", recording, *EAGERLY, SOURCE]
    assert run_command(*command, "--explain") == 0
    assert "\n  grade: 8.4 → -1.3 (Flesch–Kincaid)\n" in capfd.readouterr().err
    assert run_command(*command, "--format", "jsonl") == 0
    assert json.loads(capfd.readouterr().out)["grade"] == GRADES


def test_a_paragraph_has_one_grade_and_what_is_passed_through_none(recording: str) -> None:
    pipeline = Pipeline(Options(generator=recording, lang="en", weights=EAGER))
    paragraph, short = pipeline.run([f"{SOURCE} {SOURCE}", "It fell."])
    assert paragraph.row()["grade"] == GRADES
    assert "grade" not in short.row()


def test_russian_has_no_school_grade() -> None:
    (result,) = Pipeline(Options(generator="edits")).run(["Порт был закрыт, поскольку он давно сгорел."])
    assert result.best is not None
    assert "grade" not in result.row()


def test_other_candidates_can_be_ranked_too(recording: str) -> None:
    pipeline = Pipeline(Options(generator=recording, lang="en", weights=EAGER))
    (result,) = pipeline.rerank([(SOURCE, [Candidate(GOOD), *map(Candidate, WRONG)])])
    assert result.text == GOOD
    assert result.sentences[0].language == "en"


def test_a_replayed_run_of_several_languages_is_the_same_again(recording: str, tmp_path: Path) -> None:
    russian = "Кошка, которую нашли дети, спала на старом диване."
    texts = [SOURCE, russian, "Die Katze schläft nicht auf dem alten Sofa, weil es kalt ist.", "12345"]
    with Path(recording.removeprefix("replay:")).open() as drawn:
        (tmp_path / "drawn").write_text(drawn.read(), encoding="utf-8")
    drawn_too = [Candidate("Кошка спала на старом диване.", "edits", risk=0.1)]
    Recorder(str(tmp_path / "russian")).write(russian, drawn_too)
    with (tmp_path / "drawn").open("a", encoding="utf-8") as file:
        file.write((tmp_path / "russian").read_text(encoding="utf-8"))
    record = str(tmp_path / "again")
    first = Pipeline(Options(generator=f"replay:{tmp_path / 'drawn'}", weights=EAGER, record=record)).run(texts)
    again = Pipeline(Options(generator=f"replay:{record}", weights=EAGER)).run(texts)
    assert [result.text for result in again] == [result.text for result in first]
    assert [result.text for result in again] == [GOOD, drawn_too[0].text, *texts[2:]]
    assert [result.sentences[0].language for result in again] == ["en", "ru", "other", "ru"]
    assert [result.sentences[0].error for result in again[2:]] == ["It does not look like Russian or English.", ""]
    (told,) = Pipeline(Options(generator=recording, lang="ru", weights=EAGER)).run([SOURCE])
    assert (told.text, told.sentences[0].skipped) == (SOURCE, "no Cyrillic letters")


def test_a_recording_is_made_in_the_language_that_is_told(recording: str, tmp_path: Path) -> None:
    target = tmp_path / "again.jsonl"
    Pipeline(Options(generator=recording, lang="en", record=str(target))).run([SOURCE])
    assert GOOD in target.read_text(encoding="utf-8")
    Pipeline(Options(generator="edits", lang="ru", record=str(tmp_path / "russian.jsonl")))


def test_without_a_model_the_message_says_what_to_name() -> None:
    with pytest.raises(BadOption, match="edits is for Russian, and the text is English") as refused:
        Pipeline(Options(lang="en")).run([SOURCE])
    assert "ct2:MODEL" in refused.value.hint


def test_another_language_is_refused() -> None:
    with pytest.raises(BadOption, match="it may be Russian, ru, or English, en"):
        Options(lang="de")


@pytest.mark.parametrize(
    ("source", "candidate", "told"),
    [
        ("As of 6 April 2020, the details had not been released.", "The details had not been released.", "April"),
        ("It hit 36 percent in 1981, and the town never recovered.", "The town never recovered.", "1981"),
        ("The town met Rebecca Hall, who is a nurse, in June.", "The town met a nurse in June.", "Rebecca"),
        ("The town met Rebecca Hall, who is a nurse, in June.", "The town met Rebecca Hall in June.", ""),
        ("One of them left, and the first guests came at noon.", "The guests came at noon.", ""),
    ],
)
def test_with_strict_a_number_date_or_name_that_goes_is_told(source: str, candidate: str, told: str) -> None:
    for strict in (False, True):
        (table,) = Pipeline(Options(lang="en", strict=strict)).score([(source, [Candidate(candidate)])])
        (reason,) = table.blocked
        assert bool(reason) == (strict and bool(told))
        assert f"{told} is dropped" in reason or not reason


@pytest.mark.parametrize(
    "code",
    ['if (x > 0) { return foo(x, "bar"); }', "Call the function main() before you leave.", "<p>One two three.</p>"],
)
def test_code_is_passed_through(recording: str, code: str) -> None:
    (result,) = Pipeline(Options(generator=recording, lang="en")).run([code])
    assert result.text == code
    assert {sentence.skipped for sentence in result.sentences} <= {"code", "fewer than 4 words", "tags of HTML"}


def test_prose_with_brackets_is_no_code() -> None:
    for text in ("He lived in Paris (France); she stayed at home.", "The set (see Table 2); it works for all of us."):
        assert not skip_reason(text, "en")


def test_a_recording_in_english_is_chosen_from_by_english_weights(recording: str) -> None:
    assert Options(generator=recording, lang="en").chosen_preset == "balanced"
    guessing = Pipeline(Options(generator=recording))
    assert guessing.weights_in("en")["entities"] == ENGLISH_PRESETS["balanced"]["entities"]
    assert guessing.weights_in("ru")["entities"] == PRESETS["paper"]["entities"]


def test_a_model_beside_the_adapters_gets_english_only_where_it_is_told() -> None:
    own = "edits-lm+ct2:a-russian-model"
    assert [str(spec) for spec in Options(generator=own).specs_in("en")] == ["ct2:gemma-en"]
    assert [str(spec) for spec in Options(generator=own, lang="en").specs_in("en")] == ["ct2:a-russian-model"]


ONLY = "Only members who have paid the annual fee are permitted to participate in the election of the board."
POOLS = [
    (SOURCE, [GOOD, *WRONG]),
    (ONLY, [ONLY.replace("Only members", "Members"), ONLY.replace("are permitted to participate", "may take part")]),
]


@pytest.fixture(scope="module")
def guessing() -> Pipeline:
    return Pipeline(Options(weights=EAGER))


def _pools() -> list[tuple[str, list[Candidate]]]:
    return [(source, [*map(Candidate, texts)]) for source, texts in POOLS]


def test_english_pools_have_the_english_guard_without_being_told(guessing: Pipeline) -> None:
    tables = guessing.score(_pools())
    assert [table.blocked[0] for table in tables] == ["", "'Only' is gone"]
    assert "1904" in tables[0].blocked[1]
    assert tables[1].blocked[1] == ""


def test_pools_of_both_languages_come_out_in_order(guessing: Pipeline) -> None:
    russian = "В связи с проведением ремонтных работ, которые начались в понедельник, движение приостановлено."
    shorter = "В связи с проведением ремонтных работ движение приостановлено."
    english, other = _pools()
    results = guessing.rerank([english, (russian, [Candidate(shorter)]), other, ("", [])])
    assert [result.text for result in results] == [GOOD, shorter, POOLS[1][1][1], ""]
    assert [result.sentences[0].language for result in results] == ["en", "ru", "en", "ru"]
    assert results[0].weights["entities"] == ENGLISH_PRESETS["balanced"]["entities"]
    assert results[1].weights["entities"] == PRESETS["balanced"]["entities"]
    assert "generator" not in results[0].signature


def test_russian_with_many_latin_names_has_the_russian_guard(guessing: Pipeline) -> None:
    source = "Браузер Google Chrome использует движок Blink и JavaScript V8."
    denied = "Браузер Google Chrome не использует движок Blink и JavaScript V8."
    (result,) = guessing.rerank([(source, [Candidate(denied)])])
    assert (result.text, result.sentences[0].language) == (source, "ru")
    assert guessing.language_of("12345") == "ru"


def test_the_presets_choose_differently_in_english(guessing: Pipeline) -> None:
    # From ASSET, written by people.
    dawn = "Breaking Dawn is the fourth and final novel in the Twilight series by Stephenie Meyer."
    whole, short = dawn.replace("fourth and ", ""), "Breaking Dawn is the last novel in the Twilight series."
    maiden = "Iron Maiden, released on April 14, 1980, is the debut album by heavy metal band Iron Maiden."
    dated = maiden.replace("debut", "first")
    undated = "Iron Maiden is the debut album of heavy metal band Iron Maiden."
    results = guessing.rerank(
        [(dawn, [*map(Candidate, (whole, short))]), (maiden, [*map(Candidate, (dated, undated))])]
    )
    chosen = {name: [r.reweight(weights).text for r in results] for name, weights in ENGLISH_PRESETS.items()}
    assert chosen["accurate"] == [dawn, maiden]  # a number is kept, and with another word alone the text is no simpler
    assert chosen["simple"] == [short, undated]
    assert chosen["balanced"] == chosen["clear"]
    weights = [ENGLISH_PRESETS[name]["caution"] for name in ("simple", "balanced", "accurate")]
    assert weights == sorted(weights)
    assert all(preset["simplicity"] == 1 for name, preset in ENGLISH_PRESETS.items() if name != "paper")


def test_a_source_in_neither_language_is_told_and_passed_over(guessing: Pipeline) -> None:
    german = "Der Turm ist alt und nicht mehr offen, weil das Dach undicht ist und niemand es repariert."
    pool = (german, [Candidate("Der Turm ist zu.")])
    (result,) = guessing.rerank([pool])
    assert (result.text, result.sentences[0].skipped) == (german, "It does not look like Russian or English.")
    assert isinstance(guessing.failures([pool])[0], OtherLanguage)
    with pytest.raises(OtherLanguage, match="does not look like Russian or English"):
        guessing.score([pool])
    (told,) = Pipeline(Options(lang="en", weights=EAGER)).rerank([pool])
    assert told.sentences[0].language == "en"


def test_the_commands_guess_and_are_told(run_command: Callable[..., int], capfd: Any, tmp_path: Path) -> None:
    lines = tmp_path / "pools.tsv"
    pools = [*POOLS, ("Der Turm ist alt und nicht mehr offen.", ["Er ist zu."])]
    lines.write_text("".join(f"{source}\t{texts[0]}\n" for source, texts in pools), encoding="utf-8")
    assert run_command("score", "--processes", "1", "-i", str(lines), "--format", "jsonl") == 3
    out, err = capfd.readouterr()
    good, wrong, german = map(json.loads, out.splitlines())
    assert [row["candidates"][0]["blocked"] for row in (good, wrong)] == ["", "'Only' is gone"]
    assert "wordfreq" in good["signature"]
    assert german["error"] == "It does not look like Russian or English."
    assert "line 3" in err
    assert run_command("rerank", "--processes", "1", "-i", str(lines), "--lang", "en", *EAGERLY) == 0
    assert capfd.readouterr().out.splitlines()[:2] == [GOOD, ONLY]


def test_several_processes_each_load_what_english_needs(tmp_path: Path) -> None:
    lines = tmp_path / "pools.jsonl"
    drawn = {"text": GOOD, "generator": "ct2", "logprob": -3.0, "tokens": 12}
    lines.write_text(json.dumps({"source": SOURCE, "candidates": [drawn]}) + "\n" + f"{ONLY}\t{POOLS[1][1][1]}\n")
    command = [
        sys.executable,
        "-m",
        "rewrite",
        "rerank",
        "--lang",
        "en",
        "--processes",
        "2",
        "-i",
        str(lines),
        *EAGERLY,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.splitlines() == [GOOD, POOLS[1][1][1]]
