"""The fact guard: what a candidate may not change about its source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rerank.analysis import Analyzer, Entity
from rerank.facts.contrast import changed_contrast
from rerank.facts.dates import changed_dates, find_dates, time_words
from rerank.facts.guard_words import Facts, Lexicon
from rerank.facts.limits import changed_limits
from rerank.facts.modality import changed_modality, find_modalities
from rerank.facts.names import (
    NameIndex,
    Quotes,
    changed_latin,
    changed_names,
    changed_quotes,
    find_quotes,
    latin_tokens,
    names_of,
    swapped_roles,
)
from rerank.facts.number_rules import changed_numbers, same_value
from rerank.facts.numbers import find_numbers
from rerank.facts.polarity import find_denials, flipped_negation
from rerank.facts.quantity import changed_quantity, find_quantities
from rerank.facts.scope import changed_phrases, changed_scope
from rerank.guard import KINDS, Guard, Violation
from rerank.morphology import Morphology

__all__ = ["KINDS", "FactGuard", "Violation"]

_RULES = (
    changed_numbers,
    changed_dates,
    changed_names,
    swapped_roles,
    changed_latin,
    changed_quotes,
    flipped_negation,
    changed_modality,
    changed_quantity,
    changed_limits,
    changed_contrast,
    changed_phrases,
    changed_scope,
)


class FactGuard(Guard[Facts]):
    """Finds facts that a candidate introduces or alters: see `KINDS`.

    Leaving facts out is allowed, unless `strict`; losing a negation, a modal word or «part of» while what it governs
    stays is a change, not an omission. Only the source is analysed, and only with `strict` does it need a tagger (the
    layer `entities`); candidates cost a table look-up per word. `cache_size` bounds the sources that are remembered.
    """

    def __init__(
        self,
        analyzer: Analyzer,
        *,
        strict: bool = False,
        morphology: Morphology | None = None,
        cache_size: int = 1_000,
    ) -> None:
        self.strict = strict
        self._analyzer = analyzer
        lexicon = Lexicon(morphology)
        rules = (*_RULES, _dropped_values, self._dropped_names, _dropped_sense) if strict else _RULES
        super().__init__(lambda text: Facts(text, lexicon.words(text)), rules, cache_size=cache_size)

    def _dropped_names(self, source: Facts, candidate: Facts) -> Iterator[Violation]:
        entities = self._analyzer.analyze_one(source.text, ("entities",)).entities
        return _dropped_names(source, candidate, entities)


def _dropped_values(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Numbers and dates of the source that the candidate leaves out."""
    for number in source.of(find_numbers):
        if number.spelled and number.value == 1 and not number.ordinal and number.unit is None:
            # «Один» alone is often no number: «один из них».
            continue
        if not any(same_value(number, other) or same_value(other, number) for other in candidate.of(find_numbers)):
            kind = "date" if number.year else "number"
            yield Violation(kind, number.text, f"{number.text} is dropped")
        elif number.unit and not any(other.unit == number.unit for other in candidate.of(find_numbers)):
            yield Violation("unit", number.unit_name, f"the unit of {number.text} is dropped")
    for date in source.derived(find_dates):
        if not any(date.month == other.month for other in candidate.derived(find_dates)):
            yield Violation("date", date.text, f"the date {date.text} is dropped")
    for group, text in source.of(time_words).items():
        if group not in candidate.of(time_words):
            yield Violation("date", text, f"«{text}» is dropped")


def _dropped_names(source: Facts, candidate: Facts, entities: Sequence[Entity]) -> Iterator[Violation]:
    """Entities, Latin words and quotations of the source that the candidate leaves out."""
    index = candidate.of(NameIndex)
    for entity in entities:
        words = [word for word in entity.text.split() if word[:1].isupper()]
        if words and not any(_named(index, source, word) for word in words):
            yield Violation("entity", entity.text, f"{entity.text} is dropped")
    inside = " ".join(entity.text for entity in entities)
    for word in source.of(names_of):
        if word.capital and word.text not in inside and not index.supports(word):
            yield Violation("entity", word.text, f"{word.text} is dropped")
    for word in latin_tokens(source.words):
        if not candidate.of(Quotes).supports_latin(word):
            yield Violation("latin", word.text, f"{word.text} is dropped")
    for quote in find_quotes(source.words):
        if not candidate.of(Quotes).supports(quote):
            text = " ".join(word.text for word in quote)
            yield Violation("quotation", text, f"«{text}» is dropped")


def _named(index: NameIndex, source: Facts, text: str) -> bool:
    return any(index.supports(word) for word in source.words if word.capital and word.text in text)


def _dropped_sense(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Denials, modal words, quantifiers and superlatives that the candidate leaves out."""
    if candidate.of(find_denials).cues < source.of(find_denials).cues:
        yield Violation("negation", next(iter(source.of(find_denials).text.values()), ""), "a denial is dropped")
    for kind, text in source.of(find_modalities).kinds.items():
        if kind not in candidate.of(find_modalities).kinds:
            yield Violation("modality", text, f"«{text}» is dropped")
    kinds = {kind for quantifiers in candidate.of(find_quantities).by_noun.values() for kind in quantifiers}
    for quantifiers in source.of(find_quantities).by_noun.values():
        for kind, text in quantifiers.items():
            if kind not in kinds:
                yield Violation("quantity", text, f"«{text}» is dropped")
    if source.of(find_quantities).superlatives and not candidate.of(find_quantities).superlatives:
        text = next(iter(source.of(find_quantities).superlatives.values()))[0]
        yield Violation("quantity", text, f"the superlative «{text}» is dropped")
