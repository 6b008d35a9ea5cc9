"""What words mean, as far as a list tells.

Nouns and names: a person, a group of people, a place, a thing. Verbs: an event that is over, a result of all that was
said before, something done to an object.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rerank.errors import install_again
from rewrite.errors import BadModel
from rewrite.splitting.words import Words

__all__ = [
    "CROWDS",
    "FEMALE",
    "MALE",
    "RESULTS",
    "TRANSITIVE",
    "given_name",
    "happened",
    "is_person",
    "is_place",
    "is_thing_noun",
    "names_thing",
]

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
CROWDS = frozenset(
    """
    team band group family police staff crew company couple number majority government club party pair trio duo
    audience public army navy committee council board rest half lot variety series species percent data media most
    all some any none more people class cast league side orchestra force
    """.split()
)
"""Nouns that one and several verbs go with: *the team is*, *the team are*."""
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
# Their past needs an object: *It held in May* was *It was held in May*, and *It opened in May* is said.
TRANSITIVE = frozenset(
    """
    found locate situate name base bear know disguise favor favour build hold use appoint elect award describe
    establish create discover invent publish kill destroy capture rename nickname attach assign bury inspire influence
    own fund sponsor commission nominate
    """.split()
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
