"""Splits that are never offered: they lose a word that says something, add a link, say both of two alternatives, tear a
quotation, or tell half a condition as a fact.

Of the rules of grammar and sense that were here once, readers' verdicts show that these tell what the learned judge of
splits (`acceptance.py`) does not see.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from rewrite.splitting.clause_heads import has_subject, top
from rewrite.splitting.openers import PHRASE_SLOTS, VERB_SLOTS, phrase_slot
from rewrite.splitting.parsed_words import BE, CLOSING, OPENING, PERSONAL, QUOTES, RELATIVES, Words
from rewrite.splitting.pronouns import pronoun_of
from rewrite.splitting.split import Split

_SUBJECTS = frozenset("he she it they this these that those we i you there one some".split())
_POSSESSIVE = frozenset("his her its their".split())
_AUXILIARIES = frozenset("is was are were has had have does do did been be".split())
_CONDITIONS = frozenset({"if", "unless", "whether", "until", "lest"})
_ALTERNATIVES = frozenset({"or", "nor", "rather", "than", "if", "unless", "until", "lest"})
# Contrast, result, time and place would be lost with these words, unless the opener says them again.
_SENSE_KEPT_BY: Mapping[str, tuple[str, ...]] = {
    "but": ("but", "however", "still", "instead"),
    "yet": ("but", "however", "still"),
    "although": ("however", "but", "still"),
    "though": ("however", "but", "still"),
    "whereas": ("however", "but"),
    "however": ("however", "but", "still"),
    "so": ("so", "therefore", "thus"),
    "therefore": ("therefore", "thus", "so"),
    "thus": ("thus", "therefore", "so"),
    "then": ("then",),
    "also": ("also",),
    "both": ("both",),
    "because": ("because",),
    "while": ("meanwhile", "however", "but"),
    "where": ("there", "in"),
}
_CONTRAST = frozenset("but yet although though whereas however while despite still nevertheless unlike".split())
_RESULT = frozenset("so therefore thus hence thereby because since as".split())
# What an opener may say for what is dropped.
_TOLD_BY: Mapping[str, frozenset[str]] = {
    "however": _CONTRAST,
    "but": _CONTRAST,
    "still": _CONTRAST,
    "instead": _CONTRAST | {"instead"},
    "therefore": _RESULT,
    "thus": _RESULT,
    "so": _RESULT,
    "because": _RESULT,
    "then": frozenset({"then", "before", "after", "until"}),
    "there": frozenset({"where", "there"}),
    "addition": frozenset({"also", "addition", "besides", "moreover"}),
    "meanwhile": frozenset({"while", "meanwhile"}),
}
_WITH_MAIN_CLAUSE = frozenset({"although", "though", "whereas", "while", "because", "when", "if"})
_LINKING = _WITH_MAIN_CLAUSE | set(_SENSE_KEPT_BY)


def refused(words: Words, split: Split) -> bool:
    """Whether a split does any of this."""
    return any(rule(words, split) for rule in RULES)


def drops_content(words: Words, split: Split) -> bool:
    """A dropped word says something that nothing says again."""
    return not all(_may_go(words, split, number) for number in range(split.start, split.kept))


def _may_go(words: Words, split: Split, number: int) -> bool:
    """Whether a dropped word says nothing, or nothing that the opener does not say too."""
    word = words[number]
    if word.is_mark:
        return word.text not in OPENING | CLOSING | QUOTES
    if number == split.verb and word.pos == "VERB" and VERB_SLOTS & set(split.opener):
        return True
    if word.lower in _LINKING:
        return _link_may_go(words, split, number)
    if word.lower in split.opener and (word.pos in ("ADP", "ADV") or "them" in split.opener):
        # *in which* → *in it*, *effectively ending* → *this effectively ended*, *some of whom* → *some of them*
        return True
    if word.lower in RELATIVES | {"whom", "whose"}:
        return _relative_may_go(words, split, number)
    if word.pos == "PRON" and word.lower in _SUBJECTS and _opens_with_subject(split):
        return _subject_may_go(words, split, number)
    return word.lower == "and" or (word.lower in _AUXILIARIES and word.lower in split.opener)


def _link_may_go(words: Words, split: Split, number: int) -> bool:
    """Whether the opener says the contrast, the result, the time or the place that a conjunction says."""
    word = words[number]
    if word.lower == "while" and words[number - 1].text != ",":
        # It tells when.
        return "meanwhile" in split.opener
    if word.lower == "where" and words.word(number + 1) == "there":
        return True
    if word.lower in _WITH_MAIN_CLAUSE and word.head >= 0 and words[word.head].head >= split.kept:
        # *; although it was old, they sold it*: the clause that it belongs to comes behind it.
        return False
    return word.lower == "both" or bool(set(_SENSE_KEPT_BY.get(word.lower, ())) & set(split.opener))


def _relative_may_go(words: Words, split: Split, number: int) -> bool:
    """Whether the opener says what a relative pronoun stands for, or it stands for nothing that would be missed."""
    word = words[number]
    if word.lower == "whose":
        return bool(_POSSESSIVE & set(split.opener))
    if word.lower == "which" and word.rel == "det":
        # *in which case* → *in that case*
        return bool({"this", "that"} & set(split.opener))
    if word.lower in ("which", "whom") and split.opener[-2:] == ("of", "them"):
        return True
    if word.rel in ("obj", "iobj") or word.lower == "whom":
        # *which he bought* would have no object.
        return False
    # What somebody says, thinks or denies, or that something is so, must not stand as said outright.
    return word.lower != "that" or not (
        word.rel == "mark" or word.pos == "DET" or _has_own_subject(words, split, number)
    )


def _subject_may_go(words: Words, split: Split, number: int) -> bool:
    """Whether the subject that the opener brings is the one that goes: not *a box he brought* → *It brought*, nor
    *He left Rome and she …* → *Rome …*.
    """
    word = words[number]
    if word.lower not in PERSONAL or word.lower in split.opener:
        return True
    # *the amount it spends* → *The amount spends*
    is_own = word.head >= 0 and words[word.head].rel == "acl:relcl" and words[word.head].head == split.antecedent
    fits = split.antecedent >= 0 and pronoun_of(words, split.antecedent) in ("", word.lower)
    return bool(phrase_slot(split.opener)) and fits and not is_own


def _has_own_subject(words: Words, split: Split, that: int) -> bool:
    """Whether the clause behind a dropped *that* has another subject: *denied charges that it provided …*."""
    if words[split.kept].lower in _SUBJECTS and words[split.kept].pos == "PRON":
        return True
    numbers = split.second
    head = top(words, numbers)
    return words[that].rel.split(":")[0] != "nsubj" and head >= 0 and has_subject(words, head, numbers)


def adds_link(words: Words, split: Split) -> bool:
    """The opener tells a contrast or a result that the source does not: *and he left* → *However, he left*."""
    said = {link for link in _TOLD_BY if link in split.opener}
    if "there" in said and BE & set(split.opener):
        # *There is a house*
        said.discard("there")
    if not said:
        return False
    near = {words[n].lower for n in (*range(split.lead), *range(split.start, split.kept + 1))}
    return not any(near & _TOLD_BY[link] for link in said)


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


def _opens_with_subject(split: Split) -> bool:
    """Whether the opener of a split brings a subject: *he*, *in 1909 it*; not *after this,*."""
    if split.opener[-1:] == (",",) and not phrase_slot(split.opener):
        return False
    if split.opener in (("in", "that"), ("at", "that"), ("during", "that")):
        # *in that case*
        return False
    if split.opener[-2:] == ("of", "them"):
        return True
    return any(part in _SUBJECTS or part in PHRASE_SLOTS for part in split.opener)


RULES = (unbalanced, drops_content, adds_link, parts_alternatives, shares_condition, loses_link)
