"""Rules that compare with the source: a kept word whose necessary partner was cut out.

The parse of the source, a sentence that somebody wrote, tells more reliably than the parse of a broken candidate what
belonged together. A partner counts as lost only where it was cut with nothing in its place (see `Alignment`), and no
rule here speaks where the candidate is mostly rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator

from rerank.wellformed.agreement import fits
from rerank.wellformed.dangling import GOVERNED
from rerank.wellformed.readings import LISTS
from rerank.wellformed.view import Alignment, Fault, View
from rerank.wordlists import denials

_DENIALS = denials("ru", "particle", "absence")
# Parts of fixed phrases that can also stand alone.
_FREE = frozenset({"же", "ли", "бы", "и", "а", "но", "или", "не", "только", "также", "даже"})
_NOMINAL_MARKS = frozenset({"—", "–", "-", ":", "это", "нет", "много"})
_OBJECT_OPTIONAL = LISTS.words("object optional")


def orphaned_modifier(pair: Alignment) -> Iterator[Fault]:
    """An adjective, participle, pronoun or numeral kept while its noun was cut, with no other noun to agree with."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        head, rel = source.heads[i], source.tokens[i].rel
        if rel.partition(":")[0] not in ("amod", "det", "nummod") or head not in pair.dropped:
            continue
        if source.tokens[head].pos not in ("NOUN", "PROPN") or not _inflected_modifier(source, i, head):
            continue
        if _joined_kept(pair, head):
            continue
        if not _noun_follows(candidate, j):
            yield candidate.quote(j, j + 1), f"lost its noun {source.tokens[head].text}"


def _inflected_modifier(view: View, index: int, head: int) -> bool:
    """An adjective, numeral or the like; or a bare number that names a year or century after a preposition."""
    if any(form.adjectival or form.pos == "NUMR" for form in view.forms(index)):
        return True
    return view.lower[index].isdigit() and view.word(index - 1) in GOVERNED and view.lower[head][:2] in ("го", "ве")


def _joined_kept(pair: Alignment, head: int) -> bool:
    return any(pair.source.tokens[c].rel == "conj" and pair.kept[c] >= 0 for c in pair.source.children[head])


def _noun_follows(view: View, index: int) -> bool:
    """Whether a noun that may agree stands within reach, only modifiers in between."""
    numeral = any(form.pos == "NUMR" for form in view.forms(index))
    if view.lower[index].isdigit():
        return view.word(index + 1)[:2] in ("го", "ве", "г", "в", "по", "и", "—", "–", "-", "гг")
    for place in range(index + 1, min(index + 5, len(view))):
        forms = view.forms(place)
        if not forms and view.tokens[place].text not in ("«", '"', "„", ","):
            return False
        nouns = [form for form in forms if form.nominal or not form.known or form.pos == ""]
        if nouns:
            return numeral or any(not n.known or not n.case or fits(a, n) for a in view.forms(index) for n in nouns)
        if forms and not any(f.adjectival or f.pos in ("NUMR", "ADVB", "PRCL", "CONJ") for f in forms):
            return False
    return False


def orphaned_preposition(pair: Alignment) -> Iterator[Fault]:
    """A preposition kept while its noun was cut, with no noun in a case it governs close after it."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        word, head = candidate.lower[j], source.heads[i]
        if source.tokens[i].rel != "case" or head not in pair.dropped or word not in GOVERNED:
            continue
        if not _governed_follows(candidate, j, GOVERNED[word]):
            yield candidate.quote(j, j + 1), f"lost {source.tokens[head].text}"


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


def orphaned_genitive(pair: Alignment) -> Iterator[Fault]:
    """A genitive kept while the noun it belonged to was cut, where neither form nor place allows another role."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        head = source.heads[i]
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
            yield candidate.quote(j - 1, j), f"lost {source.tokens[head].text}"


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
    return any(view.word(i) in _DENIALS for i in range(index - 4, index))


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
        if source.heads[i] >= 0 and pair.kept[source.heads[i]] >= 0 and candidate.tokens[j].rel != "conj":
            yield candidate.quote(j, j), f"lost {source.tokens[prepositions[0]].text}"


def lost_complement(pair: Alignment) -> Iterator[Fault]:
    """A verb kept while its object, infinitive or object clause was cut and nothing else takes its place."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        if source.tokens[i].pos not in ("VERB", "ADJ", "ADV", "AUX"):
            continue
        for child in source.children[i]:
            rel = source.tokens[child].rel.partition(":")[0]
            if child in pair.dropped and _required(source, i, child, rel) and not _substituted(pair, i, j, rel):
                text = candidate.quote(j, j + 1)
                yield text, f"lost its complement {source.tokens[child].text}"
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
    # A new word, or one that played such a part elsewhere; not whatever a broken parse hangs on the verb.
    roles = (*wanted, "conj")
    added = [
        c
        for c in candidate.children[j]
        if pair.origin[c] < 0 or source.tokens[pair.origin[c]].rel.partition(":")[0] in roles
    ]
    new = any(candidate.tokens[c].rel.partition(":")[0] in wanted for c in added)
    return kept or (new and not candidate.ends_clause(j + 1))


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
        index = view.heads[index]
    return False


def _nominative(view: View, index: int) -> bool:
    forms = view.forms(index)
    return not forms or any(f.case in ("nom", "gen", "") or not f.nominal for f in forms)


def torn_phrase(pair: Alignment) -> Iterator[Fault]:
    """A fixed phrase (в течение, так как), a name or a participle with its auxiliary kept in part."""
    source, candidate = pair.source, pair.candidate
    for i, j in pair.kept_tokens():
        head, rel = source.heads[i], source.tokens[i].rel
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
            joined = source.heads[origin] == lost or source.heads[lost] == origin
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
