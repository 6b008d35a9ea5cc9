"""Which pronoun stands for a subject: *he*, *she*, *it* or *they*, as far as a sentence and lists of words tell.

The lists say of nouns and names whether they mean a person, a group of people, a place or a thing; of verbs whether
they tell of an event that is over, a result of all that was said before, or something done to an object.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rerank.errors import install_again
from rewrite.errors import BadModel
from rewrite.splitting.parsed_words import RELATIVES, Words

_FILE = Path(__file__).resolve().parents[1] / "models" / "names_en.json.gz"
_KINDS = ("he", "she", "person", "group", "place", "it")
MALE = frozenset(
    """
    mr sir lord king prince duke baron father brother son husband man boy gentleman uncle nephew grandfather actor
    businessman chairman spokesman policeman bishop pope emperor monk
    """.split()
)
FEMALE = frozenset(
    """
    mrs ms miss lady queen princess duchess baroness mother sister daughter wife woman girl aunt niece grandmother
    actress businesswoman chairwoman spokeswoman policewoman empress nun
    """.split()
)
_BEFORE_NAMES = frozenset(
    """
    hurricane storm typhoon cyclone operation project mount lake fort radio flight cape port uss hms ss
    expedition treaty airline team hotel cafe route highway interstate volcano asteroid planet
    """.split()
)
"""Nouns that a thing's name begins with: *Hurricane Katrina*."""
_BEHIND_NAMES = frozenset(
    """
    center centre company corporation museum university college school hospital station airport society institute
    association union party committee council commission channel network magazine newspaper journal league cup
    championship stadium theatre theater palace valley county district province city club team airline airlines railway
    inc ltd group hotel records agency ministry department office foundation festival award prize treaty
    series orchestra opera island islands cruises studio river avenue road highway industries
    """.split()
)
"""Nouns that a thing's name ends in: *Davidson Center*; none that is a family name, as *Hill* is."""

# Who or what these are done by they may be done by as long as they are so: *a hotel owned by Tom*.
_LASTING_BY = frozenset(
    """
    owned led run headed operated managed ruled governed served spoken used fed crossed coached captained hosted
    presented represented surrounded bordered inhabited occupied supported maintained administered known followed
    drained covered divided accompanied preceded succeeded regulated sanctioned controlled funded sponsored
    distributed broadcast manufactured licensed overseen chaired edited staffed backed worn played taught celebrated
    observed considered regarded seen called named organised organized offered provided held bounded
    """.split()
)
# Participles of events: with the main clause in the present they were still done in the past.
_EVENTS = frozenset(
    """
    born founded formed established built created written directed released published discovered designed produced
    recorded introduced opened launched killed elected appointed invented developed constructed completed adopted
    """.split()
)
# What is said before brings about what these tell, not its subject alone: *…, making it the largest*.
RESULTS = frozenset(
    "make cause lead allow result give force enable leave mean bring create prompt require end mark suggest".split()
)
THIRD = ("he", "she", "it", "they")
_SINGULAR_VERBS = frozenset({"is", "was", "has"})
_PLURAL_VERBS = frozenset({"are", "were", "have"})
_ONE_IN_S = frozenset(
    """
    states nations netherlands philippines times news bahamas olympics games emirates awards sports industries systems
    works studios airlines railways
    """.split()
)
_TITLES = frozenset("rev reverend dr prof professor president captain general colonel judge senator governor".split())
_OF_MANY = frozenset("these those many several both few two three four five six seven eight nine ten".split())
_OF_PEOPLE = frozenset("born married elected played studied sang wrote graduated died said retired singer".split())
_POSSESSIVE = frozenset({"his", "her", "himself", "herself"})
_PRONOUN_OF = dict.fromkeys(("he", "his", "him", "himself"), "he") | dict.fromkeys(
    ("she", "her", "hers", "herself"), "she"
)


@lru_cache(maxsize=1)
def _tables() -> dict[str, frozenset[str]]:
    """First names by pronoun (`he`, `she`); nouns of a `person`, a `group` and things (`it`); names of a `place`."""
    try:
        table: dict[str, str] = json.loads(gzip.decompress(_FILE.read_bytes()))
        return {kind: frozenset(table[kind].split("\n")) for kind in _KINDS}
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise BadModel(f"{_FILE}: it cannot be read: {error}.", hint=install_again("rewrite/models")) from error


def is_person(noun: str) -> bool:
    """Whether a noun (in small letters) is known to mean a person."""
    return noun in MALE or noun in FEMALE or noun in _tables()["person"]


def is_thing_noun(noun: str) -> bool:
    """Whether a noun is known to mean no person or animal, but a thing, an event, a group."""
    return noun in _tables()["it"] or noun in _tables()["group"]


def given_name(name: str) -> str:
    """*he* or *she* for a first name (in small letters) that mostly goes with it; empty for any other word."""
    return next((pronoun for pronoun in ("he", "she") if name in _tables()[pronoun]), "")


def is_place(parts: Sequence[str]) -> bool:
    """Whether a name (its parts in small letters) is a place's, and nobody's: *Rome*, *New York*."""
    return " ".join(parts) in _tables()["place"] and not given_name(parts[0])


def names_thing(parts: Sequence[str]) -> bool:
    """Whether a name of several parts says that it is a thing's: *Hurricane Katrina*, *Davidson Center*."""
    return len(parts) > 1 and (parts[0] in _BEFORE_NAMES or parts[-1] in _BEHIND_NAMES)


def happened(words: Words, participle: int) -> bool:
    """Whether a participle tells of an event in the past, whatever the main clause tells: *born*, *renamed in 1990*."""
    if words[participle].lower in _EVENTS:
        return True
    agents = (c for c in words.children[participle] if words[c].pos == "PROPN")
    if words[participle].lower not in _LASTING_BY and any(
        words[n].lower == "by" for agent in agents for n in words.children[agent]
    ):
        # *allegations brought by Tom*
        return True
    # *1990*, *1990s*
    return any(words[n].text[:4].isdigit() and words[n].text[4:] in ("", "s") for n in words.subtree(participle))


def is_name(words: Words, number: int) -> bool:
    """Whether a word is a name: tagged so, or a noun alone with a capital, as taggers see *Voigt cites his brother*."""
    word = words[number]
    children = [words[c] for c in words.children[number]]
    if word.pos == "PROPN" or (
        word.pos == "NUM" and any(child.rel == "compound" and child.pos == "PROPN" for child in children)
    ):
        # *the Phillips 66ers*
        return True
    alone = not any(child.rel in ("det", "amod", "compound", "nummod", "nmod") for child in children)
    return word.pos == "NOUN" and word.text[:1].isupper() and alone and word.feature("Number") != "Plur"


def pronoun_of(words: Words, subject: int) -> str:
    """One of `THIRD` for the subject with the head `subject`, or empty where nothing tells.

    Names joined by *and* and plurals are *they*; places, things by their names (*Hurricane Katrina*) and nouns of
    things are *it*. Of one person a title, a role (*actress*), the first name, or else the pronouns of the sentence
    tell, where they are of one kind; of one without a name only those behind the noun.
    """
    word = words[subject]
    if word.lower in THIRD:
        return word.lower
    if word.lower in ("these", "those") or _is_many(words, subject):
        return "they"
    name = _name_parts(words, subject)
    parts = [words[n].lower.rstrip(".") for n in name]
    if name[0] and is_name(words, name[0]) and words[name[0] - 1].pos == "NOUN":
        # *her sister Valérie*, whichever word the parse takes for the head
        parts.insert(0, words[name[0] - 1].lower)
    if is_name(words, subject) and _is_called_thing(words, subject):
        # *Princess Cruises*, *Prince Edward Island*
        return _of_thing(words, subject)
    for part in parts:
        if part in MALE or part in FEMALE:
            return "he" if part in MALE else "she"
    if not is_name(words, subject):
        if is_person(word.lower):
            # *The officer lost his dog*
            return only_pronoun(words, subject)
        return "it" if is_thing_noun(word.lower) else ""
    if _is_no_person(words, subject, parts):
        return _of_thing(words, subject)
    return (
        given_name(words[name[0]].lower)
        or _by_apposition(words, subject)
        or only_pronoun(words)
        or _by_predicate(words, subject)
    )


def _is_many(words: Words, subject: int) -> bool:
    """Whether a subject is more than one, by its own form, what is joined to it, or the verbs it goes with."""
    word, verb = words[subject], _verb_of(words, subject)
    clause = next((c for c in words.children[subject] if words[c].rel == "acl:relcl"), len(words))
    joined = any(
        words[c].rel == "conj" and words[c].pos in ("NOUN", "PROPN") and c < clause for c in words.children[subject]
    )
    modifiers = {words[c].lower for c in words.children[subject] if words[c].rel in ("det", "nummod", "amod")}
    is_plural = word.pos == "NOUN" and (word.feature("Number") == "Plur" or bool(modifiers & _OF_MANY))
    return (
        (joined and not verb & _SINGULAR_VERBS)
        or is_plural
        or bool(verb & _PLURAL_VERBS)
        or (clause < len(words) and _who_are(words, clause))
    )


def _who_are(words: Words, clause: int) -> bool:
    """Whether a relative clause about a subject has a plural verb: *who were saved*; not *on which men were*."""
    children = [words[c] for c in words.children[clause]]
    subject = next((child.lower for child in children if child.rel == "nsubj"), "")
    verbs = {child.lower for child in children if child.rel in ("aux", "cop")}
    return subject in RELATIVES and not verbs.isdisjoint(_PLURAL_VERBS)


def _of_thing(words: Words, subject: int) -> str:
    """*they* for *the Mets*, *it* for *the Senate*; empty for *the Netherlands*."""
    name = words[subject].lower
    if not name.endswith("s") or name.endswith(("ss", "us", "is")) or _verb_of(words, subject) & _SINGULAR_VERBS:
        return "it"
    return "" if name in _ONE_IN_S else "they"


def _is_no_person(words: Words, subject: int, parts: list[str]) -> bool:
    """Whether a name is a place's or says what it is of, or has an article, as *the Senate* has.

    People have one with an adjective or a role alone.
    """
    children = words.children[subject]
    if _is_called_thing(words, subject):
        return True
    begins = min(_name_parts(words, subject))
    has_article = any(words[c].rel == "det" and words[c].lower == "the" for c in children) or (
        words.word(begins - 1) == "the"
    )
    known = any(is_person(part) or part in _TITLES or given_name(part) for part in parts)
    # *the young Smith*; not *the 15th Foot*, *the Royal Foot*
    described = any(words[c].rel == "amod" and words[c].text.isalpha() and words[c].text.islower() for c in children)
    return has_article and not known and not described


def _is_called_thing(words: Words, subject: int) -> bool:
    """Whether a name is a place's or says that it is a thing's; not one that does what people alone do."""
    name = _name_parts(words, subject)
    parts = [words[n].lower.rstrip(".") for n in name]
    # *New* of *New York* may be parsed as an adjective.
    is_called = names_thing(parts) or is_place(parts) or is_place([words.word(subject - 1), words[subject].lower])
    if not is_called or len(parts) > 1 or words[subject].rel != "nsubj":
        return is_called
    verb = words[words[subject].head].lower
    return verb not in _OF_PEOPLE and not any(word.lower in _POSSESSIVE for word in words.tokens[subject:])


def _verb_of(words: Words, subject: int) -> set[str]:
    """The finite verb of a subject, as a set of one: *are* of *The Nationals are a team*; empty without one."""
    head = words[subject].head
    if words[subject].rel != "nsubj" or head < subject:
        return set()
    near = [head, *(c for c in words.children[head] if words[c].rel in ("aux", "cop") and c > subject)]
    return {words[min(near)].lower}


def _by_apposition(words: Words, subject: int) -> str:
    """*it*, where an apposition calls a name a thing: *Rome, a big city*."""
    if len(_name_parts(words, subject)) > 1:
        # *Mark Bingham, a former University of California rugby star*: what people are, parsers get wrong.
        return ""
    appositions = [words[c] for c in words.children[subject] if words[c].rel == "appos" and c > subject]
    return "it" if any(word.pos == "NOUN" and is_thing_noun(word.lower) for word in appositions) else ""


def _by_predicate(words: Words, subject: int) -> str:
    """*it*, where the predicate calls the subject a thing: *The Asheville was a ship*."""
    head = words[subject].head
    if head < 0 or words[subject].rel != "nsubj" or words[head].pos != "NOUN":
        return ""
    return "it" if is_thing_noun(words[head].lower) else ""


def _name_parts(words: Words, subject: int) -> list[int]:
    """The words of a name or the noun itself, in order."""
    near = [c for c in words.children[subject] if words[c].rel in ("compound", "flat") and abs(c - subject) < 6]
    # *Rev. Brown*; not *of Rome*
    titles = [c for c in words.children[subject] if words[c].rel == "nmod" and c == subject - 1]
    return sorted([subject, *near, *(c for c in titles if not words.children[c])])


def only_pronoun(words: Words, begins: int = 0) -> str:
    """The pronoun of the sentence from a word on, where all of *he* and *she* there are one; empty elsewhere."""
    pronouns = {_PRONOUN_OF[word.lower] for word in words.tokens[begins:] if word.lower in _PRONOUN_OF}
    return pronouns.pop() if len(pronouns) == 1 else ""
