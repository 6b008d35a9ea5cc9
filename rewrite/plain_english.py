"""Simplifying English text: what the task of `rewrite simplify` works with there.

Candidates are drawn by a language model that the options name. They may not change a fact, as the English guard sees
it, nor be badly formed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from rerank.analysis import Analysis, Analyzer
from rerank.english import EnglishAnalyzer
from rerank.english.facts import EnglishFactGuard
from rerank.wellformed import surface
from rerank.wellformed.view import View
from rewrite.errors import BadOption
from rewrite.generators import Generator, create_generator
from rewrite.request import Options
from rewrite.specs import Spec
from rewrite.splitting.wholeness import SentenceJudge
from rewrite.task import Bench, Pool, facts_guard, length_guard

__all__ = ["english_bench", "english_specs"]


_LAYERS = ("morph", "syntax", "entities")
_RULES = (
    surface.balanced_pairs,
    surface.doubled_punctuation,
    surface.final_punctuation,
    surface.capital_start,
    surface.repeated_words,
)
_LEAST_WHOLE = 0.3
_REMEMBERED = 4_000


class _Form:
    """What form a rewrite must have."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer

    @cached_property
    def _judge(self) -> SentenceJudge:
        return SentenceJudge()

    def guard(self, pools: Sequence[Pool]) -> list[list[str]]:
        """The faults in its form that the source does not have."""
        return [self._faults(source, [c.text for c in candidates]) for source, candidates in pools]

    def _faults(self, source: str, candidates: Sequence[str]) -> list[str]:
        parsed, *texts = self._analyzer.analyze([source, *candidates], _LAYERS)
        torn = self._torn(parsed, texts)
        view = View(parsed)
        found = []
        for text, piece in zip(texts, torn, strict=True):
            faults = [f"{what!r}: {why}" for rule in _RULES for what, why in rule(View(text), view)]
            found.append("; ".join([*faults, *([f"{piece!r}: no whole sentence"] if piece else [])]))
        return found

    def _torn(self, source: Analysis, texts: Sequence[Analysis]) -> list[str]:
        """The first sentence of each text that is none, where the source's are better; empty where all are."""
        own = [sentence.text for sentence in source.sentences]
        pieces = [[sentence.text for sentence in text.sentences] for text in texts]
        flat = list(dict.fromkeys([*own, *(piece for group in pieces for piece in group)]))
        chances = dict(zip(flat, self._judge.probabilities(flat).tolist(), strict=True))
        least = min(_LEAST_WHOLE, float(np.min([chances[piece] for piece in own], initial=1.0)))
        return [next((piece for piece in group if chances[piece] < least), "") for group in pieces]


def english_specs(options: Options) -> tuple[Spec, ...]:
    """What draws English candidates: the models and recordings that the options name; empty where there are none."""
    return tuple(spec for spec in options.specs if spec.is_language_model or spec.scheme == "replay")


def english_bench(options: Options, given: Analyzer | None) -> Bench:
    """What simplifying English works with; an analyser that is given replaces its own."""
    analyzer = given or EnglishAnalyzer(cache_size=_REMEMBERED)
    form = _Form(analyzer)

    def draw() -> Generator:
        specs = english_specs(options)
        if not specs:
            raise BadOption(
                f"--lang en with the generator {options.generator}: English is drawn by a language model.",
                hint="Name one that knows English: --generator ct2:MODEL.",
            )
        return create_generator(
            specs,
            analyzer=analyzer,
            prompt=options.prompt,
            engine=options.engine,
            base=options.base,
            language="en",
            sentences=options.sentences,
            max_words=options.max_words,
        )

    return Bench(
        analyzer=analyzer,
        draw=draw,
        facts=(
            facts_guard(EnglishFactGuard(limits=True).check_all),
            length_guard(sentences=options.sentences, max_words=options.max_words),
        ),
        form=(form.guard,),
        layers=_LAYERS,
    )
