"""How a cut-off part becomes a sentence by its grammar: what goes, whose subject it gets, which verb it lacks.

The network knows how writers split sentences; this module knows what a part needs to stand alone, and offers it beside
the network's own openers: *, located in Rome* → *It is located in Rome*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rewrite.splitting.clauses import (
    clause_subject,
    finite,
    has_subject,
    is_order,
    is_past,
    main_clause,
    shared_subject,
    top,
)
from rewrite.splitting.openers import BASE, PAST, PRESENT, form_again, phrase
from rewrite.splitting.pronouns import RESULTS, happened, is_person, pronoun_of, what_it_is_of
from rewrite.splitting.words import BE, MODALS, PERSONAL, RELATIVES, Words

# *'s* may be *is* as well as *has*, so it is not lent.
_LENT = (BE - {"'s"}) | MODALS | {"has", "have", "had"}


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a second sentence may begin: `dropped` words go, `opener` comes, `antecedent` as in `Split`."""

    dropped: int
    opener: tuple[str, ...]
    antecedent: int = -1


def beginnings(words: Words, start: int, stop: int) -> Iterator[Beginning]:
    """Ways to make a sentence of the words `start:stop`; none where the grammar knows none."""
    place = start
    while place < stop and (words[place].is_mark or words[place].lower == "and"):
        place += 1
    if place + 1 >= stop or words[place - 1].text in "([{'\"":
        return
    head = top(words, range(place, stop))
    if head < 0:
        return
    word = words[place]
    if word.lower in RELATIVES and word.rel == "nsubj":
        yield from _relative(words, start, place)
    elif words[head].rel == "conj":
        but = ("but",) if words[place].lower == "but" else ()
        for one in _joined(words, start, place + len(but), head, stop):
            yield replace(one, opener=(*but, *one.opener))
    elif words[head].rel in ("acl", "acl:relcl", "advcl") and words[head].pos == "VERB":
        yield from _participle(words, start, place, head, stop)
    elif words[head].rel == "appos" and words[head].pos in ("NOUN", "PROPN"):
        yield from _apposition(words, start, place, head)


def _relative(words: Words, start: int, place: int) -> Iterator[Beginning]:
    """*…, which was sold* → *It was sold*."""
    verb = words[place].head
    noun = words[verb].head
    if words[verb].rel == "acl:relcl" and 0 <= noun < start and finite(words, verb):
        for said, antecedent in _said_again(words, noun, by=words[place].lower):
            yield Beginning(place + 1 - start, (said,), antecedent)


def _joined(words: Words, start: int, place: int, head: int, stop: int) -> Iterator[Beginning]:
    """*… and sold it* → *He sold it*; *was born … and raised* → *She was raised*."""
    if has_subject(words, head, range(place, stop)):
        if finite(words, head):
            yield Beginning(place - start, ())
        return
    subject, governor = shared_subject(words, head), words[head].head
    if is_order(words) and words[head].lower == words[head].lemma.lower() and place == head:
        yield Beginning(place - start, ())
        return
    if not 0 <= subject < start or words[place].pos in ("CCONJ", "SCONJ"):
        return
    is_bare = words[head].pos == "VERB" and words[head].lower == words[head].lemma.lower()
    modal = tuple(one for one in _lent(words, governor, ("aux",)) if one in MODALS)
    if is_bare and modal:
        # *We will go home and swim*
        lent = modal
    elif finite(words, head, range(place, stop)):
        lent = ()
    elif words[head].pos == "VERB" and words[head].feature("VerbForm") == "Part":
        is_of_now = any(words[c].lower in ("is", "are") for c in words.children[governor])
        if words[head].lower.endswith("ed") and not _has_agent(words, head) and not is_of_now:
            # *was founded … and qualified*: a past or a participle, the network knows better.
            return
        lent = tuple(one for one in _lent(words, governor, ("aux",)) if one not in MODALS)
    elif _is_predicate(words, head, place):
        lent = _lent(words, governor, ("cop",))
    else:
        return
    if lent or finite(words, head, range(place, stop)):
        for said, antecedent in _said_again(words, subject):
            yield Beginning(place - start, (said, *lent), antecedent)


def _is_predicate(words: Words, head: int, place: int) -> bool:
    """Whether a noun or an adjective may be what a subject *is*, from the word `place` on; names need an article."""
    kinds = ("NOUN", "ADJ") if words[place].pos != "DET" else ("NOUN", "ADJ", "PROPN")
    return words[head].pos in kinds and place in words.subtree(head)


def _lent(words: Words, governor: int, relations: tuple[str, ...]) -> tuple[str, ...]:
    """The only auxiliary or copula of the verb that another is joined to: *be*, *have* or a modal verb."""
    found = [words[c].lower for c in words.children[governor] if words[c].rel in relations]
    return tuple(found) if len(found) == 1 and found[0] in _LENT else ()


def _has_agent(words: Words, participle: int) -> bool:
    return any(words[n].lower == "by" for c in words.children[participle] for n in words.children[c])


def _participle(words: Words, start: int, place: int, head: int, stop: int) -> Iterator[Beginning]:
    """*…, located in Rome* → *It is located in Rome*; *…, winning twice* → *She won twice*."""
    if has_subject(words, head, range(place, stop)) or finite(words, head, range(place, stop)):
        return
    if any(words[n].pos in ("SCONJ", "ADP") for n in range(place, head)) or head - place > 2:
        return
    main = main_clause(words, head)
    subject = clause_subject(words, main)
    noun = subject if words[head].rel == "advcl" else words[head].head
    if not 0 <= noun < start or main < 0:
        return
    past, ing = is_past(words, main), words[head].lower.endswith("ing")
    # Behind a comma it may be the subject of the clause that a participle tells of.
    nouns = [noun, subject] if words[place - 1].text == "," and 0 <= subject < noun else [noun]
    between = tuple(words[n].lower for n in range(place, head) if words[n].pos == "ADV")
    if ing and len(between) == head - place and head + 2 < stop:
        # *…, effectively ending the war* → *This effectively ended the war*
        if words[head].rel == "advcl" and words[head].lemma.lower() in RESULTS:
            yield Beginning(head + 1 - start, ("this", *between, PAST if past else PRESENT))
            return
        for one, said, antecedent in _any_said_again(words, nouns):
            present = BASE if _is_plural(words, one, said) else PRESENT
            yield Beginning(head + 1 - start, (said, *between, PAST if past else present), antecedent)
    elif not ing:
        past = past or happened(words, head)
        for one, said, antecedent in _any_said_again(words, nouns):
            yield Beginning(place - start, (said, copula(words, one, said, past=past)), antecedent)


def _apposition(words: Words, start: int, place: int, head: int) -> Iterator[Beginning]:
    """*…, a town in Italy* → *It is a town in Italy*."""
    noun, main = words[head].head, main_clause(words, head)
    # *…, perhaps a town in Italy*
    first = place + 1 if words[place].pos == "ADV" else place
    if not 0 <= noun < start or main < 0 or words[first].lower not in ("a", "an", "the") or words[first].head != head:
        return
    for said, antecedent in _said_again(words, noun):
        be = copula(words, noun, said, past=is_past(words, main))
        yield Beginning(place - start, (said, be), antecedent)


def _said_again(words: Words, noun: int, *, by: str = "") -> Iterator[tuple[str, int]]:
    """Openers that say a noun again, each with its antecedent: pronouns that may fit, and a phrase.

    `by` is the relative pronoun that stood for the noun, empty where none did. Of what *is* something, as in *The dog
    is an animal found in Rome*, the subject is said again.
    """
    subject = what_it_is_of(words, noun)
    yield from ((pronoun, -1) for pronoun in _pronouns(words, subject, noun, by))
    if words[noun].pos in ("NOUN", "PROPN") and phrase(words, noun, form := form_again(words, noun)) is not None:
        yield f"<{form}>", noun


def _any_said_again(words: Words, nouns: list[int]) -> Iterator[tuple[int, str, int]]:
    """Openers that say one of some nouns again: the noun, and what `_said_again` has for it."""
    return ((noun, *one) for noun in nouns for one in _said_again(words, noun))


def _pronouns(words: Words, subject: int, noun: int, by: str) -> tuple[str, ...]:
    sure = words[subject].lower if words[subject].lower in PERSONAL else pronoun_of(words, subject)
    if sure:
        return (sure,)
    if by == "which":
        return ("it",)
    person = by == "who" or is_person(words[subject].lower) or is_person(words[noun].lower)
    if person:
        return ("he", "she")
    return ("it", "he", "she")


def _is_plural(words: Words, noun: int, said: str) -> bool:
    """Whether a subject takes plural verbs."""
    if said in ("he", "she", "it", "this"):
        return False
    return said == "they" or pronoun_of(words, what_it_is_of(words, noun)) == "they"


def copula(words: Words, noun: int, said: str, *, past: bool) -> str:
    """The form of *be* for a subject."""
    plural = _is_plural(words, noun, said)
    return ("were" if plural else "was") if past else ("are" if plural else "is")
