"""A rule on texts that begin with a subordinate clause: its main clause has to be there too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rerank.wellformed.view import DASHES, Problem, View

__all__ = ["lone_subordinate"]

# Only words that are nothing else where a sentence begins: «Пока», «Раз» and «Как» are adverbs as well.
_OPENERS = (
    ("если",),
    ("когда",),
    ("хотя",),
    ("чтобы",),
    ("поскольку",),
    ("так", "как"),
    ("потому", "что"),
    ("как", "только"),
    ("после", "того"),
    ("до", "того"),
    ("прежде", "чем"),
    ("перед", "тем"),
    ("несмотря", "на", "то"),
    ("в", "то", "время"),
)
_WITH_CONJUNCTION = frozenset({("после", "того"), ("до", "того"), ("перед", "тем"), ("в", "то", "время")})
_NO_CONJUNCTION = frozenset({"бы", "же"})
# With these a main clause goes on, whatever it is made of.
_MAIN = frozenset({"то", "тогда", "но", "однако", "зато", "значит", "это", "вот", "нет"})
_JOINING = frozenset({"и", "или", "либо", "а"})
_NESTED = frozenset(
    "что чтобы если когда хотя поскольку так потому как где куда откуда пока чем кто кого кому кем ком чей чья чье чьи "
    "ибо будто словно нежели".split()
)
_LONGEST_PREPOSITION = 3


def lone_subordinate(candidate: View, source: View | None) -> Iterator[Problem]:
    """A text does not begin with a subordinate clause that has no main clause, unless the source does.

    Asked of sentences that end in a full stop: questions, cries and headings may be such. Of several sentences only the
    first is, for a later one may be meant so («Мост закрыт. Потому что он стар.»).
    """
    if not candidate.spans or (source is not None and any(_is_lone(source, *span) for span in source.spans)):
        return
    start, stop = candidate.spans[0]
    if _is_lone(candidate, start, stop):
        yield Problem("lone_subordinate", candidate.quote(start, stop - 1)[:60], "a subordinate clause alone")


def _is_lone(view: View, start: int, stop: int) -> bool:
    words = view.lower[start:stop]
    if not words or words[-1] != "." or any(word in DASHES or word in (":", "…", "...") for word in words):
        return False
    if not _opens(view, start):
        return False
    first, *later = _segments(view, start, stop)
    return not _holds_two(view, first) and not any(_may_be_main(view, segment) for segment in later)


def _opens(view: View, start: int) -> bool:
    """Whether a conjunction, or который with a preposition or none, stands at the start."""
    words = tuple(view.lower[start : start + 8])
    for opener in _OPENERS:
        if words[: len(opener)] != opener:
            continue
        after = words[len(opener) :]
        if opener in _WITH_CONJUNCTION:
            return bool({"как", "когда"} & set(after[:2]))
        return not (after and after[0] in _NO_CONJUNCTION and opener == ("хотя",))
    return _is_relative(view, start)


def _is_relative(view: View, index: int) -> bool:
    if view.word(index).startswith("котор"):
        return True
    return view.word(index + 1).startswith("котор") and any(form.pos == "PREP" for form in view.forms(index))


def _segments(view: View, start: int, stop: int) -> list[range]:
    """The words between the marks, each piece that holds any."""
    edges = [start - 1, *(i for i in range(start, stop) if not view.is_word(i)), stop]
    pieces = [range(left + 1, right) for left, right in pairwise(edges)]
    return [piece for piece in pieces if piece] or [range(start, stop)]


def _holds_two(view: View, segment: range) -> bool:
    """Whether one piece has a predicate too many: then a comma was forgotten, and the main clause is there."""
    # быть goes with the predicate beside it.
    places = [i for i in segment if _is_predicate(view, i) and "быть" not in view.lemmas(i)]
    joined = bool(places) and any(view.lower[i] in _JOINING for i in range(places[0], places[-1]))
    return len(places) > (2 if joined else 1)


def _may_be_main(view: View, segment: range) -> bool:
    start = segment[0]
    if view.lower[start] in _JOINING and len(segment) > 1:
        start += 1
    if view.lower[start] in _MAIN:
        return True
    nested = view.lower[start] in _NESTED or any(
        _is_relative(view, i) for i in range(start, min(start + _LONGEST_PREPOSITION, segment.stop))
    )
    if nested:
        return _holds_two(view, segment)
    return any(_is_predicate(view, i) or any(form.pos == "COMP" for form in view.forms(i)) for i in segment)


def _is_predicate(view: View, index: int) -> bool:
    """Whether a word is a finite verb, or can be another predicate."""
    return view.is_finite(index) or any(form.pos in ("INFN", "PRED", "ADJS", "PRTS") for form in view.forms(index))
