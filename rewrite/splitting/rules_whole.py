"""Rules of whole sentences, from faults that reading found: both parts have a main clause, and an opener fits."""

from __future__ import annotations

from collections.abc import Iterable

from rewrite.splitting.clauses import (
    finite,
    hangs_before,
    hides_verb,
    is_held_to,
    is_order,
    is_subordinate,
    top,
)
from rewrite.splitting.openers import VERB_SLOTS
from rewrite.splitting.rules_form import no_subject
from rewrite.splitting.shared import BE, brings_verb, opens_with_subject
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["half_changed", "leans_back", "lone_clause", "no_clause", "phrase_alone", "unfit_opener", "verbless"]

_SUBORDINATORS = frozenset(
    """
    where when while though although whereas if because since as after before once until unless whenever whereupon
    whilst
    """.split()
)
_ALSO_ADVERBS = frozenset({"as", "since", "after", "before", "once", "until"})
"""*long before*, *ever since*: with the adverb before it no clause begins."""
_NOT_AFTER_OPENERS = frozenset(
    """
    where who which whose though although so while whereas because if when that being with except including than
    and but as
    """.split()
)
_LIKE_PREPOSITIONS = frozenset(
    "following according regarding concerning depending owing pending considering starting beginning".split()
)
_LIKE_WHEN = (
    ("every", "time"),
    ("each", "time"),
    ("by", "the", "time"),
    ("the", "moment"),
    ("now", "that"),
    ("no", "matter"),
)
_BASE_PARTICIPLES = frozenset(
    "become bet burst cast come cost cut hit hurt let overcome put quit read run set shed shut split spread".split()
)
_CLAUSE_OPENERS = frozenset({("as",), ("when",), ("while",), ("because",), ("although",), ("since",)})
_LEANING = (
    ("such", "as"),
    ("as", "well", "as"),
    ("in", "case"),
    ("rather", "than"),
    ("including",),
    ("regardless", "of"),
)
_MAIN_RELATIONS = frozenset({"root", "conj", "parataxis", "ccomp"})


def lone_clause(words: Words, split: Split) -> bool:
    """The first sentence is a clause that hangs on what went: *While it rained. He slept.*"""
    if split.lead or split.gone:
        return False
    if _is_clause_alone(words, split) or _tells_in_brackets(words, split):
        return True
    if words.root < split.start:
        return False
    if words[0].lower in _SUBORDINATORS:
        return True
    if words[0].lower.endswith("ing") and words[0].rel == "advcl" and words[0].head >= split.start:
        # *Knowing that it rained. He slept.*
        return True
    # *In the end, when it rained. He slept.*
    verbs = [n for n in split.first(words) if words[n].feature("VerbForm") == "Fin"]
    return bool(verbs) and all(_hangs_as_clause(words, n) for n in verbs)


def _tells_in_brackets(words: Words, split: Split) -> bool:
    """Whether the first sentence has verbs between brackets alone: *The tower (it was old). It fell.*"""
    verbs = [n for n in range(split.start) if words[n].pos in ("VERB", "AUX")]
    return bool(verbs) and all(words.in_brackets(n) for n in verbs)


def _is_clause_alone(words: Words, split: Split) -> bool:
    """Whether what begins with *when* has a single finite verb: *When Tom, a singer, was late. She left.*"""
    place = _behind_adverb(words, 0)
    first = words[place]
    begins = tuple(words.lower_at(place + n) for n in range(3))
    is_clause = first.lower in _SUBORDINATORS and first.pos != "ADP" and begins[1] != "then"
    if not is_clause and not any(begins[: len(one)] == one for one in _LIKE_WHEN):
        return False
    verbs = [words[n] for n in range(split.start) if words[n].feature("VerbForm") == "Fin"]
    return sum(one.rel not in ("acl:relcl", "ccomp") for one in verbs) < 2


def _hangs_as_clause(words: Words, verb: int) -> bool:
    if words[verb].rel in ("aux", "cop", "aux:pass"):
        verb = words[verb].head
    return words[verb].rel == "acl:relcl" or (words[verb].rel == "advcl" and is_subordinate(words, verb))


def verbless(words: Words, split: Split) -> bool:
    """The first sentence has no verb that could be finite, or only in a relative clause: *Tom, who ran. He fell.*"""
    if split.put:
        return False
    first = split.first(words)
    if hides_verb(words, first):
        return False
    return (not split.gone and not _has_clause(words, first)) or not any(
        _could_be_finite(words, n) and not words.in_brackets(n) for n in first
    )


def _could_be_finite(words: Words, number: int) -> bool:
    word = words[number]
    if word.pos not in ("VERB", "AUX") or _is_set_off(words, number):
        return False
    # Taggers take pasts for participles and the other way round; in an aside or before a noun they tell nothing.
    return word.feature("VerbForm") == "Fin" or (
        word.rel in ("root", "conj", "parataxis") and not word.lower.endswith("ing")
    )


def _is_set_off(words: Words, number: int) -> bool:
    """Whether only a comma parts a verb from its subject, so that it is a participle: *The Beatles, formed in 1960*."""
    subject = next((c for c in words.children[number] if words[c].rel == "nsubj" and c < number), -1)
    return subject >= 0 and [words[n].text for n in range(subject + 1, number)] == [","]


def no_clause(words: Words, split: Split) -> bool:
    """The second sentence has no finite verb outside relative clauses: *A man who died.*"""
    if brings_verb(split):
        return False
    return not _has_clause(words, split.second, but=split.dropped > 0 or opens_with_subject(split))


def phrase_alone(words: Words, split: Split) -> bool:
    """The second sentence has no clause of its own: *In an effort to mend it*, *In Rome, as he was ill.*"""
    if not no_clause(words, split):
        return False
    return no_subject(words, split) or (not split.opener and hangs_before(words, split, split.begins(words)))


def _has_clause(words: Words, numbers: Iterable[int], *, but: bool = False) -> bool:
    """Whether a finite verb among `numbers` is no relative clause's; with `but`, the first one may be."""
    there = list(numbers)
    for number in there:
        word = words[number]
        if word.pos not in ("VERB", "AUX") or _is_set_off(words, number) or words.in_brackets(number):
            continue
        # Taggers take some finite verbs for others; what heads a main clause is finite then.
        heads = word.rel in _MAIN_RELATIONS and not word.lower.endswith("ing")
        if (word.feature("VerbForm") != "Fin" and not heads) or is_held_to(words, number):
            continue
        verb = word.head if word.rel in ("aux", "cop", "aux:pass") and word.head >= 0 else number
        if but and verb == top(words, there):
            return True
        if words[verb].rel == "acl:relcl" or (words[verb].rel == "advcl" and _marked(words, verb, there)):
            continue
        return True
    return False


def _marked(words: Words, verb: int, there: list[int]) -> bool:
    return any(
        c in there and (words[c].rel == "mark" or words[c].lower in ("where", "when")) for c in words.children[verb]
    )


def unfit_opener(words: Words, split: Split) -> bool:
    """The opener does not fit what follows: *However where …*, *It was starts …*, *It was to win …*."""
    if not split.opener:
        return False
    place = split.begins(words)
    first = words[place]
    if first.lower in _NOT_AFTER_OPENERS or split.opener in _CLAUSE_OPENERS:
        return True
    if first.text[:1].isupper() and first.pos in ("SCONJ", "ADP") and opens_with_subject(split):
        # *He After the war*: the source has a sentence within.
        return True
    if first.lower == "such" and words.lower_at(place + 1) == "as":
        return True
    if split.opener[-1] == "the" and first.pos in ("DET", "PRON", "ADP"):
        return True
    if VERB_SLOTS & set(split.opener):
        # *Following the war, he left* → *It followed the war*; *to house and show art* → *It showed art*
        is_infinitive = split.verb >= 0 and words[split.verb].feature("VerbForm") == "Inf" and not is_order(words)
        if split.verb < 0 or is_infinitive or words[split.verb].lower in _LIKE_PREPOSITIONS:
            return True
    if not BE & set(split.opener) or "because" in split.opener:
        return False
    head = top(words, split.second)
    said = words[head] if first.pos == "ADV" and head >= 0 else first
    if said.pos == "VERB" and said.lower.endswith("ing") and said.rel in ("acl", "advcl"):
        # *It is consisting of*: a verb in another form says it.
        return True
    if first.lower == "to" and first.pos == "PART":
        # *It was to win the race*.
        return True
    if first.pos == "VERB" and first.lower == first.lemma.lower() and not first.lower.endswith(("ed", "ing", "en")):
        # *delay in building* → *It was delay in building*
        return first.lower not in _BASE_PARTICIPLES
    if finite(words, place) and first.pos == "VERB":
        return not first.lower.endswith("ed")
    return first.feature("VerbForm") == "Inf"


def leans_back(words: Words, split: Split) -> bool:
    """The second sentence only goes on with the first: *Such as this one*, *As well as he*, *As he was ill*."""
    if split.opener:
        return False
    first, head = words[_behind_adverb(words, split.begins(words))], top(words, split.second)
    if first.lower in _SUBORDINATORS and first.head == head:
        # *As he was ill.*; not *As he was ill, he slept.*
        return words[first.head].rel == "advcl"
    if first.lower == "that" and first.rel == "mark" and words[first.head].rel == "ccomp":
        # *That wages did not keep up.*
        return True
    if first.rel == "case" and first.head == head and words[head].pos in ("NOUN", "PROPN"):
        # *Through law, where all is a crime.*; not *In Rome is a house*
        return not any(words[c].rel in ("cop", "nsubj", "expl") for c in words.children[head])
    if first.lower in ("with", "despite", "without") and "," not in (words[n].text for n in split.second):
        # *With 23 members reported missing.*
        return True
    if first.lower in ("why", "how", "whether") and words[len(words) - 1].text != "?":
        # *the reasons why he left*
        return True
    texts = tuple(words[n].lower for n in range(split.begins(words), min(split.begins(words) + 3, words.end)))
    return any(texts[: len(one)] == one for one in _LEANING)


def _behind_adverb(words: Words, place: int) -> int:
    """The place behind a conjunction, an adverb and their comma: *as* of *And again, as he was ill*."""
    last = words.end - 1
    if place < last and words[place].pos == "CCONJ":
        place += 1
    # An adverb without a comma is of the clause that it stands before: *sometimes when he was ill*; not *then he left*.
    behind = words.lower_at(place + 1)
    if place < last and words[place].pos == "ADV" and (behind == "," or behind in _SUBORDINATORS - _ALSO_ADVERBS):
        place += 1
    return place + 1 if place < last and words[place].text == "," else place


def half_changed(words: Words, split: Split) -> bool:
    """Of two verbs that belong together one became finite: *scoring and winning* → *He scored and winning*."""
    if split.verb < 0 or not VERB_SLOTS & set(split.opener):
        return False
    joined = [words[c] for c in words.children[split.verb] if words[c].rel == "conj"]
    return any(one.pos == "VERB" and one.lower.endswith("ing") for one in joined)
