"""Rules on function words: prepositions, conjunctions and relative words that lost what they join."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rerank.wellformed.readings import LISTS, Form
from rerank.wellformed.view import DASHES, Fault, View


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Prepositions that are nothing else, with the cases they govern.
GOVERNED = {word: frozenset(cases.split()) for word, cases in LISTS.classes("governed").items()}
# These also stand after their noun or alone (чего ради, он был за, час спустя, ходить около).
_ALSO_ADVERBS = _words("ради за около кроме перед надо после против вокруг")
# "в военные" (to join them), "что за человек", "один на один": other grammar than government.
_LOOSE = {"в": "nom", "во": "nom", "за": "nom"}
_JOINING = _words("и а но или либо если чтобы хотя ибо поскольку причем нежели")
_POSSESSIVE = frozenset({"его", "ее", "их"})
_CANNOT_FOLLOW = frozenset({"VERB", "INFN", "PREP", "GRND", "PRCL", "INTJ"})
_LINK_PREPOSITIONS = frozenset({"и", "или", "а", "ни", "либо", "/"})
_RELATIVE = LISTS.words("relative")
_PAIRS = {
    "не только": ("но и", "но также", "а и", "но", "а еще", "сколько"),
    "как": ("так и",),
    "чем": ("тем",),
    "с одной стороны": ("другой",),
    "не столько": ("сколько",),
}
_TWICE = ("ни", "либо", "то ли")


def dangling_conjunction(candidate: View, source: View) -> Iterator[Fault]:
    """A conjunction has a member after it: it never stands before a stop, a closing bracket or another of its kind."""
    for index, word in enumerate(candidate.lower):
        if word not in _JOINING:
            continue
        following = index + 1
        if _initial(candidate, index) or _trails_off(candidate, following):
            continue
        if candidate.ends_clause(following):
            yield candidate.quote(index, following), "nothing follows the conjunction"
        elif word in ("и", "или", "либо") and candidate.word(following) in ("и", "или", "либо", "а", "но"):
            yield candidate.quote(index, following), "two conjunctions in a row"


def _trails_off(view: View, index: int) -> bool:
    return index < len(view) and view.tokens[index].text.startswith(("?", "…", ".."))


def _initial(view: View, index: int) -> bool:
    """An initial (А. Пушкин), a letter as such (группа «А») or an abbreviation (и. о., XX в.)."""
    if len(view.lower[index]) > 1:
        return False
    if view.word(index + 1) != ".":
        item = view.word(index + 1) == ")" and view.word(index - 1) in ("", ":", ";", ",")
        return item or view.word(index - 1) in ("«", "(", '"')
    before = view.tokens[index - 1].text if index else ""
    goes_on = index + 2 < view.sentence_of(index)[1] and view.is_word(index + 2)
    return view.tokens[index].text.isupper() or goes_on or before.isdigit() or (before.isascii() and before.isupper())


def dangling_preposition(candidate: View, source: View) -> Iterator[Fault]:
    """A preposition is followed by what it governs: no mark, verb or other preposition comes in between."""
    for index, word in enumerate(candidate.lower):
        following = index + 1
        if word not in GOVERNED or candidate.tokens[index].pos in ("NOUN", "PROPN", "X", "ADV"):
            continue
        if _initial(candidate, index) or _trails_off(candidate, following):
            continue
        if _broken_off(candidate, index, following):
            yield candidate.quote(index, following), "the preposition governs nothing"


def _broken_off(view: View, index: int, following: int) -> bool:
    word, after = view.lower[index], view.word(following)
    if not after or view.ends_clause(following) or after == ",":
        return word not in _ALSO_ADVERBS and (word, after) != ("о", ",")
    if after in _LINK_PREPOSITIONS:
        # "до и после", "в и вокруг": the second preposition brings the complement for both.
        return view.word(following + 1) not in GOVERNED and not _governs_later(view, following + 1)
    if after in GOVERNED and view.tokens[following].pos == "ADP" and word not in _ALSO_ADVERBS:
        return True
    if word in _ALSO_ADVERBS or view.tokens[following].text[0].isupper() or not view.is_word(following):
        return False
    forms = view.forms(following)
    if not forms or not all(form.known and form.pos in _CANNOT_FOLLOW for form in forms):
        return False
    return after not in ("не", "ни", "почти", "лишь", "только", "уже", "даже", "то", "ли", "более", "менее", "чуть")


def _governs_later(view: View, index: int) -> bool:
    return any(form.pos == "PREP" for form in view.forms(index))


def preposition_case(candidate: View, source: View) -> Iterator[Fault]:
    """The noun right after a preposition can be read in a case that the preposition governs."""
    for index, word in enumerate(candidate.lower):
        cases = GOVERNED.get(word)
        if cases is None or word in ("надо", "ради") or candidate.tokens[index].pos != "ADP":
            continue
        following = index + 1
        if candidate.word(following) in _POSSESSIVE:
            following += 1
        forms = candidate.forms(following)
        if not forms or candidate.tokens[following].text[0].isupper() or _fits(word, forms, cases):
            continue
        yield candidate.quote(index, following), f"{word} does not govern this case"


def _fits(word: str, forms: tuple[Form, ...], cases: frozenset[str]) -> bool:
    for form in forms:
        if not form.known or not (form.nominal or form.adjectival):
            return True
        if form.case in cases or "Fixd" in form.grammemes or form.case == "":
            return True
        if form.case == _LOOSE.get(word) and form.number == "plur":
            return True
    return False


def bare_locative(candidate: View, source: View) -> Iterator[Fault]:
    """A noun that can only be read in the prepositional case has a preposition before it."""
    for index, token in enumerate(candidate.tokens):
        forms = candidate.forms(index)
        if token.pos != "NOUN" or not forms or not all(f.known and f.nominal and f.case == "loc" for f in forms):
            continue
        if not _in_prepositional_phrase(candidate, index):
            yield token.text, "this case cannot stand without a preposition"


def _in_prepositional_phrase(view: View, index: int) -> bool:
    """Whether a preposition comes before `index` in its clause, no finite verb in between."""
    start, _ = view.sentence_of(index)
    for place in range(index - 1, max(start, index - 15) - 1, -1):
        if any(form.pos == "PREP" for form in view.forms(place)):
            return True
        if view.is_finite(place):
            return False
    return False


def relative_clause(candidate: View, source: View) -> Iterator[Fault]:
    """который is set off by a comma not far before it, and its clause has a predicate."""
    for index, word in enumerate(candidate.lower):
        if word not in _RELATIVE or word.startswith("че") or word.startswith("чь"):
            continue
        start, stop = candidate.sentence_of(index)
        if index == start or candidate.text.rstrip().endswith("?"):
            continue
        before = range(max(start, index - 6), index)
        if index - start > 3 and not any(_opens(candidate, i) for i in before):
            yield candidate.quote(index - 1, index), f"no comma before {word}"
        elif not any(candidate.is_finite(i) or _verbal(candidate, i) for i in range(index, stop)):
            yield candidate.quote(index, index + 2), "the relative clause has no predicate"


def _opens(view: View, index: int) -> bool:
    return view.lower[index] in (",", "(", "и", "или", "но", "а", ";", ":", "«") or view.lower[index] in DASHES


def _verbal(view: View, index: int) -> bool:
    return any(form.pos in ("INFN", "VERB", "ADJS", "PRTS", "PRED", "COMP") for form in view.forms(index)) or (
        view.lower[index] in DASHES
    )


def correlative_pairs(candidate: View, source: View) -> Iterator[Fault]:
    """не только … но и, как … так и, если … то and their like keep both halves where the source had both."""
    before, after = " ".join(source.lower), " ".join(candidate.lower)
    for first, seconds in _PAIRS.items():
        partner = next((second for second in seconds if _after(before, rf"{first} (?:.* )?{second}")), "")
        if not partner or len(_after(before, first)) != 1:
            continue
        closed = any(_after(after, second) for second in seconds)
        # как before another word may be another как.
        if not closed and set(_after(before, first)) & set(_after(after, first)) - {""}:
            yield first, f"{first} without its {partner}"
        elif " " in partner and _after(after, partner) and not _after(after, first):
            yield partner, f"{partner} without its {first}"
    for phrase in _TWICE:
        if len(_after(before, phrase)) >= 2 and len(_after(after, phrase)) == 1:
            yield phrase, f"a single {phrase}"


def _after(text: str, phrase: str) -> list[str]:
    """The word after each place where a phrase stands, empty at the end of the text."""
    return re.findall(rf"(?<!\S){phrase}(?= (\S+)|$)", text)
