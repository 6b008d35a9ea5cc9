"""What became of sentences, counted: changed, left as they were and why, passed over and why, failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from rewrite.result import Result, SentenceResult

Fate = Literal["changed", "left", "passed", "marks", "failed"]
"""A sentence was changed; left, as nothing better was found; passed over; left for its marks; or something failed."""


def fate(sentence: SentenceResult) -> tuple[Fate, str]:
    """What became of a sentence, and why, where it stands as it was."""
    if sentence.error:
        return ("passed" if sentence.other_language else "failed"), sentence.error
    if sentence.skipped:
        return "passed", sentence.skipped
    if sentence.text != sentence.source:
        return "changed", ""
    if sentence.table is None or not sentence.table.candidates:
        return "left", "no rewrite was found"
    return "left", "every rewrite was blocked" if all(sentence.table.blocked) else "no rewrite is better"


@dataclass
class Tally:
    """Counts of what became of sentences by reason; `blocked` counts candidates by what they were blocked for."""

    fates: Counter[Fate] = field(default_factory=Counter)
    reasons: dict[Fate, Counter[str]] = field(default_factory=dict)
    blocked: Counter[str] = field(default_factory=Counter)

    def add(self, state: Fate, why: str = "", count: int = 1) -> None:
        """Count one sentence, or `count` of them."""
        self.fates[state] += count
        if why:
            self.reasons.setdefault(state, Counter())[why] += count

    def add_results(self, results: Iterable[Result]) -> None:
        """Count every sentence of `results`."""
        for result in results:
            for sentence in result.sentences:
                self.add(*fate(sentence))
        self.add_blocked(results)

    def add_blocked(self, results: Iterable[Result]) -> None:
        """Count the candidates of `results` that were blocked, by the beginning of the reason."""
        for result in results:
            for sentence in result.sentences:
                self.blocked.update(reason.split(":")[0] for reason in sentence.blocked.values())

    def merge(self, other: Tally) -> None:
        """Count what `other` counted, too."""
        self.fates.update(other.fates)
        self.blocked.update(other.blocked)
        for state, reasons in other.reasons.items():
            self.reasons.setdefault(state, Counter()).update(reasons)

    @property
    def total(self) -> int:
        """Sentences."""
        return self.fates.total()
