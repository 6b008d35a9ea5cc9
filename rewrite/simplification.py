"""Simplifying Russian and English text, as a task. What it works with in English is in `rewrite.plain_english`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from types import MappingProxyType

from rerank.analysis import Analyzer
from rerank.facts import FactGuard
from rerank.likelihood import Caution, Likelihood
from rerank.masked.words import guess_language
from rerank.paraeval.coverage import Coverage
from rerank.rusim import components
from rerank.scorer import Scorer
from rerank.structure import ShortSentences, Structure
from rerank.weights import ENGLISH_PRESETS, PRESETS
from rerank.wellformed.russian import LAYERS, WellFormedness
from rewrite.acceptance.text_acceptance import TextCaution
from rewrite.errors import OtherLanguage
from rewrite.generators import Engines, Generator, create_generator
from rewrite.layout import Layout, has_cyrillic, skip_reason, split
from rewrite.request import Options
from rewrite.requested_scorers import ON_REQUEST, fluency, requested
from rewrite.result import Result
from rewrite.task import Bench, Pool, Task, facts_guard, length_guard

# Texts are met again within one call at most: more would only take memory, some 20 kB each.
_REMEMBERED = 4_000


def _scorers(options: Options, asked: frozenset[str]) -> tuple[Scorer, ...]:
    # A model says how probable its text is, not what it risks: that is read off the text.
    caution = TextCaution() if options.draws_from_model else Caution()
    standard = (*components(variant=options.variant), Structure(), ShortSentences(), Likelihood(), caution)
    others = (Coverage(),) if Coverage.name in asked else ()
    return (*standard, *others, *fluency(options, asked), *requested(options, asked))


class _Guards:
    """What a rewrite may not change, and what form it must have."""

    def __init__(self, options: Options, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._strict = options.strict
        self.facts = facts_guard(lambda source, texts: self._facts.check_all(source, texts))

    @cached_property
    def _facts(self) -> FactGuard:
        return FactGuard(self._analyzer, strict=self._strict, morphology=self._analyzer.morphology)

    @cached_property
    def _form(self) -> WellFormedness:
        return WellFormedness(self._analyzer.morphology)

    def form(self, pools: Sequence[Pool]) -> list[list[str]]:
        """The faults in its grammar that the source does not have."""
        return [self._faults(source, [c.text for c in candidates]) for source, candidates in pools]

    def _faults(self, source: str, candidates: Sequence[str]) -> list[str]:
        parsed, *texts = self._analyzer.analyze([source, *candidates], LAYERS)
        return ["; ".join(problem.message for problem in problems) for problems in self._form.check_all(parsed, texts)]


def _language(text: str, options: Options) -> str:
    """What the options say; else English for what reads so, where the adapter for it may draw, and Russian.

    A sentence without Cyrillic letters is then passed through.
    """
    return options.told_language or ("en" if options.draws_english and guess_language(text) == "en" else "ru")


def _given_language(text: str, options: Options) -> str:
    """As `_language`, where candidates need not be drawn."""
    if options.told_language:
        return options.told_language
    is_english = guess_language(text) == "en" and any(map(str.isalpha, text))
    return "en" if is_english else "ru" if has_cyrillic(text) or not any(map(str.isalpha, text)) else "other"


def _layout(text: str, language: str) -> Layout:
    if language == "en":
        from rewrite.splitting.splitter import sentences_in

        return sentences_in(text)
    return split(text)


def _russian_generator(
    options: Options, analyzer: Analyzer, *, task: str = "simplify", engines: Engines | None = None
) -> Generator:
    specs = tuple(spec for spec in options.specs if spec.language in ("", "ru"))
    if not specs:
        raise OtherLanguage(
            f"--generator {options.generator} is for English, and the text is not.",
            hint="For Russian: --generator gemma-ru, edits or edits-lm.",
        )
    return create_generator(specs, analyzer=analyzer, options=options, task=task, engines=engines)


def drawing_language(text: str, options: Options) -> str:
    """The language in which candidates are drawn for `text` alone: told, or English where it is and anything knows it.

    Unlike `rewrite simplify`, a model of one's own need not be told.
    """
    if options.told_language is not None:
        return options.told_language
    from rewrite.plain_english import english_specs

    return "en" if guess_language(text) == "en" and english_specs(_in_english(options)) else "ru"


def drawing_generator(options: Options, language: str, *, task: str, engines: Engines) -> Generator:
    """What draws candidates in `language`, where a language model is asked to do `task` (simplify, split, rephrase)."""
    if language == "ru":
        return _russian_generator(options, Analyzer(), task=task, engines=engines)
    from rewrite.plain_english import english_generator

    return english_generator(_in_english(options), Analyzer(), task=task, engines=engines)


def _in_english(options: Options) -> Options:
    return options.model_copy(update={"lang": "en"})


def _bench(options: Options, language: str, given: Analyzer | None) -> Bench:
    if language == "en":
        # What Russian needs is loaded without it.
        from rewrite.plain_english import english_bench

        return english_bench(options, given if given is not None and given.language == "en" else None)
    analyzer = given or Analyzer(cache_size=_REMEMBERED)
    guards = _Guards(options, analyzer)
    return Bench(
        analyzer=analyzer,
        draw=lambda: _russian_generator(options, analyzer),
        facts=(guards.facts, length_guard(sentences=options.sentences, max_words=options.max_words)),
        form=(guards.form,),
        layers=LAYERS,
    )


SIMPLIFY = Task(
    result=Result,
    presets=PRESETS,
    presets_in=MappingProxyType({"en": ENGLISH_PRESETS}),
    languages=("ru", "en"),
    language=_language,
    given=_given_language,
    layout=_layout,
    skip=skip_reason,
    scorers=_scorers,
    on_request=(Coverage.name, *ON_REQUEST),
    bench=_bench,
)
