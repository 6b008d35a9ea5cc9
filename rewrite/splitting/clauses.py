"""What the grammar says of the two halves of a split: whose subject is where, and which half has a finite verb."""

from __future__ import annotations

from collections.abc import Iterable

from rewrite.splitting.openers import VERB_SLOTS
from rewrite.splitting.split import Split
from rewrite.splitting.words import RELATIVES, Words

_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_HELD_TO = frozenset("say believe think report allege suppose estimate rumour rumor reckon presume consider".split())
"""*a sword said to be old*: before *to* these are participles."""
_CLAUSES = frozenset({"root", "conj", "parataxis", "advcl", "acl", "acl:relcl", "ccomp", "appos", "list", "dep"})


def tops(words: Words, numbers: Iterable[int]) -> list[int]:
    """The words of a span that hang on a word outside of it, marks and conjunctions aside."""
    inside = set(numbers)
    return [
        n
        for n in sorted(inside)
        if words[n].head not in inside and words[n].rel not in ("punct", "cc", "mark", "case", "discourse")
    ]


def top(words: Words, numbers: Iterable[int]) -> int:
    """The head of a span: of several, the first that can head a clause; −1 for a span of marks alone."""
    found = tops(words, numbers)
    clauses = [
        n
        for n in found
        if words[n].rel in _CLAUSES and words[n].pos in ("VERB", "AUX", "ADJ", "NOUN", "PROPN", "ADV", "NUM", "PRON")
    ]
    verbs = [n for n in clauses if words[n].pos in ("VERB", "AUX") or finite(words, n)]
    return next(iter(verbs or clauses or found), -1)


def head_of(words: Words, split: Split) -> int:
    """The head of what becomes the second sentence: the verb that its opener says in another form, or its top."""
    return split.verb if split.verb >= 0 and VERB_SLOTS & set(split.opener) else top(words, split.second)


def finite(words: Words, number: int, inside: Iterable[int] | None = None) -> bool:
    """Whether a word is a finite verb, or has a finite auxiliary or copula, among the words `inside` where given."""
    near = [number, *(c for c in words.children[number] if words[c].rel in ("aux", "cop", "aux:pass"))]
    there = None if inside is None else set(inside)
    return any(_is_finite(words, n) for n in near if there is None or n in there) or (
        len(near) == 1 and _is_bare_past(words, number)
    )


def crossing(words: Words, numbers: Iterable[int], gone: Iterable[int]) -> int:
    """How many words hang across the ends of a span: marks, conjunctions, prepositions and those `gone` aside."""
    inside, left_out = set(numbers), set(gone)
    return sum(
        word.head >= 0
        and (n in inside) != (word.head in inside)
        and not {n, word.head} & left_out
        and word.rel not in ("punct", "cc", "mark", "case")
        for n, word in enumerate(words.tokens)
    )


def _is_finite(words: Words, number: int) -> bool:
    word = words[number]
    return word.pos in ("VERB", "AUX") and word.feature("VerbForm") == "Fin" and not _is_reduced(words, number)


def _is_reduced(words: Words, number: int) -> bool:
    """Whether a verb that was tagged as a past is a participle: *a tournament, held in May*."""
    word = words[number]
    if word.pos != "VERB" or word.feature("Tense") != "Past":
        return False
    if is_held_to(words, number):
        return True
    is_aside = word.rel == "parataxis" and number > 0 and words[number - 1].text == ","
    if word.rel not in ("acl", "acl:relcl", "advcl") and not is_aside:
        return False
    if is_aside and any(words[c].rel in ("obj", "ccomp") for c in words.children[number]):
        return False
    return not any(words[c].rel in ("nsubj", "aux", "mark", "expl", "csubj") for c in words.children[number])


def is_held_to(words: Words, number: int) -> bool:
    """Whether a word is the participle of *a sword said to be old*, however it was parsed."""
    before = any(words[c].rel == "aux" for c in words.children[number])
    follows = words.word(number + 1) == "to" and words.word(number + 2) in ("be", "have")
    return follows and not before and words[number].lemma.lower() in _HELD_TO


def _is_bare_past(words: Words, number: int) -> bool:
    """Whether a verb that was tagged as a participle is a past: *The company denied charges*."""
    word = words[number]
    if word.pos != "VERB" or word.feature("VerbForm") != "Part" or word.lower.endswith("ing"):
        return False
    relations = {words[c].rel for c in words.children[number] if c < number or words[c].rel == "obj"}
    # *He is old but sold the house*: what has an object is no passive.
    return "nsubj" in relations or (word.rel == "conj" and "obj" in relations)


def has_subject(words: Words, number: int, inside: Iterable[int]) -> bool:
    """Whether the head of a clause has a subject among the words `inside`."""
    there = set(inside)
    return any(child in there and words[child].rel.split(":")[0] in _SUBJECTS for child in words.children[number])


def is_order(words: Words) -> bool:
    """Whether a sentence gives an order: *Preheat the oven and bake the bread*."""
    verb = words.root
    if verb < 0 or words[verb].pos != "VERB" or words[verb].lower != words[verb].lemma.lower():
        return False
    before = [c for c in words.children[verb] if c < verb]
    if any(words[c].rel in ("nsubj", "aux", "expl", "csubj", "mark") for c in before):
        return False
    # *The crew successfully steal it*: a noun before the verb, behind the last comma, is its subject.
    comma = next((n for n in range(verb - 1, -1, -1) if words[n].is_mark), -1)
    return not any(words[n].pos in ("NOUN", "PROPN", "PRON") for n in range(comma + 1, verb))


def is_subordinate(words: Words, number: int) -> bool:
    """Whether a word such as *because* or *when* hangs on the head of a clause."""
    return any(words[c].rel == "mark" or words[c].lower in ("when", "where") for c in words.children[number])


def shared_subject(words: Words, head: int) -> int:
    """What the verb of a second sentence says something of: the subject before it, or the noun that it hangs on."""
    relation = words[head].rel
    if relation in ("acl:relcl", "acl", "appos"):
        return words[head].head
    # *…; favored to win*; a noun is mostly an apposition that was taken for something else.
    joined = relation in ("conj", "advcl") or (relation == "parataxis" and words[head].pos == "VERB")
    if not joined:
        return -1
    found = clause_subject(words, words[head].head)
    return found if found >= 0 or relation != "conj" else _subject_above(words, head)


def _subject_above(words: Words, verb: int) -> int:
    """The subject of the clause around a finite verb that was taken for joined to a noun of it: *met Tom and left*."""
    if words[verb].pos != "VERB" or not finite(words, verb):
        return -1
    above = words[verb].head
    while above >= 0 and words[above].pos in ("NOUN", "PROPN", "NUM") and words[above].rel != "root":
        above = words[above].head
    if above < 0:
        return -1
    if words[above].pos not in ("NOUN", "PROPN") or any(words[c].rel == "cop" for c in words.children[above]):
        return clause_subject(words, above)
    # *The film stars Tom and was sold*: the verb was taken for a noun, and the subject for a part of it.
    parts = [c for c in words.children[above] if words[c].rel == "compound" and c < above]
    return parts[-1] if parts and words[above].lower.endswith("s") else above


def clause_subject(words: Words, verb: int) -> int:
    """The subject of a verb, or of the verb that it is joined to or is a participle of; −1 without one."""
    seen: set[int] = set()
    while verb >= 0 and verb not in seen:
        seen.add(verb)
        subjects = (c for c in words.children[verb] if words[c].rel.split(":")[0] == "nsubj")
        # *won twice (and a third in 2009) and Tom left*: the third did not leave.
        found = next((c for c in subjects if not words.in_brackets(c) or words.in_brackets(verb)), -1)
        if found >= 0:
            # *a book that was written and sold*: the book was.
            stands = words[found].lower in RELATIVES and words[verb].rel == "acl:relcl"
            return words[verb].head if stands else found
        if words[verb].rel in ("acl", "acl:relcl"):
            return words[verb].head
        # *Liars read others, putting them at ease and managing their feelings*: the liars do both.
        verb = words[verb].head if words[verb].rel == "conj" or _is_participle_of(words, verb) else -1
    return -1


def _is_participle_of(words: Words, verb: int) -> bool:
    is_participle = words[verb].lower.endswith("ing") or _is_reduced(words, verb)
    return words[verb].rel == "advcl" and is_participle and not is_subordinate(words, verb)


def main_clause(words: Words, clause: int) -> int:
    """The head of the clause that a clause hangs on; −1 for none."""
    main = words[clause].head
    while main >= 0 and not finite(words, main):
        main = words[main].head
    return main


def is_past(words: Words, clause: int) -> bool:
    """Whether the finite verb of a clause is in the past."""
    return (len(_verbs(words, clause)) == 1 and _is_bare_past(words, clause)) or any(
        words[n].feature("Tense") == "Past" and words[n].feature("VerbForm") == "Fin" for n in _verbs(words, clause)
    )


def _verbs(words: Words, clause: int) -> list[int]:
    return [clause, *(c for c in words.children[clause] if words[c].rel in ("aux", "cop"))]
