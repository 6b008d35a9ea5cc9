"""Pairs of a WebSplit benchmark as a splitter learns from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.errors import BadInput
from tests.training.papers.websplit.small import BORN, CLUB, write_xml
from training.papers.websplit.building import build
from training.splitting.websplit import WebSplitOptions, in_source_order, likeness, read_websplit

_NAMES = "Ada Bob Cyd Dan Eve Fay Gil Hal Ida Joy Kim Leo".split()


def options(**changed: object) -> WebSplitOptions:
    return WebSplitOptions.model_validate({"benchmark": "x", "protocol": "paper", "least": 0.5, **changed})


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve players, each with a complex sentence and four rephrasings of two sentences."""
    folder = tmp_path_factory.mktemp("websplit")
    entries = []
    for name in _NAMES:
        club, born = CLUB.replace("Ada_Bell", name), BORN.replace("Ada_Bell", name)
        entries += [
            ([club, born], [f"{name}, born in Cork, plays for A.C. Cork."]),
            ([club], [f"{name} plays for A.C. Cork.", f"A.C. Cork is the club that {name} belongs to."]),
            ([born], [f"{name} was born in Cork.", f"Cork is the place where {name} once came from."]),
        ]
    build([write_xml(folder, entries)], folder / "benchmark", seed=7, protocols=("paper",))
    return folder / "benchmark"


def test_the_likest_rephrasing_is_taken_in_the_order_of_the_source(benchmark: Path) -> None:
    found = [
        *read_websplit(options(), benchmark, "websplit", 0),
        *read_websplit(options(), benchmark, "websplit-dev", 0),
    ]
    assert {pair.origin.partition(":")[0] for pair in found} == {"websplit", "websplit-dev"}
    assert len({pair.origin for pair in found}) == len(found) < len(_NAMES)  # the test side is not read
    for pair in found:
        name = pair.complex.partition(",")[0]
        assert pair.complex == f"{name}, born in Cork, plays for A.C. Cork."
        assert pair.simple == (f"{name} was born in Cork.", f"{name} plays for A.C. Cork.")


def test_what_is_too_unlike_is_left_out(benchmark: Path) -> None:
    assert list(read_websplit(options(least=1.0), benchmark, "websplit", 0)) == []


def test_a_seed_gives_the_same_pairs(benchmark: Path) -> None:
    drawn = [list(read_websplit(options(drawn=1, least=0.0), benchmark, "websplit", seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_folder_without_the_protocol_is_named(benchmark: Path) -> None:
    with pytest.raises(BadInput, match=r"leak-free.train\.jsonl"):
        list(read_websplit(options(protocol="leak-free"), benchmark, "websplit", 0))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("A b c.", "a, B. C", 1.0), ("a b c d", "a b", 2 / 3), ("a b", "c d", 0.0), ("", ".", 1.0), ("a a a", "a", 1.0)],
)
def test_likeness_is_f1_of_distinct_words(one: str, other: str, expected: float) -> None:
    assert likeness(one, other) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("simple", "expected"),
    [
        (("He wrote it in May.", "Tom was born in Rome."), ("Tom was born in Rome.", "He wrote it in May.")),
        (("Tom was born in Rome.", "He wrote it in May."), ("Tom was born in Rome.", "He wrote it in May.")),
        # Nothing of its own: it stays behind the others, and so do two of them among themselves.
        (("Tom is.", "Tom.", "He wrote it."), ("He wrote it.", "Tom is.", "Tom.")),
    ],
)
def test_simple_sentences_stand_as_the_source_says_them(simple: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert in_source_order("Tom, born in Rome, wrote it in May.", simple) == expected
