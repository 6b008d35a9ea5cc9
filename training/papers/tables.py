"""What the RuSimScore paper published (Orzhenovskii, Dialogue 2021, tables 4 to 8), and our tables in its layout.

The paper's SARI is of the RSSE hidden test, except the official benchmark's, which is of the public test; it was
measured by its author. Ours is of the sources that are given (RSSE dev, as a rule). So what was published stands in
rows apart, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rewrite.evaluate.resampling import Measured

PUBLISHED = (
    "Published by Orzhenovskii (Dialogue 2021, Table {number}): measured by the author, not by us, on the RSSE hidden "
    "test, so on other texts than the rows above."
)

SYSTEMS: Mapping[str, float] = {
    "ruGPT3 on filtered WikiLarge + RuSimScore": 39.28,
    "ruGPT3 on filtered WikiLarge": 38.68,
    "Official benchmark (mBART), public test": 30.15,
    "Iterative deletion with RuSimScore": 32.40,
    "First half of source text": 30.33,
    "Source text unchanged": 11.04,
}
COUNTS: Mapping[str, float] = {"100": 39.28, "30": 39.39, "10": 39.16, "1": 38.68}
SIZES: Mapping[str, float] = {"ruGPT3-small": 38.89, "ruGPT3-medium": 39.34, "ruGPT3-large": 39.28}
ABLATION: Mapping[str, float] = {
    "all components": 39.28,
    "all components - SimS": 37.22,
    "all components - NS": 38.94,
    "all components - LS": 39.03,
    "all components - LeS": 38.91,
    "all components - DS": 39.27,
    "all components - RS": 39.11,
}
EXAMPLE = (
    "Архимандрит Дионисий торопил ополчение поспешить к Москве и направил князю Трубецкому просьбу объединиться "
    "со Вторым ополчением."
)
EXAMPLES: Mapping[str, str] = {
    "balanced": "Архимандрит Дионисий сказал князю Трубецкому торопиться к Москве.",
    "more accurate": "Архимандрит Дионисий призвал ополчение поспешить к Москве и попросил князя Трубецкого "
    "объединиться с ними.",
    "simpler": "Архимандрит Дионисий был в Москве и просил войска помочь ему",
}

Cells = tuple[str, ...]


@dataclass(frozen=True)
class PaperTable:
    """A table as in the paper: `number` there, `title`, `head`, `rows` of cells, and a `note` on what it shows.

    `published` are the paper's own figures by the names of its systems.
    """

    number: int
    title: str
    head: Cells
    rows: tuple[Cells, ...]
    note: str = ""
    published: Mapping[str, float] = field(default_factory=dict)

    def markdown(self) -> str:
        """The table for a Markdown document; what was published is a second table below it."""
        lines = [f"## Table {self.number}: {self.title}", "", *_table(self.head, self.rows)]
        lines += ["", self.note] if self.note else []
        if self.published:
            theirs = [(name, f"{figure:.2f}") for name, figure in self.published.items()]
            lines += ["", PUBLISHED.format(number=self.number), "", *_table((self.head[0], "SARI, published"), theirs)]
        return "\n".join(lines) + "\n"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def _table(head: Cells, rows: Sequence[Cells]) -> list[str]:
    return [_line(head), _line(["---"] * len(head)), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def scored(label: str, found: Measured) -> Cells:
    """A line with our SARI and its interval."""
    return label, f"{found.figures['sari']:.2f}", found.interval("sari").text()
