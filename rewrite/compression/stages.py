"""Where the spans of a compression come from, in each language, from the most careful ones to any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rerank.analysis import LAYERS, Analysis, Analyzer
from rewrite.compression.compression_options import LONGEST_SPAN, LONGEST_SUBTREE, LONGEST_TO_RATIO, MOST_OVER
from rewrite.compression.protection import Protection
from rewrite.compression.word_analysis import WordAnalyzer, is_word
from rewrite.errors import BadOption
from rewrite.generators.spans import (
    FUNCTION_RELATIONS,
    Span,
    SpanFinder,
    adjacent_words,
    every_subtree,
    segments,
    whole_phrases,
)
from rewrite.generators.ties import ARGUMENTS, Rule, Ties, governed, tied, usual
from rewrite.generators.valency import EnglishValency, RussianValency, Valency

_CORE = FUNCTION_RELATIONS | frozenset(
    "nsubj nsubj:pass nsubj:outer csubj csubj:pass ccomp det det:predet nmod:poss".split()
)
_ARGUMENTS = frozenset("obj iobj xcomp obl:agent".split())

_CLOSE = 0.03
# A remark goes whole or not at all: the rest of a sentence reads better without it than without parts of both.
_ASIDE = 0.15
# Better a sentence that is too short than one with a hole.
_DEEP = 0.15

# Chance that a reader passes a Russian cut, of those that come first.
_LEAST = 0.5

_REMEMBERED = 4_000

PARSED = ("en", "ru")
"""Languages with a parser."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A kind of spans, and when a ratio calls for it: for sentences that are longer than asked for by more than
    `above`, which it may make shorter than that by `beyond`, both shares of their words. With `near` it takes none
    that moves what stands beside it far; with `least` it stops as soon as the sentence is at most `MOST_OVER` too long.
    """

    finder: SpanFinder
    above: float = 0.0
    beyond: float = 0.0
    near: bool = False
    least: bool = False


@dataclass(frozen=True, slots=True)
class Stages:
    """An analyser, the layers to ask it for, and kinds of spans: the next is for what the ones before cannot do."""

    analyzer: Analyzer
    layers: tuple[str, ...]
    kinds: tuple[Stage, ...]
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
            for span in map(protection.without_ending, self._finder(analysis, removed))
            if 0 < len(words & span.starts) <= self._longest and protection.allows(span, removed)
        ]


def stages(
    language: str,
    *,
    syntax: bool | None,
    exact: bool,
    names: bool,
    longest: int | None,
    analyzer: Analyzer | None,
    careful: bool = False,
) -> Stages:
    """The spans for texts of `language` (of `rerank.masked.words.LANGUAGES`).

    With `syntax` they are dependency subtrees, without it any words side by side; `None` takes what there is. `exact`
    asks for that one kind alone, as in the paper; otherwise subtrees that the rest does without come first, and any
    words last, unless it shall be `careful`. `names` says that named entities must be known. Raises `BadOption` for
    syntax, names or care where there is no parser, and what a parser raises that cannot be loaded.
    """
    if language not in PARSED and (syntax or names or careful):
        what = "--syntax" if syntax else "--keep-entities" if names else "--careful"
        raise BadOption(
            f"{what} with a text in {language!r}: there is no parser for it, only for {' and '.join(PARSED)}.",
            hint="Leave it out; --keep WORD protects words in any language.",
        )
    if language not in PARSED or (syntax is False and not names):
        return _plain(analyzer or WordAnalyzer(language), (), longest)
    parser = analyzer or _parser(language)
    parser.load(LAYERS)
    if syntax is False:
        return _plain(parser, ("entities",), longest)
    if exact:
        kinds = [Stage(partial(every_subtree, longest=longest or LONGEST_SUBTREE))]
    else:
        rules = _Language.of(language, parser, longest)
        kinds = [*_harmless(rules), *(() if careful else _harmful(rules))]
    return Stages(parser, LAYERS, tuple(kinds), True)


def _plain(analyzer: Analyzer, layers: Sequence[str], longest: int | None) -> Stages:
    finder = partial(adjacent_words, longest=longest or LONGEST_SPAN)
    return Stages(analyzer, tuple(layers), (Stage(finder, beyond=MOST_OVER),), False)


@dataclass(frozen=True, slots=True)
class _Language:
    """What the kinds of spans of a language have in common; `most` words at most go at once.

    `spared` finds what its grammar can spare, `remarks` what is said beside the main clause.
    """

    ties: Ties
    valency: Valency
    most: int
    spared: SpanFinder
    remarks: SpanFinder | None = None

    @classmethod
    def of(cls, name: str, parser: Analyzer, longest: int | None) -> _Language:
        most = longest or LONGEST_TO_RATIO
        if name == "en":
            from rewrite.generators.needed_en import ENGLISH
            from rewrite.generators.spans_en import english_subtrees

            spared = partial(english_subtrees, longest=most)
            remarks = partial(english_subtrees, longest=longest, asides=True)
            return cls(ENGLISH, EnglishValency(), most, spared, remarks)
        from rewrite.generators.needed import RUSSIAN
        from rewrite.generators.spans_ru import LikelyCuts

        return cls(RUSSIAN, RussianValency(parser.morphology), most, LikelyCuts(parser, least=_LEAST))

    @property
    def grammar(self) -> tuple[Rule, ...]:
        return (*self.ties.grammar, governed(self.valency))

    @property
    def meaning(self) -> tuple[Rule, ...]:
        return (*self.grammar, *self.ties.conditions)

    def bound(self, finder: SpanFinder, *rules: Rule) -> SpanFinder:
        return tied(finder, *rules, ties=self.ties)

    def subtrees(self, kept: frozenset[str]) -> SpanFinder:
        return partial(every_subtree, longest=self.most, kept=kept)


def _harmless(language: _Language) -> Iterator[Stage]:
    """What the rest does without: remarks before all else; then what the grammar can spare; then, in a language with
    rules of complements, subtrees on which nothing often depends. Read, Russian was better without those.
    """
    if language.remarks is not None:
        yield Stage(language.bound(language.remarks), _CLOSE, _ASIDE, near=True)
    of_spared = (*language.meaning, usual(language.valency))
    yield Stage(language.bound(language.spared, *of_spared), _CLOSE, MOST_OVER, near=True)
    if complements := language.ties.complements:
        others = language.bound(language.subtrees(_CORE | _ARGUMENTS), *of_spared, *complements)
        yield Stage(others, _CLOSE, MOST_OVER, near=True)


def _harmful(language: _Language) -> Iterator[Stage]:
    """What goes only where the ratio must have it: what completes a word; then conditions; then objects; in the end
    any words at all, which leave a bad sentence.
    """
    no_argument, no_core = language.subtrees(_CORE | _ARGUMENTS), language.subtrees(_CORE)
    phrases: SpanFinder = partial(whole_phrases, longest=min(language.most, LONGEST_SPAN))
    between_marks: SpanFinder = partial(segments, longest=language.most)
    any_words: SpanFinder = partial(adjacent_words, longest=min(language.most, LONGEST_SPAN))
    completing = language.bound(no_argument, *language.meaning)
    yield Stage(completing, MOST_OVER, MOST_OVER, near=True, least=True)
    yield Stage(completing, MOST_OVER, _DEEP, near=True, least=True)
    spans = (
        (language.bound(between_marks, *language.meaning), MOST_OVER),
        (language.bound(no_argument, *language.grammar), MOST_OVER),
        (language.bound(phrases, *language.grammar, *ARGUMENTS), MOST_OVER),
        (language.bound(no_core, *language.grammar), MOST_OVER),
        (between_marks, _DEEP),
        (language.bound(no_core, *language.ties.grammar), MOST_OVER),
        (phrases, MOST_OVER),
        (any_words, MOST_OVER),
    )
    yield from (Stage(finder, MOST_OVER, beyond, least=True) for finder, beyond in spans)


def _parser(language: str) -> Analyzer:
    if language == "en":
        from rerank.english import EnglishAnalyzer

        return EnglishAnalyzer(cache_size=_REMEMBERED)
    from rewrite.generators.edits.repaired_tree import RepairedAnalyzer

    return RepairedAnalyzer(cache_size=_REMEMBERED)
