"""Splits that grammar offers beside the network's own.

The network knows how writers split sentences; this module knows what a part that is cut off needs to stand alone: what
goes, whose subject it gets, which verb it lacks (*, located in Rome* → *It is located in Rome*). It also cuts where an
opener keeps the sense of a conjunction (*because*, *although*, *some of whom*), and at an aside about the
subject: *The bridge, which is old, was closed* → *The bridge is old. It was closed*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rerank.english import forms
from rerank.wordlists import denials
from rewrite.splitting.clause_heads import (
    clause_subject,
    finite,
    has_subject,
    is_past,
    main_clause,
    shared_subject,
    top,
)
from rewrite.splitting.openers import BASE, NOUNS, PAST, PRESENT, form_again, phrase
from rewrite.splitting.parsed_words import BE, MODALS, PERSONAL, Words, is_quantified
from rewrite.splitting.pronouns import RESULTS, THIRD, happened, is_person, pronoun_of
from rewrite.splitting.split import Split

# *'s* may be *is* as well as *has*, so it is not lent.
_LENT = (BE - {"'s"}) | MODALS | {"has", "have", "had"}
_BEHIND: dict[str, tuple[str, ...]] = dict.fromkeys(("although", "though", "whereas"), ("however", ","))
_IN_FRONT: dict[str, tuple[str, ...]] = _BEHIND | {"while": ("however", ","), "because": ("so",), "since": ("so",)}
_DENIALS = denials("en", "particle") | {"never"}
_SHARES = frozenset("one some many most several few all both each half majority minority none much any".split())
_LONGEST_SHARE = 4
_ASIDES = ("acl:relcl", "acl", "appos")
_SHORTEST_ASIDE = 2


def beginnings(words: Words, start: int, stop: int) -> Iterator[Split]:
    """Ways to make a sentence of the words `start:stop`, without a probability; none where the grammar knows none."""
    place = start
    while place < stop and (words[place].is_mark or words[place].lower == "and"):
        place += 1
    if place + 1 >= stop or words[place - 1].text in "([{'\"":
        return
    head = top(words, range(place, stop))
    if head < 0:
        return
    if words[head].rel == "conj":
        but = ("but",) if words[place].lower == "but" else ()
        for split in _joined(words, start, place + len(but), head, stop):
            yield replace(split, opener=(*but, *split.opener))
    elif words[head].rel in ("acl", "acl:relcl", "advcl") and words[head].pos == "VERB":
        yield from _participle(words, start, place, head, stop)


def _joined(words: Words, start: int, place: int, head: int, stop: int) -> Iterator[Split]:
    """*… and sold it* → *He sold it*; *was born … and raised* → *She was raised*."""
    if has_subject(words, head, range(place, stop)):
        if finite(words, head):
            yield Split(start, stop, place - start, ())
        return
    subject, governor = shared_subject(words, head), words[head].head
    if not 0 <= subject < start or words[place].pos in ("CCONJ", "SCONJ"):
        return
    is_bare = words[head].pos == "VERB" and words[head].lower == words[head].lemma.lower()
    modal = tuple(word for word in _lent(words, governor, ("aux",)) if word in MODALS)
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
        lent = tuple(word for word in _lent(words, governor, ("aux",)) if word not in MODALS)
    elif _is_predicate(words, head, place):
        lent = _lent(words, governor, ("cop",))
    else:
        return
    if lent or finite(words, head, range(place, stop)):
        for said, antecedent in _said_again(words, subject):
            yield Split(start, stop, place - start, (said, *lent), antecedent)


def _is_predicate(words: Words, head: int, place: int) -> bool:
    """Whether a noun or an adjective may be what a subject *is*, from the word `place` on; names need an article."""
    kinds = ("NOUN", "ADJ") if words[place].pos != "DET" else ("NOUN", "ADJ", "PROPN")
    return words[head].pos in kinds and place in words.subtree(head)


def _lent(words: Words, governor: int, relations: tuple[str, ...]) -> tuple[str, ...]:
    """The only auxiliary or copula of the verb that another is joined to: *be*, *have* or a modal verb."""
    auxiliaries = [words[c].lower for c in words.children[governor] if words[c].rel in relations]
    return tuple(auxiliaries) if len(auxiliaries) == 1 and auxiliaries[0] in _LENT else ()


def _has_agent(words: Words, participle: int) -> bool:
    return any(words[n].lower == "by" for c in words.children[participle] for n in words.children[c])


def _participle(words: Words, start: int, place: int, head: int, stop: int) -> Iterator[Split]:
    """*…, located in Rome* → *It is located in Rome*; *…, winning twice* → *She won twice*."""
    if has_subject(words, head, range(place, stop)) or finite(words, head, range(place, stop)):
        return
    if any(words[n].pos in ("SCONJ", "ADP") for n in range(place, head)) or head - place > 2:
        return
    main = main_clause(words, head)
    subject = clause_subject(words, main)
    described = subject if words[head].rel == "advcl" else words[head].head
    if not 0 <= described < start or main < 0:
        return
    past, ing = is_past(words, main), words[head].lower.endswith("ing")
    # Behind a comma it may be the subject of the clause that a participle tells of.
    nouns = [described, subject] if words[place - 1].text == "," and 0 <= subject < described else [described]
    between = tuple(words[n].lower for n in range(place, head) if words[n].pos == "ADV")
    if ing and len(between) == head - place and head + 2 < stop:
        # *…, effectively ending the war* → *This effectively ended the war*
        if words[head].rel == "advcl" and words[head].lemma.lower() in RESULTS:
            yield Split(start, stop, head + 1 - start, ("this", *between, PAST if past else PRESENT))
            return
        for noun, said, antecedent in _any_said_again(words, nouns):
            present = BASE if _is_plural(words, noun, said) else PRESENT
            yield Split(start, stop, head + 1 - start, (said, *between, PAST if past else present), antecedent)
    elif not ing:
        past = past or happened(words, head)
        for noun, said, antecedent in _any_said_again(words, nouns):
            yield Split(start, stop, place - start, (said, copula(words, noun, said, past=past)), antecedent)


def _said_again(words: Words, noun: int) -> Iterator[tuple[str, int]]:
    """Openers that say a noun again, each with its antecedent: pronouns that may fit, and a phrase."""
    yield from ((pronoun, -1) for pronoun in _pronouns(words, noun))
    if words[noun].pos in NOUNS and phrase(words, noun, form := form_again(words, noun)) is not None:
        yield f"<{form}>", noun


def _any_said_again(words: Words, nouns: list[int]) -> Iterator[tuple[int, str, int]]:
    """Openers that say one of some nouns again: the noun, and what `_said_again` has for it."""
    return ((noun, said, antecedent) for noun in nouns for said, antecedent in _said_again(words, noun))


def _pronouns(words: Words, noun: int) -> tuple[str, ...]:
    sure = words[noun].lower if words[noun].lower in PERSONAL else pronoun_of(words, noun)
    if sure:
        return (sure,)
    return ("he", "she") if is_person(words[noun].lower) else ("it", "he", "she")


def _is_plural(words: Words, noun: int, said: str) -> bool:
    """Whether a subject takes plural verbs."""
    if said in ("he", "she", "it", "this"):
        return False
    return said == "they" or pronoun_of(words, noun) == "they"


def copula(words: Words, noun: int, said: str, *, past: bool) -> str:
    """The form of *be* for a subject."""
    plural = _is_plural(words, noun, said)
    return ("were" if plural else "was") if past else ("are" if plural else "is")


def connected(words: Words) -> list[Split]:
    """Splits at conjunctions whose sense an opener keeps, each of what is behind a place, without a probability."""
    return [*_behind(words), *_in_front(words), *_of_which(words)]


def _behind(words: Words) -> Iterator[Split]:
    """*He left because it rained.* → *He left. This was because it rained.*"""
    for number, word in enumerate(words.tokens[: words.end]):
        if number < 3 or word.rel != "mark" or not _clause(words, word.head) or word.head < number:
            continue
        if words.subtree(word.head)[-1] < words.end - 1:
            continue
        start = number - 1 if words[number - 1].text == "," else number
        main = main_clause(words, word.head)
        if not _is_said_outright(words, main):
            continue
        if word.lower == "because":
            if words[number - 1].lower in ("just", "only", "not", "partly", "mainly") or _is_denied(words, main):
                continue
            yield Split(start, words.end, number + 1 - start, ("this", _be(words, word.head), "because"))
        elif word.lower in _BEHIND and words[number - 1].lower not in ("even", "as"):
            yield Split(start, words.end, number + 1 - start, _BEHIND[word.lower])


def _in_front(words: Words) -> Iterator[Split]:
    """*Although it rained, he went.* → *It rained. However, he went.*"""
    first = words[0]
    if first.lower not in _IN_FRONT or first.rel != "mark" or not _clause(words, first.head):
        return
    last = words.subtree(first.head)[-1]
    comma = next((n for n in range(last, min(last + 2, words.end)) if words[n].text == ","), -1)
    main = words[first.head].head
    if comma < 3 or main <= comma or not _clause(words, main):
        return
    if first.lower == "while" and not _contrasts(words, first.head, main):
        return
    perfect = any(words[c].lower in ("has", "have", "had") and words[c].rel == "aux" for c in words.children[main])
    if first.lower == "since" and (perfect or any(words[n].pos == "NUM" for n in range(comma))):
        # It tells since when.
        return
    subject = next((c for c in words.children[first.head] if words[c].rel == "nsubj"), -1)
    main_subject = next((c for c in words.children[main] if words[c].rel == "nsubj"), -1)
    if subject >= 0 and words[subject].lower in THIRD and words[main_subject].lower not in THIRD:
        # The pronoun would stand before what it means.
        return
    yield Split(comma, words.end, 1, _IN_FRONT[first.lower], lead=1)


def _of_which(words: Words) -> Iterator[Split]:
    """*He had three sons, two of whom died.* → *He had three sons. Two of them died.*"""
    for number in range(4, words.end - 1):
        if words[number].lower not in ("which", "whom") or words[number - 1].lower != "of":
            continue
        comma = next(
            (n for n in range(number - 2, max(number - 3 - _LONGEST_SHARE, 1), -1) if words[n].text == ","), -1
        )
        part = [words[n].lower for n in range(comma + 1, number)]
        # *…, the roof of which fell*: one thing has one roof.
        if comma < 0 or not part or not _counts(words, number - 2):
            continue
        verb = words[number + 1]
        if verb.pos not in ("VERB", "AUX", "ADV") or (verb.lower in ("is", "was", "has") and "one" not in part):
            # *…, all of which he sold*, *the wine, some of which was sold*
            continue
        yield Split(comma, words.end, number + 1 - comma, (*part, "them"))


def _counts(words: Words, number: int) -> bool:
    """Whether a word before *of* says how many or how much of several."""
    word = words[number]
    return word.pos in ("NUM", "DET") or word.lower in _SHARES


def _clause(words: Words, head: int) -> bool:
    return head >= 0 and finite(words, head) and has_subject(words, head, range(len(words)))


def _is_said_outright(words: Words, main: int) -> bool:
    """Whether a clause is no part of what somebody says, of a condition and the like."""
    while main >= 0 and words[main].rel in ("conj", "parataxis"):
        main = words[main].head
    return main >= 0 and words[main].rel == "root"


def _is_denied(words: Words, main: int) -> bool:
    """*He did not leave because it rained*: he may have left for another reason."""
    return any(words[c].lower in _DENIALS for c in words.children[main])


def _be(words: Words, clause: int) -> str:
    """*is* or *was*, as the verb of the main clause is in the present or in the past."""
    main = main_clause(words, clause)
    return "was" if main >= 0 and is_past(words, main) else "is"


def _contrasts(words: Words, clause: int, main: int) -> bool:
    """Whether *while* sets two clauses against each other: in the past, or of one subject, it tells when."""
    subjects = [
        {words[n].lower for c in words.children[head] if words[c].rel == "nsubj" for n in words.subtree(c)}
        for head in (clause, main)
    ]
    lasts = any(words[n].lower.endswith("ing") for n in (clause, main))
    return subjects[0] != subjects[1] and not lasts and not any(is_past(words, head) for head in (clause, main))


def asides(words: Words) -> Iterator[Split]:
    """Splits at asides about the subject, each of what is behind a place, without a probability."""
    for number in range(words.end):
        main = words[number].head
        if words[number].rel != "nsubj" or main < number or words[main].rel != "root" or not finite(words, main):
            continue
        for head in words.children[number]:
            if head > number and words[head].rel in _ASIDES and not is_quantified(words, number):
                yield from _aside(words, number, head, main)


def _aside(words: Words, noun: int, head: int, main: int) -> Iterator[Split]:
    aside = words.subtree(head)
    first = next((n for n in aside if not words[n].is_mark), aside[0])
    last = next((n for n in reversed(aside) if not words[n].is_mark), aside[-1])
    close = last + 1
    if words[first - 1].text != "," or close >= words.end or words[close].text != "," or not close < main:
        return
    if aside[-1] - aside[0] >= len(aside) or last - first < _SHORTEST_ASIDE or not _reaches(words, noun, first):
        return
    replacement = _verb_of_aside(words, noun, head, first, main)
    if replacement is None:
        return
    put, gone = replacement
    opener, antecedent = _subject_again(words, noun, first)
    yield Split(close, words.end, 1, (opener,), antecedent, gone=gone, put=put)


def _reaches(words: Words, noun: int, first: int) -> bool:
    """Whether nothing but the noun's own phrase, without a clause, stands between the noun and its aside."""
    inside = set(words.subtree(noun))
    return all(n in inside and words[n].pos != "VERB" for n in range(noun, first))


def _verb_of_aside(words: Words, noun: int, head: int, first: int, main: int) -> tuple[str, tuple[int, ...]] | None:
    """The verb that the aside lacks and the words that go for it; `None` where no sentence comes of it."""
    comma = first - 1
    word, relation = words[first], words[head].rel
    if relation == "acl:relcl":
        is_subject = word.lower in ("who", "which") and word.rel == "nsubj" and word.head == head
        return ("", (comma, first)) if is_subject else None
    if relation == "appos":
        is_noun = words[head].pos == "NOUN" and word.lower in ("a", "an", "the") and word.head == head
        return (copula(words, noun, "", past=is_past(words, main)), (comma,)) if is_noun else None
    if words[head].pos != "VERB" or head - first > 1 or words[first].pos not in ("VERB", "ADV"):
        return None
    if not words[head].lower.endswith("ing"):
        is_done = words[head].feature("VerbForm") == "Part"
        before = is_past(words, main) or happened(words, head)
        return (copula(words, noun, "", past=before), (comma,)) if is_done else None
    if head != first or copula(words, noun, "", past=False) == "are":
        return None
    lemma = forms.base(words[head].lower, words[head].lemma.lower())
    return (forms.past(lemma) if is_past(words, main) else forms.third_person(lemma)), (comma, head)


def _subject_again(words: Words, noun: int, first: int) -> tuple[str, int]:
    """The subject said again, with its antecedent: its pronoun where that is known, or its phrase."""
    pronoun = pronoun_of(words, noun) or ("it" if words[first].lower == "which" else "")
    return (pronoun, -1) if pronoun else (f"<{form_again(words, noun)}>", noun)
