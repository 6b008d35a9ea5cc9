"""Rules on predicates and main clauses.

A sentence keeps a predicate where the source had one, a predicate what it cannot lack, and a subordinate clause its
main clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rerank.wellformed.readings import LISTS
from rerank.wellformed.view import DASHES, Fault, View

_MODALS = LISTS.words("modal")
_OPENERS = tuple(tuple(row.split()) for row in LISTS.rows("openers"))
_WITH_CONJUNCTION = frozenset({("после", "того"), ("до", "того"), ("перед", "тем"), ("в", "то", "время")})
_NO_CONJUNCTION = frozenset({"бы", "же"})
# With these a main clause goes on, whatever it is made of.
_MAIN = frozenset({"то", "тогда", "но", "однако", "зато", "значит", "это", "вот", "нет"})
_JOINING = frozenset({"и", "или", "либо", "а"})
_NESTED = LISTS.words("nested")
_LONGEST_PREPOSITION = 3


def predicate_present(candidate: View, source: View) -> Iterator[Fault]:
    """Every sentence has a predicate: finite verb, short form, predicative word, infinitive or a noun after a dash.

    Asked only where every sentence of the source has one; headings and labels have none.
    """
    if not all(_has_predicate(source, *span) for span in source.spans):
        return
    finite = all(any(source.is_finite(i) for i in range(*span)) for span in source.spans)
    for start, stop in candidate.spans:
        if not _has_predicate(candidate, start, stop, infinitive=not finite):
            yield candidate.quote(start, stop - 1)[:60], "the sentence has no predicate"


def _has_predicate(view: View, start: int, stop: int, *, infinitive: bool = True) -> bool:
    return any(view.is_finite(i) or _nominal(view, i, start, infinitive) for i in range(start, stop))


def _nominal(view: View, index: int, start: int, infinitive: bool) -> bool:
    """A dash inside the sentence, a noun said of a pronoun, an infinitive, a comparative, or это."""
    word = view.lower[index]
    if word in DASHES or word in ("это", "вот"):
        return index > start or word == "это"
    if word in ("много", "мало", "немало", "достаточно"):
        return True
    head = view.heads[index]
    if view.tokens[index].rel == "cop" or (
        view.tokens[index].rel == "nsubj" and head >= 0 and _said(view, index, head)
    ):
        return True
    return any(form.pos in ("COMP", "PRED") or (infinitive and form.pos == "INFN") for form in view.forms(index))


def _said(view: View, subject: int, head: int) -> bool:
    """Whether `head` is a nominative that can be a predicate without a dash: он врач, он болен, отец высокий."""
    nominative = any(form.case == "nom" for form in view.forms(head))
    return nominative and (view.tokens[subject].pos == "PRON" or view.tokens[head].pos in ("ADJ", "NUM"))


def modal_infinitive(candidate: View, source: View) -> Iterator[Fault]:
    """мочь, пытаться, удаться and their like have an infinitive in their sentence, unless the source lacks it too."""
    lacking = _without_infinitive(source)
    for lemma, index in _without_infinitive(candidate).items():
        if lemma not in lacking:
            yield candidate.quote(index - 1, index + 1), f"{lemma} without an infinitive"


def _without_infinitive(view: View) -> dict[str, int]:
    modals = {}
    for start, stop in view.spans:
        verbs = [i for i in range(start, stop) if view.is_finite(i) and view.lemmas(i) & _MODALS]
        infinitives = [i for i in range(start, stop) if any(form.pos == "INFN" for form in view.forms(i))]
        for index in verbs:
            near = any(-6 <= i - index <= 12 for i in infinitives) or view.word(index + 1) == "быть"
            if not near and not (view.is_comma(index + 1) or view.is_comma(index - 1)):
                modals[min(view.lemmas(index) & _MODALS)] = index
    return modals


def lone_subordinate(candidate: View, source: View) -> Iterator[Fault]:
    """A text does not begin with a subordinate clause that has no main clause, unless the source does.

    Asked of sentences that end in a full stop: questions, cries and headings may be such. Of several sentences only the
    first is, for a later one may be meant so («Мост закрыт. Потому что он стар.»).
    """
    if not candidate.spans or any(_is_lone(source, *span) for span in source.spans):
        return
    start, stop = candidate.spans[0]
    if _is_lone(candidate, start, stop):
        yield candidate.quote(start, stop - 1)[:60], "a subordinate clause alone"


def _is_lone(view: View, start: int, stop: int) -> bool:
    words = view.lower[start:stop]
    if not words or words[-1] != "." or any(word in DASHES or word in (":", "…", "...") for word in words):
        return False
    if not _opens_subordinate(view, start):
        return False
    first, *later = _segments(view, start, stop)
    return not _holds_two(view, first) and not any(_may_be_main(view, segment) for segment in later)


def _opens_subordinate(view: View, start: int) -> bool:
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
