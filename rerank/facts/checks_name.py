"""Rules on names, Latin-script words and quotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rerank.analysis import Entity
from rerank.facts.extract import Facts
from rerank.facts.names import NameIndex
from rerank.facts.quotes import find_quotes, latin_tokens
from rerank.facts.violation import Violation

__all__ = ["changed_latin", "changed_names", "changed_quotes", "dropped_names", "swapped_roles"]


def changed_names(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Names that nothing in the source supports."""
    index = source.name_index
    for word in candidate.names:
        if not index.supports(word):
            yield Violation("entity", word.text, f"the name {word.text} is not in the source")


def swapped_roles(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """«A победил B» turned into «B победил A»: two names exchange subject and object of the same active verb.

    Seen only where the forms tell: one name can only be a subject, the other cannot be one.
    """
    if not any(word.top == "VERB" for word in candidate.words):
        return
    was, now = _roles(source), _roles(candidate)
    swapped = sorted(name for name in was.keys() & now.keys() if was[name] != now[name])
    subject = next((name for name in swapped if now[name]), "")
    other = next((name for name in swapped if not now[name]), "")
    if subject and other and _active_verbs(source) & _active_verbs(candidate):
        yield Violation("entity", subject, f"«{subject}» and «{other}» have exchanged their roles")


def _roles(text: Facts) -> dict[str, bool]:
    """Lemma of each name → whether it is a subject (only nominative) or surely not one; unclear ones are left out."""
    found: dict[str, set[bool]] = {}
    for before, word in zip([None, *text.words], text.words, strict=False):
        if word.capital and word.cases and "NOUN" in word.pos and (before is None or before.top != "PREP"):
            clear = word.cases == {"nomn"} or "nomn" not in word.cases
            if clear and word.cases - {"gent", "loct"}:
                found.setdefault(word.lemma, set()).add("nomn" in word.cases)
    return {name: roles.pop() for name, roles in found.items() if len(roles) == 1}


def _active_verbs(text: Facts) -> set[str]:
    return {
        key for word in text.words if word.top == "VERB" and not word.low.endswith(("ся", "сь")) for key in word.keys
    }


def changed_latin(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Latin-script words that the source does not have."""
    for word in latin_tokens(candidate.words):
        if not source.quotes.supports_latin(word) and not source.name_index.supports(word):
            yield Violation("latin", word.text, f"{word.text} is not in the source")


def changed_quotes(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Quotations whose words the source does not quote in this order."""
    for quote in find_quotes(candidate.words):
        if not source.quotes.supports(quote):
            text = " ".join(word.text for word in quote)
            yield Violation("quotation", text, f"«{text}» is not quoted in the source")


def dropped_names(source: Facts, candidate: Facts, entities: Sequence[Entity]) -> Iterator[Violation]:
    """Strict: entities, Latin words and quotations of the source that the candidate leaves out."""
    index = candidate.name_index
    for entity in entities:
        words = [word for word in entity.text.split() if word[:1].isupper()]
        if words and not any(_named(index, source, word) for word in words):
            yield Violation("entity", entity.text, f"{entity.text} is dropped")
    inside = " ".join(entity.text for entity in entities)
    for word in source.names:
        if word.capital and word.text not in inside and not index.supports(word):
            yield Violation("entity", word.text, f"{word.text} is dropped")
    for word in latin_tokens(source.words):
        if not candidate.quotes.supports_latin(word):
            yield Violation("latin", word.text, f"{word.text} is dropped")
    for quote in find_quotes(source.words):
        if not candidate.quotes.supports(quote):
            text = " ".join(word.text for word in quote)
            yield Violation("quotation", text, f"«{text}» is dropped")


def _named(index: NameIndex, source: Facts, text: str) -> bool:
    return any(index.supports(word) for word in source.words if word.capital and word.text in text)
