"""A WebNLG of five entries, small enough to count every partition by hand."""

from __future__ import annotations

from pathlib import Path

from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.building import build, pair
from training.papers.websplit.webnlg import merge, read_entries

__all__ = ["BORN", "CLUB", "SEAT", "SMALL", "players", "small", "write_xml"]

BORN = "Ada_Bell | birthPlace | Cork"
CLUB = "Ada_Bell | club | A.C._Cork"
SEAT = "A.C._Cork | ground | Old_Park"
"""A chain: Ada Bell's club has a ground; her birth place hangs beside it."""

SMALL: list[tuple[list[str], list[str]]] = [
    # Given out of depth-first order: the ground belongs between club and birth place.
    (
        [CLUB, BORN, SEAT],
        [
            "Ada Bell, born in Cork, plays for A.C. Cork, whose ground is Old Park.",
            "Ada Bell plays for A.C. Cork. Its ground is Old Park. She was born in Cork.",
        ],
    ),
    ([CLUB], ["Ada Bell plays for A.C. Cork.", "A.C. Cork is the club of Ada Bell."]),
    ([SEAT], ["The ground of A.C. Cork is Old Park."]),
    ([BORN], ["Ada Bell was born in Cork.", "Cork is where Ada Bell was born.", "Ada Bell is from Cork."]),
    ([SEAT, CLUB], ["Ada Bell plays for A.C. Cork at Old Park."]),
]


def write_xml(folder: Path, entries: list[tuple[list[str], list[str]]], name: str = "one.xml") -> Path:
    """A file of WebNLG's format."""
    rows = "".join(
        f'<entry category="Athlete" eid="Id{number}" size="{len(triples)}"><modifiedtripleset>'
        + "".join(f"<mtriple>{triple}</mtriple>" for triple in triples)
        + "</modifiedtripleset>"
        + "".join(f'<lex comment="good" lid="Id1">{text}</lex>' for text in texts)
        + "</entry>"
        for number, (triples, texts) in enumerate(entries, 1)
    )
    file = folder / name
    file.write_text(f"<?xml version='1.0' encoding='utf-8'?><benchmark><entries>{rows}</entries></benchmark>")
    return file


def small(folder: Path) -> tuple[WebSplit, dict[str, ComplexSentence]]:
    """The benchmark of `SMALL`, complex sentences by their text."""
    benchmark, sentences = pair(merge(read_entries([write_xml(folder, SMALL)])))
    return benchmark, {sentence.text: sentence for sentence in sentences}


def players(folder: Path) -> Path:
    """A benchmark of twelve players, so that dev has a sentence too."""
    entries = []
    for name in "Ada Bob Cyd Dan Eve Fay Gil Hal Ida Joy Kim Leo".split():
        club, born = f"{name} | club | A.C._Cork", f"{name} | birthPlace | Cork"
        entries += [
            ([club, born], [f"{name}, born in Cork, plays for A.C. Cork."]),
            ([club], [f"{name} plays for A.C. Cork.", f"A.C. Cork is the club of {name}."]),
            ([born], [f"{name} was born in Cork."]),
        ]
    build([write_xml(folder, entries)], folder / "benchmark", seed=7)
    return folder / "benchmark"
