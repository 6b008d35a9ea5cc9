"""Rules of the place where a sentence is cut: what stands before it and behind it must not hang on the other part."""

from __future__ import annotations

import re

from rewrite.splitting.clauses import finite, hangs_before, has_subject, head_of, is_joined_infinitive, top, tops
from rewrite.splitting.shared import BE, QUOTES, RELATIVES, brings_verb, opens_with_subject
from rewrite.splitting.split import Split
from rewrite.splitting.words import CLOSING, OPENING, Word, Words

__all__ = [
    "begins_amiss",
    "borrows",
    "breaks_list",
    "carries_off",
    "cuts_name",
    "dangles",
    "hangs_relative",
    "open_end",
    "parted",
    "strands",
    "tears",
    "unlinked",
]

_UNFINISHED = frozenset(
    """
    because when if that the a an of to and or but nor as than while although though unless until since whether who
    which whose where my our your their its such so very not no how is was are were be been has have had
    """.split()
)
_NEVER_FIRST = frozenset("that who whom whose which than of to by as because although though unless until if".split())
_ENCLITICS = frozenset({"'s", "’s", "n't", "n’t", "'"})
_BEHIND_PREPOSITIONS = frozenset({"which", "whom", "whose", "where"})
_LINKS = frozenset({"who", "whom", "which", "when", "where"})
_OF_MAIN_CLAUSE = frozenset({"obl", "obj", "xcomp", "ccomp", "advmod"})
_DASHES = frozenset({"-", "–", "--", "—"})
_NUMERAL = re.compile(r"[IVX]+\.?|[A-Z]\.")
_YEAR = re.compile(r"\d{4}\b.*")
_MONTHS = frozenset("january february march april may june july august september october november december".split())
_COMMENTS = frozenset({("in", "fact"), ("for", "example"), ("for", "instance"), ("in", "turn"), ("of", "course")})
_FIRST_WORDS = 6
"""How far into a sentence *one of whom* may stand."""
_NOMINATIVES = frozenset({"he", "she", "we", "they"})
_BEFORE_NOMINATIVES = BE | {"than", "as", "be", "been", "not", "nor", "and", "or", "but", "like"}
_BEFORE_NOUNS = frozenset({"compound", "amod", "nummod", "det"})


def open_end(words: Words, split: Split) -> bool:
    """The first sentence ends in a word that no sentence ends in, or in one that would go unsaid: *of*, *but*."""
    last = _last(words, split)
    if last is None:
        return False
    # *Lily Allen's | "LDN"*; not *the 1970's*
    owns = last.text in _ENCLITICS and last.head >= 0 and words[last.head].head >= split.start
    # *in Serie A*
    is_letter = last.text in ("A", "I") and last.pos == "PROPN"
    return (last.lower in _UNFINISHED and not is_letter) or owns


def _last(words: Words, split: Split) -> Word | None:
    left = [n for n in range(split.start) if not words[n].is_mark or words[n].text in CLOSING | QUOTES]
    return words[left[-1]] if left else None


def dangles(words: Words, split: Split) -> bool:
    """The first sentence ends in a word that asks for more: *because*, *the*, *of*; or the second begins so."""
    last = _last(words, split)
    if last is None or last.pos in ("DET", "CCONJ", "SCONJ"):
        return True
    if last.pos == "PRON" and last.rel.split(":")[0] == "nsubj" and last.head >= split.kept:
        return True
    if _leaves_relative(words, split) or _cuts_title(words, split):
        return True
    if _parts_from_with(words, split) or _leaves_name_again(words, split):
        return True
    if _is_seamless(words, split) or _waits_for_verb(words, split) or _comments_on_second(words, split):
        return True
    if last.pos == "ADP" and (last.rel == "conj" or (last.rel in ("case", "mark") and last.head >= split.start)):
        return True
    first = words[split.begins(words)]
    if first.lower in _ENCLITICS:
        # *it's old* → *The house's old*
        return True
    return not split.opener and (first.lower in _NEVER_FIRST or (first.pos == "CCONJ" and first.lower != "but"))


def strands(words: Words, split: Split) -> bool:
    """A conjunction, *who* or *had* is parted from its clause: *It is old, but in the end. The house fell.*"""
    if split.lead or split.gone:
        return False
    told = {*split.second} | ({split.verb} if split.dropped else set())
    away = [words[n] for n in range(1, split.start) if words[n].head in told and not words[n].is_mark]
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
    may_begin = words[place].pos in ("CCONJ", "ADV", "SCONJ", "ADP") or words[place].lower in _NOMINATIVES
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


def _leaves_relative(words: Words, split: Split) -> bool:
    """Whether a joined clause keeps its *which*: *, which was old but which stood* → *It was old but which stood*."""
    if not any(words[n].lower in RELATIVES for n in range(split.start, split.kept)):
        return False
    joins = (n for n in split.second[1:] if words[n].lower in ("which", "who"))
    return any(words.lower_at(n - 1) in ("and", "but", "or") for n in joins)


def _cuts_title(words: Words, split: Split) -> bool:
    """Whether a quoted name is cut from the noun before it: *the song "Rome"* → *the song. "Rome" …*."""
    if split.opener or split.dropped or words[split.start].text not in QUOTES:
        return False
    return words[split.start - 1].pos in ("NOUN", "PROPN")


def _waits_for_verb(words: Words, split: Split) -> bool:
    """Whether the first sentence ends in a subject without its verb: *She left - he too, like you. He sold it.*"""
    subject = max((n for n in range(split.start) if words[n].lower in _NOMINATIVES), default=-1)
    if subject < 0 or split.lead or split.gone or words.lower_at(subject - 1) in _BEFORE_NOMINATIVES:
        return False
    return not any(words[n].pos in ("VERB", "AUX") for n in range(subject + 1, split.start))


def _comments_on_second(words: Words, split: Split) -> bool:
    """Whether the first sentence ends in a word of the second: *It fell; unfortunately. He left.*"""
    left = [n for n in range(split.start) if not words[n].is_mark]
    last = left[-1] if left else 0
    if last > 1 and (words.lower_at(last - 1), words.lower_at(last)) in _COMMENTS and words[last - 2].is_mark:
        # *…, in fact*
        return True
    if last == 0 or not words[last - 1].is_mark:
        return False
    # *… the viaduct - meaning. It is open.*
    return words[last].lower.endswith("ing") or (words[last].pos == "ADV" and words[last].head >= split.start)


def _leaves_name_again(words: Words, split: Split) -> bool:
    """Whether a noun said again for its clause stays without it: *the points of Rome, the points. They are …*"""
    head = head_of(words, split)
    noun = words[head].head if head >= 0 and words[head].rel == "acl:relcl" else -1
    if not 0 <= noun < split.start or words[noun].rel not in ("appos", "conj") or split.start - noun > 1:
        return False
    if words.lower_at(noun - 2) not in (",", "-", "–", ":"):
        return False
    return all(words[c].rel in ("det", "punct") for c in words.children[noun] if c < noun) and words[noun].pos == "NOUN"


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


def _is_seamless(words: Words, split: Split) -> bool:
    """Whether the cut is before a noun with nothing that parts it from the word before: *a film. He is director*."""
    if split.dropped or words[split.start - 1].is_mark or words[split.start].pos not in ("NOUN", "PROPN", "NUM"):
        return False
    head = top(words, split.second)
    return bool(split.opener) or not has_subject(words, head, split.second)


def tears(words: Words, split: Split) -> bool:
    """A noun is cut from what belongs to it: *video | games*, *1970 | 's*."""
    last, place = split.start - 1, split.begins(words)
    if words[last].rel in _BEFORE_NOUNS and words[last].head >= split.start and not split.gone:
        return True
    return not split.dropped and words[place].rel == "flat" and words[place].head < split.start


def _parts_from_with(words: Words, split: Split) -> bool:
    """Whether a noun behind *with* is cut from its participle: *…, with figures rising* → *…, with figures.*

    So it is behind *as well as* and *despite*.
    """
    head = head_of(words, split)
    if head < 0 or words[head].rel != "acl" or words[split.start - 1].is_mark or words[split.start].is_mark:
        return False
    noun = words[head].head
    if noun < split.start and "as well as" in " ".join(words.lower_at(n) for n in range(noun - 4, noun)):
        return True
    return any(words[c].lower in ("with", "despite", "without") for c in words.children[noun])


def begins_amiss(words: Words, split: Split) -> bool:
    """The second sentence begins as none does: with a participle of the first, a bracket, a word said twice."""
    place = split.begins(words)
    if split.opener:
        return words[split.kept].text in OPENING or words[place].lower == split.opener[-1]
    if words[place].lower == "so" and place + 1 < split.stop and words[place + 1].lower == "that":
        return True
    head = top(words, split.second)
    if head < 0 or words[head].pos != "VERB" or words[head].rel not in ("acl", "advcl") or brings_verb(split):
        return False
    is_marked = any(words[c].rel == "mark" for c in words.children[head])
    return not (is_marked or finite(words, head, split.second) or has_subject(words, head, split.second))


def hangs_relative(words: Words, split: Split) -> bool:
    """Whether *during which*, *one of whom* or *from where* is about a word of the first sentence."""
    for number in split.second[:_FIRST_WORDS]:
        if words[number].lower not in _BEHIND_PREPOSITIONS or number == split.kept or words[number - 1].pos != "ADP":
            continue
        while number in split.second and words[number].rel != "acl:relcl":
            number = words[number].head
        if number not in split.second or words[number].head not in split.second:
            return True
    return False
