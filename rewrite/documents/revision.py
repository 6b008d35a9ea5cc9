"""Segments through a pipeline: what becomes of each sentence, as changes that keep the marks on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rerank.select import log_threshold, rank
from rewrite.documents.marks import carried
from rewrite.documents.segments import Change, Segment
from rewrite.result import Result, SentenceResult
from rewrite.tally import Fate, fate

Run = Callable[[list[str]], Sequence[Result]]


@dataclass(frozen=True, slots=True)
class Revision:
    """What became of the sentence at characters `start` to `stop` of a segment, and why, where it stands as it was.

    It was changed; left, since nothing better was found; passed over; left, since its marks would have been lost; or
    something failed. `score` is that of the choice, in [0, 1], and `runner_up` the text that came second.
    """

    start: int
    stop: int
    state: Fate
    why: str = ""
    changes: tuple[Change, ...] = ()
    score: float | None = None
    runner_up: str = ""


def revise(segments: Sequence[Segment], run: Run) -> list[list[Revision]]:
    """The revisions of each segment's sentences, in order."""
    results = run([segment.text for segment in segments])
    return [
        [_revision(segment, start, sentence, result) for start, sentence in _placed(result)]
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
            return replace(account, changes=changes, score=ranked.score(row), runner_up=next(others, ""))
    return replace(account, state="marks", why="its marks could not be kept")
