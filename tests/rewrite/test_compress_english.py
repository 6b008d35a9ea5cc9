"""English compressions with the bundled model and parser: what reading found broken stays whole."""

from __future__ import annotations

import pytest

from rerank.english import EnglishAnalyzer
from rerank.masked.base import MaskedModel
from rerank.masked.registry import create_masked_model
from rewrite import Compressor
from rewrite.compression.compression_options import CompressOptions
from tests.english import bundled

RATIOS = (0.4, 0.5, 0.6, 0.7, 0.8)


@pytest.fixture(scope="module")
def analyzer() -> EnglishAnalyzer:
    return bundled()


@pytest.fixture(scope="module")
def model() -> MaskedModel:
    return create_masked_model("bundled", language="en")


@pytest.fixture(scope="module")
def compressors(analyzer: EnglishAnalyzer, model: MaskedModel) -> list[Compressor]:
    return [Compressor(CompressOptions(ratio=r), model=model, analyzers={"en": analyzer}) for r in RATIOS]


def compressions(compressors: list[Compressor], text: str) -> list[str]:
    return [compressor.run([text])[0].text for compressor in compressors]


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("He entered the University of Copenhagen in 1877 when he was 17, initially studying law.", "1877 he was"),
        ("Other items include the Evergreen Aviation & Space Museum of McMinnville in Oregon.", "the & Space"),
        (
            "The old town, which lies by the sea, has seen a long period of slow decline between the 1960s and the "
            "recent past, as many people there say.",
            "between the 1960s.",
        ),
        ("The whole research shows that you lose much time when you try to do two things.", "time you try"),
        ("The owner of the new house is probably going to need some sort of help soon.", "some sort."),
        (
            "Many small villages provide their people with the best opportunity to share in the history.",
            "the opportunity",
        ),
    ],
)
def test_phrases_stay_whole(compressors: list[Compressor], text: str, broken: str) -> None:
    compressed = compressions(compressors, text)
    assert len(set(compressed)) > 1
    assert not [compression for compression in compressed if broken in compression]


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (
            "If you select several fields in the long list, press the second key on the left side twice.",
            "If you select",
        ),
        ("To copy the text of a field to another page, press the second key on the left side.", "To copy"),
        ("When the items of a list are sold in a shop, their prices are shown on a small screen.", "When the items"),
    ],
)
def test_a_condition_stays_while_anything_else_can_go(compressors: list[Compressor], text: str, condition: str) -> None:
    assert all(compression.startswith(condition) for compression in compressions(compressors, text)[2:])


def test_who_said_it_goes_whole(compressors: list[Compressor]) -> None:
    text = "A man was shot and killed Saturday night in Southwest Washington, police said Sunday."
    compressed = compressions(compressors, text)
    assert not [compression for compression in compressed if "said" in compression and "police said" not in compression]
    assert compressed[0].startswith("A man was shot")


def test_with_care_a_sentence_may_stay_longer(analyzer: EnglishAnalyzer, model: MaskedModel) -> None:
    text = "The judge directed the jury to find these two facts, which it did after a long day."
    by_care = {}
    for careful in (False, True):
        options = CompressOptions(ratio=0.4, careful=careful)
        (by_care[careful],) = Compressor(options, model=model, analyzers={"en": analyzer}).run([text])
    assert by_care[False].ratio <= 0.5 < by_care[True].ratio < 0.9
    assert by_care[True].text == "The judge directed the jury to find these two facts."


def test_a_sentence_in_capitals_stands_as_it_was(analyzer: EnglishAnalyzer) -> None:
    loud = "SHE FLEW FROM SAN FRANCISCO TO NEW YORK WITH MARY BARRA ON MONDAY."
    shouted, short = Compressor(CompressOptions(), analyzers={"en": analyzer}).run([loud, "KEEP OUT"])
    assert shouted.text == loud
    assert "all in capitals" in shouted.sentences[0].error
    assert not short.sentences[0].error
