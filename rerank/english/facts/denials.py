"""What a text denies and asserts, words that deny without saying so, and the rule for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rerank.english.facts.guard_words import DENYING, FUNCTION, LISTS, Text
from rerank.english.forms import stem
from rerank.frequency import common_words
from rerank.guard import Facts, Violation
from rerank.opposites.english import opposites_of

_EQUIVALENT = LISTS.words("equivalent")
"""Words beside which a denial more or less may say the same."""
_PREFIX = re.compile(r"(?:un|non|(?:in|im|ir|il|dis)(?=\w*(?:able|ible|ent|ant|ate|ive|ous|al|ar|ect|ly|ity|ce)$))")
_SHORTEST_REST = 4
_COMMONER = 10
"""How many times rarer than with a prefix a word may be without: *literate*."""
_NEAR = 4
_LIMITS = frozenset("until till unless before".split())
"""Behind a denial these turn it: *not seen until 1997* is *seen in 1997*."""
_OPENED = frozenset(". ? ! , ; : ( ) -- but and which who that although though because while when".split())
_IDIOMS = tuple(tuple(idiom.split()) for idiom in LISTS.rows("idioms"))
_SCOPE = 6
_MOST_GOVERNED = 3
_FARTHEST = 60


@dataclass(frozen=True, slots=True)
class Denial:
    """A word that denies, the stems that it governs in order, and those of a few words before it in its clause.

    `turned` is the word beside which it denies in form only: *until* behind it, *unreasonably* after *not*.
    """

    text: str
    governed: tuple[str, ...]
    before: tuple[str, ...]
    turned: str


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
    places = [at for at, word in enumerate(text) if word.low in DENYING and (text.first[at] or not word.cap)]
    hedges = [
        at for at, word in enumerate(text) if word.low in DENYING or (word.kind == "word" and _is_equivalent(word.low))
    ]
    hedged, near = {text.sentence[at] for at in hedges}, {at + n for at in hedges for n in range(-_NEAR, _NEAR + 1)}
    scopes = {at: _scope(text, at) for at in places}
    inside = {place for scope in scopes.values() for place in scope}
    content = [
        (at, word.stem, text.sentence[at])
        for at, word in enumerate(text)
        if word.kind == "word" and word.low not in FUNCTION and word.low not in DENYING
    ]
    return Denials(
        tuple(
            Denial(
                _said(text, at),
                _stems(text, scopes[at])[:_MOST_GOVERNED],
                _stems(text, _ahead(text, at)),
                _turned(text, at),
            )
            for at in places
            if not _is_idiom(text, at)
        ),
        frozenset(stem for _, stem, sentence in content if sentence not in hedged),
        frozenset(stem for _, stem, _ in content) - {stem for at, stem, _ in content if at in near},
        frozenset(stem for at, stem, _ in content if at in inside),
        frozenset(stem for at, stem, _ in content if at not in inside),
        not hedged,
        len(places),
        {stem: text[at].text for at, stem, _ in reversed(content)},
    )


def _is_idiom(text: Text, at: int) -> bool:
    for idiom in _IDIOMS:
        for shift, word in enumerate(idiom):
            if word == text.low(at) and all(text.low(at - shift + n) == part for n, part in enumerate(idiom)):
                return True
    return False


def _turned(text: Text, at: int) -> str:
    """The word that turns a denial: behind *not* one with a prefix that denies, *until*, *before* or the like in its
    sentence; empty where there is none."""
    behind = text.low(at + 1 + (text.low(at + 1) == "be"))
    if text.low(at) in ("not", "nt") and is_prefixed(behind):
        return behind
    end = min(at + _FARTHEST, len(text))
    rest = (text.low(place) for place in range(at, end) if text.sentence[place] == text.sentence[at])
    return next((low for low in rest if low in _LIMITS), "")


@lru_cache(maxsize=20_000)
def _is_equivalent(low: str) -> bool:
    return low in _EQUIVALENT or (low.endswith("less") and len(low) > _SHORTEST_REST) or is_prefixed(low)


@lru_cache(maxsize=20_000)
def is_prefixed(low: str) -> bool:
    """Whether a word is another with a prefix that denies: *unknown*, no *union*."""
    known, prefix = common_words("en"), _PREFIX.match(low)
    rest = low[prefix.end() :] if prefix else ""
    return len(rest) >= _SHORTEST_REST and _COMMONER * known.get(rest, 0) > known.get(low, 0)


def _said(text: Text, at: int) -> str:
    return " ".join(word.text for word in text[at : at + 3])


def _scope(text: Text, at: int) -> range:
    """The places behind a denial up to the end of its clause, a few at most."""
    end = min(at + 1 + _SCOPE, len(text))
    return range(at + 1, next((place for place in range(at + 1, end) if text.low(place) in _OPENED), end))


def _ahead(text: Text, at: int) -> range:
    """The places before a denial from the start of its clause, a few at most."""
    start = max(at - _SCOPE, 0)
    return range(next((place + 1 for place in range(at - 1, start - 1, -1) if text.low(place) in _OPENED), start), at)


def _stems(text: Text, places: range) -> tuple[str, ...]:
    words = (text[place] for place in places)
    return tuple(word.stem for word in words if word.kind == "word" and word.low not in FUNCTION)


def flipped_negation(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """What a text denies though the source asserts it, and the reverse.

    Fires only where the other side denies nothing in the sentence, in whatever words: what says the same without *not*
    is not told from what does not. A denial in form only may go with what turns it: *not seen until 1997* → *seen in
    1997*, but not *not seen until 1997* → *seen until 1997*.
    """
    given, said = source.of(denials_of), text.of(denials_of)
    for denial in said.denials:
        if (
            not denial.turned
            and _is_new(denial, given, said.count > given.count)
            and not _denies_opposite(denial, given, said)
        ):
            yield Violation("negation", denial.text, "the source asserts what the candidate denies")
    for denial in given.denials:
        first = denial.governed[0] if denial.governed else ""
        if denial.turned and (said.count >= given.count or not _stays_turned(denial.turned, text.words)):
            continue
        if (is_prefixed(denial.turned) and first in said.written) or (
            first in said.plain and first not in given.outside
        ):
            yield Violation("negation", said.written[first], f"the source denies it: {denial.text}")


def _stays_turned(low: str, text: Text) -> bool:
    """Whether a text has the word, with no denial near before it; *unless* says another thing than *not … unless*."""
    places = [at for at, word in enumerate(text) if word.low == low != "unless"]
    return any(all(text.low(near) not in DENYING for near in range(max(0, at - _NEAR), at)) for at in places)


def _denies_opposite(denial: Denial, given: Denials, said: Denials) -> bool:
    """Whether a text denies the opposite of a word of its source: *not open* for *closed*, *don't forget*."""
    words = (said.written[key] for key in denial.governed if key in said.written)
    others = (other for word in words for before in ("", "not") for other in opposites_of(word.lower(), before))
    return any(stem(other) in given.written for other in others)


def _is_new(denial: Denial, given: Denials, has_more: bool) -> bool:
    """Whether the source says what a text denies: anything near, or of a source that denies, the next word itself."""
    if given.is_plain:
        return any(key in given.plain for key in (*denial.governed, *denial.before))
    return has_more and denial.governed[:1] != () and denial.governed[0] in given.clear - given.denied
