"""Rules that a second sentence is about what the source is about there: *Mary, who left* → not *He left*."""

from __future__ import annotations

from rewrite.splitting.clauses import clause_subject, has_subject, head_of, main_clause, shared_subject
from rewrite.splitting.events import RESULTS
from rewrite.splitting.kinds import is_crowd, is_person, is_place
from rewrite.splitting.openers import VERB_SLOTS, phrase_slot
from rewrite.splitting.pronouns import is_name, is_thing, only_pronoun, pronoun_of, what_it_is_of
from rewrite.splitting.shared import BE, PERSONAL, RELATIVES, above
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["other_subject", "they_for_one"]

_OF_PERSONS = frozenset({"he", "she"})


def other_subject(words: Words, split: Split) -> bool:
    """The opener names another subject than the one that the verb has in the source: *Mary, who … → He …*."""
    head = head_of(words, split)
    if head < 0 or has_subject(words, head, split.second):
        return False
    if words[head].lower == "including" and VERB_SLOTS & set(split.opener):
        return _includes_other(words, split, head)
    if _is_of_year(words, split, head):
        return "this" not in split.opener
    if ("this" in split.opener and _is_no_event(words, split, head)) or _is_of_other_kind(words, split, head):
        return True
    if _tells_of_noun_before(words, split, head):
        return not (phrase_slot(split.opener) and split.antecedent == split.verb - 1)
    subject, said = shared_subject(words, head), _said(split)
    if said in ("i", "you", "we") and not (subject >= 0 and words[subject].lower == said):
        return True
    if not 0 <= subject < split.start:
        # *Upon her return, Tom's friend - now old - left* → *He left*
        return said in ("he", "she", "they") and only_pronoun(words) not in ("", said)
    if split.antecedent >= 0 and phrase_slot(split.opener):
        return _is_other_noun(words, split, head, subject)
    if is_person(words[subject].lower):
        # *Ann is a player, who won*
        subject = what_it_is_of(words, subject)
    if said and _is_of_who(words, split, head) and _is_nobody(words, subject):
        # *children from the world, who …*, *a town of Tom, who …*: the parse is wrong.
        before = _noun_before(words, split)
        return said != "they" and not (is_name(words, before) and pronoun_of(words, before) in ("", said))
    if said in _OF_PERSONS and _has_who(words, split) and words[subject].pos == "NOUN":
        # *a mayor, who …*; not *a family, who …*
        no_one = is_crowd(words[subject].lower) or is_thing(words, subject)
        return no_one or pronoun_of(words, subject) not in ("", said)
    return bool(said) and not _stands_for(words, subject, said, is_of_which=_is_of_which(words, split, head))


def _is_other_noun(words: Words, split: Split, head: int, subject: int) -> bool:
    """Whether the noun that is said again is not the subject, nor what may be meant where the parse is wrong."""
    noun = split.antecedent
    if noun >= split.start:
        # *and makes their sale punishable* → *Their sale makes their sale …*
        return True
    if _is_of_who(words, split, head) and _is_nobody(words, noun):
        # *defeated in the primary, who died* → *The primary died*
        return True
    # *the case against Tom* is not Tom.
    is_part = words[noun].head == subject and not any(words[c].rel == "case" for c in words.children[noun])
    if noun == subject or is_part or words[subject].pos == "PRON":
        return False
    return not _may_be_meant(words, split, head)


def _noun_before(words: Words, split: Split) -> int:
    """The last noun of the first sentence, of a name its head; or the first word."""
    last = next((n for n in range(split.start - 1, -1, -1) if words[n].pos in ("NOUN", "PROPN")), 0)
    return words[last].head if words[last].rel == "flat" else last


def _is_of_who(words: Words, split: Split, head: int) -> bool:
    """Whether a clause's subject is *who*, or it is joined to one whose is."""
    joined = (c for n in above(words, head) for c in words.children[n])
    return _has_who(words, split) or any(words[c].lower == "who" and words[c].rel == "nsubj" for c in joined)


def _is_nobody(words: Words, noun: int) -> bool:
    """Whether a noun is known for no person and no crowd, or is a place."""
    word = words[noun]
    if word.pos == "PROPN":
        # *the Air Force, who …* may be many.
        return is_place([word.lower])
    named = word.pos != "NOUN" or is_crowd(word.lower) or is_person(word.lower)
    return not named and pronoun_of(words, noun) != "they"


def _is_of_year(words: Words, split: Split, head: int) -> bool:
    """Whether *which* stands behind a year, so that all before it is meant: *He won in 2011, which made him rich*."""
    which = next((n for n in range(split.start, split.kept) if words[n].lower == "which"), -1)
    if which < 1 or words[head].rel not in ("acl:relcl", "advcl") or words[head].lemma.lower() not in RESULTS:
        return False
    year = words[which - 2 if words[which - 1].is_mark else which - 1]
    return year.text.isdigit() and len(year.text) == 4


def _may_be_meant(words: Words, split: Split, head: int) -> bool:
    """Whether a noun that is said again may be what a clause tells of, though it was parsed otherwise.

    Parsers err most on this, and the network that says the noun again has seen more: of *a part of Audi, which …* it
    may be either noun, and *was shown* of *Tom is in a film which ran and was shown* may tell of Tom or of the film.
    """
    noun = split.antecedent
    if words[head].rel in ("acl", "acl:relcl"):
        last = next((n for n in range(split.start - 1, -1, -1) if not words[n].is_mark), -1)
        return last == noun or (words[last].rel == "flat" and words[last].head == noun)
    clauses = (c for c in words.children[noun] if words[c].rel == "acl:relcl" and c < split.start)
    return words[head].rel == "conj" and any(
        words[c].lower in RELATIVES and words[c].rel == "nsubj" for n in clauses for c in words.children[n]
    )


def _tells_of_noun_before(words: Words, split: Split, verb: int) -> bool:
    """Whether a participle stands behind a noun, and no comma parts them, but it was read as the main subject's."""
    before = words[verb - 1]
    is_bare = words[verb].lower.endswith("ing") and verb == split.verb and split.dropped == 1
    return is_bare and words[verb].rel == "advcl" and before.pos in ("NOUN", "PROPN")


def _includes_other(words: Words, split: Split, including: int) -> bool:
    """*He went to many events, including a feast*: they did, and neither he nor it."""
    noun = words[including].head
    if phrase_slot(split.opener):
        return False
    fitting = pronoun_of(words, noun) if words[including].rel == "acl" and 0 <= noun < split.start else ""
    fit = {"they": {"they", "these"}, "it": {"it", "this"}}.get(fitting, {"they", "these", "it"})
    return not fit & set(split.opener)


def they_for_one(words: Words, split: Split) -> bool:
    """*They* for a single name: *He founded a school in Rome, which …* → *They …*; a band or a team may be many."""
    head = head_of(words, split)
    if _said(split) != "they" or head < 0 or has_subject(words, head, split.second):
        return False
    subject = shared_subject(words, head)
    if not 0 <= subject < split.start or not is_name(words, subject):
        return False
    return not pronoun_of(words, subject) and not words[subject].lower.endswith("s")


def _said(split: Split) -> str:
    return next((part for part in split.opener if part in PERSONAL), "")


def _is_no_event(words: Words, split: Split, head: int) -> bool:
    """Whether what *this* would stand for is a thing or several, and nothing that was told."""
    if words[head].rel == "conj" and words[head].pos == "VERB" and shared_subject(words, head) >= 0:
        # *The Forum presents plans and analyzes them*: the Forum does both.
        return True
    hangs = words[head].rel in ("acl", "acl:relcl")
    which = [words[n].lower for n in range(split.start, split.kept)]
    if hangs and which[-1:] == ["which"] and words[head].lemma.lower() not in RESULTS:
        # *The cat, which was black* → *This was black*
        return words[words[head].head].pos in ("NOUN", "PROPN")
    if hangs and pronoun_of(words, words[head].head) == "they":
        return True
    if BE & set(split.opener) and "because" not in split.opener and words[head].pos in ("NOUN", "ADJ"):
        # *These are small snakes, native to Rome* → *This is native to Rome*
        main = main_clause(words, head)
        subject = clause_subject(words, main) if main >= 0 else -1
        return 0 <= subject < split.start and pronoun_of(words, subject) == "they"
    is_changed = bool(VERB_SLOTS & set(split.opener)) and split.verb >= 0
    return is_changed and words[head].lemma.lower() not in RESULTS


def _has_who(words: Words, split: Split) -> bool:
    return any(words[n].lower == "who" for n in range(split.start, split.kept))


def _is_of_other_kind(words: Words, split: Split, head: int) -> bool:
    """Whether the opener has *he* for a *which*, or *it* or *this* for a *who*."""
    said = _said(split)
    if _has_who(words, split) and (said == "it" or {"this", "these"} & set(split.opener)):
        return True
    return said in _OF_PERSONS and _is_of_which(words, split, head)


def _is_of_which(words: Words, split: Split, head: int) -> bool:
    """Whether a clause's subject is *which*, or it is part of one whose is: *a ship, which sank and was raised*."""
    if any(words[n].lower == "which" for n in range(split.start, split.kept)):
        return True
    return any(
        words[c].rel == "nsubj" and words[c].lower == "which" for n in above(words, head) for c in words.children[n]
    )


def _stands_for(words: Words, subject: int, said: str, *, is_of_which: bool) -> bool:
    """Whether a pronoun may stand for a subject, as far as that is known."""
    word = words[subject]
    if word.lower in PERSONAL:
        return said == word.lower
    if said in ("i", "you", "we"):
        return False
    if said == "it" and word.pos == "NOUN" and is_person(word.lower) and not is_of_which:
        return False
    if said in _OF_PERSONS:
        is_human = is_person(word.lower) or is_name(words, subject)
        if is_thing(words, subject) or (word.pos == "NOUN" and not is_human):
            return False
    if said == "they" and word.pos == "NOUN" and word.feature("Number") == "Sing":
        return is_crowd(word.lower) or pronoun_of(words, subject) == "they"
    fitting = pronoun_of(words, subject)
    # A place has the name of a person: *a team based in Hamilton, which …*.
    return not fitting or said == fitting or (is_of_which and fitting in _OF_PERSONS)
