"""Rules on names, Latin-script words and quotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rerank.analysis import Entity
from rerank.facts.extract import Facts
from rerank.facts.quotes import find_quotes, latin_tokens
from rerank.facts.violation import Violation
from rerank.facts.words import Word

__all__ = ["changed_latin", "changed_names", "changed_quotes", "dropped_names"]


def changed_names(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Names that nothing in the source supports."""
    index = source.name_index
    for word in candidate.names:
        if not index.supports(word):
            yield Violation("entity", word.text, f"the name {word.text} is not in the source")


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


def _named(index: object, source: Facts, text: str) -> bool:
    matching: list[Word] = [word for word in source.words if word.text and word.text in text]
    return any(index.supports(word) for word in matching if word.capital)  # type: ignore[attr-defined]
