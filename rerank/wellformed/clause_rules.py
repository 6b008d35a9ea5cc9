"""Rules on clauses and members: coordination, conjunctions and commas that what was cut has left incomplete."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.wellformed.view import Alignment, Fault, View

_POINTERS = frozenset({"то", "того", "тому", "тем", "том", "факт", "мнение"})
_SET_OFF = frozenset({"acl", "advcl", "appos", "parataxis", "discourse", "vocative"})


def half_coordination(pair: Alignment) -> Iterator[Fault]:
    """A coordinating conjunction kept while the member after it, or every member before it, was cut."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        head = source.heads[i]
        if source.tokens[i].rel != "cc" or head < 0 or candidate.lower[j] not in ("и", "или", "либо", "а", "но"):
            continue
        if head in pair.dropped and not _replaced(pair, head, j):
            yield candidate.quote(j - 1, j + 1), f"lost {source.tokens[head].text}"
            continue
        first = source.heads[head] if source.tokens[head].rel == "conj" else -1
        members = [first, *(c for c in source.children[first] if source.tokens[c].rel == "conj" and c < head)]
        headless = first >= 0 and head not in pair.dropped and all(m in pair.dropped for m in members)
        if headless and j > 0 and candidate.lower[j] in ("и", "или", "либо") and not _parallel(pair, j, head):
            yield candidate.quote(j - 1, j + 1), f"lost {source.tokens[first].text}"


def _replaced(pair: Alignment, head: int, j: int) -> bool:
    """Whether a later member of the coordination, or a dependant fit to stand for it, follows the conjunction."""
    source = pair.source
    first = source.heads[head]
    siblings = [*source.children[head], *(source.children[first] if first >= 0 else [])]
    if any(source.tokens[c].rel == "conj" and pair.kept[c] > j for c in siblings):
        return True
    candidate = pair.candidate
    if source.is_finite(head):
        _, stop = candidate.sentence_of(j)
        return any(candidate.is_finite(k) for k in range(j + 1, stop)) and any(candidate.is_finite(k) for k in range(j))
    before = {form.case for form in candidate.forms(j - 1) if form.nominal}
    return any(form.nominal and form.case in before for form in candidate.forms(j + 1))


def _parallel(pair: Alignment, j: int, head: int) -> bool:
    """Whether the word left before the conjunction can be the first member instead of the lost one."""
    candidate = pair.candidate
    kept = pair.kept[head]
    if kept < 0 or j == 0:
        return True
    before = candidate.forms(j - 1)
    after = candidate.forms(kept)
    if any(f.nominal for f in before) and any(f.nominal for f in after):
        cases = {f.case for f in before if f.nominal}
        return any(f.case in cases for f in after if f.nominal)
    same = {f.pos for f in before} & {f.pos for f in after}
    return bool(same) or (candidate.is_finite(kept) and any(candidate.is_finite(i) for i in range(j)))


def lost_comma(pair: Alignment) -> Iterator[Fault]:
    """A comma cut alone, between two words that stay as they were."""
    source, candidate = pair.source, pair.candidate
    for i in range(1, len(source)):
        if source.is_comma(i) and pair.hole(i) and source.is_word(i - 1) and source.is_word(i + 1):
            j = pair.kept[i - 1]
            yield candidate.quote(j, j + 1), "the comma between these words is gone"


def lost_clause(pair: Alignment) -> Iterator[Fault]:
    """A word that announced a clause (заявил, что …; в том, что …) kept while the clause or only its что was cut."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        opening = i + 2
        if not source.is_comma(i + 1) or source.word(opening) not in ("что", "чтобы", "будто") or not source.is_word(i):
            continue
        if opening not in pair.dropped or not (source.tokens[i].pos == "VERB" or source.lower[i] in _POINTERS):
            continue
        following = j + 1
        if candidate.ends_clause(following) or candidate.is_comma(following):
            yield candidate.quote(j, j + 1), f"lost the clause with {source.tokens[opening].text}"


def lost_conjunction(pair: Alignment) -> Iterator[Fault]:
    """A subordinating conjunction kept without its clause's predicate, or a clause without its conjunction."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        token, head = source.tokens[i], source.heads[i]
        if token.rel == "mark" and head in pair.dropped and token.pos == "SCONJ":
            _, stop = candidate.sentence_of(j)
            near = range(j + 1, min(stop, j + 12))
            if not any(candidate.is_finite(k) or any(f.pos == "INFN" for f in candidate.forms(k)) for k in near):
                yield candidate.quote(j, j + 1), f"lost its predicate {source.tokens[head].text}"
        governor = head if token.rel in ("ccomp", "advcl", "acl:relcl") else -1
        if governor < 0 or pair.kept[governor] < 0 or not source.is_finite(i):
            continue
        marks = [c for c in source.children[i] if source.tokens[c].rel == "mark" or source.lower[c].startswith("котор")]
        if marks and all(c in pair.dropped for c in marks) and _same_sentence(candidate, j, pair.kept[governor]):
            yield candidate.quote(j - 1, j), f"lost its conjunction {source.tokens[marks[0]].text}"


def _same_sentence(view: View, first: int, second: int) -> bool:
    return view.sentence_of(first) == view.sentence_of(second)


def clause_commas(pair: Alignment) -> Iterator[Fault]:
    """A clause or apposition set off by commas in the source keeps a mark on each side that is not an edge."""
    source, candidate = pair.source, pair.candidate
    for i, _ in pair.kept_tokens():
        token = source.tokens[i]
        if token.rel.partition(":")[0] not in _SET_OFF or source.heads[i] < 0 or pair.kept[source.heads[i]] < 0:
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
