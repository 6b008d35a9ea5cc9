"""Where the spans of a compression come from, in each language, from the most careful ones to any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rerank.analysis import LAYERS, Analysis, Analyzer
from rerank.english import EnglishAnalyzer
from rewrite.compression.analyzer import WordAnalyzer
from rewrite.compression.counting import is_word
from rewrite.compression.options import LONGEST_SPAN, LONGEST_SUBTREE
from rewrite.compression.protection import Protection
from rewrite.errors import BadOption, MissingExtra, ModelNotFound
from rewrite.generators.any_subtree import FUNCTION_RELATIONS, every_subtree
from rewrite.generators.spans import Span, SpanFinder, adjacent_words, subtrees
from rewrite.generators.spans_en import english_subtrees

__all__ = ["PARSED", "Guarded", "Stages", "stages"]

_SUBJECTS = frozenset("nsubj nsubj:pass nsubj:outer csubj csubj:pass".split())
_ARGUMENTS = frozenset("obj iobj ccomp xcomp det obl:agent".split())

PARSED = ("en", "ru")
"""Languages with a parser."""


@dataclass(frozen=True, slots=True)
class Stages:
    """An analyser, the layers to ask it for, and finders of spans: the next is for what the ones before cannot do."""

    analyzer: Analyzer
    layers: tuple[str, ...]
    finders: tuple[SpanFinder, ...]
    syntax: bool


class Guarded:
    """The spans of `finder` that `protect` allows, with at least one word and at most `longest`."""

    def __init__(self, finder: SpanFinder, protect: Callable[[Analysis], Protection], longest: int) -> None:
        self._finder = finder
        self._protect = protect
        self._longest = longest

    def __call__(self, analysis: Analysis, removed: frozenset[int]) -> list[Span]:
        protection = self._protect(analysis)
        words = {token.start for token in analysis.tokens if is_word(token.text)}
        return [
            span
            for span in self._finder(analysis, removed)
            if 0 < len(words & span.starts) <= self._longest and protection.allows(span, removed)
        ]


def stages(
    language: str, *, syntax: bool | None, exact: bool, names: bool, longest: int | None, analyzer: Analyzer | None
) -> Stages:
    """The spans for texts of `language` (of `rerank.masked.words.LANGUAGES`).

    With `syntax` they are dependency subtrees, without it any words side by side; `None` takes what there is. `exact`
    asks for that one kind alone, as in the paper; otherwise subtrees that grammar can spare come first and any words
    last. `names` says that named entities must be known. Raises `BadOption` for syntax or names where there is no
    parser, and what a parser raises that cannot be loaded.
    """
    if language not in PARSED:
        if syntax or names:
            what = "--syntax" if syntax else "--keep-entities"
            raise BadOption(
                f"{what} with a text in {language!r}: there is no parser for it, only for {' and '.join(PARSED)}.",
                hint="Leave it out; --keep WORD protects words in any language.",
            )
        return _plain(analyzer or WordAnalyzer(language), (), longest)
    if syntax is False and not names:
        return _plain(analyzer or WordAnalyzer(language), (), longest)
    try:
        parser = analyzer or _parser(language)
        parser.load(LAYERS)
    except (MissingExtra, ModelNotFound):
        if syntax or names:
            raise
        return _plain(WordAnalyzer(language), (), longest)
    if syntax is False:
        return _plain(parser, ("entities",), longest)
    return Stages(parser, LAYERS, _subtree_finders(language, exact=exact, longest=longest or LONGEST_SUBTREE), True)


def _plain(analyzer: Analyzer, layers: Sequence[str], longest: int | None) -> Stages:
    finder = partial(adjacent_words, longest=longest or LONGEST_SPAN)
    return Stages(analyzer, tuple(layers), (finder,), False)


def _subtree_finders(language: str, *, exact: bool, longest: int) -> tuple[SpanFinder, ...]:
    if exact:
        return (partial(every_subtree, longest=longest),)
    # What the grammar of the rest can do without.
    spared: SpanFinder = subtrees if language == "ru" else partial(english_subtrees, longest=longest)
    any_whole = partial(every_subtree, longest=longest)
    return (
        spared,
        partial(any_whole, kept=FUNCTION_RELATIONS | _SUBJECTS | _ARGUMENTS),
        partial(any_whole, kept=FUNCTION_RELATIONS | _SUBJECTS),
        partial(adjacent_words, longest=min(longest, LONGEST_SPAN)),
    )


def _parser(language: str) -> Analyzer:
    return (Analyzer if language == "ru" else EnglishAnalyzer)(cache_size=4_000)
