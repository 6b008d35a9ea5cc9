"""The Russian guard: the rules of every kind of fact."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.analysis import Analyzer
from rerank.facts.contrast import changed_contrast
from rerank.facts.dates import changed_dates
from rerank.facts.limits import changed_limits
from rerank.facts.modality import changed_modality
from rerank.facts.names import changed_latin, changed_names, changed_quotes, swapped_roles
from rerank.facts.number_rules import changed_numbers
from rerank.facts.polarity import flipped_negation
from rerank.facts.quantity import changed_quantity
from rerank.facts.scope import changed_phrases, changed_scope
from rerank.facts.strict import dropped_names, dropped_sense, dropped_values
from rerank.facts.words import Facts, Lexicon
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
        rules = (*_RULES, dropped_values, self._dropped_names, dropped_sense) if strict else _RULES
        super().__init__(lambda text: Facts(text, lexicon.words(text)), rules, cache_size=cache_size)

    def _dropped_names(self, source: Facts, candidate: Facts) -> Iterator[Violation]:
        entities = self._analyzer.analyze_one(source.text, ("entities",)).entities
        return dropped_names(source, candidate, entities)
