"""Splits that need no network to see how they begin.

At a joint whose sense an opener keeps (*because*, *although*, *some of whom*), and at an aside about the subject: *The
bridge, which is old, was closed* → *The bridge is old. It was closed*.
"""

from __future__ import annotations

from collections.abc import Iterator

from rerank.english.forms import base, past, third_person
from rerank.wordlists import denials
from rewrite.splitting.clauses import finite, has_subject, is_past, main_clause
from rewrite.splitting.grammar import copula
from rewrite.splitting.openers import form_again
from rewrite.splitting.pronouns import THIRD, happened, pronoun_of
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words, is_quantified

_BEHIND: dict[str, tuple[str, ...]] = dict.fromkeys(("although", "though", "whereas"), ("however", ","))
_IN_FRONT: dict[str, tuple[str, ...]] = _BEHIND | {"while": ("however", ","), "because": ("so",), "since": ("so",)}
_DENIALS = denials("en", "particle") | {"never"}
_SHARES = frozenset("one some many most several few all both each half majority minority none much any".split())
_LONGEST_PART = 4
_ASIDES = ("acl:relcl", "acl", "appos")
_FEWEST = 2


def connected(words: Words) -> list[Split]:
    """All such splits of a sentence, each of what is behind a place, without a probability."""
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
    own = next((c for c in words.children[main] if words[c].rel == "nsubj"), -1)
    if subject >= 0 and words[subject].lower in THIRD and words[own].lower not in THIRD:
        # The pronoun would stand before what it means.
        return
    yield Split(comma, words.end, 1, _IN_FRONT[first.lower], lead=1)


def _of_which(words: Words) -> Iterator[Split]:
    """*He had three sons, two of whom died.* → *He had three sons. Two of them died.*"""
    for number in range(4, words.end - 1):
        if words[number].lower not in ("which", "whom") or words[number - 1].lower != "of":
            continue
        comma = next((n for n in range(number - 2, max(number - 3 - _LONGEST_PART, 1), -1) if words[n].text == ","), -1)
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
    """All such splits of a sentence, each of what is behind a place, without a probability."""
    for number in range(words.end):
        main = words[number].head
        if words[number].rel != "nsubj" or main < number or words[main].rel != "root" or not finite(words, main):
            continue
        for head in words.children[number]:
            if head > number and words[head].rel in _ASIDES and not is_quantified(words, number):
                yield from _aside(words, number, head, main)


def _aside(words: Words, noun: int, head: int, main: int) -> Iterator[Split]:
    own = words.subtree(head)
    first = next((n for n in own if not words[n].is_mark), own[0])
    last = next((n for n in reversed(own) if not words[n].is_mark), own[-1])
    close = last + 1
    if words[first - 1].text != "," or close >= words.end or words[close].text != "," or not close < main:
        return
    if own[-1] - own[0] >= len(own) or last - first < _FEWEST or not _reaches(words, noun, first):
        return
    told = _told(words, noun, head, first, main)
    if told is None:
        return
    put, gone = told
    opener, antecedent = _said(words, noun, first)
    yield Split(close, words.end, 1, (opener,), antecedent, gone=gone, put=put)


def _reaches(words: Words, noun: int, first: int) -> bool:
    """Whether nothing but the noun's own phrase, without a clause, stands between the noun and its aside."""
    inside = set(words.subtree(noun))
    return all(n in inside and words[n].pos != "VERB" for n in range(noun, first))


def _told(words: Words, noun: int, head: int, first: int, main: int) -> tuple[str, tuple[int, ...]] | None:
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
    lemma = base(words[head].lower, words[head].lemma.lower())
    return (past(lemma) if is_past(words, main) else third_person(lemma)), (comma, head)


def _said(words: Words, noun: int, first: int) -> tuple[str, int]:
    """The subject said again, with its antecedent: its pronoun where that is known, or its phrase."""
    pronoun = pronoun_of(words, noun) or ("it" if words[first].lower == "which" else "")
    return (pronoun, -1) if pronoun else (f"<{form_again(words, noun)}>", noun)
