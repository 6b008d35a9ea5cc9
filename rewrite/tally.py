"""What became of sentences, counted: changed, left unchanged and why, passed over and why, failed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from rerank.errors import counted
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


_FATES: tuple[Fate, ...] = get_args(Fate)
_WORDS: dict[Fate, str] = {
    "left": "left unchanged",
    "marks": "left unchanged to keep marks",
    "passed": "passed over",
    "failed": "failed",
}
_QUOTED = re.compile("«[^»]*»|'[^']*'|\"[^\"]*\"")
_DISTINCT, _OTHERS = 50, "other reasons"
_SHOWN = 4
"""Reasons that people are told; programs are told all."""


def _count(reasons: Counter[str], why: str, count: int = 1) -> None:
    # What failed quotes its text: of a corpus no Counter could hold them all.
    reasons[why if why in reasons or len(reasons) < _DISTINCT else _OTHERS] += count


def _most(reasons: Counter[str], before: str, after: str) -> str:
    shown = ", ".join(f"{why.rstrip('.')} {count:,}" for why, count in reasons.most_common(_SHOWN))
    others = f", and {counted(len(reasons) - _SHOWN, 'other reason')}" if len(reasons) > _SHOWN else ""
    return f"{before}{shown}{others}{after}" if shown else ""


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
            _count(self.reasons.setdefault(state, Counter()), why, count)

    def add_results(self, results: Iterable[Result]) -> None:
        """Count every sentence of `results`."""
        for result in results:
            for sentence in result.sentences:
                state, why = fate(sentence)
                self.add(state, "another language" if sentence.other_language else why)
        self.add_blocked(results)

    def add_blocked(self, results: Iterable[Result]) -> None:
        """Count the candidates of `results` that were blocked, by the beginning of the reason."""
        for result in results:
            for sentence in result.sentences:
                for reason in sentence.blocked.values():
                    quoted, _, said = _QUOTED.sub("…", reason).partition(":")
                    _count(self.blocked, said.strip() if quoted == "…" else quoted)

    def merge(self, other: Tally) -> None:
        """Count what `other` counted, too."""
        self.fates.update(other.fates)
        for why, count in other.blocked.items():
            _count(self.blocked, why, count)
        for state, reasons in other.reasons.items():
            for why, count in reasons.items():
                _count(self.reasons.setdefault(state, Counter()), why, count)

    def plain(self) -> dict[str, Any]:
        """As plain data, of which `read` makes the same."""
        return {
            **{state: self.fates[state] for state in _FATES},
            "why": {state: dict(reasons) for state, reasons in self.reasons.items()},
            "blocked": dict(self.blocked),
        }

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> Tally:
        """Of what `plain` gave."""
        reasons = {state: Counter(its) for state, its in plain["why"].items()}
        return cls(Counter({state: plain[state] for state in _FATES}), reasons, Counter(plain["blocked"]))

    def in_words(self) -> list[str]:
        """A line on sentences and one on what blocked their candidates; none where there is nothing to say."""
        if not self.total:
            return []
        parts = [f"{self.fates['changed']:,} of {counted(self.total, 'sentence')} changed"]
        for state, words in _WORDS.items():
            if self.fates[state]:
                parts.append(f"{self.fates[state]:,} {words}{_most(self.reasons.get(state, Counter()), ' (', ')')}")
        blocked = _most(self.blocked, "Candidates blocked: ", ".")
        return [f"{'; '.join(parts)}.", *([blocked] if blocked else [])]

    @property
    def total(self) -> int:
        """Sentences."""
        return self.fates.total()
