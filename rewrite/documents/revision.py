"""Segments through a pipeline: what becomes of each sentence, as changes that keep the marks on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rerank.select import log_threshold, rank
from rewrite.documents.marks import carried
from rewrite.documents.segments import Change, Segment, changed
from rewrite.result import Result, SentenceResult
from rewrite.tally import Fate, fate


@dataclass(frozen=True, slots=True)
class Revision:
    """What became of the sentence at characters `start` to `stop` of a segment, and why, where it stands as it was.

    It was changed; left, since nothing better was found; passed over; left, since its marks would have been lost; or
    something failed. `score` is that of the choice, in [0, 1], and `runner_up` the text that came second. With
    `is_first` it is the best of all, else the best of those that keep the marks.
    """

    start: int
    stop: int
    state: Fate
    why: str = ""
    changes: tuple[Change, ...] = ()
    score: float | None = None
    runner_up: str = ""
    is_first: bool = False

    def row(self, segment: Segment) -> dict[str, Any]:
        """The sentence of `segment` as plain data."""
        before = Segment(segment.text[: self.stop])
        after = changed(before, self.changes)[0][self.start :]
        row = {"source": before.text[self.start :], "text": after, "state": self.state, "why": self.why}
        return {**row, "score": self.score, "runner_up": self.runner_up or None}


def revisions(segments: Sequence[Segment], results: Sequence[Result]) -> list[tuple[Revision, ...]]:
    """The revisions of the sentences of each segment, whose text became the result at its place."""
    return [
        tuple(_revision(segment, start, sentence, result) for start, sentence in _placed(result))
        for segment, result in zip(segments, results, strict=True)
    ]


def _placed(result: Result) -> Iterator[tuple[int, SentenceResult]]:
    """Each sentence with where it begins in its text."""
    place = 0
    for gap, sentence in zip(result.layout.gaps, result.sentences, strict=False):
        place += len(gap)
        yield place, sentence
        place += len(sentence.source)


def _revision(segment: Segment, start: int, sentence: SentenceResult, result: Result) -> Revision:
    """The best candidate whose marks can be kept, where it is better than the source."""
    account = Revision(start, start + len(sentence.source), *fate(sentence))
    if account.state != "changed" or sentence.table is None:
        return account
    ranked = rank(sentence.table, result.weights)
    least = ranked.source_total + log_threshold(result.options.source_share)
    for place, row in enumerate(ranked.order):
        if not ranked.totals[row] > least:
            break
        candidate = sentence.table.candidates[row]
        changes = carried(
            segment, account.start, account.stop, candidate.text, language=sentence.language, labels=candidate.edits
        )
        if changes is not None:
            others = (sentence.table.candidates[other].text for other in ranked.order[place + 1 :])
            return replace(
                account, changes=changes, score=ranked.score(row), runner_up=next(others, ""), is_first=not place
            )
    return replace(account, state="marks", why="its marks could not be kept")
