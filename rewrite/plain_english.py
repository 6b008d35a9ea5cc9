"""Simplifying English text: what the task of `rewrite simplify` works with there.

Candidates are drawn by a language model that the options name. They may not change a fact, as the English guard sees
it, nor be badly formed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rerank.english.facts import EnglishFactGuard
from rerank.types import Candidate
from rerank.wellformed.surface import SURFACE_RULES
from rerank.wellformed.view import View
from rewrite.base.package import INSTALL
from rewrite.errors import BadOption
from rewrite.generators import Engines, Generator, create_generator
from rewrite.request import Options
from rewrite.specs import Spec
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


def english_specs(options: Options) -> tuple[Spec, ...]:
    """What draws English candidates: the adapter for English, if the options name it.

    Where they say that texts are English, the models and recordings that they name, but adapters for other languages.
    Where there are none, the adapter beside `edits-lm`, which needs the base too; else empty.
    """
    named = (spec for spec in options.specs if spec.is_language_model or spec.scheme == "replay")
    allowed = ("", "en") if options.told_language == "en" else ("en",)
    fitting = tuple(spec for spec in named if spec.language in allowed)
    beside = any(spec.scheme == "edits-lm" for spec in options.specs)
    return fitting or ((Spec("ct2", "gemma-en"),) if beside else ())


def english_generator(
    options: Options, analyzer: Analyzer, *, task: str = "simplify", engines: Engines | None = None
) -> Generator:
    """What draws English candidates. Raises `BadOption` where nothing that the options name does."""
    specs = english_specs(options)
    if not specs:
        raise BadOption(
            f"English with the generator {options.generator}: it is rewritten by a language model.",
            hint=f"{INSTALL}, or name a model that knows English: --generator ct2:MODEL.",
        )
    return create_generator(specs, analyzer=analyzer, options=options, task=task, language="en", engines=engines)


def english_bench(options: Options, given: Analyzer | None) -> Bench:
    """What simplifying English works with; an analyser that is given replaces its own."""
    analyzer = given or EnglishAnalyzer(cache_size=_REMEMBERED)
    return Bench(
        analyzer=analyzer,
        draw=lambda: english_generator(options, analyzer),
        facts=(
            facts_guard(EnglishFactGuard(limits=True).check_all),
            length_guard(sentences=options.sentences, max_words=options.max_words),
        ),
        form=(form_guard(analyzer),),
        layers=_LAYERS,
        n=_DRAWS,
    )
