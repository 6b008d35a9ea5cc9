"""Names of a text, what in it supports a name, and the rule for those that nothing in the source supports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import pairwise

from rerank.english.facts.dates import MONTHS, WEEKDAYS
from rerank.english.facts.guard_words import FUNCTION, LISTS, Text, Word, same_name
from rerank.english.facts.numbers import Value, Values
from rerank.english.forms import BASES, stem
from rerank.frequency import common_words
from rerank.guard import Facts, Violation, roman

_PEOPLES = LISTS.words("peoples")
_ACRONYMS, _UNNAMED, _GENERIC = map(LISTS.words, ("acronyms", "unnamed", "generic"))
_SMALL = frozenset("of the and for in a an to on at & de la le du von der".split())
_WITHIN_NAMES = frozenset("of the and or for in de la du von & - . s ' \" ( ) , : /".split())
_LONG = 5
"""Letters from which on a name is also found as a part of joined words: *Smith-Kline*, *SmithKline*."""
_SHARED = 4
_NOT_OF_NAMES = ("s", "ly", "ing", "ed", "tion", "ment", "ness", "ity", "men")
_OF_ANYBODY = ("ors", "ers", "ists", "ants", "ents", "able", "ible", "less", "ous", "ally")
_ANYBODY = "people police someone somebody everyone everybody nobody anyone anybody children"
_NOBODY = _UNNAMED | _GENERIC | frozenset(_ANYBODY.split())
_MUTUAL = frozenset(map(stem, "met married faced fought joined divorced equalled resembled".split()))
_AUXILIARIES = frozenset("is was are were has had have been will would also then".split())
_ALIKE = 0.8
_LONGEST_ACRONYM = 7
_APART = 8
_OF_PEOPLES = ("ian", "ean", "ese", "ish")
_LINKS = frozenset([",", "and", "or", "&", "-", "--", "of", "in"])


def _aliases() -> dict[str, frozenset[str]]:
    """Each word of a group with all the words of its groups."""
    aliases: dict[str, frozenset[str]] = {}
    for row in (*LISTS.rows("peoples"), *LISTS.rows("names"), *LISTS.rows("states")):
        group = frozenset(row.split())
        aliases.update((word, aliases.get(word, frozenset()) | group) for word in group)
    return aliases


_ALIASES = _aliases()


class Names:
    """The names of a text, and what else in it a name may go back to; each found when it is asked for first."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._words = [word for word in text if word.kind == "word"]

    @cached_property
    def names(self) -> list[tuple[int, Word]]:
        """Capitalised words that name something, in order with their places."""
        return [] if _is_shouted(self._words) else _names(self._text)

    @cached_property
    def openers(self) -> list[tuple[int, Word]]:
        """Capitalised words at the start of a sentence that may be names or not."""
        return list(_openers(self._text))

    @cached_property
    def words(self) -> frozenset[str]:
        """All words, folded, and their stems."""
        return frozenset(word.low for word in self._words) | {word.stem for word in self._words}

    @cached_property
    def capitals(self) -> frozenset[str]:
        """All words with a capital, folded."""
        return frozenset(word.low for word in self._words if word.cap and word.low not in _SMALL)

    @cached_property
    def together(self) -> frozenset[tuple[str, str]]:
        """Pairs of words that stand in a row of names."""
        return frozenset(pair for run in _runs(self._text) for pair in _near_pairs(run))

    @cached_property
    def deeds(self) -> frozenset[str]:
        """The verbs behind names, by their stems."""
        return frozenset(_deeds(self._text)) - {""}

    @cached_property
    def acts(self) -> frozenset[tuple[str, str, str]]:
        """Who did what to whom, where a verb stands alone between two names."""
        return frozenset(_acts(self._text))

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """Short words in capitals, folded."""
        return frozenset(word.low for word in self._words if _is_acronym(word))

    @cached_property
    def _respelt(self) -> frozenset[str]:
        return frozenset(map(_respelt, self.words))

    @cached_property
    def _ordinary(self) -> frozenset[str]:
        ordinary = (word.low for word in self._words if not word.cap or word.low in MONTHS)
        return frozenset(low for low in ordinary if len(low) >= _LONG)

    @cached_property
    def _joined(self) -> str:
        return "".join(word.low for word in self._text if word.kind != "mark")

    @cached_property
    def _initials(self) -> tuple[str, str]:
        """Of the words with a capital, and of all."""
        capitals = (word for word in self._words if word.cap and word.low not in _SMALL)
        return "".join(map(_initial, capitals)), "".join(word.low[:1] for word in self._words)

    def supports(self, low: str, is_acronym: bool) -> bool:
        """Whether a folded name is here in any case, form or spelling, or as an acronym of words that are."""
        if (
            low in self.words
            or f"{low}s" in self.words
            or low.removesuffix("s") in self.words
            or (len(low) >= _LONG and low in self._joined)
        ):
            return True
        if _respelt(low) in self._respelt:
            return True
        if not self.words.isdisjoint(_ALIASES.get(low, ())):
            return True
        if any(same_name(low, other) for other in self.words if other[:_SHARED] == low[:_SHARED]):
            return True
        return is_acronym and any(low in initials for initials in self._initials)

    def misspells(self, low: str) -> bool:
        """Whether a word is an ordinary one of the source with a typing mistake: *Poeple*."""
        return any(
            abs(len(low) - len(other)) <= 1 and SequenceMatcher(None, low, other).ratio() >= _ALIKE
            for other in self._ordinary
            if low[0] == other[0]
        )

    def shortens(self, low: str) -> bool:
        """Whether a word is the start of one of the source, as in *Rep.*"""
        return len(low) > 1 and any(word.startswith(low) for word in self.words)

    def spells(self, initials: str) -> bool:
        """Whether initials of several words have one of the acronyms here among them."""
        return any(acronym in initials for acronym in self.acronyms)


def _names(text: Text) -> list[tuple[int, Word]]:
    names = []
    for at, (word, first) in enumerate(zip(text, text.first, strict=True)):
        if word.cap and len(word.low) > 1 and word.low not in _UNNAMED and not (first and not is_surely_name(word.low)):
            if (word.low in _ACRONYMS and word.upper) or word.low in MONTHS or word.low.removesuffix("s") in WEEKDAYS:
                continue
            names.append((at, word))
    return names


@lru_cache(maxsize=20_000)
def is_surely_name(low: str) -> bool:
    """Whether a word is hardly ever written in small letters: rare in English, with what it may be a form of."""
    if low.endswith(_NOT_OF_NAMES[1:]) or low.endswith(_OF_ANYBODY):
        return False
    if len(low) < _SHARED or low in _ALIASES:
        return low in _ALIASES and len(low) >= _LONG
    common = common_words("en")
    forms = {low, stem(low), f"{stem(low)}e", low.removeprefix("un"), low.removeprefix("re"), low.removesuffix("s")}
    return common.keys().isdisjoint(forms)


def _runs(text: Text) -> Iterator[list[str]]:
    """Names in a row, with what may stand between their parts: *Hall of Fame*, *Rio de Janeiro*, *Jean-Luc*."""
    run: list[str] = []
    for word in text:
        if word.cap:
            run.append(word.low)
        elif word.low not in _WITHIN_NAMES:
            yield run
            run = []
    yield run


def _near_pairs(run: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Words of a row a few places apart, either way round: a list of names may be as long as a text."""
    for place, first in enumerate(run):
        for second in run[place + 1 : place + 1 + _APART]:
            yield first, second
            yield second, first


def _openers(text: Text) -> Iterator[tuple[int, Word]]:
    """Capitalised words at the start of a sentence that may be names or not, each alone before a verb."""
    for at, (word, first) in enumerate(zip(text, text.first, strict=True)):
        is_long = first and word.cap and len(word.low) >= _SHARED and not word.low.endswith(_NOT_OF_NAMES)
        if is_long and word.low not in _NOBODY:
            yield at, word


def deed_at(text: Text, at: int) -> str:
    """The stem of the verb at a place or behind *was* and the like there; empty where there is none to be seen."""
    start = at
    while text.low(at) in _AUXILIARIES:
        at += 1
    word = text[at] if at < len(text) else None
    if word is None or word.kind != "word" or word.cap or word.low in FUNCTION:
        return ""
    return word.stem if at > start or word.low.endswith("ed") or word.low in BASES else ""


def _deeds(text: Text) -> Iterator[str]:
    """What is told of the names of a text: the verbs behind them."""
    for at, word in enumerate(text):
        if word.cap and word.low not in _UNNAMED and (not text.first[at] or is_surely_name(word.low)):
            yield deed_at(text, at + 1)


def _acts(text: Text) -> Iterator[tuple[str, str, str]]:
    """Who did what to whom, where a verb stands alone between two names."""
    for at in range(1, len(text) - 1):
        deed = deed_at(text, at) if text[at - 1].cap and text[at + 1].cap else ""
        if deed and deed not in _MUTUAL:
            yield text.low(at - 1), deed, text.low(at + 1)


def _respelt(low: str) -> str:
    """A word without what is spelt in two ways: *Adolph*, *Encyclopaedia*."""
    return low.replace("ae", "e").replace("ph", "f")


def _initial(word: Word) -> str:
    return word.low if _is_acronym(word) else word.low[:1]


def _is_acronym(word: Word) -> bool:
    return word.upper and len(word.low) <= _LONGEST_ACRONYM


def _is_shouted(words: list[Word]) -> bool:
    """Whether a text is in capitals throughout, so that they tell nothing."""
    return len(words) > 3 and 2 * sum(word.text.isupper() for word in words) > len(words)


def changed_names(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """Names of a text that its source does not have in any form."""
    given, said, words = source.of(Names), text.of(Names), text.words
    for at, word in said.names:
        if given.supports(word.low, word.upper):
            continue
        if roman(word.text) and Value(roman(word.text)) in source.derived(Values).all:
            continue
        if word.low in _GENERIC and _is_beside_name(at, words, given):
            continue
        if (given.acronyms and _is_spelt_out(at, words, given)) or given.misspells(word.low):
            continue
        if words.low(at + 1) == "." and given.shortens(word.low):
            continue
        yield Violation("entity", word.text, f"the source does not name {word.text}")
    for at, word in said.openers:
        if not given.supports(word.low, word.upper) and deed_at(words, at + 1) in given.deeds:
            yield Violation("entity", word.text, f"the source does not name {word.text}")
    for who, deed, whom in sorted(said.acts - given.acts):
        if (whom, deed, who) in given.acts:
            written = {word.low: word.text for word in words}
            exchanged = f"{written[who]} … {written[whom]}"
            yield Violation("entity", exchanged, "the source has the two names the other way round")
    for (at, first), (behind, second) in pairwise(said.names):
        doubled = behind == at + 2 and first.low == second.low and words.low(at + 1) in _LINKS
        if (behind == at + 1 or doubled) and not _is_pair(first, second, given):
            yield Violation("entity", f"{first.text} {second.text}", f"the source has no {first.text} {second.text}")


def _is_beside_name(at: int, text: Text, given: Names) -> bool:
    beside = text[max(0, at - 2) : at + 3]
    return any(word.cap and word.low in given.capitals for word in beside)


def _is_pair(first: Word, second: Word, given: Names) -> bool:
    """Whether two names in a row may be one: together in the source too, or not each there as it is."""
    exact = all(word.low in given.capitals and not _is_general(word.low) for word in (first, second))
    return (first.low != second.low and not exact) or (first.low, second.low) in given.together


def _is_general(low: str) -> bool:
    return low in _GENERIC or low in _PEOPLES or low.endswith(_OF_PEOPLES)


def _is_spelt_out(at: int, text: Text, given: Names) -> bool:
    """Whether a name and those around it have the initials of an acronym of the source."""
    words = [word for word in text[max(0, at - 8) : at + 8] if word.cap]
    return given.spells("".join(word.low[:1] for word in words))
