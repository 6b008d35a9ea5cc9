"""Rules that compare with the source: a kept word whose necessary partner was cut out, a clause whose comma was.

The parse of the source, a sentence that somebody wrote, tells more reliably than the parse of a broken candidate what
belonged together. A partner counts as lost only where it was cut with nothing in its place (see `Alignment`), and no
rule here speaks where the candidate is mostly rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator

from rerank.wellformed.dangling import GOVERNED
from rerank.wellformed.view import Alignment, Fault, View

# Parts of fixed phrases that can also stand alone.
_FREE = frozenset({"же", "ли", "бы", "и", "а", "но", "или", "не", "только", "также", "даже"})
_NOMINAL_MARKS = frozenset({"—", "–", "-", ":", "это", "нет", "много"})
_SET_OFF = frozenset({"acl", "advcl", "appos", "parataxis", "discourse", "vocative"})


def lost_preposition(pair: Alignment) -> Iterator[Fault]:
    """A noun kept while its preposition was cut, in a case that means nothing where it now stands."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        if i and pair.hole(i - 1) and source.tokens[i - 1].pos == "ADP" and source.lower[i - 1] in GOVERNED:
            yield candidate.quote(j, j), f"lost {source.tokens[i - 1].text}"
            continue
        prepositions = [c for c in source.children[i] if source.tokens[c].rel == "case" and source.lower[c] in GOVERNED]
        if not prepositions or not all(c in pair.dropped for c in prepositions) or source.tokens[i].pos == "PUNCT":
            continue
        if any(candidate.tokens[c].rel == "case" for c in candidate.children[j]) or candidate.word(j - 1) in GOVERNED:
            continue
        # Where the head was cut too, the noun may have taken its place: столице → в столице Москве.
        if source.head[i] >= 0 and pair.kept[source.head[i]] >= 0 and candidate.tokens[j].rel != "conj":
            yield candidate.quote(j, j), f"lost {source.tokens[prepositions[0]].text}"


def lost_subject(pair: Alignment) -> Iterator[Fault]:
    """A finite verb kept while the subject it had in the source, its own or its coordination's, was cut."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        if source.tokens[i].pos != "VERB" or not source.is_finite(i):
            continue
        subjects = [c for c in source.children[i] if source.tokens[c].rel.startswith("nsubj")]
        if not subjects or not all(c in pair.dropped for c in subjects) or _subject_near(candidate, j):
            continue
        text = source.tokens[subjects[0]].text
        yield candidate.quote(j - 1, j + 1), f"lost its subject {text}"


def _subject_near(view: View, index: int) -> bool:
    """Whether the candidate gives the verb a subject, itself or through the verb it is joined to."""
    seen: set[int] = set()
    while index >= 0 and index not in seen:
        seen.add(index)
        if any(
            view.tokens[c].rel.startswith(("nsubj", "csubj")) and _nominative(view, c) for c in view.children[index]
        ):
            return True
        if view.tokens[index].rel.partition(":")[0] not in ("conj", "parataxis", "advcl", "acl"):
            return False
        index = view.head[index]
    return False


def _nominative(view: View, index: int) -> bool:
    forms = view.forms(index)
    return not forms or any(f.case in ("nom", "gen", "") or not f.nominal for f in forms)


def torn_phrase(pair: Alignment) -> Iterator[Fault]:
    """A fixed phrase (в течение, так как), a name or a participle with its auxiliary kept in part."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        head, rel = source.head[i], source.tokens[i].rel
        if rel == "fixed" and head in pair.dropped and source.lower[i] not in _FREE:
            yield candidate.quote(j, j + 1), f"{source.quote(head, i)} is a fixed phrase"
        if rel in ("aux", "aux:pass", "cop") and head in pair.dropped and not _filled(pair, head, j):
            yield candidate.quote(j, j + 1), f"lost {source.tokens[head].text}"
        if (
            rel.startswith("nsubj")
            and head in pair.dropped
            and not (_has_verb(pair, j) and _takes_subject(pair, head, j))
        ):
            yield candidate.quote(j, j + 1), f"lost its predicate {source.tokens[head].text}"
        if rel != "fixed" and any(_fixed_part(source, c) and c in pair.dropped for c in source.children[i]):
            yield candidate.quote(j, j + 1), "a fixed phrase is kept in part"


def _fixed_part(source: View, index: int) -> bool:
    return source.tokens[index].rel == "fixed" and source.lower[index] not in _FREE


def _filled(pair: Alignment, head: int, j: int) -> bool:
    source, candidate = pair.source, pair.candidate
    lost = source.tokens[head]
    near = range(max(0, j - 3), min(len(candidate), j + 8))
    if lost.feats.get("Variant") == "Short" or lost.pos == "VERB":
        return any(k != j and candidate.feat(k, "Variant") == "Short" for k in near)
    return any(k > j and candidate.tokens[k].pos in ("NOUN", "ADJ", "PROPN", "NUM", "ADV") for k in near)


def _takes_subject(pair: Alignment, lost: int, index: int) -> bool:
    """Whether another predicate can have taken over the subject of the finite verb `lost`."""
    source, candidate = pair.source, pair.candidate
    if not source.is_finite(lost):
        return True
    start, stop = candidate.sentence_of(index)
    for k in range(start, stop):
        origin = pair.origin[k]
        if origin < 0 and (candidate.is_finite(k) or candidate.lower[k] in _NOMINAL_MARKS):
            return True
        if origin >= 0 and candidate.is_finite(k) and not _subordinate(source, origin):
            joined = source.head[origin] == lost or source.head[lost] == origin
            if joined or not any(source.tokens[c].rel.startswith("nsubj") for c in source.children[origin]):
                return True
    return False


def _has_verb(pair: Alignment, index: int) -> bool:
    """Whether the sentence has a predicate that was not a subordinate one in the source."""
    view = pair.candidate
    start, stop = view.sentence_of(index)
    if any(view.lower[i] in _NOMINAL_MARKS for i in range(start, stop)):
        return True
    if any(view.is_finite(i) and not _subordinate(pair.source, pair.origin[i]) for i in range(start, stop)):
        return True
    return any(
        view.tokens[i].pos == "ADJ" and view.feat(i, "Case") == "Nom" and i > index + 1 for i in range(start, stop)
    )


def _subordinate(view: View, index: int) -> bool:
    """Whether a verb of the source heads a clause with a conjunction or relative word of its own."""
    if index < 0:
        return False
    clause = view.tokens[index].rel.partition(":")[0] in ("acl", "advcl", "ccomp", "csubj")
    opened = any(view.tokens[c].rel == "mark" or view.lower[c].startswith("котор") for c in view.subtree(index))
    return clause and opened


def lost_comma(pair: Alignment) -> Iterator[Fault]:
    """A comma cut alone, between two words that stay as they were."""
    source, candidate = pair.source, pair.candidate
    for i in range(1, len(source)):
        if source.is_comma(i) and pair.hole(i) and source.is_word(i - 1) and source.is_word(i + 1):
            j = pair.kept[i - 1]
            yield candidate.quote(j, j + 1), "the comma between these words is gone"


def clause_commas(pair: Alignment) -> Iterator[Fault]:
    """A clause or apposition set off by commas in the source keeps a mark on each side that is not an edge."""
    source, candidate = pair.source, pair.candidate
    for i, _ in pair.kept_tokens():
        token = source.tokens[i]
        if token.rel.partition(":")[0] not in _SET_OFF or source.head[i] < 0 or pair.kept[source.head[i]] < 0:
            continue
        words = sorted(k for k in source.subtree(i) if source.is_word(k))
        if (
            not words
            or words[-1] - words[0] >= 2 * len(words)
            or pair.kept[words[0]] < 0
            or not _after_mark(source, words[0] - 1)
        ):
            continue
        opening = pair.kept[words[0]]
        if opening > 0 and not _after_mark(candidate, opening - 1) and _same_before(pair, words[0]):
            yield candidate.quote(opening - 1, opening), "a clause lost the comma before it"
        closing = pair.kept[words[-1]]
        following = words[-1] + 1
        if closing >= 0 and source.word(following) == "," and _next_is_word(candidate, closing):
            yield candidate.quote(closing, closing + 1), "a clause lost the comma after it"


def _after_mark(view: View, index: int) -> bool:
    return index < 0 or not view.is_word(index) or view.lower[index] in ("и", "или", "а", "но")


def _same_before(pair: Alignment, first: int) -> bool:
    """Whether the word before the clause in the candidate stood before it in the source too."""
    before = pair.origin[pair.kept[first] - 1]
    return 0 <= before < first


def _next_is_word(view: View, index: int) -> bool:
    following = index + 1
    return following < len(view) and view.is_word(following) and view.lower[following] not in ("и", "или", "но", "а")
