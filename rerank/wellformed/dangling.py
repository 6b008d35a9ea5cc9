"""Rules on function words: conjunctions that lost what they join, prepositions and the case after them."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.wellformed.view import LISTS, Fault, Form, View

# Prepositions that are nothing else, with the cases they govern.
GOVERNED = {word: frozenset(cases.split()) for word, cases in LISTS.classes("governed").items()}
# "в военные" (to join them), "что за человек", "один на один": other grammar than government.
_LOOSE = {"в": "nom", "во": "nom", "за": "nom"}
_JOINING = frozenset("и а но или либо если чтобы хотя ибо поскольку причем нежели".split())
_POSSESSIVE = frozenset({"его", "ее", "их"})


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
