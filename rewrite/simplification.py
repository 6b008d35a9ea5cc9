"""Simplifying text, as a task. What it works with is in `rewrite.plain_russian` and `rewrite.plain_english`."""

from __future__ import annotations

from types import MappingProxyType

from rerank.analysis import Analyzer
from rerank.likelihood import Caution, Likelihood
from rerank.masked.words import guess_language
from rerank.paraeval.coverage import Coverage
from rerank.rusim import components
from rerank.scorer import Scorer
from rerank.structure import ShortSentences, Structure
from rerank.weights import ENGLISH_PRESETS, PRESETS
from rewrite.acceptance.text_acceptance import TextCaution
from rewrite.layout import Layout, has_cyrillic, skip_reason, split
from rewrite.request import Options
from rewrite.requested_scorers import ON_REQUEST, fluency, requested
from rewrite.result import Result
from rewrite.task import Bench, Task


def _scorers(options: Options, asked: frozenset[str]) -> tuple[Scorer, ...]:
    # A model says how probable its text is, not what it risks: that is read off the text.
    is_drawn = options.draws_from_model or any(spec.kind.english for spec in options.specs)
    caution = TextCaution() if is_drawn else Caution()
    standard = (*components(variant=options.variant), Structure(), ShortSentences(), Likelihood(), caution)
    others = (Coverage(),) if Coverage.name in asked else ()
    return (*standard, *others, *fluency(options, asked), *requested(options, asked))


def _language(text: str, options: Options) -> str:
    """What the options say; else English for what reads so, where the adapter for it may draw, and Russian.

    A sentence without Cyrillic letters is then passed through.
    """
    return options.told_language or ("en" if options.fitting("en") and guess_language(text) == "en" else "ru")


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


def _drawing_language(text: str, options: Options) -> str:
    """The language in which candidates are drawn for `text` alone: told, or English where it is and anything knows it.

    Unlike `rewrite simplify`, a model of one's own need not be told.
    """
    is_english = guess_language(text) == "en" and options.model_copy(update={"lang": "en"}).fitting("en")
    return options.told_language or ("en" if is_english else "ru")


def _bench(options: Options, language: str, given: Analyzer | None) -> Bench:
    # What the other language needs is not loaded.
    if language == "en":
        from rewrite.plain_english import english_bench

        return english_bench(options, given if given is not None and given.language == "en" else None)
    from rewrite.plain_russian import russian_bench

    return russian_bench(options, given)


SIMPLIFY = Task(
    result=Result,
    presets=PRESETS,
    presets_in=MappingProxyType({"en": ENGLISH_PRESETS}),
    languages=("ru", "en"),
    language=_language,
    given=_given_language,
    drawn=_drawing_language,
    layout=_layout,
    skip=skip_reason,
    scorers=_scorers,
    on_request=(Coverage.name, *ON_REQUEST),
    bench=_bench,
    samples=MappingProxyType(
        # Encoders of English have threads, which no fork survives.
        {"ru": ("Кошка, которую нашли дети, спала на старом диване.", "Кошка спала на диване.")}
    ),
)
