"""Simplifying English text: what the task of `rewrite simplify` works with there.

Candidates are drawn by a language model that the options name. They may not change a fact, as the English guard sees
it, nor be badly formed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rerank.english.facts import EnglishFactGuard
from rerank.rusim import grade
from rerank.types import Candidate
from rerank.wellformed.surface import SURFACE_RULES
from rerank.wellformed.view import View
from rewrite.request import Options
from rewrite.task import Bench, Guard, facts_guard, length_guard

_LAYERS = ("morph", "syntax", "entities")
_REMEMBERED = 4_000
# More would cost more time than they are worth.
_DRAWS = 12


def form_guard(analyzer: Analyzer) -> Guard:
    """What form a rewrite must have: the faults that its source does not have."""

    def faults(source: str, candidates: Sequence[Candidate]) -> list[str]:
        parsed, *texts = map(View, analyzer.analyze([source, *(c.text for c in candidates)], _LAYERS))
        return [
            "; ".join(f"{what!r}: {why}" for rule in SURFACE_RULES for what, why in rule(text, parsed))
            for text in texts
        ]

    return lambda pools: [faults(source, candidates) for source, candidates in pools]


def english_bench(options: Options, given: Analyzer | None) -> Bench:
    """What simplifying English works with; an analyser that is given replaces its own."""
    analyzer = given or EnglishAnalyzer(cache_size=_REMEMBERED)
    return Bench(
        analyzer=analyzer,
        facts=(
            facts_guard(EnglishFactGuard(limits=True, strict=options.strict).check_all),
            length_guard(options.lengths),
        ),
        form=(form_guard(analyzer),),
        layers=_LAYERS,
        n=_DRAWS,
        grade=EnglishGrade(analyzer),
    )


class EnglishGrade:
    """The school grade that an English text is for. Where it was pickled, a parser is made on first use."""

    def __init__(self, analyzer: Analyzer | None = None) -> None:
        self._analyzer = analyzer

    def __call__(self, text: str) -> float:
        self._analyzer = self._analyzer or EnglishAnalyzer(cache_size=_REMEMBERED)
        return grade(self._analyzer.analyze_one(text))

    def __reduce__(self) -> tuple[type[EnglishGrade], tuple[()]]:
        return EnglishGrade, ()

    def __deepcopy__(self, memo: object) -> EnglishGrade:
        return self
