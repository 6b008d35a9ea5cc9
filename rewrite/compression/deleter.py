"""The search for the texts of one language: which spans, which objective, which choice, one search after the other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rerank.analysis import Analysis
from rerank.errors import RewriteError
from rerank.masked.base import MaskedModel
from rerank.types import Candidate
from rewrite.compression.analyzer import WordCount
from rewrite.compression.choices import ToRatio, Under
from rewrite.compression.objectives import objective_of, words_of
from rewrite.compression.options import CompressOptions
from rewrite.compression.protection import Protection, protection_of
from rewrite.compression.sentences import capitals, problem
from rewrite.compression.stages import Guarded, Stage, Stages
from rewrite.generators.base import Sampling, SourcesFailed
from rewrite.generators.deletion import DeletionSearch, Path
from rewrite.generators.spans import remaining
from rewrite.generators.tidy import cut, tidy

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
        found = [error or Path(s, s) for s, error in zip(sentences, problems, strict=True)]
        paths = [path for path in found if isinstance(path, Path)]
        for stage, (to_ratio, search) in self._searches:
            search.resume([p for p in paths if not to_ratio or not to_ratio.reached(p, above=stage.above)])
        return found

    def describe(self) -> Mapping[str, object]:
        """What decides the cuts beside the options."""
        return {"model": self.model.signature(), "lang": self._language, "syntax": self.stages.syntax}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """The texts along the path of each source, the shortest first. See `Generator.generate`."""
        paths = self.run(sources)
        found = [self._candidates(p)[: sampling.n] if isinstance(p, Path) else [] for p in paths]
        if errors := {i: error for i, error in enumerate(paths) if isinstance(error, RewriteError)}:
            raise SourcesFailed(errors, found)
        return found

    def _candidates(self, path: Path) -> list[Candidate]:
        count = WordCount(self._analyze([path.source])[0], self._language)
        found = []
        for number, text in enumerate(path.stages, 1):
            made = [one for one in path.cuts if one.round <= number]
            found.append(
                Candidate(
                    text,
                    generator=self.name,
                    tokens=count.left(start for one in made for start in one.span.starts),
                    source_tokens=count.total,
                    cuts=tuple((one.span.text, one.round, -one.value) for one in made),
                    risk=max(0.0, -sum(one.value for one in made)),
                )
            )
        return found[::-1]

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
        known = path.memory.get(self)
        if known is None:
            known = path.memory[self] = WordCount(self._analyze([path.source])[0], self._language)
        count: WordCount = known
        return count

    def _protect(self, analysis: Analysis) -> Protection:
        o = self.options
        return protection_of(
            analysis, self._language, keep=o.keep, keep_entities=o.keep_entities, cut_negation=o.cut_negation
        )

    def _render(self, analysis: Analysis, removed: frozenset[int]) -> str:
        if not removed:
            return analysis.text
        return tidy(cut(analysis.text, remaining(analysis, removed)), like=analysis.text, language=self._language)
