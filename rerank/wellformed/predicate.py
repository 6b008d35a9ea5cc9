"""Rules on predicates: a sentence keeps one where the source had one, and a predicate keeps what it cannot lack."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.wellformed.view import DASHES, Problem, View

__all__ = ["bare_predicate", "main_predicate", "modal_infinitive", "participle_clause", "predicate_present"]

# Verbs that say nothing without a complement; any complement will do.
_NEEDY_VERBS = """являться становиться стать оказаться оказываться считаться называться состоять находиться
    располагаться относиться принадлежать зависеть заниматься служить представлять составлять обладать
    пользоваться отличаться
    содержать включать иметь достигать достигнуть входить участвовать приводить привести заключаться означать
    принимать назначить избрать назвать называть получить получать занимать занять насчитывать осуществлять
    использовать обеспечивать способствовать соответствовать стремиться мочь смочь хотеть уметь пытаться
    попытаться решить начать продолжать продолжить прекратить позволять позволить поддерживать проводить
    находить создать создавать сделать делать совершить совершать носить нести придать придавать"""
_NEEDY = frozenset(_NEEDY_VERBS.split())
# These want an infinitive, in whatever order.
_MODAL_WORDS = (
    "мочь смочь суметь пытаться попытаться стараться намерен должен вынужден способен удаться удаваться "
    "заставить успеть решиться решаться можно нельзя"
)
_MODALS = frozenset(_MODAL_WORDS.split())
_COMPLEMENTS = frozenset(
    {"obj", "iobj", "obl", "xcomp", "ccomp", "csubj", "advcl", "advmod", "nmod", "nummod", "parataxis"}
)
_SUBORDINATE = frozenset({"acl", "advcl", "ccomp", "csubj"})


def predicate_present(candidate: View, source: View | None) -> Iterator[Problem]:
    """Every sentence has a predicate: finite verb, short form, predicative word, infinitive or a noun after a dash.

    Asked only where every sentence of the source has one; headings and labels have none.
    """
    if source is not None and not all(_has_predicate(source, *span) for span in source.spans):
        return
    finite = source is not None and all(any(source.is_finite(i) for i in range(*span)) for span in source.spans)
    for start, stop in candidate.spans:
        if not _has_predicate(candidate, start, stop, infinitive=not finite) and (
            source is not None or _looks_clausal(candidate, start, stop)
        ):
            yield Problem("predicate_present", candidate.quote(start, stop - 1)[:60], "the sentence has no predicate")


def _looks_clausal(view: View, start: int, stop: int) -> bool:
    return any(view.tokens[i].rel.startswith(("nsubj", "cop", "aux")) for i in range(start, stop))


def _has_predicate(view: View, start: int, stop: int, *, infinitive: bool = True) -> bool:
    return any(view.is_finite(i) or _nominal(view, i, start, infinitive) for i in range(start, stop))


def _nominal(view: View, index: int, start: int, infinitive: bool) -> bool:
    """A dash inside the sentence, a noun said of a pronoun, an infinitive, a comparative, or это."""
    word = view.lower[index]
    if word in DASHES or word in ("это", "вот"):
        return index > start or word == "это"
    if word in ("много", "мало", "немало", "достаточно"):
        return True
    head = view.head[index]
    if view.tokens[index].rel == "cop" or (
        view.tokens[index].rel == "nsubj" and head >= 0 and _said(view, index, head)
    ):
        return True
    return any(form.pos in ("COMP", "PRED") or (infinitive and form.pos == "INFN") for form in view.forms(index))


def _said(view: View, subject: int, head: int) -> bool:
    """Whether `head` is a nominative that can be a predicate without a dash: он врач, он болен, отец высокий."""
    nominative = any(form.case == "nom" for form in view.forms(head))
    return nominative and (view.tokens[subject].pos == "PRON" or view.tokens[head].pos in ("ADJ", "NUM"))


def main_predicate(candidate: View, source: View | None) -> Iterator[Problem]:
    """Not all finite verbs of a sentence stand in its subordinate clauses, where this is not so in the source."""
    if source is not None and any(_only_subordinate(source, *span) for span in source.spans):
        return
    for start, stop in candidate.spans:
        if _only_subordinate(candidate, start, stop):
            yield Problem(
                "main_predicate", candidate.quote(start, stop - 1)[:60], "only a subordinate clause has a verb"
            )


def _only_subordinate(view: View, start: int, stop: int) -> bool:
    finite = [i for i in range(start, stop) if view.is_finite(i)]
    if not finite or any(view.lower[i] in DASHES or view.lower[i] in (":", "?", "это") for i in range(start, stop)):
        return False
    roots = [i for i in range(start, stop) if view.head[i] < 0 and view.is_word(i)]
    if not roots or any(view.tokens[i].pos not in ("NOUN", "PROPN") or _copular(view, i) for i in roots):
        return False
    clauses: set[int] = set()
    for index in range(start, stop):
        if view.tokens[index].rel.partition(":")[0] in _SUBORDINATE and _marked(view, index):
            clauses |= view.subtree(index)
    return all(i in clauses for i in finite)


def _copular(view: View, index: int) -> bool:
    return bool(view.rels(index) & {"cop", "nsubj", "csubj", "aux"}) or view.is_finite(index)


def _marked(view: View, index: int) -> bool:
    """Whether a clause opens with its conjunction or relative word."""
    words = {view.lower[i] for i in view.subtree(index) if i < index}
    return bool(words & {"что", "чтобы", "если", "когда", "где", "куда", "откуда", "пока", "хотя", "как"}) or any(
        word.startswith("котор") for word in words
    )


def bare_predicate(candidate: View, source: View | None) -> Iterator[Problem]:
    """A verb that means little alone (являться, состоять, мочь …) has a complement in its clause."""
    for index, token in enumerate(candidate.tokens):
        if (
            token.pos not in ("VERB", "AUX")
            or not candidate.is_finite(index)
            or token.rel in ("cop", "aux", "aux:pass")
        ):
            continue
        lemmas = candidate.lemmas(index) & _NEEDY
        if lemmas and not _complemented(candidate, index):
            yield Problem(
                "bare_predicate", candidate.quote(index - 1, index + 1), f"{min(lemmas)} lacks its complement"
            )


def modal_infinitive(candidate: View, source: View | None) -> Iterator[Problem]:
    """мочь, пытаться, удаться and their like have an infinitive in their sentence, unless the source lacks it too."""
    lacking = _without_infinitive(source) if source is not None else {}
    for lemma, index in _without_infinitive(candidate).items():
        if lemma not in lacking:
            yield Problem("modal_infinitive", candidate.quote(index - 1, index + 1), f"{lemma} without an infinitive")


def _without_infinitive(view: View) -> dict[str, int]:
    found = {}
    for start, stop in view.spans:
        verbs = [i for i in range(start, stop) if view.is_finite(i) and view.lemmas(i) & _MODALS]
        infinitives = [i for i in range(start, stop) if any(form.pos == "INFN" for form in view.forms(i))]
        for index in verbs:
            near = any(-6 <= i - index <= 12 for i in infinitives) or view.word(index + 1) == "быть"
            if not near and not (view.is_comma(index + 1) or view.is_comma(index - 1)):
                found[min(view.lemmas(index) & _MODALS)] = index
    return found


def _complemented(view: View, index: int) -> bool:
    if view.rels(index) & _COMPLEMENTS:
        return True
    if view.feat(index, "Variant") == "Short":
        return True
    start, _ = view.sentence_of(index)
    # Relative and interrogative words before the verb, and coordination, fill the place without an arc.
    return (
        any(view.lower[i].startswith(("котор", "что", "как", "кто", "чего", "чем")) for i in range(start, index))
        or bool(view.rels(index) & {"conj", "cop", "aux"})
        or view.tokens[index].rel == "conj"
        or _after(view, index)
    )


def _after(view: View, index: int) -> bool:
    """Whether anything but a mark, a conjunction or a nominative comes right after the verb."""
    following = index + 1
    if view.ends_clause(following) or view.is_comma(following) or view.word(following) in ("и", "или", "а", "но"):
        return False
    return not view.tokens[following].rel.startswith("nsubj")


def participle_clause(candidate: View, source: View | None) -> Iterator[Problem]:
    """A participle with words of its own that follows its noun is set off by a comma."""
    for index, token in enumerate(candidate.tokens):
        noun = candidate.head[index]
        if token.rel != "acl" or not 0 <= noun < index or index - noun > 8:
            continue
        if not all(form.pos == "PRTF" for form in candidate.forms(index)) or not candidate.forms(index):
            continue
        if candidate.tokens[noun].pos not in ("NOUN", "PROPN") or not candidate.rels(index) & {"obl", "obj", "iobj"}:
            continue
        if not any(
            not candidate.is_word(i) or candidate.lower[i] in ("и", "или", "но") for i in range(noun + 1, index)
        ):
            yield Problem("participle_clause", candidate.quote(noun, index), "no comma before the participial clause")
