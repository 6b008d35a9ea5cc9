"""Simplifying Russian text: what the task of `rewrite simplify` works with there.

Candidates may not change a fact, as the Russian guard sees it, nor have a fault in their grammar that the source does
not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rerank.analysis import Analyzer
from rerank.facts import FactGuard
from rerank.types import Candidate
from rerank.wellformed.russian import LAYERS, WellFormedness
from rewrite.request import Options
from rewrite.task import Bench, facts_guard, length_guard

# Texts are met again within one call at most: more would only take memory, some 20 kB each.
_REMEMBERED = 4_000


def russian_bench(options: Options, given: Analyzer | None) -> Bench:
    """What simplifying Russian works with; an analyser that is given replaces its own."""
    analyzer = given or Analyzer(cache_size=_REMEMBERED)
    facts = cache(lambda: FactGuard(analyzer, strict=options.strict, morphology=analyzer.morphology))
    form = cache(lambda: WellFormedness(analyzer.morphology))

    def faults(source: str, candidates: Sequence[Candidate]) -> list[str]:
        parsed, *texts = analyzer.analyze([source, *(c.text for c in candidates)], LAYERS)
        return ["; ".join(problem.message for problem in problems) for problems in form().check_all(parsed, texts)]

    return Bench(
        analyzer=analyzer,
        facts=(facts_guard(lambda source, texts: facts().check_all(source, texts)), length_guard(options.lengths)),
        form=(lambda pools: [faults(source, candidates) for source, candidates in pools],),
        layers=LAYERS,
    )
