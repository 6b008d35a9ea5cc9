"""Rules of what a split must not do to what is said: such a split is never proposed."""

from __future__ import annotations

from itertools import pairwise

from rewrite.splitting.clauses import finite, has_subject, head_of, is_order, top, tops
from rewrite.splitting.shared import (
    QUOTES,
    RELATIVES,
    above,
    is_quantified,
    opens_with_subject,
)
from rewrite.splitting.split import Split
from rewrite.splitting.words import CLOSING, OPENING, Words

__all__ = [
    "cuts_alternatives",
    "cuts_condition",
    "cuts_quantified",
    "tells_which",
    "too_short",
    "unbalanced",
]

_IF = frozenset({"if", "unless"})
_OF_SOME = frozenset({"other", "others", "those", "same", "such", "all", "first", "last"})
_OF_NOUN = ("acl", "acl:relcl", "appos")
_NAMING = frozenset({"called", "named", "titled", "entitled"})
_FEWEST_WORDS = 3
_FAR = 8
"""Words that may stand from *between* or *both* to its *and*."""


def cuts_alternatives(words: Words, split: Split) -> bool:
    """*A or B*, *either A or B*, *neither A nor B*, *not only A but B*: two sentences would say both, or one alone."""
    here = {words[n].lower for n in range(split.start, split.begins(words) + 1)}
    before = [words[n].lower for n in range(split.start)]
    if here & {"or", "nor", "rather", "than", "if", "unless", "until", "lest"}:
        return True
    if ("and" in here and _is_between(words, split)) or _takes_alternative(words, split):
        return True
    return (any(one in before for one in ("either", "neither", "whether")) and "and" not in here) or (
        any(a == "not" and b in ("only", "just") for a, b in pairwise(before)) and "but" in here
    )


def _takes_alternative(words: Words, split: Split) -> bool:
    """Whether what *but* or *or* sets against the first part goes with the second: *not by Tom, who …, but by her*."""
    numbers = split.second
    head = top(words, numbers)
    return any(
        n > head >= 0 and words[n].rel == "conj" and words[n].pos in ("NOUN", "PROPN") and _is_set_against(words, n)
        for n in tops(words, numbers)
    )


def _is_set_against(words: Words, number: int) -> bool:
    return any(words[c].rel == "cc" and words[c].lower in ("but", "or") for c in words.children[number])


def _is_between(words: Words, split: Split) -> bool:
    """Whether the cut is at the *and* of *between 1862 and 1863* or of *both … and*."""
    head = head_of(words, split)
    if head < 0 or words[head].pos in ("VERB", "AUX"):
        return False
    before = [words[n].lower for n in range(max(0, split.start - _FAR), split.start)]
    pair = max((place for place, one in enumerate(before) if one in ("between", "both")), default=-1)
    return pair >= 0 and "and" not in before[pair:]


def cuts_condition(words: Words, split: Split) -> bool:
    """A condition or a thing denied, said or wished holds for what is cut off from it, or an order gets a subject."""
    head = head_of(words, split)
    if head < 0:
        return False
    if opens_with_subject(split) and is_order(words):
        return True
    if _begins_with_if(words) and words[head].rel not in ("acl", "acl:relcl", "appos"):
        # *If it rains, we will stay and she will leave*
        return True
    if _leaves_condition(words, split):
        return True
    governor = words[head].head
    if not 0 <= governor < split.start:
        return False
    if words[head].rel == "advcl" and not finite(words, head) and _follows_to(words, governor):
        # *The best way is to stay, acting as if …*
        return True
    if words[head].rel in ("ccomp", "xcomp", "csubj"):
        return not _is_quoted(words, split.kept) and not _is_joined(words, split)
    return words[head].rel == "conj" and not has_subject(words, head, split.second) and _is_held(words, head)


def _leaves_condition(words: Words, split: Split) -> bool:
    """Whether an *if* behind a comma, up to the cut, is of the second sentence: *…, if it rains. They stay at home.*"""
    conditions = [n for n in range(1, split.start) if words[n].lower in _IF and words[n - 1].is_mark]
    if not conditions or split.opener or any(words[n].lower == "and" for n in range(split.start, split.kept)):
        return False
    return not any(words[n].text in (",", ";") for n in range(conditions[-1], split.start))


def _begins_with_if(words: Words) -> bool:
    """Whether a sentence begins with a condition: *If it rains*, *However, if it rains*."""
    near = [words.lower_at(n) for n in range(3)]
    return near[0] in _IF or (near[1] == "," and near[2] in _IF)


def _is_joined(words: Words, split: Split) -> bool:
    """Whether a conjunction or a relative pronoun joins the parts, whatever the parse calls the second one."""
    here = [words[n] for n in range(split.start, split.kept + 1)]
    return any(
        one.lower in ("and", "but", ";", "however") or (one.lower in RELATIVES and one.rel == "nsubj") for one in here
    )


def _is_held(words: Words, head: int) -> bool:
    """Whether a verb shares the condition, the denial or the wish of the verb that it is joined to."""
    governor = words[head].head
    held = [governor, *above(words, governor)]
    if words[head].lower == words[head].lemma.lower() and any(_follows_to(words, n) for n in held):
        # *She hopes to leave Rome and sell the house*
        return True
    marks = {words[c].lower for n in held for c in words.children[n] if words[c].rel in ("mark", "advmod")}
    # *If it rains, we will go home and sleep*.
    clauses = [c for c in words.children[governor] if words[c].rel == "advcl"]
    marks |= {words[m].lower for c in clauses for m in words.children[c] if words[m].rel == "mark"} & {"if", "unless"}
    return bool(marks & {"if", "unless", "whether", "not", "never", "n't"}) or (
        not finite(words, head) and any(words[n].rel in ("ccomp", "xcomp", "csubj", "acl", "advcl") for n in held)
    )


def _follows_to(words: Words, verb: int) -> bool:
    return any(words[c].lower == "to" and words[c].rel == "mark" for c in words.children[verb])


def cuts_quantified(words: Words, split: Split) -> bool:
    """What holds for *no*, *every* or *most* of something is told of it: *Every man who works eats* → *He works*."""
    head = head_of(words, split)
    return head >= 0 and words[head].rel in _OF_NOUN and is_quantified(words, words[head].head)


def tells_which(words: Words, split: Split) -> bool:
    """What says which one is meant is cut off: *the forest called Harlow Wood*, *one of four that were sold*."""
    head = head_of(words, split)
    if head < 0 or words[head].rel not in _OF_NOUN:
        return False
    is_set_off = words[split.start - 1].is_mark or words[split.start].is_mark
    noun = words[words[head].head]
    if noun.rel == "nmod" and words[noun.head].lower == "one" and not is_set_off:
        return True
    own = {words[c].lower for c in words.children[words[head].head]}
    if words[head].rel == "acl" and words[head].lower in _NAMING and not is_set_off:
        # Not *a forest called …*
        return bool(own & {"the", "this", "that"})
    is_told_by_clause = words[split.start].lower == "that" and not words[split.start - 1].is_mark
    return is_told_by_clause and bool((own | {words[words[head].head].lower}) & _OF_SOME)


def _is_quoted(words: Words, number: int) -> bool:
    return words[number].text in QUOTES


def unbalanced(words: Words, split: Split) -> bool:
    """A bracket or a quotation is open at one of the ends of what is cut out."""
    odd = sum(word.text in QUOTES for word in words.words) % 2
    if odd and any(words[n].text in QUOTES for n in range(split.start - 1, split.kept + 1)):
        # *…," he said*, where the quotation began in an earlier sentence
        return True
    for place in (split.start, split.stop):
        texts = [words[n].text for n in range(place)]
        if sum(t in OPENING for t in texts) > sum(t in CLOSING for t in texts):
            return True
        if (
            place < words.end
            and sum(t in QUOTES for t in texts) % 2
            and sum(w.text in QUOTES for w in words.words) % 2 == 0
        ):
            return True
    return False


def too_short(words: Words, split: Split) -> bool:
    """One of the sentences would have fewer than three words."""
    second = sum(not words[n].is_mark for n in split.second) + len(split.opener)
    first = sum(not words[n].is_mark for n in split.first(words)) + bool(split.put)
    return min(first, second) < _FEWEST_WORDS
