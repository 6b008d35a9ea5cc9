"""Rules that compare with the source: a kept word whose necessary partner was cut out.

The parse of the source, a sentence that somebody wrote, tells more reliably than the parse of a broken candidate what
belonged together. A partner counts as lost only where it was cut with nothing in its place (see `Alignment`), and no
rule here speaks where the candidate is mostly rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator

from rerank.wellformed.agreement import fits
from rerank.wellformed.dangling import GOVERNED
from rerank.wellformed.view import Alignment, Problem, View

__all__ = [
    "clause_commas",
    "half_coordination",
    "lost_clause",
    "lost_comma",
    "lost_complement",
    "lost_conjunction",
    "lost_preposition",
    "lost_subject",
    "orphaned_genitive",
    "orphaned_modifier",
    "orphaned_preposition",
    "stray_comma",
    "torn_phrase",
]

_OPENERS = frozenset({",", "(", "—", "–", "-", ":", ";", "«", '"'})
# Parts of fixed phrases that can also stand alone.
_FREE = frozenset({"же", "ли", "бы", "и", "а", "но", "или", "не", "только", "также", "даже"})
_POINTERS = frozenset({"то", "того", "тому", "тем", "том", "факт", "мнение"})
_NOMINAL_MARKS = frozenset({"—", "–", "-", ":", "это", "нет", "много"})
_SET_OFF = frozenset({"acl", "advcl", "appos", "parataxis", "discourse", "vocative"})
# Verbs whose object is often left out, because it is plain what it would be.
_OBJECT_VERBS = (
    "писать читать петь играть учить знать понимать видеть слышать помнить есть пить курить победить выиграть "
    "проиграть рассказать рассказывать снимать забить ждать служить думать начать работать построить"
)
_OBJECT_OPTIONAL = frozenset(_OBJECT_VERBS.split())


def orphaned_modifier(pair: Alignment) -> Iterator[Problem]:
    """An adjective, participle, pronoun or numeral kept while its noun was cut, with no other noun to agree with."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        head, rel = source.head[i], source.tokens[i].rel
        if rel.partition(":")[0] not in ("amod", "det", "nummod") or head not in pair.dropped:
            continue
        if source.tokens[head].pos not in ("NOUN", "PROPN") or not any(
            f.adjectival or f.pos == "NUMR" for f in source.forms(i)
        ):
            continue
        if any(child in ("conj",) for child in source.rels(head)) and _joined_kept(pair, head):
            continue
        if not _noun_follows(candidate, j):
            yield Problem("orphaned_modifier", candidate.quote(j, j + 1), f"lost its noun {source.tokens[head].text}")


def _joined_kept(pair: Alignment, head: int) -> bool:
    return any(pair.source.tokens[c].rel == "conj" and pair.kept[c] >= 0 for c in pair.source.children[head])


def _noun_follows(view: View, index: int) -> bool:
    """Whether a noun that may agree stands within reach, only modifiers in between."""
    numeral = any(form.pos == "NUMR" for form in view.forms(index))
    for place in range(index + 1, min(index + 5, len(view))):
        forms = view.forms(place)
        if not forms and view.tokens[place].text not in ("«", '"', "„", ","):
            return False
        nouns = [form for form in forms if form.nominal or not form.known or form.pos == ""]
        if nouns:
            return numeral or any(not n.known or not n.case or fits(a, n) for a in view.forms(index) for n in nouns)
        if forms and not any(f.adjectival or f.pos in ("NUMR", "ADVB", "PRCL", "CONJ", "PREP") for f in forms):
            return False
    return False


def orphaned_preposition(pair: Alignment) -> Iterator[Problem]:
    """A preposition kept while its noun was cut, with no noun in a case it governs close after it."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        word, head = candidate.lower[j], source.head[i]
        if source.tokens[i].rel != "case" or head not in pair.dropped or word not in GOVERNED:
            continue
        if not _governed_follows(candidate, j, GOVERNED[word]):
            yield Problem("orphaned_preposition", candidate.quote(j, j + 1), f"lost {source.tokens[head].text}")


def _governed_follows(view: View, index: int, cases: frozenset[str]) -> bool:
    for place in range(index + 1, min(index + 6, len(view))):
        forms = view.forms(place)
        if not view.is_word(place):
            if view.tokens[place].text in ("«", '"', "„", "("):
                continue
            return False
        if any(not f.known or f.pos == "" or (f.nominal and f.case in cases | {""}) for f in forms):
            return True
        if view.lower[place][:1].isdigit():
            return True
        if not any(f.adjectival or f.pos in ("NUMR", "ADVB", "PRCL", "CONJ", "ADJS") for f in forms):
            return any(f.nominal for f in forms) and place > index + 1 and any(view.forms(place - 1))
    return False


def orphaned_genitive(pair: Alignment) -> Iterator[Problem]:
    """A genitive kept while the noun it belonged to was cut, where neither form nor place allows another role."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        head = source.head[i]
        if source.tokens[i].rel != "nmod" or head not in pair.dropped or source.feat(i, "Case") != "Gen" or head > i:
            continue
        if any(source.tokens[c].rel == "case" for c in source.children[i]) or _genitive_place(candidate, j):
            continue
        case = {"Nom": "nom", "Gen": "gen", "Dat": "dat", "Acc": "acc", "Ins": "ins", "Loc": "loc"}
        needed = case.get(source.feat(head, "Case"), "")
        # A new subject must also have the number that the verb shows.
        number = {"Sing": "sing", "Plur": "plur"}.get(source.feat(head, "Number"), "")
        numbers = {number} if source.tokens[head].rel.startswith("nsubj") else {"sing", "plur"}
        forms = candidate.forms(j)
        other = [f for f in forms if not f.known or not f.nominal or (f.case in (needed, "") and f.number in numbers)]
        if needed and forms and not other:
            yield Problem("orphaned_genitive", candidate.quote(j - 1, j), f"lost {source.tokens[head].text}")


def _genitive_place(view: View, index: int) -> bool:
    """Whether something before a genitive explains it: a noun, a number, a preposition, a negation."""
    place = index - 1
    while place >= 0 and any(form.adjectival for form in view.forms(place)):
        place -= 1
    forms = view.forms(place)
    if place < 0:
        return False
    if not forms:
        return not view.is_word(place) and view.tokens[place].text not in (",", ".", ":", "—", "–")
    if any(f.nominal or f.pos in ("NUMR", "PREP", "COMP", "ADVB", "CONJ") or not f.known for f in forms):
        return True
    return any(view.word(i) in ("не", "нет", "ни", "без") for i in range(index - 4, index))


def lost_preposition(pair: Alignment) -> Iterator[Problem]:
    """A noun kept while its preposition was cut, in a case that means nothing where it now stands."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        if i and _hole(pair, i - 1) and source.tokens[i - 1].pos == "ADP" and source.lower[i - 1] in GOVERNED:
            yield Problem("lost_preposition", candidate.quote(j, j), f"lost {source.tokens[i - 1].text}")
            continue
        prepositions = [c for c in source.children[i] if source.tokens[c].rel == "case" and source.lower[c] in GOVERNED]
        if not prepositions or not all(c in pair.dropped for c in prepositions) or source.tokens[i].pos == "PUNCT":
            continue
        if any(candidate.tokens[c].rel == "case" for c in candidate.children[j]) or candidate.word(j - 1) in GOVERNED:
            continue
        # Where the head was cut too, the noun may have taken its place: столице → в столице Москве.
        if source.head[i] >= 0 and pair.kept[source.head[i]] >= 0 and candidate.tokens[j].rel != "conj":
            yield Problem("lost_preposition", candidate.quote(j, j), f"lost {source.tokens[prepositions[0]].text}")


def _hole(pair: Alignment, i: int) -> bool:
    """Whether source token `i` alone was cut, its neighbours now standing side by side."""
    before = pair.kept[i - 1] if i else -1
    return i in pair.dropped and i + 1 < len(pair.kept) and pair.kept[i + 1] == before + 1 and (i == 0 or before >= 0)


def lost_comma(pair: Alignment) -> Iterator[Problem]:
    """A comma cut alone, between two words that stay as they were."""
    source, candidate = pair.source, pair.candidate
    for i in range(1, len(source)):
        if source.is_comma(i) and _hole(pair, i) and source.is_word(i - 1) and source.is_word(i + 1):
            j = pair.kept[i - 1]
            yield Problem("lost_comma", candidate.quote(j, j + 1), "the comma between these words is gone")


def half_coordination(pair: Alignment) -> Iterator[Problem]:
    """A coordinating conjunction kept while the member after it, or every member before it, was cut."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        head = source.head[i]
        if source.tokens[i].rel != "cc" or head < 0 or candidate.lower[j] not in ("и", "или", "либо", "а", "но"):
            continue
        if head in pair.dropped and not _replaced(pair, head, j):
            yield Problem("half_coordination", candidate.quote(j - 1, j + 1), f"lost {source.tokens[head].text}")
            continue
        first = source.head[head] if source.tokens[head].rel == "conj" else -1
        members = [first, *(c for c in source.children[first] if source.tokens[c].rel == "conj" and c < head)]
        headless = first >= 0 and head not in pair.dropped and all(m in pair.dropped for m in members)
        if headless and j > 0 and candidate.lower[j] in ("и", "или", "либо") and not _parallel(pair, j, head):
            yield Problem("half_coordination", candidate.quote(j - 1, j + 1), f"lost {source.tokens[first].text}")


def _replaced(pair: Alignment, head: int, j: int) -> bool:
    """Whether a later member of the coordination, or a dependant fit to stand for it, follows the conjunction."""
    source = pair.source
    first = source.head[head]
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


def lost_complement(pair: Alignment) -> Iterator[Problem]:
    """A verb kept while its object, infinitive or object clause was cut and nothing else takes its place."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        if source.tokens[i].pos not in ("VERB", "ADJ", "ADV", "AUX"):
            continue
        for child in source.children[i]:
            rel = source.tokens[child].rel.partition(":")[0]
            if child in pair.dropped and _required(source, i, child, rel) and not _substituted(pair, i, j, rel):
                text = candidate.quote(j, j + 1)
                yield Problem("lost_complement", text, f"lost its complement {source.tokens[child].text}")
                break


def _required(source: View, i: int, child: int, rel: str) -> bool:
    if rel in ("xcomp", "ccomp"):
        return child > i
    if rel == "csubj":
        return any(form.pos in ("PRED", "ADJS") for form in source.forms(i))
    transitive = any("tran" in form.grammemes for form in source.forms(i))
    optional = source.lower[i].endswith(("ся", "сь")) or source.lemmas(i) & _OBJECT_OPTIONAL
    return rel == "obj" and transitive and not optional


def _substituted(pair: Alignment, i: int, j: int, rel: str) -> bool:
    source, candidate = pair.source, pair.candidate
    wanted = {"obj": ("obj", "ccomp", "xcomp"), "csubj": ("csubj", "xcomp", "ccomp", "nsubj")}.get(
        rel, ("obj", rel, "obl")
    )
    kept = any(source.tokens[c].rel.partition(":")[0] in wanted and pair.kept[c] >= 0 for c in source.children[i])
    new = any(candidate.tokens[c].rel.partition(":")[0] in wanted for c in candidate.children[j])
    return kept or (new and not candidate.ends_clause(j + 1))


def lost_clause(pair: Alignment) -> Iterator[Problem]:
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
            yield Problem(
                "lost_clause", candidate.quote(j, j + 1), f"lost the clause with {source.tokens[opening].text}"
            )


def lost_subject(pair: Alignment) -> Iterator[Problem]:
    """A finite verb kept while the subject it had in the source, its own or its coordination's, was cut."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        if source.tokens[i].pos != "VERB" or not source.is_finite(i):
            continue
        subjects = [c for c in source.children[i] if source.tokens[c].rel.startswith("nsubj")]
        if not subjects or not all(c in pair.dropped for c in subjects) or _subject_near(candidate, j):
            continue
        text = source.tokens[subjects[0]].text
        yield Problem("lost_subject", candidate.quote(j - 1, j + 1), f"lost its subject {text}")


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


def lost_conjunction(pair: Alignment) -> Iterator[Problem]:
    """A subordinating conjunction kept without its clause's predicate, or a clause without its conjunction."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        token, head = source.tokens[i], source.head[i]
        if token.rel == "mark" and head in pair.dropped and token.pos == "SCONJ":
            _, stop = candidate.sentence_of(j)
            near = range(j + 1, min(stop, j + 12))
            if not any(candidate.is_finite(k) or any(f.pos == "INFN" for f in candidate.forms(k)) for k in near):
                yield Problem(
                    "lost_conjunction", candidate.quote(j, j + 1), f"lost its predicate {source.tokens[head].text}"
                )
        governor = head if token.rel in ("ccomp", "advcl", "acl:relcl") else -1
        if governor < 0 or pair.kept[governor] < 0 or not source.is_finite(i):
            continue
        marks = [c for c in source.children[i] if source.tokens[c].rel == "mark" or source.lower[c].startswith("котор")]
        if marks and all(c in pair.dropped for c in marks) and _same_sentence(candidate, j, pair.kept[governor]):
            yield Problem(
                "lost_conjunction", candidate.quote(j - 1, j), f"lost its conjunction {source.tokens[marks[0]].text}"
            )


def _same_sentence(view: View, one: int, other: int) -> bool:
    return view.sentence_of(one) == view.sentence_of(other)


def torn_phrase(pair: Alignment) -> Iterator[Problem]:
    """A fixed phrase (в течение, так как), a name or a participle with its auxiliary kept in part."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        head, rel = source.head[i], source.tokens[i].rel
        if rel == "fixed" and head in pair.dropped and source.lower[i] not in _FREE:
            yield Problem("torn_phrase", candidate.quote(j, j + 1), f"{source.quote(head, i)} is a fixed phrase")
        if rel in ("aux", "aux:pass", "cop") and head in pair.dropped and not _filled(pair, head, j):
            yield Problem("torn_phrase", candidate.quote(j, j + 1), f"lost {source.tokens[head].text}")
        if rel.startswith("nsubj") and head in pair.dropped and not _has_verb(pair, j):
            yield Problem("torn_phrase", candidate.quote(j, j + 1), f"lost its predicate {source.tokens[head].text}")
        if rel != "fixed" and any(_fixed_part(source, c) and c in pair.dropped for c in source.children[i]):
            yield Problem("torn_phrase", candidate.quote(j, j + 1), "a fixed phrase is kept in part")


def _fixed_part(source: View, index: int) -> bool:
    return source.tokens[index].rel == "fixed" and source.lower[index] not in _FREE


def _filled(pair: Alignment, head: int, j: int) -> bool:
    source, candidate = pair.source, pair.candidate
    lost = source.tokens[head]
    near = range(max(0, j - 3), min(len(candidate), j + 8))
    if lost.feats.get("Variant") == "Short" or lost.pos == "VERB":
        return any(k != j and candidate.feat(k, "Variant") == "Short" for k in near)
    return any(k > j and candidate.tokens[k].pos in ("NOUN", "ADJ", "PROPN", "NUM", "ADV") for k in near)


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


def clause_commas(pair: Alignment) -> Iterator[Problem]:
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
            yield Problem("clause_commas", candidate.quote(opening - 1, opening), "a clause lost the comma before it")
        closing = pair.kept[words[-1]]
        following = words[-1] + 1
        if closing >= 0 and source.word(following) == "," and _next_is_word(candidate, closing):
            yield Problem("clause_commas", candidate.quote(closing, closing + 1), "a clause lost the comma after it")


def _after_mark(view: View, index: int) -> bool:
    return index < 0 or not view.is_word(index) or view.lower[index] in ("и", "или", "а", "но")


def _same_before(pair: Alignment, first: int) -> bool:
    """Whether the word before the clause in the candidate stood before it in the source too."""
    before = pair.origin[pair.kept[first] - 1]
    return 0 <= before < first


def _next_is_word(view: View, index: int) -> bool:
    following = index + 1
    return following < len(view) and view.is_word(following) and view.lower[following] not in ("и", "или", "но", "а")


def stray_comma(pair: Alignment) -> Iterator[Problem]:
    """One comma of a pair left behind: what stood between the two was cut, but not both of them."""
    source, candidate = pair.source, pair.candidate
    for j in range(1, len(candidate) - 1):
        left, right = pair.origin[j - 1], pair.origin[j + 1]
        if not candidate.is_comma(j) or left < 0 or right <= left + 3:
            continue
        gap = range(left + 1, right)
        if not (source.is_comma(gap[0]) and source.is_comma(gap[-1])):
            continue
        inside = gap[1:-1]
        if any(k not in pair.dropped for k in inside):
            continue
        tops = [k for k in inside if source.head[k] not in inside and source.is_word(k)]
        if len(tops) == 1 and source.tokens[tops[0]].rel.partition(":")[0] in _SET_OFF and not _needs(candidate, j):
            yield Problem("stray_comma", candidate.quote(j - 1, j + 1), "a single comma of a pair is left")


def _needs(view: View, index: int) -> bool:
    """Whether what follows wants a comma on its own account: a conjunction, a relative word or a participle."""
    forms = view.forms(index + 1)
    return any(f.pos in ("CONJ", "PRTF", "GRND", "PREP") for f in forms) or view.word(index + 1).startswith("котор")
