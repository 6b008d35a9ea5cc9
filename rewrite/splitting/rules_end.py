"""Rules of how the first sentence ends once it is cut: not in a word, nor in a phrase, that waits for what went."""

from __future__ import annotations

from rewrite.splitting.clauses import has_subject, head_of, top
from rewrite.splitting.shared import BE, ENCLITICS, NOMINATIVES, QUOTES, RELATIVES
from rewrite.splitting.split import Split
from rewrite.splitting.words import CLOSING, Words

__all__ = [
    "comments",
    "cuts_title",
    "dangles",
    "leaves_name_again",
    "leaves_relative",
    "open_end",
    "parts_with",
    "seamless",
    "waits_for_verb",
]

_UNFINISHED = frozenset(
    """
    because when if that the a an of to and or but nor as than while although though unless until since whether who
    which whose where my our your their its such so very not no how is was are were be been has have had
    """.split()
)
_SHORT_TITLES = frozenset("capt prof dr mr mrs ms gen col sgt lt rev sen gov maj cmdr".split())
_BEFORE_NOMINATIVES = BE | {"than", "as", "be", "been", "not", "nor", "and", "or", "but", "like"}
_COMMENTS = frozenset({("in", "fact"), ("for", "example"), ("for", "instance"), ("in", "turn"), ("of", "course")})


def open_end(words: Words, split: Split) -> bool:
    """A sentence ends in a word that none ends in, or in one that would go unsaid: *of*, *but*, *in case*."""
    number = _last(words, split)
    if number < 0:
        return False
    # What is taken out of the middle has an end of its own.
    if split.stop < words.end and _is_unfinished(words, split.stop - 1):
        return True
    last = words[number]
    # *Lily Allen's | "LDN"*; not *the 1970's*
    owns = last.text in ENCLITICS and last.head >= 0 and words[last.head].head >= split.start
    waits = last.lower == "case" and words.lower_at(number - 1) == "in"
    # *Capt. | Dawes*, with its stop as a word of its own or not
    is_title = last.lower.rstrip(".") in _SHORT_TITLES and (
        last.text.endswith(".") or words.lower_at(number + 1) == "."
    )
    return _is_unfinished(words, number) or owns or waits or is_title


def _is_unfinished(words: Words, number: int) -> bool:
    word = words[number]
    # *in Serie A*
    is_letter = word.text in ("A", "I") and word.pos == "PROPN"
    return word.lower in _UNFINISHED and not is_letter


def _last(words: Words, split: Split) -> int:
    """The last word before the cut, or a mark that closes something; −1 without one."""
    left = (n for n in range(split.start - 1, -1, -1) if not words[n].is_mark or words[n].text in CLOSING | QUOTES)
    return next(left, -1)


def dangles(words: Words, split: Split) -> bool:
    """The first sentence ends in an article, a conjunction, a preposition or a pronoun without what it belongs to."""
    number = _last(words, split)
    if number < 0 or words[number].pos in ("DET", "CCONJ", "SCONJ"):
        return True
    last = words[number]
    if last.pos == "PRON" and last.rel.split(":")[0] == "nsubj" and last.head >= split.kept:
        return True
    return last.pos == "ADP" and (last.rel == "conj" or (last.rel in ("case", "mark") and last.head >= split.start))


def leaves_relative(words: Words, split: Split) -> bool:
    """A joined clause keeps its *which*: *, which was old but which stood* → *It was old but which stood*."""
    if not any(words[n].lower in RELATIVES for n in range(split.start, split.kept)):
        return False
    joins = (n for n in split.second[1:] if words[n].lower in ("which", "who"))
    return any(words.lower_at(n - 1) in ("and", "but", "or") for n in joins)


def cuts_title(words: Words, split: Split) -> bool:
    """A quoted name is cut from the noun before it: *the song "Rome"* → *the song. "Rome" …*."""
    if split.opener or split.dropped or words[split.start].text not in QUOTES:
        return False
    return words[split.start - 1].pos in ("NOUN", "PROPN")


def waits_for_verb(words: Words, split: Split) -> bool:
    """The first sentence ends in a subject without its verb: *She left - he too, like you. He sold it.*"""
    subject = max((n for n in range(split.start) if words[n].lower in NOMINATIVES), default=-1)
    if subject < 0 or split.lead or split.gone or words.lower_at(subject - 1) in _BEFORE_NOMINATIVES:
        return False
    return not any(words[n].pos in ("VERB", "AUX") for n in range(subject + 1, split.start))


def comments(words: Words, split: Split) -> bool:
    """The first sentence ends in a word of the second: *It fell; unfortunately. He left.*"""
    left = [n for n in range(split.start) if not words[n].is_mark]
    last = left[-1] if left else 0
    if last > 1 and (words.lower_at(last - 1), words.lower_at(last)) in _COMMENTS and words[last - 2].is_mark:
        # *…, in fact*
        return True
    if last == 0 or not words[last - 1].is_mark:
        return False
    # *… the viaduct - meaning. It is open.*
    return words[last].lower.endswith("ing") or (words[last].pos == "ADV" and words[last].head >= split.start)


def leaves_name_again(words: Words, split: Split) -> bool:
    """A noun said again for its clause stays without it: *the points of Rome, the points. They are …*"""
    head = head_of(words, split)
    noun = words[head].head if head >= 0 and words[head].rel == "acl:relcl" else -1
    if not 0 <= noun < split.start or words[noun].rel not in ("appos", "conj") or split.start - noun > 1:
        return False
    if words.lower_at(noun - 2) not in (",", "-", "–", ":"):
        return False
    return all(words[c].rel in ("det", "punct") for c in words.children[noun] if c < noun) and words[noun].pos == "NOUN"


def seamless(words: Words, split: Split) -> bool:
    """The cut is before a noun with nothing that parts it from the word before: *a film. He is director*."""
    if split.dropped or words[split.start - 1].is_mark or words[split.start].pos not in ("NOUN", "PROPN", "NUM"):
        return False
    head = top(words, split.second)
    return bool(split.opener) or not has_subject(words, head, split.second)


def parts_with(words: Words, split: Split) -> bool:
    """A noun behind *with* is cut from its participle: *…, with figures rising* → *…, with figures.*

    So it is behind *as well as* and *despite*.
    """
    head = head_of(words, split)
    if head < 0 or words[head].rel != "acl" or words[split.start - 1].is_mark or words[split.start].is_mark:
        return False
    noun = words[head].head
    # *with 23 of its members rising*
    governor = words[noun].head if words[noun].rel == "nmod" and words[words[noun].head].pos == "NUM" else noun
    if noun < split.start and "as well as" in " ".join(words.lower_at(n) for n in range(noun - 4, noun)):
        return True
    return any(words[c].lower in ("with", "despite", "without") for c in words.children[governor])
