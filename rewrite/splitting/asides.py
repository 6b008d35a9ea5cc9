"""Splits at an aside about the subject: *The bridge, which is old, was closed* → *The bridge is old. It was …*"""

from __future__ import annotations

from collections.abc import Iterator

from rerank.english.forms import base, past, third_person
from rewrite.splitting.clauses import finite, is_past
from rewrite.splitting.grammar import copula
from rewrite.splitting.kinds import happened
from rewrite.splitting.phrases import form_again
from rewrite.splitting.pronouns import pronoun_of
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words, is_quantified

__all__ = ["asides"]

_ASIDES = ("acl:relcl", "acl", "appos")
_FEWEST = 2


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
