"""The guard itself: facts of the source once, then every candidate against them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from rerank.english.facts.check_dates import changed_dates
from rerank.english.facts.check_denials import flipped_negation
from rerank.english.facts.check_names import changed_names
from rerank.english.facts.check_numbers import changed_numbers
from rerank.english.facts.extract import Facts
from rerank.facts.violation import Violation

__all__ = ["KINDS", "EnglishFactGuard"]

#: Kinds of facts that are guarded, of those of `rerank.facts`.
KINDS = ("number", "date", "entity", "negation")
_RULES = (changed_numbers, changed_dates, changed_names, flipped_negation)


class EnglishFactGuard:
    """Finds facts that an English candidate introduces or alters: see `KINDS`.

    Leaving facts out is allowed. Nothing is tagged or parsed: a text is cut into words, which are looked up in tables
    and in the list of `wordfreq`. A change that may as well be the same in other words is passed over, so that human
    rewrites are seldom blocked. `cache_size` bounds the sources that are remembered.
    """

    def __init__(self, *, cache_size: int = 1_000) -> None:
        self._sources: OrderedDict[str, Facts] = OrderedDict()
        self._cache_size = cache_size

    def check(self, source: str, candidate: str) -> list[Violation]:
        """What `candidate` changes about `source`; empty if nothing.

        Raises `ModelNotFound` where the list of `wordfreq` is missing.
        """
        if candidate == source:
            return []
        facts, changed = self._facts(source), Facts(candidate)
        return list(dict.fromkeys(violation for rule in _RULES for violation in rule(facts, changed)))

    def check_all(self, source: str, candidates: Sequence[str]) -> list[list[Violation]]:
        """`check` of every candidate of one source, in order; equal candidates are looked at once."""
        answers = {text: self.check(source, text) for text in dict.fromkeys(candidates)}
        return [answers[text] for text in candidates]

    def _facts(self, source: str) -> Facts:
        facts = self._sources.get(source)
        if facts is None:
            facts = Facts(source)
            self._sources[source] = facts
            if len(self._sources) > self._cache_size:
                self._sources.popitem(last=False)
        return facts
