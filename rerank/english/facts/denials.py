"""What a text denies, what it asserts, and words that deny without saying so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rerank.english.facts.words import Text
from rerank.frequency import common_english

__all__ = ["FUNCTION", "Denial", "Denials", "denials_of"]

_DENYING = frozenset(
    "not nt never no nobody nothing nowhere none neither nor without cannot hardly scarcely noone cant dont didnt wont "
    "isnt wasnt doesnt couldnt wouldnt".split()
)
_EQUIVALENT = frozenset(
    """
    empty silent draw
    fail failed fails failing failure unable refuse refused refuses refusing refusal lack lacks lacked lacking
    prevent prevented prevents preventing avoid avoids avoided avoiding absence absent instead rather except few
    fewer little less rarely seldom barely unless impossible stop stopped stops stopping cease ceased deny denied
    denies denying decline declined reject rejected rejects loss lose lost missing missed free only unlike despite
    devoid excluding exclude excludes excluded exception minus unwilling prohibit prohibited prohibits forbid
    forbids forbade forbidden ban banned false falsely wrong wrongly incorrectly oppose opposed neglect neglected
    abandoned abandon cancelled canceled incapable disallowed poor poorly bad badly weak hard difficult difficulty
    exempt immune limited limit limits almost resist resisted doubt doubted doubtful non differ differs differed
    different difference contraindicated acquitted against struggled outdated minimal barred bars bar disputed
    dispute deficit deficits inseparable anonymous anonymously zero unlikely alone opposite contrary contrast
    """.split()
)
"""Words beside which a denial more or less may say the same."""
_PREFIX = re.compile(r"(?:un|non|(?:in|im|ir|il|dis)(?=\w*(?:able|ible|ent|ant|ate|ive|ous|al|ar|ect|ly|ity|ce)$))")
_SHORTEST_REST = 4
_COMMONER = 10
"""How many times rarer than with a prefix a word may be without: *literate*."""
_NEAR = 4
_LIMITS = frozenset("until till unless before".split())
"""Behind a denial these turn it: *not seen until 1997* is *seen in 1997*."""
_IDIOMS = frozenset(
    """
    not only; not just; not merely; not simply; not solely; not necessarily; not until; not to mention; not least; no
    longer; no more; no later; no fewer; no less; no earlier; no sooner; no doubt; no matter; no other than; none other;
    nothing but; or not; if not; why not; not so much; nothing more; without doubt; without question; no wonder; not any
    longer; not any more; not anymore; nt only; nt just; nt until; nt any longer; nt any more; nt anymore; nt
    necessarily; not too; not yet; nt yet; not all; not every; not quite; not exactly; not even; nt even; not very; nt
    very; not always; nt always; not entirely; not fully; not sure; not clear; not well; not as; not have to; not long;
    not far; no one else; no small; not mean; nt mean; no .; never before; nothing less; not limited
    """.replace("\n", " ").split(";")
)
_OPENED = frozenset(". ? ! , ; : ( ) -- but and which who that although though because while when".split())
_IDIOM_WORDS = tuple(tuple(idiom.split()) for idiom in sorted(_IDIOMS) if idiom.strip())
FUNCTION = frozenset(
    """
    be been being is are was were am have has had having do does did done to a an the of in on at by for with from
    as any anything anyone ever so very also yet still all his her its their my your our this that these those it he
    she they him them there able such much many more most some one and or if then than would will can could may
    might must shall should about into out up over only even just really actually get got become became himself
    itself themselves herself allowed enough each both other same s re ve ll d ca wo t longer
    """.split()
)
_SCOPE = 6
_MOST_GOVERNED = 3


@dataclass(frozen=True, slots=True)
class Denial:
    """A word that denies, the stems that it governs in order, and those of a few words before it in its clause."""

    text: str
    governed: tuple[str, ...]
    before: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Denials:
    """The denials of a text; the stems of sentences that deny nothing in any way; those that no
    word near denies; those that stand within the reach of a denial, and outside of any.

    `is_plain` is a text that denies nothing, and says nothing in place of a denial; `count` is how many words deny.
    `written` has of each stem the word of the text.
    """

    denials: tuple[Denial, ...]
    plain: frozenset[str]
    clear: frozenset[str]
    denied: frozenset[str]
    outside: frozenset[str]
    is_plain: bool
    count: int
    written: Mapping[str, str]


def denials_of(text: Text) -> Denials:
    """What a text denies."""
    places = [at for at, word in enumerate(text.words) if word.low in _DENYING and (text.first[at] or not word.cap)]
    hedges = [
        at
        for at, word in enumerate(text.words)
        if word.low in _DENYING or (word.kind == "word" and _is_equivalent(word.low))
    ]
    hedged, near = {text.sentence[at] for at in hedges}, {at + n for at in hedges for n in range(-_NEAR, _NEAR + 1)}
    scopes = {at: _scope(text, at) for at in places}
    inside = {place for scope in scopes.values() for place in scope}
    content = [
        (at, word.stem, text.sentence[at])
        for at, word in enumerate(text.words)
        if word.kind == "word" and word.low not in FUNCTION and word.low not in _DENYING
    ]
    return Denials(
        tuple(
            Denial(_said(text, at), _stems(text, scopes[at])[:_MOST_GOVERNED], _stems(text, _ahead(text, at)))
            for at in places
            if not _is_idiom(text, at)
        ),
        frozenset(stem for _, stem, sentence in content if sentence not in hedged),
        frozenset(stem for _, stem, _ in content) - {stem for at, stem, _ in content if at in near},
        frozenset(stem for at, stem, _ in content if at in inside),
        frozenset(stem for at, stem, _ in content if at not in inside),
        not hedged,
        len(places),
        {stem: text.words[at].text for at, stem, _ in reversed(content)},
    )


def _is_idiom(text: Text, at: int) -> bool:
    for idiom in _IDIOM_WORDS:
        for shift, word in enumerate(idiom):
            if word == text.low(at) and all(text.low(at - shift + n) == one for n, one in enumerate(idiom)):
                return True
    return _is_limited(text, at) or (text.low(at) in ("not", "nt") and is_prefixed(text.low(at + 1)))


def _is_limited(text: Text, at: int) -> bool:
    """Whether *until*, *before* or the like stands behind a denial in its sentence."""
    for place in range(at, len(text.words)):
        if text.sentence[place] != text.sentence[at]:
            return False
        if text.low(place) in _LIMITS:
            return True
    return False


@lru_cache(maxsize=20_000)
def _is_equivalent(low: str) -> bool:
    return low in _EQUIVALENT or (low.endswith("less") and len(low) > _SHORTEST_REST) or is_prefixed(low)


@lru_cache(maxsize=20_000)
def is_prefixed(low: str) -> bool:
    """Whether a word is another with a prefix that denies: *unknown*, no *union*."""
    known, found = common_english(), _PREFIX.match(low)
    rest = low[found.end() :] if found else ""
    return len(rest) >= _SHORTEST_REST and _COMMONER * known.get(rest, 0) > known.get(low, 0)


def _said(text: Text, at: int) -> str:
    return " ".join(word.text for word in text.words[at : at + 3])


def _scope(text: Text, at: int) -> range:
    """The places behind a denial up to the end of its clause, a few at most."""
    for place in range(at + 1, min(at + 1 + _SCOPE, len(text.words))):
        if text.low(place) in _OPENED:
            return range(at + 1, place)
    return range(at + 1, min(at + 1 + _SCOPE, len(text.words)))


def _ahead(text: Text, at: int) -> range:
    """The places before a denial from the start of its clause, a few at most."""
    for place in range(at - 1, max(at - 1 - _SCOPE, -1), -1):
        if text.low(place) in _OPENED:
            return range(place + 1, at)
    return range(max(at - _SCOPE, 0), at)


def _stems(text: Text, places: range) -> tuple[str, ...]:
    words = (text.words[place] for place in places)
    return tuple(word.stem for word in words if word.kind == "word" and word.low not in FUNCTION)
