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
from rewrite.acceptance.simplicity import Simplicity, layout_in
from rewrite.acceptance.text_acceptance import TextCaution
from rewrite.layout import skip_reason
from rewrite.request import Options
from rewrite.requested_scorers import ON_REQUEST, fluency, requested
from rewrite.result import Result
from rewrite.task import Bench, Task

_IN_ADDRESSES = ("://", "www.", "@")


def _scorers(options: Options, asked: frozenset[str]) -> tuple[Scorer, ...]:
    # A model says how probable its text is, not what it risks: that is read off the text.
    is_drawn = options.draws_from_model or any(spec.kind.english for spec in options.specs)
    caution = TextCaution() if is_drawn else Caution()
    standard = (
        *components(variant=options.variant),
        Structure(),
        ShortSentences(),
        Likelihood(),
        caution,
        Simplicity(),
    )
    others = (Coverage(),) if Coverage.name in asked else ()
    return (*standard, *others, *fluency(options, asked), *requested(options, asked))


def _language(text: str, options: Options) -> str:
    """What the options say, else as it reads; without a word it is in the language that the generator is for."""
    if options.told_language is not None:
        return options.told_language
    words = (word for word in text.split() if not any(mark in word for mark in _IN_ADDRESSES))
    has_words = any(any(map(str.isalpha, word)) for word in words)
    return guess_language(text) if has_words else options.main_language or "ru"


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
    layout=layout_in,
    skip=skip_reason,
    scorers=_scorers,
    on_request=(Coverage.name, *ON_REQUEST),
    bench=_bench,
    samples=MappingProxyType(
        # Encoders of English have threads, which no fork survives.
        {"ru": ("Кошка, которую нашли дети, спала на старом диване.", "Кошка спала на диване.")}
    ),
)
