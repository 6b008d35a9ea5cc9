"""Rules of what a split must not do to what is said: such a split is never proposed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from rewrite.splitting.clauses import finite, has_subject, head_of, is_order, top, tops
from rewrite.splitting.events import INTRANSITIVE
from rewrite.splitting.forms import base
from rewrite.splitting.openers import VERB_SLOTS, phrase_slot
from rewrite.splitting.shared import (
    AUXILIARIES,
    BE,
    PERSONAL,
    POSSESSIVE,
    QUOTES,
    RELATIVES,
    SUBJECT_PRONOUNS,
    above,
    is_quantified,
    opens_with_subject,
)
from rewrite.splitting.split import Split
from rewrite.splitting.words import CLOSING, OPENING, Words

__all__ = [
    "adds_link",
    "changes_voice",
    "cuts_alternatives",
    "cuts_condition",
    "cuts_quantified",
    "cuts_report",
    "drops_content",
    "too_short",
    "unbalanced",
]

_DROPPABLE = frozenset(
    """
    and but yet so who which that where while whereas although though however thus then also therefore both
    is was are were has have had of in
    """.split()
)
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
_LINKS: Mapping[str, frozenset[str]] = {
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
_SAYING = frozenset("say ask reply tell write add explain answer cry shout whisper think insist".split())
_OBJECT_RELATIVES = frozenset({"who", "whom", "which", "that"})
_REPORTS = frozenset(
    """
    say add reply insist report note suggest claim announce warn argue estimate think believe explain admit state
    predict conclude acknowledge recall write tell
    """.split()
)
_NEED_WHAT_IS_SAID = frozenset("say add reply insist".split())
_WITH_MAIN_CLAUSE = frozenset({"although", "though", "whereas", "while", "because", "when", "if"})
_IF = frozenset({"if", "unless"})
_OF_SOME = frozenset({"other", "others", "those", "same", "such", "all", "first", "last"})
_FEWEST_WORDS = 3
_FAR = 8
"""Words that may stand from *between* or *both* to its *and*."""


def drops_content(words: Words, split: Split) -> bool:
    """A dropped word says something that nothing says again."""
    return not all(_may_go(words, split, number) for number in range(split.start, split.kept))


def _may_go(words: Words, split: Split, number: int) -> bool:
    word = words[number]
    if word.is_mark:
        return word.text not in OPENING | CLOSING | QUOTES
    if number == split.verb and word.pos == "VERB" and VERB_SLOTS & set(split.opener):
        return True
    if word.lower == "while" and words[number - 1].text != ",":
        # It tells when.
        return "meanwhile" in split.opener
    if word.lower == "where" and words.lower_at(number + 1) == "there":
        return True
    if word.lower in _WITH_MAIN_CLAUSE and word.head >= 0 and words[word.head].head >= split.kept:
        # *; although it was old, they sold it*: the clause that it belongs to comes behind it.
        return False
    if word.lower in _SENSE_KEPT_BY:
        return word.lower == "both" or bool(set(_SENSE_KEPT_BY[word.lower]) & set(split.opener))
    if word.lower == "whose" and POSSESSIVE & set(split.opener):
        return True
    if word.lower == "which" and word.rel == "det":
        # *in which case* → *in that case*
        return bool({"this", "that"} & set(split.opener))
    if word.lower in ("which", "whom") and split.opener[-2:] == ("of", "them"):
        return True
    if word.lower in split.opener and (word.pos in ("ADP", "ADV") or "them" in split.opener):
        # *in which* → *in it*, *effectively ending* → *this effectively ended*, *some of whom* → *some of them*
        return True
    if word.lower in ("of", "in") or (word.lower in _OBJECT_RELATIVES and word.rel in ("obj", "iobj")):
        # *one of which*, *in which*: what they stand before goes with them; *which he bought* would have no object.
        return False
    if word.lower in AUXILIARIES and word.lower not in split.opener:
        return False
    if word.lower == "that" and (word.rel == "mark" or word.pos == "DET" or _has_own_subject(words, split, number)):
        # What somebody says, thinks or denies, or that something is so, must not stand as said outright.
        return False
    if word.pos == "PRON" and word.lower in SUBJECT_PRONOUNS and opens_with_subject(split):
        # *a box he brought with him* → *It brought with him*
        if word.lower not in PERSONAL or word.lower in split.opener:
            return True
        # *the amount it spends* → *The amount spends*
        is_own = word.head >= 0 and words[word.head].rel == "acl:relcl" and words[word.head].head == split.antecedent
        return bool(phrase_slot(split.opener)) and not is_own
    return word.lower in _DROPPABLE


def _has_own_subject(words: Words, split: Split, that: int) -> bool:
    """Whether the clause behind a dropped *that* has another subject: *denied charges that it provided …*."""
    if words[split.kept].lower in SUBJECT_PRONOUNS and words[split.kept].pos == "PRON":
        return True
    numbers = split.second
    head = top(words, numbers)
    return words[that].rel.split(":")[0] != "nsubj" and head >= 0 and has_subject(words, head, numbers)


def adds_link(words: Words, split: Split) -> bool:
    """The opener tells a contrast or a result that the source does not: *and he left* → *However, he left*."""
    said = {link for link in _LINKS if link in split.opener}
    if "there" in said and BE & set(split.opener):
        # *There is a house*
        said.discard("there")
    if not said:
        return False
    near = {words[n].lower for n in (*range(split.lead), *range(split.start, split.kept + 1))}
    return not any(near & _LINKS[link] for link in said)


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
    if head < 0 or words[head].rel not in ("acl", "acl:relcl", "appos"):
        return False
    noun = words[head].head
    if _names(words, split, head):
        return True
    # *the other houses that were sold*: they are others than those.
    is_told_by_clause = words[split.start].lower == "that" and not words[split.start - 1].is_mark
    if is_told_by_clause and {words[n].lower for n in (noun, *words.children[noun])} & _OF_SOME:
        return True
    return is_quantified(words, noun)


def _names(words: Words, split: Split, head: int) -> bool:
    """Whether a participle says which one is meant: *the forest called Harlow Wood*; not *a forest called …*."""
    is_set_off = words[split.start - 1].is_mark or words[split.start].is_mark
    if words[head].rel != "acl" or is_set_off or words[head].lower not in ("called", "named", "titled", "entitled"):
        return False
    return any(words[c].lower in ("the", "this", "that") for c in words.children[words[head].head])


def _is_quoted(words: Words, number: int) -> bool:
    return words[number].text in QUOTES


def _closes_report(words: Words, split: Split, verb: int) -> bool:
    """Whether what becomes a sentence only tells who said or thought the rest: *It fell, the agency reported.*"""
    if words[verb].pos != "VERB" or words[verb].lemma.lower() not in _REPORTS:
        return False
    if verb + 1 >= split.stop or words[verb + 1].is_mark:
        return True
    # *…, notes Tom Brown, who was there*
    is_set_off = verb == split.begins(words) and split.dropped <= 1 and words[verb - 1].text == ","
    return is_set_off and words[verb + 1].pos in ("PROPN", "PRON", "DET", "NOUN")


def _is_told_behind(words: Words, split: Split) -> bool:
    """Whether who told all of it stands at the end: *It fell and left many dead, officials said.*"""
    for n in split.second:
        is_told = words[n].rel == "parataxis" and words[n].pos == "VERB" and words[n].lemma.lower() in _REPORTS
        first = min(words.subtree(n)[0], n)
        if is_told and 0 <= words[n].head < split.start and first > split.kept and words[first - 1].text == ",":
            return True
    return False


def cuts_report(words: Words, split: Split) -> bool:
    """Who said it stands behind what was said: *"I will go," he said, "at once."*, *It fell, police said on Friday*."""
    head = top(words, split.second)
    if (head >= 0 and _closes_report(words, split, head)) or _is_told_behind(words, split):
        return True
    if head >= 0 and words[head].pos == "VERB" and words[head].lemma.lower() in _NEED_WHAT_IS_SAID:
        said = {words[c].rel for c in words.children[head] if c > head}
        if not said & {"ccomp", "obj", "xcomp"}:
            return True
    if words[0].text in QUOTES and any(words[n].text in QUOTES for n in range(split.kept + 1, split.stop - 1)):
        # *"We won," said Tom, who ran, "and we are glad."*
        return True
    before = next((n for n in range(split.start - 1, -1, -1) if words[n].text not in (",", ":")), -1)
    if (
        before >= 0
        and words[before].pos == "VERB"
        and words[before].lemma.lower() in _SAYING
        and words[before + 1].is_mark
    ):
        # *Tom added: "I would …*
        return True
    if before < 0 or words[before].text not in QUOTES | CLOSING:
        return False
    near = range(split.kept, min(split.kept + 5, split.stop))
    return any(words[n].lemma.lower() in _SAYING and words[n].pos == "VERB" for n in near)


def changes_voice(words: Words, split: Split) -> bool:
    """A passive became active, or the reverse: *driven by Tom* → *He drove by Tom*, *and ruled* → *It is ruled*."""
    head = top(words, split.second)
    is_opened = bool(BE & set(split.opener)) and "because" not in split.opener
    if is_opened and head >= 0 and words[head].lower.endswith("ed") and _has_no_passive(words, head):
        return True
    if head == split.begins(words) and is_opened:
        governor = words[head].head
        is_joined = words[head].rel == "conj" and words[head].feature("VerbForm") == "Fin" and governor >= 0
        # Where the verb that it is joined to is a passive the tagger took a participle for a past.
        if is_joined and finite(words, governor) and not any(words[c].rel == "aux" for c in words.children[governor]):
            return words[governor].pos == "VERB"
    if split.verb < 0 or not VERB_SLOTS & set(split.opener):
        return False
    verb = words[split.verb]
    return verb.feature("VerbForm") == "Part" and not verb.lower.endswith("ing")


def _has_no_passive(words: Words, verb: int) -> bool:
    return base(words[verb].lower, words[verb].lemma.lower()) in INTRANSITIVE and not any(
        words[c].rel == "compound" for c in words.children[verb]
    )


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
