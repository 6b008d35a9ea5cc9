"""What a split returns: the sentences, the alternatives, and the table that lets weights change afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rewrite.result import Result
from rewrite.splitting.options import SplitOptions

__all__ = ["Splitting"]


@dataclass(frozen=True)
class Splitting(Result):
    """A split text. `str(splitting)` is the text with a space between its sentences.

    The candidates in its tables have a sentence on each line.
    """

    options: SplitOptions

    @property
    def text(self) -> str:
        """The best split, in one line."""
        return self.layout.join(tuple(sentence.text.replace("\n", " ") for sentence in self.sentences))

    @property
    def n_best(self) -> tuple[str, ...]:
        """Splits of the whole text, best first, each in one line."""
        return tuple(text.replace("\n", " ") for text in super().n_best)

    def row(self, *, limit: int | None = None) -> dict[str, Any]:
        """The result as plain data, one row of the JSONL output.

        `split` holds the sentences; `kept` the sentences of the source that stand as they were, each with the reason.
        """
        row = super().row(limit=limit)
        for part in row.get("sentences", [row]):
            if part.get("error"):
                part.pop("skipped", None)  # it says the same
        kept = {s.source: s.skipped or s.error or _KEPT for s in self.sentences if s.text == s.source}
        found: dict[str, Any] = {"source": row.pop("source"), "text": row.pop("text"), "split": list(self.lines)}
        return found | ({"kept": kept} if kept else {}) | row


_KEPT = "it needs no split"
