"""Bilingual lines, English and Russian with a tab between, and why some of them are left out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rerank.errors import counted
from rewrite.datasets import text_lines
from rewrite.errors import BadInput

FOLDER, ENDING = "parallel_enru", ".tsv.xz"
FAULTS = {
    "no tab": "not English and Russian with one tab between",
    "empty side": "one side is blank",
    "lengths apart": "one side is more than three times as long as the other",
    "English side": "the English side is not in Latin letters",
    "Russian side": "the Russian side is not in Cyrillic letters",
    "untranslated": "the sides are the same",
    "duplicate": "the same pair came before",
}
"""Why a line is left out, and what that means."""
_RATIO, _SHORT = 3.0, 20
"""A side may be so many times as long as the other, in characters, or so many characters longer if both are short."""
_NAMED = 5
_LATIN, _CYRILLIC = re.compile(r"[A-Za-z]"), re.compile(r"[Ѐ-ӿ]")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence in two languages."""

    english: str
    russian: str


@dataclass
class Report:
    """How many lines were read and taken of each set, and by its name each fault: how many, and the first of them."""

    read: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    first: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add_fault(self, fault: str, source: str, number: int) -> None:
        """Count a line that is left out; the first few are named."""
        self.faults[fault] += 1
        if len(self.first[fault]) < _NAMED:
            self.first[fault].append(f"{source}:{number}")

    def lines(self) -> Iterator[str]:
        """The report as text, a line for the whole and one for each fault."""
        lines, sets = counted(self.read.total(), "line"), counted(len(self.read), "set")
        yield f"{lines} of {sets}, {self.taken.total():,} taken"
        for fault, count in self.faults.most_common():
            yield f"left out, {fault} ({FAULTS[fault]}): {count:,}, first {', '.join(self.first[fault])}"


def sets_in(data: Path) -> list[str]:
    """Names of the sets in the folder parallel_enru of `data`, sorted; raises `BadInput` where there are none."""
    names = sorted(path.name.removesuffix(ENDING) for path in (data / FOLDER).glob(f"*{ENDING}"))
    if not names:
        raise BadInput(f"{data / FOLDER}: no file *{ENDING} in it.", hint="Give the folder that holds parallel_enru.")
    return names


def read_lines(data: Path, sets: Sequence[str], report: Report) -> Iterator[Line]:
    """The lines of these sets, one after another as the files are read, without those that have a fault.

    Those are counted in `report`. Raises `BadInput` that names a file which is missing or broken.
    """
    # What has been seen is kept as hashes: 131 k pairs take a few megabytes.
    seen: set[int] = set()
    for source in sets:
        for number, text in enumerate(text_lines(data / FOLDER / f"{source}{ENDING}"), 1):
            report.read[source] += 1
            fault = fault_of(text)
            if fault is None and (key := hash(text)) in seen:
                fault = "duplicate"
            if fault is not None:
                report.add_fault(fault, source, number)
                continue
            seen.add(key)
            report.taken[source] += 1
            yield Line(*(side.strip() for side in text.split("\t")))


def fault_of(text: str) -> str | None:
    """The first fault of a line by its name in `FAULTS`, `None` for a good one; a duplicate is not told here."""
    sides: Sequence[str] = text.split("\t")
    if len(sides) != 2:
        return "no tab"
    english, russian = (side.strip() for side in sides)
    if not english or not russian:
        return "empty side"
    if english == russian:
        return "untranslated"
    shorter, longer = sorted((len(english), len(russian)))
    if longer > _RATIO * shorter and longer - shorter > _SHORT:
        return "lengths apart"
    if not _mostly(_LATIN, english):
        return "English side"
    return None if _mostly(_CYRILLIC, russian) else "Russian side"


def _mostly(script: re.Pattern[str], text: str) -> bool:
    """Whether at least half of the letters are of the script: names of functions and firms may stand among the rest."""
    letters = sum(character.isalpha() for character in text)
    return 2 * len(script.findall(text)) >= letters > 0
