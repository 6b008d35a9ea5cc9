"""The bundled English pipeline: its files are whole, and it reads plain sentences as its card lets one expect."""

from __future__ import annotations

import json

import pytest

from rerank.analysis import Token
from rerank.english import EnglishAnalyzer
from rerank.english.analyzer import BUNDLED
from rewrite.checksums import verify_sums
from tests.english import bundled


@pytest.fixture(scope="module")
def analyzer() -> EnglishAnalyzer:
    return bundled()


def tokens(analyzer: EnglishAnalyzer, text: str) -> tuple[Token, ...]:
    return tuple(analyzer.analyze_one(text).tokens)


def test_its_files_are_those_of_its_checksums() -> None:
    verify_sums(BUNDLED)


def test_its_card_has_figures_of_documents_that_it_has_not_seen() -> None:
    card = json.loads((BUNDLED / "card.json").read_text(encoding="utf-8"))
    assert card["licence"] == "CC BY-SA 4.0"
    assert card["figures"]["test"]["dep_uas"] > 80
    assert sum(f.stat().st_size for f in BUNDLED.rglob("*") if f.is_file()) < 8e6


def test_a_relative_clause_hangs_on_its_noun(analyzer: EnglishAnalyzer) -> None:
    found = tokens(analyzer, "The crash, which happened on Monday, was caused by strong wind.")
    words = [token.text for token in found]
    arcs = {(token.text, token.rel, words[token.head]) for token in found}
    assert {
        ("crash", "nsubj:pass", "caused"),
        ("happened", "acl:relcl", "crash"),
        ("strong", "amod", "wind"),
        ("was", "aux:pass", "caused"),
    } <= arcs


@pytest.mark.parametrize(
    ("text", "lemmas"),
    [
        ("The older boys were running.", "the old boy be run ."),
        ("She has written two books.", "she have write two book ."),
    ],
)
def test_lemmas(analyzer: EnglishAnalyzer, text: str, lemmas: str) -> None:
    assert " ".join(token.lemma for token in tokens(analyzer, text)) == lemmas


def test_names_are_found(analyzer: EnglishAnalyzer) -> None:
    text = "Angela Merkel met reporters in Berlin."
    entities = analyzer.analyze_one(text).entities
    assert {text[e.start : e.stop] for e in entities} == {"Angela Merkel", "Berlin"}


def test_sentences_are_parted(analyzer: EnglishAnalyzer) -> None:
    text = "The bridge was closed. Nobody knows why it fell."
    assert len(analyzer.analyze_one(text).sentences) == 2


@pytest.mark.parametrize(
    "text", ["She has a Ph.D. in law and teaches in Rome.", "He paid 3.5 million for it, she said."]
)
def test_no_sentence_begins_within_one(analyzer: EnglishAnalyzer, text: str) -> None:
    assert [s.text for s in analyzer.analyze_one(text).sentences] == [text]


def test_a_remark_at_the_end_is_no_sentence_of_its_own(analyzer: EnglishAnalyzer) -> None:
    # The parser's own cut was between *said* and *Sunday*.
    text = "A man was shot and killed Saturday night in Southwest Washington, police said Sunday."
    (sentence,) = analyzer.analyze_one(text).sentences
    assert sentence.text == text
