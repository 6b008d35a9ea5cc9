"""Segments through a pipeline: what becomes of each sentence, as changes that keep the marks on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rerank.select import log_threshold, rank
from rewrite.documents.marks import carried, moved
from rewrite.documents.segments import Change, Segment, changed
from rewrite.result import Result, SentenceResult
from rewrite.tally import Fate, fate

_MARKS = "its marks could not be kept"
_WORD = re.compile(r"[^\W\d_]+")
_ITEM_ENDS = (";", ",")
_NAME = 4
"""Letters that a name has in all its forms."""


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


def as_sentence(text: str) -> str:
    """An item of a list, *в связи с ремонтом закрыт мост;*, as the sentence that it is, which is just as long.

    No rewriter would let a sentence begin or end so.
    """
    word = _WORD.match(text)
    if word and word[0].islower() and len(text[0].upper()) == 1:
        text = text[0].upper() + text[1:]
    return f"{text[:-1]}." if text.endswith(_ITEM_ENDS) else text


def _as_item(text: str, given: str, item: str) -> str:
    """What was made of `given` as what may stand in place of `item`."""
    if given[:1] != item[:1] and not _begins_with_name(text, item):
        text = text[:1].lower() + text[1:]
    return text if given[-1:] == item[-1:] else text.removesuffix(".") + item[-1:]


def _begins_with_name(text: str, item: str) -> bool:
    """Whether the first word has its capital for itself: it has more of them, or stands so in the item."""
    first = _WORD.match(text)
    if first is None or not first[0][1:].islower():
        return len(first[0] if first else "") != 1
    return any(first[0].startswith(word[:_NAME]) for word in _WORD.findall(item) if word[0].isupper())


def revisions(segments: Sequence[Segment], results: Sequence[Result]) -> list[tuple[Revision, ...]]:
    """The revisions of the sentences of each segment, whose text, `as_sentence`, became the result at its place."""
    return [
        _together(segment, [_revision(segment, start, sentence, result) for start, sentence in _placed(result)])
        for segment, result in zip(segments, results, strict=True)
    ]


def _together(segment: Segment, made: list[Revision]) -> tuple[Revision, ...]:
    """The revisions of a segment without the last ones that would lose a mark together, as one of two sentences may."""
    for i in reversed(range(len(made))):
        if moved(segment, [change for revision in made for change in revision.changes]) is not None:
            break
        if made[i].changes:
            made[i] = replace(made[i], state="marks", why=_MARKS, changes=(), score=None, runner_up="")
    return tuple(made)


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
    if account.state == "failed" or sentence.text == sentence.source:
        return account

    def fitting(text: str) -> str:
        # Sentences of a split stand on lines of their own.
        return _as_item(text.replace("\n", " "), sentence.source, segment.text[account.start : account.stop])

    def carry(text: str, labels: Sequence[str] = ()) -> tuple[Change, ...] | None:
        text = fitting(text)
        return carried(segment, account.start, account.stop, text, language=sentence.language, labels=labels)

    table = sentence.table
    if table is not None and account.state == "changed":
        ranked = rank(table, result.weights)
        least = ranked.source_total + log_threshold(result.options.source_share)
        for place, row in enumerate(ranked.order):
            if not ranked.totals[row] > least:
                break
            changes = carry(table.candidates[row].text, table.candidates[row].edits)
            if changes is not None:
                others = (fitting(table.candidates[other].text) for other in ranked.order[place + 1 :])
                scored = replace(account, changes=changes, score=ranked.score(row), is_first=not place)
                return replace(scored, runner_up=next(others, ""))
    # What is left as it was may have preferred terms, which are no rewrite.
    changes = carry(sentence.preferred) if sentence.preferred != sentence.source else None
    return replace(
        account, state="changed" if changes else "marks", why="" if changes else _MARKS, changes=changes or ()
    )
