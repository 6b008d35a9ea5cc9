"""Splits that are never offered: they lose a word that says something, add a link, say both of two alternatives, tear a
quotation, or tell half a condition as a fact.

Of the rules of grammar and sense that were here once, readers' verdicts show that these tell what the learned judge of
splits (`acceptance.py`) does not see.
"""

from __future__ import annotations

from itertools import pairwise

from rewrite.splitting.openers import VERB_SLOTS, phrase_slot
from rewrite.splitting.parsed_words import BE, CLOSING, OPENING, PERSONAL, QUOTES, RELATIVES, Words
from rewrite.splitting.split import Split

_SUBJECTS = frozenset("he she it they this these that those we i you there one some".split())
_POSSESSIVE = frozenset("his her its their".split())
_CONDITIONS = frozenset({"if", "unless", "whether", "until", "lest"})
_ALTERNATIVES = frozenset({"or", "nor", "rather", "than", "if", "unless", "until", "lest"})
_SENSES = tuple(
    (frozenset(openers.split()), frozenset(links.split()))
    for openers, links in (
        (
            "but however still instead",
            "but yet although though whereas however while despite still nevertheless unlike instead",
        ),
        ("so therefore thus because", "so therefore thus hence thereby because since as"),
        ("then", "then before after until"),
        ("there", "where there"),
        ("addition", "also addition besides moreover"),
        ("meanwhile", "while meanwhile"),
    )
)
"""Words by which an opener says a contrast, a result, a time, a place or a sum, and those by which a source does."""
_WITH_MAIN_CLAUSE = frozenset({"although", "though", "whereas", "while", "because", "when", "if"})
_LINKING = _WITH_MAIN_CLAUSE | frozenset("but yet however so therefore thus then also where".split())


def refused(words: Words, split: Split) -> bool:
    """Whether a split does any of this."""
    return any(rule(words, split) for rule in RULES)


def drops_content(words: Words, split: Split) -> bool:
    """A dropped word says something that nothing says again."""
    return not all(_may_go(words, split, number) for number in range(split.start, split.kept))


def _may_go(words: Words, split: Split, number: int) -> bool:
    """Whether a dropped word says nothing, or nothing that the opener does not say too."""
    word, opener = words[number], set(split.opener)
    if word.is_mark:
        return word.text not in OPENING | CLOSING | QUOTES
    if number == split.verb and word.pos == "VERB" and VERB_SLOTS & opener:
        return True
    if word.lower in _LINKING:
        return _link_may_go(words, split, number)
    if "them" in opener and word.lower in opener | {"which", "whom"}:
        # *some of whom* → *some of them*
        return True
    if word.lower in opener and word.pos in ("ADP", "ADV", "AUX", "VERB"):
        # *in which* → *in it*, *effectively ending* → *this effectively ended*
        return True
    if word.lower == "whose":
        return bool(_POSSESSIVE & opener)
    if word.lower in RELATIVES:
        # *which he bought* would have no object, and what somebody says or denies must not stand as said outright.
        return word.rel not in ("obj", "iobj", "det") and (word.lower != "that" or word.rel == "nsubj")
    if word.pos == "PRON" and word.lower in _SUBJECTS:
        return _subject_may_go(split, word.lower)
    return word.lower in ("and", "both")


def _link_may_go(words: Words, split: Split, number: int) -> bool:
    """Whether the opener says the contrast, the result, the time or the place that a conjunction says."""
    word, opener = words[number], set(split.opener)
    if word.lower in _WITH_MAIN_CLAUSE and word.head >= 0 and words[word.head].head >= split.kept:
        # *; although it was old, they sold it*: the clause that it belongs to comes behind it.
        return False
    if word.lower == "while" and words[number - 1].text != ",":
        # It tells when.
        return "meanwhile" in opener
    if word.lower in opener or word.lower == "because":
        return word.lower in opener
    return any(word.lower in links and openers & opener for openers, links in _SENSES)


def _subject_may_go(split: Split, subject: str) -> bool:
    """Whether the opener brings the subject that goes: not *a box he brought* → *It brought*, nor *after this,*."""
    if phrase_slot(split.opener):
        return True
    brings_subject = split.opener[-1:] != (",",) and not _SUBJECTS.isdisjoint(split.opener)
    return brings_subject and (subject not in PERSONAL or subject in split.opener)


def adds_link(words: Words, split: Split) -> bool:
    """The opener tells a contrast or a result that the source does not: *and he left* → *However, he left*."""
    opener = set(split.opener)
    if BE & opener:
        # *There is a house*
        opener.discard("there")
    near = {words[n].lower for n in (*range(split.lead), *range(split.start, split.kept))}
    return any(openers & opener and not links & near for openers, links in _SENSES)


def parts_alternatives(words: Words, split: Split) -> bool:
    """*A or B*, *either A or B*, *neither A nor B*, *not only A but B*: two sentences would say both, or one alone."""
    here = {words[n].lower for n in range(split.start, split.begins(words) + 1)}
    before = [words[n].lower for n in range(split.start)]
    if here & _ALTERNATIVES:
        return True
    return ("and" not in here and not {"either", "neither", "whether"}.isdisjoint(before)) or (
        "but" in here and any(a == "not" and b in ("only", "just") for a, b in pairwise(before))
    )


def unbalanced(words: Words, split: Split) -> bool:
    """A bracket or a quotation is open at one of the ends of what is cut out."""
    quotes = [n for n, word in enumerate(words.tokens) if word.text in QUOTES]
    if len(quotes) % 2 and any(split.start - 1 <= n <= split.kept for n in quotes):
        # *…," he said*, where the quotation began in an earlier sentence
        return True
    for place in (split.start, split.stop):
        texts = [words[n].text for n in range(place)]
        if sum(t in OPENING for t in texts) > sum(t in CLOSING for t in texts):
            return True
        if place < words.end and sum(n < place for n in quotes) % 2 and len(quotes) % 2 == 0:
            return True
    return False


def shares_condition(words: Words, split: Split) -> bool:
    """What a condition may say further stands alone: *if it rains and the road is closed* → *The road is closed*.

    The parse errs on what is joined to what, so a cut behind a condition with no comma since is taken for one in it.
    """
    before = [words[n].lower for n in range(split.start)]
    last = max((n for n, word in enumerate(before) if word in _CONDITIONS), default=-1)
    return last >= 0 and "," not in before[last:] and not any(words[n].lower in _CONDITIONS for n in split.second)


def loses_link(words: Words, split: Split) -> bool:
    """The first sentence would end in *but* or *and*, which rendering takes away."""
    return split.start > 0 and words[split.start - 1].lower in ("and", "but", "or")


RULES = (unbalanced, drops_content, adds_link, parts_alternatives, shares_condition, loses_link)
