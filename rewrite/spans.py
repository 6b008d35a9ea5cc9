"""Where a rewrite differs from its source, as spans of which each may be taken or left alone.

Words are aligned, whatever their case; what lies between two words that are the same in both is a span. What cannot
stand without another span is joined with it: a word that is moved, a word whose form alone changes because another
word nearby does (*выдача была приостановлена* → *выдачу приостановили*), and what a new sentence takes away or brings
elsewhere (*Smith, who came, left* → *Smith came. He left*).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rewrite.acceptance.simplicity import layout_in

_MARKS = "\u0300-\u036f"
TOKEN = re.compile(rf"\w[\w{_MARKS}]*(?:[-‑'’.,]\w[\w{_MARKS}]*)*|\S")
_ASIDE = re.compile(r"\s*[,(–—]")
_BETWEEN_MARKS = re.compile(r"\s*[,(–—].*[,)–—]\s*$", re.DOTALL)
_NEAR = 40
"""Characters between a word whose form alone changes and the edit that it belongs to, at most."""
LONGEST = 10_000
"""Characters of both texts, at most, for their words to be aligned."""
FACT = 3
"""Words side by side that may say something: of fewer it is told only where one is a number or a name."""
_JOINTS = frozenset(
    """
    and but or so yet because although though while whereas since as if when where who whom whose which that after
    before until unless with without he she it they this these is are was were be being been has have had
    и а но или что чтобы хотя если когда где пока поскольку потому поэтому причем так как тогда ибо он она оно они
    это эти был была было были который которая которое которые которого которой которых которому которым которую
    которыми котором
    """.split()
)
"""Words that join clauses, or are put in where clauses are parted."""

_Break = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of the source and those of the text that stand in their place."""

    a: int
    b: int
    c: int
    d: int

    def joined(self, last: Span) -> Span:
        return Span(self.a, last.b, self.c, last.d)


def find_spans(source: str, text: str, language: str, labels: Iterable[str]) -> list[tuple[Span, bool]]:
    """The spans that make `text` of `source`, in order, not overlapping, each with whether a new sentence begins there.

    `labels` are what the generator says that it did: side by side, two of its replacements are two spans.
    """
    breaks = _breaks(source, language), _breaks(text, language)
    pairs = [(old, new) for old, arrow, new in (label.casefold().partition(" → ") for label in labels) if arrow and old]
    whole = (part for span in _differences(source, text) for part in _without_aside(span, source, text))
    spans = [part for span in whole for part in _parted(span, source, text, pairs)]
    spans = _with_moves(_with_lists(_with_pairs(spans, source, text, pairs), source, text), source, text)
    spans = _with_agreement(spans, source, text, pairs, breaks[0])
    spans = _with_cuts(spans, source, text, pairs, breaks)
    return [(span, _is_cut(span, breaks)) for span in spans]


def _differences(source: str, text: str) -> Iterator[Span]:
    """What lies between the words that are the same in both; words that differ in case alone are not.

    Texts longer than any sentence that is rewritten differ as a whole: to align them may take minutes.
    """
    if len(source) + len(text) > LONGEST:
        if source != text:
            yield _trimmed(Span(0, len(source), 0, len(text)), source, text)
        return
    old, new = list(TOKEN.finditer(source)), list(TOKEN.finditer(text))
    a_lower, b_lower = ([match.group().casefold() for match in matches] for matches in (old, new))
    blocks = SequenceMatcher(None, a_lower, b_lower).get_matching_blocks()
    same = [(old[x.a + k], new[x.b + k]) for x in blocks for k in range(x.size)]
    ends = [(m.span(), n.span()) for m, n in same if m.group() == n.group()]
    a = c = 0
    for (b, next_a), (d, next_c) in (*ends, ((len(source),) * 2, (len(text),) * 2)):
        if source[a:b] != text[c:d]:
            yield _trimmed(Span(a, b, c, d), source, text)
        a, c = next_a, next_c


def _trimmed(span: Span, source: str, text: str) -> Span:
    """Without the spaces that both begin or end with."""
    a, b, c, d = span.a, span.b, span.c, span.d
    while a < b and c < d and source[a] == text[c] and source[a].isspace():
        a, c = a + 1, c + 1
    while a < b and c < d and source[b - 1] == text[d - 1] and source[b - 1].isspace():
        b, d = b - 1, d - 1
    return Span(a, b, c, d)


def _without_aside(span: Span, source: str, text: str) -> list[Span]:
    """What stands between two marks at the head of a span, and nothing of it in the text, as a span of its own."""
    old, new = source[span.a : span.b], text[span.c : span.d]
    if _ASIDE.match(old) and new[:1].isspace():
        kept = words_of(new)
        for mark in reversed(list(re.finditer(r"[,)–—](?=\s+\w)", old[1:]))):
            aside = words_of(old[: mark.end() + 1])
            if not any(alike(word, other) for word in aside for other in kept):
                middle = span.a + mark.end() + 1
                rest = _trimmed(Span(middle, span.b, span.c, span.d), source, text)
                return [Span(span.a, middle, span.c, span.c), rest]
    return [span]


def _parted(span: Span, source: str, text: str, pairs: Sequence[tuple[str, str]]) -> list[Span]:
    """The span in parts where replacements of the generator, side by side, are all that it holds; else as it is."""
    parts: list[Span] = []
    a, c = span.a, span.c
    while a < span.b:
        old, new = source[a : span.b].casefold(), text[c : span.d].casefold()
        if (len(old), len(new)) != (span.b - a, span.d - c):  # ß is two letters then
            return [span]
        fitting = [(x, y) for x, y in pairs if f"{old} ".startswith(f"{x} ") and f"{new} ".startswith(f"{y} ")]
        if not fitting:
            return [span]
        b, d = a + len(fitting[0][0]), c + len(fitting[0][1])
        parts.append(Span(a, b, c, d))
        a, c = b + 1, d + 1
    return parts if a == span.b + 1 and c == span.d + 1 else [span]


def _with_pairs(spans: list[Span], source: str, text: str, pairs: Sequence[tuple[str, str]]) -> list[Span]:
    """Neighbours, and all between, as one that are parts of a single replacement.

    *Было приостановлено* → *приостановили* has *временно* in its midst, *из-за того, что* → *потому что* its comma.
    """
    counts = [(Counter(words_of(old)), Counter(words_of(new))) for old, new in pairs]
    whole: list[Span] = []
    lost, gained = Counter[str](), Counter[str]()
    for span in spans:
        old, new = (Counter(words_of(part)) for part in (source[span.a : span.b], text[span.c : span.d]))
        if (
            whole
            and (lost or gained)
            and (old or new)
            and any(lost + old <= before and gained + new <= after for before, after in counts)
        ):
            whole[-1], lost, gained = whole[-1].joined(span), lost + old, gained + new
        else:
            whole.append(span)
            lost, gained = old, new
    return whole


def _with_lists(spans: list[Span], source: str, text: str) -> list[Span]:
    """Two spans, and all between, as one where the conjunction of a list moves before what is now its last member."""
    whole: list[Span] = []
    for span in spans:
        last = whole[-1] if whole else None
        if last and source[last.a : last.b].strip() == ",":
            gained = words_of(text[last.c : last.d])
            if len(gained) == 1 and _JOINTS.issuperset(gained) and words_of(source[span.a : span.b])[:1] == gained:
                whole[-1] = last.joined(span)
                continue
        whole.append(span)
    return whole


def _with_moves(spans: list[Span], source: str, text: str) -> list[Span]:
    """Two spans, and all between, as one where one takes away words that the other brings, and nothing else."""
    counts = [(Counter(words_of(source[s.a : s.b])), Counter(words_of(text[s.c : s.d]))) for s in spans]
    nets = [(before - after, after - before) for before, after in counts]
    for i, (lost, gained) in enumerate(nets):
        for j in range(len(spans) - 1, i, -1):
            pairs = ((x, y) for x, y in ((lost, nets[j][1]), (gained, nets[j][0])) if not x.keys().isdisjoint(y))
            moved = [min(x, y, key=Counter.total) for x, y in pairs if x <= y or y <= x]
            if any(len(word) > 3 and word not in _JOINTS for words in moved for word in words):
                return [*spans[:i], *_with_moves([spans[i].joined(spans[j]), *spans[j + 1 :]], source, text)]
    return spans


def _with_agreement(
    spans: list[Span], source: str, text: str, pairs: Sequence[tuple[str, str]], breaks: Sequence[_Break]
) -> list[Span]:
    """A span where words change their form alone, joined with the nearest one near it."""

    def hangs(span: Span) -> bool:
        old, new = source[span.a : span.b], text[span.c : span.d]
        return is_form(old, new) and (old.casefold(), new.casefold()) not in pairs

    return _joined(spans, hangs, lambda _: True, breaks, _NEAR)


def _with_cuts(
    spans: list[Span],
    source: str,
    text: str,
    pairs: Sequence[tuple[str, str]],
    breaks: tuple[Sequence[_Break], Sequence[_Break]],
) -> list[Span]:
    """What does not stand alone where a sentence is cut, joined with the nearest cut; a conjunction with its clause."""

    def changes(span: Span) -> tuple[Counter[str], Counter[str]]:
        """Those that are lost, and those that are gained."""
        old, new = source[span.a : span.b], text[span.c : span.d]
        before, after = (Counter(words_of(part.replace("ё", "е"))) for part in (old, new))
        return before - after, after - before

    def is_conjunction(span: Span) -> bool:
        lost, gained = changes(span)
        is_long = max(map(len, lost), default=0) > 3
        return is_long and not gained and _JOINTS.issuperset(lost) and not _is_cut(span, breaks)

    def is_clause(span: Span) -> bool:
        lost, gained = changes(span)
        return not gained and lost.total() >= FACT and "," in source[span.a : span.b]

    def hangs(span: Span) -> bool:
        old, new = source[span.a : span.b], text[span.c : span.d]
        if _is_cut(span, breaks) or (old.casefold(), new.casefold()) in pairs:
            return False
        lost, gained = changes(span)
        if not gained:
            return _JOINTS.issuperset(lost)
        is_joint = any(map(_JOINTS.issuperset, (lost, gained))) if lost else not _JOINTS.isdisjoint(gained)
        return is_joint or (_marks(old) != _marks(new) and not _BETWEEN_MARKS.match(old))

    spans = _joined(spans, hangs, lambda span: _is_cut(span, breaks), breaks[0], len(source))
    return _joined(spans, is_conjunction, is_clause, breaks[0], len(source))


def _joined(
    spans: list[Span],
    hangs: Callable[[Span], bool],
    holds: Callable[[Span], bool],
    breaks: Sequence[_Break],
    near: int,
) -> list[Span]:
    """Each span that `hangs`, and all between, as one with the nearest that `holds` in the same sentence."""
    holding, ends = [i for i, span in enumerate(spans) if holds(span)], [end for end, _ in breaks]
    last = list(range(len(spans)))
    for i, span in enumerate(spans):
        if not hangs(span):
            continue
        place = bisect_left(holding, i)
        gaps = {
            j: max(span.a - spans[j].b, spans[j].a - span.b)
            for j in holding[max(place - 1, 0) : place + 2]
            if j != i and bisect_left(ends, span.a) == bisect_left(ends, spans[j].a)
        }
        if gaps and min(gaps.values()) <= near:
            first, other = sorted((i, min(gaps, key=lambda j: gaps[j])))
            last[first] = max(last[first], other)
    whole: list[Span] = []
    i = 0
    while i < len(spans):
        first, end = i, last[i]
        while i <= end:
            end = max(end, last[i])
            i += 1
        whole.append(spans[first].joined(spans[end]))
    return spans if len(whole) == len(spans) else _joined(whole, hangs, holds, breaks, near)


def _breaks(text: str, language: str) -> list[_Break]:
    """Where each sentence but the last ends, and where the next begins."""
    if len(text) > LONGEST:
        return []
    layout, place, places = layout_in(text, language), 0, []
    for gap, sentence in zip(layout.gaps, layout.sentences, strict=False):
        places += [place, place + len(gap)]
        place += len(gap) + len(sentence)
    return list(zip(places[2::2], places[3::2], strict=True))


def _is_cut(span: Span, breaks: tuple[Sequence[_Break], Sequence[_Break]]) -> bool:
    """Whether sentences end or begin in a span that do not in the source."""
    before, after = (
        sum(start <= begin and end <= stop for end, begin in of_text)
        for of_text, start, stop in zip(breaks, (span.a, span.c), (span.b, span.d), strict=True)
    )
    return after > before


def _marks(text: str) -> Counter[str]:
    return Counter(match.group() for match in TOKEN.finditer(text) if not match.group()[0].isalnum())


def is_form(old: str, new: str) -> bool:
    """Whether each word has become another form of itself: the same beginning, another ending."""
    before, after = words_of(old), words_of(new)
    return bool(before) and len(before) == len(after) and all(map(alike, before, after)) and before != after


def alike(a: str, b: str) -> bool:
    stem = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return stem >= 3 and stem >= max(len(a), len(b)) - 3


def words_of(text: str) -> list[str]:
    return [match.group().casefold() for match in TOKEN.finditer(text) if match.group()[0].isalnum()]
