"""The search for the texts of one language: which spans, which objective, which choice, one search after the other.

Which spans go in a round: all under a threshold, or as many as bring a sentence to a ratio.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rerank.analysis import Analysis
from rerank.errors import RewriteError
from rerank.masked.base import MaskedModel
from rerank.types import Candidate
from rewrite.across.replacing import kept_terms
from rewrite.compression.compression_options import MOST_OVER, CompressOptions, Overlap
from rewrite.compression.objectives import objective_of, words_of
from rewrite.compression.protection import Protection, protection_of
from rewrite.compression.stages import Guarded, Stage, Stages
from rewrite.compression.word_analysis import WordCount, capitals, problem
from rewrite.generators.base import Sampling, SourcesFailed
from rewrite.generators.deletion import DeletionSearch, Offer, Path, Pending
from rewrite.generators.spans import Span, text_without
from rewrite.generators.tidy import tidy

_ROUNDING = 1e-9
# Distances are first found out up to so small a part of a threshold, and doubled where a choice hangs on them.
_STEPS = 8
_FAR = 1e3


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A span on offer: its distance, at least that where it is not `exact`, and how many words go with it."""

    span: Span
    distance: float
    words: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Under:
    """All spans whose distance is at most `threshold`; `overlap` says which of two goes that share a word.

    `counts` gives the words of a source. At least one word always stays.
    """

    threshold: float
    overlap: Overlap
    counts: Callable[[Path], WordCount]

    @property
    def floor(self) -> float:
        # The higher one can only be told where both are known.
        return -self.threshold if self.overlap == "higher" else -self.threshold / _STEPS

    def __call__(self, path: Path, offers: Sequence[Offer]) -> Sequence[Span] | Pending:
        count = self.counts(path)
        inside = [offer for offer in _ranked(path, offers, count) if offer.distance <= self.threshold]
        return _greedy(inside, self.overlap, most=count.left(path.removed) - 1, limit=self.threshold)


@dataclass(frozen=True, slots=True)
class ToRatio:
    """Spans under a threshold of this sentence's own, such that about `ratio` of its words stay in the end.

    What is too much is shared out over `iterations` rounds, so that most cuts are judged with earlier ones made. In a
    round the threshold is the lowest under which enough words go; spans that would lead below the goal by more than
    `beyond`, a share of the sentence's words, are left out. Where none fits, a sentence above `ratio` by more than
    `MOST_OVER` loses with `last` the shortest span there is. Distances over `limit` are found out exactly only where
    the choice hangs on them; spans over `farthest` never go. With `least` no more goes
    than it takes to be at most `MOST_OVER` above `ratio`, where there are spans so small.
    """

    ratio: float
    iterations: int
    overlap: Overlap
    counts: Callable[[Path], WordCount]
    beyond: float = 0.0
    last: bool = True
    limit: float = math.inf
    farthest: float = math.inf
    least: bool = False

    @property
    def floor(self) -> float:
        return -self.limit

    def __call__(self, path: Path, offers: Sequence[Offer]) -> Sequence[Span] | Pending:
        count = self.counts(path)
        left = count.left(path.removed)
        excess = left - goal_of(self.ratio, count.total)
        wanted = left - _most(self.ratio, count.total) if self.least else excess
        if wanted <= 0:
            return ()
        ranked = [
            offer
            for offer in _ranked(path, offers, count)
            if 0 < offer.words < left and offer.distance <= self.farthest
        ]
        beyond = int(self.beyond * count.total + _ROUNDING)
        # No farther below the goal than it was above, unless a sentence that is too short is what is wanted.
        most = excess + (beyond if self.beyond > MOST_OVER else min(excess - 1, beyond))
        fitting = [offer for offer in ranked if offer.words <= most]
        if fitting:
            rounds = max(1, self.iterations - len(path.stages))
            return self._enough(fitting, math.ceil(wanted / rounds), most, wanted)
        if not (self.last and ranked and left > _most(self.ratio, count.total)):
            return ()
        fewest = min(offer.words for offer in ranked)
        return self._enough([offer for offer in ranked if offer.words == fewest], 1, fewest, wanted)

    def reached(self, path: Path, *, above: float) -> bool:
        """Whether so much went that the ratio is at most `above` more than what was asked for, or the goal reached."""
        count = self.counts(path)
        enough = max(
            goal_of(self.ratio, count.total), int((self.ratio + _over(self.ratio, above)) * count.total + _ROUNDING)
        )
        return count.left(path.removed) <= enough

    def _enough(self, ranked: Sequence[_Ranked], quota: int, most: int, wanted: int) -> Sequence[Span] | Pending:
        if self.overlap == "higher":
            return _highest(ranked, quota, most)
        return _greedy(ranked, self.overlap, most=most, quota=quota, wanted=wanted)


def goal_of(ratio: float, words: int) -> int:
    """How many of a sentence's words should stay: the nearest number to `ratio`, not above it by over `MOST_OVER`."""
    return max(1, min(math.floor(ratio * words + 0.5), _most(ratio, words)))


def _most(ratio: float, words: int) -> int:
    # Rounding must not turn 6 of 10 words into 5.
    return max(1, math.floor((ratio + _over(ratio, MOST_OVER)) * words + _ROUNDING))


def _over(ratio: float, above: float) -> float:
    """How much more than `ratio` may stay: near 1 half of what would go, or nothing would."""
    return min(above, (1 - ratio) / 2)


def _ranked(path: Path, offers: Sequence[Offer], count: WordCount) -> list[_Ranked]:
    return [
        _Ranked(offer.span, -offer.value, count.lost(offer.span.starts, path.removed), offer.exact) for offer in offers
    ]


def _preferred(ranked: Sequence[_Ranked], overlap: Overlap, wanted: float = math.inf) -> list[_Ranked]:
    """The spans in the order in which they win over others that overlap them.

    More words than are `wanted` make a span no better.
    """
    keys: dict[Overlap, Callable[[_Ranked], float]] = {
        "share": lambda offer: offer.distance / max(1, min(offer.words, wanted)),
        "lower": lambda offer: offer.distance,
        "higher": lambda offer: -offer.distance,
    }
    return sorted(ranked, key=lambda offer: (keys[overlap](offer), -offer.words))


def _greedy(
    ranked: Sequence[_Ranked],
    overlap: Overlap,
    *,
    most: int,
    quota: int | None = None,
    wanted: float = math.inf,
    limit: float = math.inf,
) -> Sequence[Span] | Pending:
    """Spans by preference that share no token, until `quota` words go, and never more than `most`.

    A span that loses to a better one need not be known exactly. Distances over `limit` are never asked for.
    """
    chosen: list[_Ranked] = []
    taken: set[int] = set()
    gone = 0
    for offer in _preferred(ranked, overlap, wanted):
        if gone + offer.words > most or not taken.isdisjoint(offer.span.starts):
            continue
        chosen.append(offer)
        taken |= offer.span.starts
        gone += offer.words
        if quota is not None and gone >= quota:
            break
    if unsure := [offer for offer in chosen if not offer.exact]:
        further = 2 * max(offer.distance for offer in unsure)
        return Pending([offer.span for offer in unsure], -min(limit, further if further < _FAR else math.inf))
    return [offer.span for offer in chosen]


def _highest(ranked: Sequence[_Ranked], quota: int, most: int) -> Sequence[Span] | Pending:
    """Spans under the lowest threshold under which `quota` words go, where the higher of two that overlap goes."""
    if unsure := [offer.span for offer in ranked if not offer.exact]:
        return Pending(unsure, -math.inf)
    spans: Sequence[Span] | Pending = ()
    words = {offer.span.starts: offer.words for offer in ranked}
    ordered = _preferred(ranked, "lower")
    for number in range(1, len(ordered) + 1):
        spans = _greedy(ordered[:number], "higher", most=most)
        if not isinstance(spans, Pending) and sum(words[span.starts] for span in spans) >= quota:
            break
    return spans


# To reach a ratio it takes as many rounds as it takes; each cuts a word at least.
_MOST_ROUNDS = 200
_FIRST_LIMIT = 2.0
_LONGEST = 1_000_000
# Cuts that cost so much nearly always broke a sentence or took its point, wherever they were read.
_FARTHEST = {"fast-ndd": 4.0, "ndd": 8.0}


class Deleter:
    """Compresses sentences of one language, with one model, as `options` say. It is a generator."""

    name = "cuts"

    def __init__(self, options: CompressOptions, model: MaskedModel, stages: Stages, *, language: str) -> None:
        self.options = options
        self.model = model
        self.stages = stages
        self._language = language
        self._objective = objective_of(options, model, language=language, analyzer=stages.analyzer)
        # What is left to cut then hurts: a sentence may stay longer.
        last = None if options.careful else stages.kinds[-1]
        self._searches = [(stage, self._search(stage, last=stage is last)) for stage in stages.kinds]

    def run(self, sentences: Sequence[str]) -> list[Path | RewriteError]:
        """The finished search on each sentence, in order, or why the model cannot read it."""
        analyses = self._analyze(sentences)
        problems = [capitals(a.text) or problem(words_of(a), self.model) for a in analyses]
        outcomes = [error or Path(s, s) for s, error in zip(sentences, problems, strict=True)]
        paths = [path for path in outcomes if isinstance(path, Path)]
        for stage, (to_ratio, search) in self._searches:
            search.resume([p for p in paths if not to_ratio or not to_ratio.reached(p, above=stage.above)])
        return outcomes

    def describe(self) -> Mapping[str, object]:
        """What decides the cuts beside the options."""
        return {"model": self.model.signature(), "lang": self._language, "syntax": self.stages.syntax}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """The texts along the path of each source, the shortest first. See `Generator.generate`."""
        outcomes = self.run(sources)
        candidates = [self._candidates(p)[: sampling.n] if isinstance(p, Path) else [] for p in outcomes]
        if errors := {i: error for i, error in enumerate(outcomes) if isinstance(error, RewriteError)}:
            raise SourcesFailed(errors, candidates)
        return candidates

    def _candidates(self, path: Path) -> list[Candidate]:
        count = WordCount(self._analyze([path.source])[0], self._language)
        candidates = []
        for number, text in enumerate(path.stages, 1):
            made = [removal for removal in path.cuts if removal.round <= number]
            candidates.append(
                Candidate(
                    text,
                    generator=self.name,
                    tokens=count.left(start for removal in made for start in removal.span.starts),
                    source_tokens=count.total,
                    cuts=tuple((removal.span.text, removal.round, -removal.value) for removal in made),
                    risk=max(0.0, -sum(removal.value for removal in made)),
                )
            )
        return candidates[::-1]

    def _analyze(self, sentences: Sequence[str]) -> list[Analysis]:
        return self.stages.analyzer.analyze(sentences, self.stages.layers)

    def _search(self, stage: Stage, *, last: bool) -> tuple[ToRatio | None, DeletionSearch]:
        o = self.options
        to_ratio = None
        rounds = o.iterations
        if o.goal is not None:
            limit = _FIRST_LIMIT if o.method == "ndd" else math.inf
            farthest = _FARTHEST.get(o.method, math.inf) if stage.near else math.inf
            to_ratio = ToRatio(
                o.goal, o.iterations, o.overlap, self._counts, stage.beyond, last, limit, farthest, stage.least
            )
            rounds = _MOST_ROUNDS
        return to_ratio, DeletionSearch(
            analyzer=self.stages.analyzer,
            spans=Guarded(stage.finder, self._protect, o.longest or _LONGEST),
            objective=self._objective,
            layers=self.stages.layers,
            max_iterations=rounds,
            choose=to_ratio or Under(o.threshold or 0.0, o.overlap, self._counts),
            render=self._render,
        )

    def _counts(self, path: Path) -> WordCount:
        if self not in path.memory:
            path.memory[self] = WordCount(self._analyze([path.source])[0], self._language)
        count: WordCount = path.memory[self]
        return count

    def _protect(self, analysis: Analysis) -> Protection:
        o = self.options
        return protection_of(
            analysis,
            self._language,
            keep=o.keep,
            glossary=kept_terms(o.glossary, o.replace, self._language),
            keep_entities=o.keep_entities,
            cut_negation=o.cut_negation,
        )

    def _render(self, analysis: Analysis, removed: frozenset[int]) -> str:
        if not removed:
            return analysis.text
        return tidy(text_without(analysis, removed), like=analysis.text, language=self._language)
