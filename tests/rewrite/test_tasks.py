"""What every task can: candidates from elsewhere, words that are kept, recordings, a language that is said."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest

from rerank.types import Candidate
from rewrite import CompressOptions, Compressor, Options, Pipeline, SplitOptions, Splitter
from rewrite.compression.compressor import COMPRESS_PRESETS, Compression
from rewrite.errors import BadOption, BadWeights, UnknownName
from rewrite.task import task_of
from tests.fakes import ListGenerator
from tests.rewrite.splitting.scripted import ScriptedModel

TOM = "Tom bought a red car, and Anna sold the house."
TWO = "Tom bought a red car. Anna sold the house."
SOURCE = "Дети нашли во дворе большую рыжую кошку, которая спала на старом диване."
SHORT = "Дети нашли во дворе рыжую кошку."
CUTS = {"and": -1.0}


def test_a_split_on_one_line_is_laid_out_and_guarded_as_any() -> None:
    generator = ListGenerator({TOM: [TWO, "Tom bought a blue car. Anna sold the house."]})
    (found,) = Pipeline(SplitOptions(preset="simple"), generator=generator).run([TOM])
    assert found.text == TWO
    assert found.sentences[0].text == TWO.replace(". ", ".\n")
    assert "blue" in next(iter(found.facts.values()))


@pytest.mark.parametrize(
    ("options", "source", "candidate"),
    [(SplitOptions(keep=("and",)), TOM, TWO), (Options(keep=("большую",)), SOURCE, SHORT)],
)
def test_a_rewrite_without_a_word_to_keep_is_blocked(options: SplitOptions, source: str, candidate: str) -> None:
    (found,) = Pipeline(options, generator=ListGenerator({source: [candidate]})).run([source])
    assert found.text == source
    assert f"drops {options.keep[0]!r}, which is to be kept" in next(iter(found.facts.values()))


def test_a_recorded_split_is_chosen_again_without_the_model(tmp_path: Path) -> None:
    path = str(tmp_path / "pools.jsonl")
    (first,) = Splitter(SplitOptions(record=path), model=ScriptedModel(CUTS)).run([TOM])
    (again,) = Splitter(SplitOptions(generator=f"replay:{path}"), model=ScriptedModel({})).run([TOM])
    assert again.lines == first.lines == ("Tom bought a red car.", "Anna sold the house.")
    assert again.row()["candidates"] == first.row()["candidates"]


def test_a_recorded_compression_is_chosen_again_and_by_other_weights(tmp_path: Path) -> None:
    path = str(tmp_path / "pools.jsonl")
    text = "The bridge, which was built in 1909, was closed in 2004, and it was torn down two years later."
    (first,) = Compressor(CompressOptions(ratio=0.3, record=path)).run([text])
    (again,) = Compressor(CompressOptions(generator=f"replay:{path}")).run([text])
    assert again.row() | {"signature": ""} == first.row() | {"signature": ""}
    assert len(first.n_best) > 1
    assert first.reweight({"ratio": 0, "caution": 1}).ratio > first.ratio
    with pytest.raises(BadWeights, match="similarity"):
        Compressor(CompressOptions(weights={"similarity": 1}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"generator": "replay:pools.jsonl", "ratio": 0.3}, "--ratio counts for nothing with --generator replay:"),
        ({"generator": "ct2:model"}, "--generator ct2 is not of compress: give cuts, or replay:FILE"),
    ],
)
def test_what_compressing_has_no_use_for_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption, match=re.escape(message)):
        CompressOptions(**options)


def test_what_another_task_recorded_is_no_compression(tmp_path: Path) -> None:
    path = tmp_path / "pools.jsonl"
    text = "The bridge was closed in 2004, and it was torn down two years later."
    other = {"text": "The bridge was shut.", "generator": "x"}
    path.write_text(json.dumps({"source": text, "candidates": [other]}))
    (found,) = Compressor(CompressOptions(generator=f"replay:{path}")).run([text])
    assert (found.text, found.facts) == (text, {"The bridge was shut.": "not made by cutting"})


def test_a_task_for_all_languages_scores_candidates_in_the_one_that_is_said() -> None:
    compressor = Compressor(CompressOptions(lang="en"))
    (table,) = compressor.score([("He slept a long time.", [Candidate("He slept.", generator="cuts")])])
    assert table.blocked == ("",)
    assert Compressor().score([]) == []


def test_split_is_told_english_alone() -> None:
    with pytest.raises(BadOption, match="--lang ru: split knows English"):
        SplitOptions(lang="ru")


def test_a_new_generator_is_parsed_anew() -> None:
    options = Options(generator="edits")
    assert [spec.scheme for spec in options.specs] == ["edits"]
    assert [spec.scheme for spec in options.model_copy(update={"generator": "edits-lm"}).specs] == ["edits-lm"]


def test_a_language_that_is_said_is_not_guessed() -> None:
    text = "Řeka teče městem, a lidé žijí na obou jejích březích."
    guessed, said = (
        Splitter(SplitOptions(lang=lang), model=ScriptedModel(CUTS)).run([text])[0].sentences[0]
        for lang in (None, "en")
    )
    assert guessed.error == "It does not look like English."
    assert not said.error


def test_what_a_task_does_not_take_is_refused() -> None:
    with pytest.raises(UnknownName, match="Unknown generator 'edits'"):
        Pipeline(SplitOptions(generator="edits"))
    with pytest.raises(BadOption, match="takes no --top-p"):
        Pipeline(SplitOptions(top_p=0.5))
    with pytest.raises(BadOption, match="--model counts for nothing"):
        SplitOptions(generator="replay:a", model="mine")


def test_a_candidate_keeps_its_cuts_when_it_is_recorded() -> None:
    from rewrite.candidates import parse_pool, pool_row
    from rewrite.commands.lines import jsonl_line

    candidate = Candidate("a", cuts=(("b", 1, 0.5),))
    assert parse_pool(jsonl_line(pool_row("a b", [candidate])), 1).candidates == [candidate]


def test_presets_have_the_same_names_in_every_task() -> None:
    tasks = [task_of(options) for options in (Options(), SplitOptions(), CompressOptions())]
    assert all({"balanced", "accurate", "simple"} <= task.presets.keys() for task in tasks)
    text = "A locked safe has been found in the debris of a Miami Beach mansion once owned by drug lord Pablo Escobar."
    found = Compressor(CompressOptions(lang="en")).run([text])[0]
    kept = {name: cast("Compression", found.reweight(weights)).kept for name, weights in COMPRESS_PRESETS.items()}
    assert kept["simple"] == kept["balanced"] < kept["accurate"]
    assert Compressor(CompressOptions(preset="accurate")).weights == COMPRESS_PRESETS["accurate"]
    with pytest.raises(BadWeights) as refused:
        Compressor(CompressOptions(preset="clear"))
    assert refused.value.hint == "Known: accurate, balanced, simple."
