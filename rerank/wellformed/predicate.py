"""Rules on predicates: a sentence keeps one where the source had one, and a predicate keeps what it cannot lack."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.wellformed.readings import LISTS
from rerank.wellformed.view import DASHES, Fault, View

_MODALS = LISTS.words("modal")


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
