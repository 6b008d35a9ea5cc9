"""The guard itself: facts of the source once, then every candidate against them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from rerank.analysis import Analyzer
from rerank.facts.checks_contrast import changed_contrast
from rerank.facts.checks_limits import changed_limits
from rerank.facts.checks_name import changed_latin, changed_names, changed_quotes, dropped_names, swapped_roles
from rerank.facts.checks_phrase import changed_phrases
from rerank.facts.checks_scope import changed_scope
from rerank.facts.checks_sense import changed_modality, changed_quantity, dropped_sense, flipped_negation
from rerank.facts.checks_value import changed_dates, changed_numbers, dropped_values
from rerank.facts.extract import Facts
from rerank.facts.violation import KINDS, Violation
from rerank.facts.words import Lexicon
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


class FactGuard:
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
        self._lexicon = Lexicon(morphology)
        self._sources: OrderedDict[str, Facts] = OrderedDict()
        self._cache_size = cache_size

    def check(self, source: str, candidate: str) -> list[Violation]:
        """What `candidate` changes about `source`; empty if nothing."""
        if candidate == source:
            return []
        facts, changed = self._facts(source), Facts(self._lexicon.words(candidate))
        found = [violation for rule in _RULES for violation in rule(facts, changed)]
        if self.strict:
            entities = self._analyzer.analyze_one(source, ("entities",)).entities
            found.extend(dropped_values(facts, changed))
            found.extend(dropped_names(facts, changed, entities))
            found.extend(dropped_sense(facts, changed))
        return list(dict.fromkeys(found))

    def check_all(self, source: str, candidates: Sequence[str]) -> list[list[Violation]]:
        """`check` of every candidate of one source, in order; equal candidates are looked at once."""
        answers = {text: self.check(source, text) for text in dict.fromkeys(candidates)}
        return [answers[text] for text in candidates]

    def _facts(self, source: str) -> Facts:
        facts = self._sources.get(source)
        if facts is None:
            facts = Facts(self._lexicon.words(source))
            self._sources[source] = facts
            if len(self._sources) > self._cache_size:
                self._sources.popitem(last=False)
        return facts
