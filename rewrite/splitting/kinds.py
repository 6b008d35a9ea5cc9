"""What nouns and names mean, as far as a list tells: a person, a group of people, a place, a thing."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rerank.errors import install_again
from rewrite.errors import BadModel

__all__ = [
    "CROWDS",
    "FEMALE",
    "MALE",
    "given_name",
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
