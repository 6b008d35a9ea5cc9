"""What may stand behind an opener with *is* or *was*: *It is a town*, *He was born in Rome*; not *It is by a river*."""

from __future__ import annotations

from rewrite.splitting.clauses import top
from rewrite.splitting.kinds import CROWDS, is_person, is_thing_noun
from rewrite.splitting.openers import phrase_slot
from rewrite.splitting.pronouns import pronoun_of, what_it_is_of
from rewrite.splitting.shared import BE, QUOTES
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["calls_so", "other_kind"]

_BE_OF_MANY = frozenset({"are", "were"})
_PLACES = frozenset("in at on near inside outside within".split())
_TIMES = frozenset("occasion occasions time times day days date dates year years month months".split())
_ARTICLES = frozenset({"a", "an", "the", "one"})
_MISREAD_APPOSITIONS = frozenset({"obl", "nmod", "root", "parataxis", "dep"})
_NEVER_BEHIND_BE = frozenset(
    """
    such as including like than to with by for of from so that again once twice enough having i.e i.e. e.g e.g. namely
    viz
    """.split()
)


def calls_so(words: Words, split: Split) -> bool:
    """*is* or *was* says of something what it is not: *the possibility of peace* → *It is of peace*."""
    if not BE & set(split.opener) or "because" in split.opener or "there" in split.opener:
        return False
    place, head = split.begins(words), top(words, split.second)
    first = words[place]
    if _BE_OF_MANY & set(split.opener) and _is_one(words, head, place):
        return True
    if head >= 0 and _is_rest_of_list(words, split, head):
        return True
    if words[split.kept].text in QUOTES:
        # *and said: "Sure"* → *He was "Sure"*
        return True
    if head < 0 or first.lower in _NEVER_BEHIND_BE or first.pos in ("SCONJ", "PART", "CCONJ"):
        return True
    if first.lower == "due":
        return False
    if first.pos == "ADP":
        return "this" in split.opener or not _tells_place(words, set(split.opener), head, place)
    if words[head].pos == "VERB":
        # *and sent it to Rome* → *It was sent it*
        return words[head].lower.endswith("ing") or any(words[c].rel == "obj" for c in words.children[head])
    if words[head].pos in ("NOUN", "PROPN"):
        return not _tells_what(words, head, place)
    if words[head].pos == "ADV" and first.pos == "ADV":
        # *This is really.*
        return True
    if words[head].rel == "conj":
        # *He had more in the east and less in the west* → *It was less in the west*
        return not _has_be(words, words[head].head)
    return words[head].rel in ("obj", "iobj", "nsubj")


def _has_be(words: Words, number: int) -> bool:
    return any(words[c].rel in ("cop", "aux") and words[c].lower in BE for c in words.children[number])


def _is_one(words: Words, head: int, first: int) -> bool:
    """Whether the words say one thing, as *They are a big dam* does not: *a dam*, *the house of Tom*."""
    if words[first].pos == "ADV":
        first += 1
    if words.lower_at(first) in ("a", "an"):
        return head < 0 or words[head].lower not in CROWDS
    is_single = head >= 0 and words[head].pos == "NOUN" and words[head].feature("Number") == "Sing"
    joined = is_single and any(words[c].rel == "conj" for c in words.children[head])
    return is_single and words.lower_at(first) == "the" and not joined and words[head].lower not in CROWDS


def other_kind(words: Words, split: Split) -> bool:
    """A person is or becomes a thing, or a thing a person: *He is a pipe organ*, *He became the largest city*."""
    head = top(words, split.second)
    if head >= 0 and words[head].lemma.lower() in ("become", "remain"):
        head = next((c for c in words.children[head] if c > head and words[c].rel in ("obj", "xcomp")), -1)
    elif not BE & set(split.opener):
        return False
    if head < 0 or words[head].pos not in ("NOUN", "PROPN") or words[head].feature("Number") == "Plur":
        return False
    if any(words[c].rel == "case" for c in words.children[head]):
        # *He is in the League*
        return False
    if "it" in split.opener:
        return is_person(words[head].lower)
    says_person = bool({"he", "she"} & set(split.opener)) or (
        bool(phrase_slot(split.opener)) and is_person(words[split.antecedent].lower)
    )
    return says_person and is_thing_noun(words[head].lower)


def _is_rest_of_list(words: Words, split: Split, head: int) -> bool:
    """Whether what *is* would call something is the rest of a list: *It is the end products, quality control and …*"""
    first = words[split.begins(words)]
    calls = first.lower in _ARTICLES and words[head].feature("Number") != "Plur"
    commas = sum(words[n].text == "," for n in range(split.start, split.stop))
    return commas > 1 and not calls and not any(words[n].feature("VerbForm") == "Fin" for n in split.second)


def _tells_place(words: Words, said: set[str], head: int, first: int) -> bool:
    """Whether a phrase such as *in Rome* is of a noun; one of a verb tells where something was done."""
    governor = words[head].head
    if (
        words[head].lower in _TIMES
        or words[first].lower not in _PLACES
        or words[head].rel not in ("obl", "nmod", "advmod")
        or governor < 0
    ):
        return False
    own = words.children[governor]
    # *a former player in the League*: he is there no more.
    is_gone = any(words[c].lower in ("former", "ex", "late", "retired") for c in own)
    # *a town in Italy*; not *a difference between towns*, *the sale in Rome*
    is_called = words[governor].rel == "appos" or any(words[c].rel == "cop" for c in own)
    if words[governor].pos not in ("NOUN", "PROPN") or not is_called or is_gone:
        return False
    is_many = pronoun_of(words, what_it_is_of(words, governor)) == "they"
    return is_many == bool(_BE_OF_MANY & said)


def _tells_what(words: Words, head: int, first: int) -> bool:
    """Whether a noun may be what something is: an apposition, or joined to what it is said to be."""
    is_phrase = words[first].lower in _ARTICLES or words[head].feature("Number") == "Plur" or words[first].pos == "ADV"
    if words[head].rel == "appos":
        # *He became the chief, and the head of it* was no apposition.
        return is_phrase and words.lower_at(first - 1) != "and"
    governor = words[head].head
    if words[head].rel == "conj":
        return words[first].lower in _ARTICLES and any(words[c].rel == "cop" for c in words.children[governor])
    # An apposition that was parsed as something else still has a comma and an article.
    is_set_off = first > 0 and words[first - 1].is_mark
    return is_set_off and words[first].lower in _ARTICLES and words[head].rel in _MISREAD_APPOSITIONS
