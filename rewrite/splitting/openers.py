"""How a sentence that was cut off begins: openers from a closed list, with slots for what is said again.

What is said again as the subject of the new sentence is a noun phrase of the source, or a verb in another form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rerank.english.forms import base, past, third_person
from rewrite.splitting.parsed_words import CLOSING, OPENING, Words

FORMS = ("full", "definite", "short", "last")
"""How a phrase may be repeated: as it stands; with *the* for *a*; *the* and its noun alone; the last part of a name."""
NOUNS = frozenset({"NOUN", "PROPN"})
"""Parts of speech whose phrases may be said again."""

# What hangs on a noun and would be said twice, or makes clauses of the phrase.
_LEFT_OUT = frozenset(
    """
    acl acl:relcl advcl appos parataxis conj cc case cop punct nsubj mark advmod aux expl dep orphan csubj ccomp xcomp
    obl obj
    """.split()
)
_QUOTES = frozenset({'"', "''"})
_FROM = frozenset({"from", "in", "at", "on", "by", "with", "near"})
_MANY = frozenset({"many", "several", "few", "most", "more", "other", "such", "own", "various", "numerous"})
_POSSESSIVE = frozenset({"his", "her", "its", "their", "my", "our", "your"})
BASE, PAST, PRESENT = "<base>", "<past>", "<present>"
VERB_SLOTS = frozenset({BASE, PAST, PRESENT})
PHRASE_SLOTS = tuple(f"<{form}>" for form in FORMS)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: its noun, the words of it that stand in the source, and whether its article becomes *the*."""

    head: int
    numbers: tuple[int, ...]
    the: bool


def phrases(words: Words) -> list[int]:
    """Numbers of the nouns whose phrases may be repeated."""
    return [
        number
        for number, word in enumerate(words.tokens)
        if word.pos in NOUNS and word.rel not in ("compound", "flat", "nummod")
    ]


def phrase(words: Words, head: int, form: str) -> Phrase | None:
    """The phrase of a noun in one of `FORMS`; `None` where it has no such form."""
    numbers = _own(words, head)
    if numbers[0] and words[numbers[0] - 1].text in ("-", "–"):
        # *law* of *father - in - law*
        return None
    first = words[numbers[0]].lower
    if form == "full":
        return Phrase(head, numbers, the=False)
    if form == "definite":
        if first in ("a", "an"):
            return Phrase(head, numbers[1:], the=True) if len(numbers) > 1 else None
        return Phrase(head, numbers, the=True) if _is_bare_plural(words, head, numbers) else None
    if form == "short":
        return _short(words, head, numbers)
    if words[head].pos != "PROPN":
        return None
    # People's names are flat; of *New Hampshire* or *Astronaut Office* the last part names something else.
    parts = [n for n in numbers if n > head and _is_flat(words, n, head)]
    return Phrase(head, (parts[-1],), the=False) if parts and _is_surname(words[parts[-1]].text) else None


def form_again(words: Words, head: int) -> str:
    """The form that a subject said again has: of nouns a shorter one than `full` where there is one."""
    forms = ("definite", "short") if words[head].pos == "NOUN" else ()
    return next((form for form in forms if phrase(words, head, form) is not None), "full")


def _is_flat(words: Words, number: int, head: int) -> bool:
    while words[number].rel == "flat" and number != head:
        number = words[number].head
    return number == head


def _is_surname(text: str) -> bool:
    # Not *II*, *Jr.* or *F.*.
    return re.fullmatch(r"(?![IVXL]+$)[^\W\d_][\w'’-]{2,}", text) is not None


def _is_bare_plural(words: Words, head: int, numbers: tuple[int, ...]) -> bool:
    """Whether nothing says which things of several are meant: *old donations*; not *her donations*, *two donations*."""
    if words[head].pos != "NOUN" or words[head].feature("Number") != "Plur":
        return False
    return all(words[n].pos in ("ADJ", "NOUN", "PROPN") and words[n].lower not in _MANY for n in numbers)


def _short(words: Words, head: int, numbers: tuple[int, ...]) -> Phrase | None:
    """*the* and the noun, with what makes one name or term with it, of a longer phrase."""
    if words[head].pos != "NOUN":
        return None
    first = words[numbers[0]].lower
    if first in _POSSESSIVE:
        return None
    kept = tuple(
        n
        for n in numbers
        # Not *length* of *full - length albums*.
        if n == head or (words[n].rel == "compound" and words[n].head == head and words.word(n - 1) != "-")
    )
    if kept != tuple(range(kept[0], kept[-1] + 1)):
        kept = (head,)
    return None if len(kept) >= len(numbers) and first != "the" else Phrase(head, kept, the=True)


def _own(words: Words, head: int) -> tuple[int, ...]:
    """The words of a noun's phrase that stand together with it, without clauses and asides."""
    wanted = {head}
    for child in _kept_children(words, head):
        wanted.update(_inner(words, child))
    start = stop = head
    while start - 1 in wanted:
        start -= 1
    while stop + 1 in wanted:
        stop += 1
    while stop > head and words[stop].is_mark and words[stop].text not in CLOSING:
        stop -= 1
    numbers = tuple(range(start, stop + 1))
    if sum(words[n].text in OPENING for n in numbers) != sum(words[n].text in CLOSING for n in numbers):
        return (head,)
    if sum(words[n].text in _QUOTES for n in numbers) % 2:
        return tuple(n for n in numbers if n == head or words[n].text not in _QUOTES)
    return numbers


def _kept_children(words: Words, head: int) -> Iterator[int]:
    for child in words.children[head]:
        rel = words[child].rel
        if words[head].pos == "PROPN" and rel == "nmod" and _is_of_place(words, child):
            # *Vito Corleone from Rome*
            continue
        if rel not in _LEFT_OUT or (rel == "punct" and words[child].text in "-–'''\"."):
            yield child


def _is_of_place(words: Words, number: int) -> bool:
    return any(words[c].rel == "case" and words[c].lower in _FROM for c in words.children[number])


def _inner(words: Words, number: int) -> list[int]:
    """What hangs on a kept word, without clauses; prepositions stay, for they are its own."""
    numbers = [number]
    for child in words.children[number]:
        if words[child].rel in ("case", "conj", "cc") or child in _kept_children(words, number):
            numbers += _inner(words, child)
    return numbers


def phrase_slot(opener: Sequence[str]) -> str:
    """The form of the phrase that an opener says again, empty where it says none."""
    return next((part[1:-1] for part in opener if part in PHRASE_SLOTS), "")


def opening(words: Words, opener: Sequence[str], antecedent: int, verb: int) -> tuple[str, ...] | None:
    """The words of an opener, its slots filled from the source; `None` where the source has nothing that fits."""
    texts: list[str] = []
    for part in opener:
        if part in PHRASE_SLOTS:
            again = phrase(words, antecedent, part[1:-1]) if antecedent >= 0 else None
            if again is None:
                return None
            first = again.numbers[0]
            keeps_case = words[first].pos == "PROPN" or _keeps_case(words, first)
            text = words.join(again.numbers)
            text = text if keeps_case else text[:1].lower() + text[1:]
            texts += ["the", text] if again.the else [text]
        elif part in VERB_SLOTS:
            if verb < 0 or words[verb].pos != "VERB":
                return None
            lemma = base(words[verb].lower, words[verb].lemma.lower())
            form = lemma if part == BASE else past(lemma) if part == PAST else third_person(lemma)
            if form == words[verb].lower:
                # Nothing changes: the verb need not be dropped, and rules would look for it behind the opener.
                return None
            texts.append(form)
        else:
            texts.append("I" if part == "i" else part)
    return tuple(texts)


def _keeps_case(words: Words, number: int) -> bool:
    """Whether a word has its capital for itself and not for standing at the beginning of the sentence: also *VCJ*."""
    text = words[number].text
    return text[:1].isupper() and (number > 0 or text[1:2].isupper())
