"""What the grammar says of the two halves of a split: whose subject is where, and which half has a finite verb."""

from __future__ import annotations

from collections.abc import Iterable

from rewrite.splitting.openers import VERB_SLOTS
from rewrite.splitting.parsed_words import RELATIVES, Words
from rewrite.splitting.split import Split

_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_CLAUSES = frozenset({"root", "conj", "parataxis", "advcl", "acl", "acl:relcl", "ccomp", "appos", "list", "dep"})


def top(words: Words, numbers: Iterable[int]) -> int:
    """The head of a span: of several, the first that can head a clause; −1 for a span of marks alone."""
    inside = set(numbers)
    # The words that hang on a word outside of the span, marks and conjunctions aside.
    heads = [
        n
        for n in sorted(inside)
        if words[n].head not in inside and words[n].rel not in ("punct", "cc", "mark", "case", "discourse")
    ]
    clauses = [
        n
        for n in heads
        if words[n].rel in _CLAUSES and words[n].pos in ("VERB", "AUX", "ADJ", "NOUN", "PROPN", "ADV", "NUM", "PRON")
    ]
    verbs = [n for n in clauses if words[n].pos in ("VERB", "AUX") or finite(words, n)]
    return next(iter(verbs or clauses or heads), -1)


def head_of(words: Words, split: Split) -> int:
    """The head of what becomes the second sentence: the verb that its opener says in another form, or its top."""
    return split.verb if split.verb >= 0 and VERB_SLOTS & set(split.opener) else top(words, split.second)


def finite(words: Words, number: int, inside: Iterable[int] | None = None) -> bool:
    """Whether a word is a finite verb, or has a finite auxiliary or copula, among the words `inside` where given."""
    near = [number, *(c for c in words.children[number] if words[c].rel in ("aux", "cop", "aux:pass"))]
    there = None if inside is None else set(inside)
    return any(_is_finite(words, n) for n in near if there is None or n in there)


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
    is_aside = word.rel == "parataxis" and number > 0 and words[number - 1].text == ","
    if word.rel not in ("acl", "acl:relcl", "advcl") and not is_aside:
        return False
    if is_aside and any(words[c].rel in ("obj", "ccomp") for c in words.children[number]):
        return False
    return not any(words[c].rel in ("nsubj", "aux", "mark", "expl", "csubj") for c in words.children[number])


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
    return clause_subject(words, words[head].head)


def clause_subject(words: Words, verb: int) -> int:
    """The subject of a verb, or of the verb that it is joined to or is a participle of; −1 without one."""
    seen: set[int] = set()
    while verb >= 0 and verb not in seen:
        seen.add(verb)
        subjects = (c for c in words.children[verb] if words[c].rel.split(":")[0] == "nsubj")
        # *won twice (and a third in 2009) and Tom left*: the third did not leave.
        subject = next((c for c in subjects if not words.in_brackets(c) or words.in_brackets(verb)), -1)
        if subject >= 0:
            # *a book that was written and sold*: the book was.
            stands = words[subject].lower in RELATIVES and words[verb].rel == "acl:relcl"
            return words[verb].head if stands else subject
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
    verbs = (clause, *(c for c in words.children[clause] if words[c].rel in ("aux", "cop")))
    return any(words[n].feature("Tense") == "Past" and words[n].feature("VerbForm") == "Fin" for n in verbs)
