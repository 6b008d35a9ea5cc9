"""Marks that follow their words through a rewrite; a sentence whose marks cannot stays as it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import combinations

from rewrite.documents.segments import Change, Mark, Segment, changed
from rewrite.spans import TOKEN, Span, find_spans

_Place = tuple[int, int]
_LEAST_STEM, _SHARE = 3, 0.6


def carried(
    segment: Segment, start: int, stop: int, text: str, *, language: str, labels: Iterable[str] = ()
) -> tuple[Change, ...] | None:
    """The changes that make `text` of characters `start` to `stop`, a sentence; `None` where a mark would be lost.

    `labels` are what the generator says that it did (`Candidate.edits`).
    """
    sentence = segment.text[start:stop]
    changes: list[Change] = []
    for span, _ in find_spans(sentence, text, language, labels):
        if span.c == span.d and sentence[span.a : span.b].isspace() and _holds_apart(segment, start + span.b):
            continue
        there = Span(start + span.a, start + span.b, span.c, span.d)
        origins = _origins(segment, there, text)
        if origins is None:
            return None
        changes.append(Change(there.a, there.b, text[span.c : span.d], origins))
    # Each change may be left alone, so each must keep the marks by itself, too.
    alone = all(moved(segment, [change]) is not None for change in changes) if segment.marks else True
    return tuple(changes) if alone and moved(segment, changes) is not None else None


def _holds_apart(segment: Segment, place: int) -> bool:
    """Whether a picture or the like, which plain words do not show, stands behind the space that ends at `place`."""
    return any(mark.start == mark.stop == place for mark in segment.marks)


def moved(segment: Segment, changes: Sequence[Change]) -> tuple[Mark, ...] | None:
    """The marks of a segment where they are after `changes`; `None` where one is lost, torn, or in another order."""
    text, origins = changed(segment, changes)
    # What is far from all changes moves as one, and stands to the rest as it did.
    first = min((change.start for change in changes), default=0) - 1
    last = max((change.stop for change in changes), default=0) + 1
    marks: list[Mark] = []
    near: list[tuple[Mark, Mark]] = []
    for mark in segment.marks:
        if mark.stop < first:
            marks.append(mark)
        elif mark.start > last:
            shift = len(text) - len(segment.text)
            marks.append(Mark(mark.start + shift, mark.stop + shift, mark.fixed))
        else:
            place = _moved(mark, segment.text, text, origins)
            if place is None:
                return None
            marks.append(Mark(*place, mark.fixed))
            near.append((mark, marks[-1]))
    pairs = combinations(near, 2)
    return tuple(marks) if all(_stands_alike((a, c), (b, d)) for (a, b), (c, d) in pairs) else None


def _moved(mark: Mark, before: str, after: str, origins: Sequence[int]) -> _Place | None:
    if mark.start == mark.stop:
        return _anchored(mark.start, before, after, origins)
    at = [i for i, origin in enumerate(origins) if mark.start <= origin < mark.stop]
    if not at or at[-1] - at[0] + 1 != len(at):
        return None
    while len(at) > 1 and after[at[0]].isspace() and not before[mark.start].isspace():
        del at[0]
    while len(at) > 1 and after[at[-1]].isspace() and not before[mark.stop - 1].isspace():
        del at[-1]
    old, new = before[mark.start : mark.stop], after[at[0] : at[-1] + 1]
    lost = any(map(str.isalnum, old)) and not any(map(str.isalnum, new))
    return None if lost or (mark.fixed and old != new) else (at[0], at[-1] + 1)


def _anchored(place: int, before: str, after: str, origins: Sequence[int]) -> _Place | None:
    """Where what stands between characters goes, with the word that it belongs to."""
    is_behind = place > 0 and not before[place - 1].isspace()
    holder = place - 1 if is_behind else place
    if holder >= len(before):
        return len(after), len(after)
    at = next((i for i, origin in enumerate(origins) if origin == holder and not after[i].isspace()), None)
    if at is None or (not is_behind and place and at and not after[at - 1].isspace()):
        return None
    while (
        is_behind
        and at + 1 < len(after)
        and origins[at + 1] == holder
        and after[at].isalnum()
        and after[at + 1].isalnum()
    ):
        at += 1
    return (at + is_behind,) * 2


def _stands_alike(before: tuple[Mark, Mark], after: tuple[Mark, Mark]) -> bool:
    """Whether two marks stand to each other as they did; what was around the other may now be just as long."""
    was, now = _relation(*before), _relation(*after)
    return was == now or (now == "same" and was in ("around", "inside"))


def _relation(mark: Mark, other: Mark) -> str:
    if (mark.start, mark.stop) == (other.start, other.stop):
        return "same"
    if mark.stop <= other.start:
        return "before"
    if other.stop <= mark.start:
        return "behind"
    if mark.start <= other.start and other.stop <= mark.stop:
        return "around"
    return "inside" if other.start <= mark.start and mark.stop <= other.stop else "across"


def _origins(segment: Segment, span: Span, text: str) -> tuple[int, ...] | None:
    """For each character of what takes the span's place, the place in the segment whose marks it takes.

    A word takes those of itself, of another form of itself, or of the words that it stands for; `None` where these
    have not all the same.
    """
    old = [m.span() for m in TOKEN.finditer(segment.text, span.a, span.b)]
    new = [m.span() for m in TOKEN.finditer(text, span.c, span.d)]
    mates = _mates([segment.text[a:b].casefold() for a, b in old], [text[c:d].casefold() for c, d in new])
    origins: list[int | None] = [None] * (span.d - span.c)

    def lay(new_place: _Place, old_place: _Place) -> None:
        (first, end), (a, b) = new_place, old_place
        for i in range(first, end):
            origins[i - span.c] = b - 1 if i == end - 1 else min(a + i - first, max(b - 2, a))

    for j, i in mates.items():
        lay(new[j], old[i])
    for first, end in _runs([j for j in range(len(new)) if j not in mates]):
        low, high = mates.get(first - 1, -1), mates.get(end, len(old))
        stood = [old[i] for i in range(low + 1, high) if i not in mates.values()]
        if len(stood) == end - first:
            for j, place in zip(range(first, end), stood, strict=True):
                lay(new[j], place)
        elif stood:
            whole = stood[0][0], stood[-1][1]
            if any(whole[0] < edge < whole[1] for mark in segment.marks for edge in (mark.start, mark.stop)):
                return None
            lay((new[first][0], new[end - 1][1]), whole)
    return _filled(segment, span, origins)


def _mates(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """For words of `new` which of `old` they are: the same in the same order, the same elsewhere, another form."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    mates = {block.b + k: block.a + k for block in blocks for k in range(block.size)}
    for is_mate in (str.__eq__, _are_kin):
        for j, word in enumerate(new):
            if j in mates or not word[0].isalnum():
                continue
            taken = set(mates.values())
            mate = next((i for i, other in enumerate(old) if i not in taken and is_mate(word, other)), None)
            if mate is not None:
                mates[j] = mate
    return mates


def _are_kin(word: str, other: str) -> bool:
    """Whether they may be forms of one word, as *приостановлено* and *приостановили*."""
    stem = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return stem >= _LEAST_STEM and stem >= _SHARE * max(len(word), len(other))


def _runs(places: Sequence[int]) -> list[_Place]:
    """Neighbouring numbers as ranges."""
    runs: list[_Place] = []
    for place in places:
        if runs and runs[-1][1] == place:
            runs[-1] = runs[-1][0], place + 1
        else:
            runs.append((place, place + 1))
    return runs


def _filled(segment: Segment, span: Span, origins: Sequence[int | None]) -> tuple[int, ...]:
    """The origins with those of spaces and of new words: of the neighbour with fewer marks."""

    def depth(place: int) -> int:
        return sum(mark.start <= place < mark.stop for mark in segment.marks)

    filled: list[int] = []
    for i, origin in enumerate(origins):
        if origin is None:
            left = filled[-1] if filled else span.a - 1
            right = next((place for place in origins[i:] if place is not None), span.b)
            inside = [place for place in (left, right) if 0 <= place < len(segment.text)]
            origin = min(inside, key=depth, default=0)
        filled.append(origin)
    return tuple(filled)
