"""Rules of the place where a sentence is cut: what stands before it and behind it must not hang on the other part."""

from __future__ import annotations

import re

from rewrite.splitting.clauses import finite, hangs_before, has_subject, head_of, is_joined_infinitive, top, tops
from rewrite.splitting.shared import ENCLITICS, NOMINATIVES, RELATIVES, brings_verb, opens_with_subject
from rewrite.splitting.split import Split
from rewrite.splitting.words import OPENING, Words

__all__ = [
    "begins_amiss",
    "borrows",
    "breaks_list",
    "carries_off",
    "cuts_name",
    "hangs_relative",
    "parted",
    "strands",
    "tears",
    "unlinked",
]

_NEVER_FIRST = frozenset("that who whom whose which than of to by as because although though unless until if".split())
_BEHIND_PREPOSITIONS = frozenset({"which", "whom", "whose", "where"})
_LINKS = frozenset({"who", "whom", "which", "when", "where"})
_OF_MAIN_CLAUSE = frozenset({"obl", "obj", "xcomp", "ccomp", "advmod"})
_DASHES = frozenset({"-", "–", "--", "—"})
_NUMERAL = re.compile(r"[IVX]+\.?|[A-Z]\.")
_YEAR = re.compile(r"\d{4}\b.*")
_MONTHS = frozenset("january february march april may june july august september october november december".split())
_FIRST_WORDS = 6
"""How far into a sentence *one of whom* may stand."""
_BEFORE_NOUNS = frozenset({"compound", "amod", "nummod", "det"})


def strands(words: Words, split: Split) -> bool:
    """A conjunction, *who* or *had* is parted from its clause: *It is old, but in the end. The house fell.*"""
    if split.lead or split.gone:
        return False
    told = {*split.second} | ({split.verb} if split.dropped else set())
    # What stands in brackets was left with them, whatever it was parsed as.
    near = (n for n in range(1, split.start) if not words[n].is_mark and not words.in_brackets(n))
    away = [words[n] for n in near if words[n].head in told]
    if any(one.rel in ("cc", "mark", "aux") or one.lower in _LINKS for one in away):
        return True
    # *They had not | studied*
    return any(words[n].rel == "aux" and words[n].head < split.start for n in split.second if words[n].head >= 0)


def parted(words: Words, split: Split) -> bool:
    """A clause leaves its own subject or auxiliary: *why failure to learn could be fatal* → *They could be fatal.*"""
    inside = split.second
    head = top(words, inside)
    if head < 0 or split.gone:
        return False
    if words[head].rel == "conj" and _joins_participle(words, head) and not has_subject(words, head, inside):
        return True
    return any(_leaves_subject(words, split, n) for n in inside if n != head or words[n].rel != "parataxis")


def _leaves_subject(words: Words, split: Split, verb: int) -> bool:
    """Whether the subject, auxiliary or copula of a verb stands in the first sentence; of a relative none does."""
    own = [c for c in words.children[verb] if words[c].rel in ("nsubj", "aux", "cop") and c < split.start]
    return any(words[c].lower not in RELATIVES for c in own) and not has_subject(words, verb, split.second)


def cuts_name(words: Words, split: Split) -> bool:
    """The cut is in a range of numbers, a date or a name: *1271 – | 72*, *May | 1914*, *World War | I.*."""
    place = split.start
    if _NUMERAL.fullmatch(words[place].text) and words[place - 1].pos == "PROPN":
        return True
    if words.lower_at(place - 1) in _MONTHS and _YEAR.fullmatch(words[place].text):
        return True
    near = [words.lower_at(n) for n in range(place - 2, split.kept + 1)]
    return any(
        mark in _DASHES and _is_number(a) and _is_number(b)
        for a, mark, b in zip(near, near[1:], near[2:], strict=False)
    )


def _is_number(text: str) -> bool:
    return text[:1].isdigit()


def borrows(words: Words, split: Split) -> bool:
    """The second sentence begins with words of the first: *the north deck and viaduct, and it rose* → *Viaduct …*."""
    if split.opener or split.gone or split.lead:
        return False
    inside, head = split.second, top(words, split.second)
    begins = split.begins(words)
    if _joins_behind(words, split, head, begins):
        return True
    if is_joined_infinitive(words, begins):
        # *The goal was to take Rome and hold Paris* → *Hold Paris.*
        return True
    if head < 0 or not has_subject(words, head, inside):
        # The first words may be its subject, taken for something else.
        return False
    place = next((n for n in range(begins, split.stop) if words[n].pos != "ADV"), begins)
    # *he* begins a clause, however it was parsed.
    may_begin = words[place].pos in ("CCONJ", "ADV", "SCONJ", "ADP") or words[place].lower in NOMINATIVES
    return not may_begin and hangs_before(words, split, place)


def _joins_behind(words: Words, split: Split, head: int, begins: int) -> bool:
    """Whether the clause of the second sentence begins behind its conjunction: *He left | on Monday and she stayed*."""
    inside = [c for c in (words.children[head] if head >= 0 else ()) if c in split.second]
    subject = min((c for c in inside if words[c].rel == "nsubj"), default=-1)
    return any(words[c].rel == "cc" and begins < c < subject for c in inside)


def breaks_list(words: Words, split: Split) -> bool:
    """The first sentence has what is joined without a conjunction: *He came, saw it and left* → *He came, saw it.*"""
    head = head_of(words, split)
    if head < 0 or words[head].rel not in ("conj", "parataxis") or words[head].head >= split.start:
        return False
    if has_subject(words, head, split.second):
        return False
    governor = words[head].head
    joined = [
        c for c in words.children[governor] if words[c].rel in ("conj", "parataxis") and governor < c < split.start
    ]
    return bool(joined) and not any(words[c].rel == "cc" for one in joined for c in words.children[one])


def carries_off(words: Words, split: Split) -> bool:
    """What the first sentence tells goes with a clause about a noun: *Kim met Robin, who was ill, at the station*."""
    head = top(words, split.second)
    about = [n for n in range(split.start, split.kept) if words[n].lower in RELATIVES]
    if head < 0 or not about or split.stop < words.end:
        return False
    if any(n > head and words[n].rel in _OF_MAIN_CLAUSE for n in tops(words, split.second)):
        return True
    commas = [n for n in split.second if words[n].text == ","]
    # However it was parsed: a phrase behind the only comma is not of the clause before it.
    return len(commas) == 1 and _is_phrase(words, commas[0] + 1, split.stop)


def _is_phrase(words: Words, start: int, stop: int) -> bool:
    """Whether the words from `start` are a preposition and what belongs to it, without a clause."""
    if start >= stop or words[start].pos != "ADP":
        return False
    return not any(words[n].pos in ("VERB", "AUX", "SCONJ", "CCONJ") for n in range(start, stop))


def unlinked(words: Words, split: Split) -> bool:
    """A clause about a noun, with no word that says so, stands alone: *the book he wrote* → *the book. He wrote.*"""
    head = top(words, split.second)
    says_subject = opens_with_subject(split) and "there" not in split.opener
    if head < 0 or split.dropped or says_subject or words[split.start - 1].is_mark:
        return False
    return words[head].rel in ("acl", "acl:relcl") and has_subject(words, head, split.second)


def _joins_participle(words: Words, verb: int) -> bool:
    """Whether a verb was taken for one joined to a participle, without a conjunction: *the man, wearing red, fled*."""
    bare = not any(words[c].rel == "cc" for c in words.children[verb])
    return bare and words[words[verb].head].lower.endswith("ing") and finite(words, verb)


def tears(words: Words, split: Split) -> bool:
    """A noun is cut from what belongs to it: *video | games*, *1970 | 's*."""
    last, place = split.start - 1, split.begins(words)
    if words[last].rel in _BEFORE_NOUNS and words[last].head >= split.start and not split.gone:
        return True
    return not split.dropped and words[place].rel == "flat" and words[place].head < split.start


def begins_amiss(words: Words, split: Split) -> bool:
    """The second sentence begins as none does: with *'s*, a participle of the first, a bracket, a word said twice."""
    place = split.begins(words)
    if words[place].lower in ENCLITICS:
        # *it's old* → *The house's old*
        return True
    if split.opener:
        return words[split.kept].text in OPENING or words[place].lower == split.opener[-1]
    if words[place].lower in _NEVER_FIRST or (words[place].pos == "CCONJ" and words[place].lower != "but"):
        return True
    if words[place].rel == "compound" and words[place].pos in ("ADP", "ADV") and words[place].head < split.start:
        # *by setting | up a house*
        return True
    if words[place].lower == "so" and place + 1 < split.stop and words[place + 1].lower == "that":
        return True
    head = top(words, split.second)
    if head < 0 or words[head].pos != "VERB" or words[head].rel not in ("acl", "advcl") or brings_verb(split):
        return False
    is_marked = any(words[c].rel == "mark" for c in words.children[head])
    return not (is_marked or finite(words, head, split.second) or has_subject(words, head, split.second))


def hangs_relative(words: Words, split: Split) -> bool:
    """*during which*, *one of whom* or *from where* is about a word of the first sentence."""
    for number in split.second[:_FIRST_WORDS]:
        if words[number].lower not in _BEHIND_PREPOSITIONS or number == split.kept or words[number - 1].pos != "ADP":
            continue
        while number in split.second and words[number].rel != "acl:relcl":
            number = words[number].head
        if number not in split.second or words[number].head not in split.second:
            return True
    return False
