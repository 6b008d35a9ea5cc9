"""Request → sentences → candidates → fact guard → score table → choice.

A pipeline holds the models; it is built once and run over many texts. Work is batched over all sentences of a call:
the generator, the guard and the scorers each see them together.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from rerank.analysis import Analyzer
from rerank.caution import Caution
from rerank.facts import FactGuard
from rerank.likelihood import Likelihood
from rerank.presets import PRESETS
from rerank.rank import score_tables
from rerank.rusim import components
from rerank.scorer import Context, Scorer
from rerank.signature import signature
from rerank.structure import Structure
from rerank.types import Candidate, ScoreTable
from rerank.weights import Weights, load_preset
from rerank.wellformed import LAYERS as FORM_LAYERS
from rerank.wellformed import WellFormedness
from rerank.winner import Winner, winners
from rewrite.generators import Generator, Sampling, create_generator
from rewrite.layout import Layout, one_line, skip_reason, split
from rewrite.request import Options
from rewrite.result import Result, SentenceResult
from rewrite.selection import THRESHOLDS, Choice, choose

__all__ = ["Pipeline", "Pool", "distinct"]

Pool = tuple[str, Sequence[Candidate]]

# Texts are met again within one call at most: more would only take memory, some 20 kB each.
_REMEMBERED = 4_000
_SAMPLE = "Кошка, которую нашли дети, спала на старом диване."


class Pipeline:
    """Rewrites texts as `options` say. Parts given by keyword replace the default ones.

    Nothing heavy is loaded before the first text, or `load`. Raises `BadWeights` and `UnknownName` at once.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        analyzer: Analyzer | None = None,
        generator: Generator | None = None,
        scorers: Sequence[Scorer] | None = None,
    ) -> None:
        self.options = options or Options()
        self.analyzer = analyzer or Analyzer(cache_size=_REMEMBERED)
        standard = (*components(variant=self.options.variant), Structure(), Likelihood(), Caution())
        self.scorers = tuple(scorers or standard)
        self.weights = Weights.resolve(
            [scorer.name for scorer in self.scorers],
            preset=_preset(self.options.preset),
            control=self.options.control,
            explicit=self.options.weights,
        )
        self._generator = generator

    @cached_property
    def generator(self) -> Generator:
        """Where candidates come from, created on first use."""
        return self._generator or create_generator(self.options.generator, analyzer=self.analyzer)

    @cached_property
    def _guard(self) -> FactGuard:
        return FactGuard(self.analyzer, strict=self.options.strict, morphology=self.analyzer.morphology)

    @cached_property
    def _form(self) -> WellFormedness:
        return WellFormedness(self.analyzer.morphology)

    @cached_property
    def settings(self) -> str:
        """Signature of everything behind a result but the weights."""
        o = self.options
        settings = {"generator": self.generator.name, "n": o.n, "seed": o.seed, "strict": o.strict}
        return signature(self.scorers, settings=settings)

    def load(self) -> None:
        """Load every model now, so that processes forked after this share them."""
        self.run([_SAMPLE])

    def run(self, texts: Sequence[str], *, full: bool = True) -> list[Result]:
        """One result per text, in order. A text is a sentence or a paragraph; an empty one stays as it is.

        Without `full` only the winner is looked for: the same text at less cost, but no alternatives and no table.
        """
        layouts = [split(text) for text in texts]
        skipped = {s: skip_reason(s) for layout in layouts for s in layout.sentences}
        pools = self._draw([sentence for sentence, reason in skipped.items() if not reason])
        done = {judged.source: judged for judged in (self._judge(pools) if full else self._winners(pools))}
        done.update({s: SentenceResult(s, skipped=reason) for s, reason in skipped.items() if reason})
        return [
            self._result(text, layout, tuple(done[s] for s in layout.sentences))
            for text, layout in zip(texts, layouts, strict=True)
        ]

    def rerank(self, pools: Sequence[Pool]) -> list[Result]:
        """As `run`, for candidates from anywhere: `(source, candidates)` each. The source is taken as one sentence."""
        judged = self._judge([(source, distinct(source, candidates)) for source, candidates in pools])
        whole = [Layout(sentences=(source,), gaps=("", "")) for source, _ in pools]
        return [
            self._result(layout.sentences[0], layout, (sentence,))
            for layout, sentence in zip(whole, judged, strict=True)
        ]

    def score(self, pools: Sequence[Pool]) -> list[ScoreTable]:
        """The table of each pool, candidates as given: nothing is dropped, merged or reordered, facts are checked."""
        tables = score_tables(pools, self.scorers, Context(self.analyzer))
        return [replace(table, blocked=tuple(b)) for table, b in zip(tables, self._guarded(pools), strict=True)]

    def _draw(self, sources: Sequence[str]) -> list[Pool]:
        if not sources:
            return []
        drawn = self.generator.generate(sources, Sampling(n=self.options.n, seed=self.options.seed))
        return [(source, distinct(source, found)) for source, found in zip(sources, drawn, strict=True)]

    def _judge(self, pools: Sequence[Pool]) -> list[SentenceResult]:
        return [
            SentenceResult(table.source, choices=choose(table, self.weights, options=self.options), table=table)
            for table in map(self._without_faults, self.score(pools))
        ]

    def _winners(self, pools: Sequence[Pool]) -> list[SentenceResult]:
        """The first choice of `_judge` for each pool, with the form checked down the ranking only."""
        blocked = self._guarded(pools)
        found: dict[int, Winner] = {}
        open_pools = list(range(len(pools)))
        while open_pools:
            leaders = winners(
                [pools[i] for i in open_pools],
                self.scorers,
                self.weights,
                Context(self.analyzer),
                threshold=THRESHOLDS[self.options.variant],
                blocked=[blocked[i] for i in open_pools],
            )
            found.update(zip(open_pools, leaders, strict=True))
            open_pools = [i for i in open_pools if self._block(pools[i][0], found[i], blocked[i])]
        return [_only(source, found[i]) for i, (source, _) in enumerate(pools)]

    def _block(self, source: str, winner: Winner, blocked: list[str]) -> bool:
        """Whether the winner is no good after all; its reason is noted, so that the next round passes it over."""
        if winner.index is None:
            return False
        blocked[winner.index] = self._faults(source, [winner.candidate])[0]
        return bool(blocked[winner.index])

    def _guarded(self, pools: Sequence[Pool]) -> list[list[str]]:
        """For each candidate the facts it changes, in words, or an empty string."""
        guarded = (self._guard.check_all(source, [c.text for c in candidates]) for source, candidates in pools)
        return [["; ".join(v.message for v in violations) for violations in group] for group in guarded]

    def _faults(self, source: str, candidates: Sequence[Candidate]) -> tuple[str, ...]:
        parsed, *texts = self.analyzer.analyze([source, *(c.text for c in candidates)], FORM_LAYERS)
        return tuple("; ".join(problem.message for problem in self._form.check(parsed, text)) for text in texts)

    def _without_faults(self, table: ScoreTable) -> ScoreTable:
        """The table with badly formed candidates blocked as well, so that later choices need no parser."""
        faults = self._faults(table.source, table.candidates)
        return replace(table, blocked=tuple(a or b for a, b in zip(table.blocked, faults, strict=True)))

    def _result(self, text: str, layout: Layout, sentences: tuple[SentenceResult, ...]) -> Result:
        return Result(
            source=text,
            sentences=sentences,
            layout=layout,
            weights=self.weights,
            options=self.options,
            settings=self.settings,
        )


def _only(source: str, winner: Winner) -> SentenceResult:
    row = -1 if winner.index is None else winner.index
    return SentenceResult(source, choices=(Choice(winner.candidate, winner.score, {}, row),))


def distinct(source: str, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates on one line each, the same text once with its counts added up; without empty ones and the source."""
    found: dict[str, Candidate] = {}
    for candidate in candidates:
        text = one_line(candidate.text)
        if not text or text == source:
            continue
        before = found.get(text)
        if before is None:
            found[text] = replace(candidate, text=text)
        else:
            found[text] = replace(before, count=before.count + candidate.count)
    return list(found.values())


def _preset(name: str) -> str | Weights:
    """A preset's name as it is, or the weights of a preset file."""
    is_file = name not in PRESETS and (os.sep in name or name.endswith((".yaml", ".yml")) or os.path.exists(name))
    return load_preset(name)[1] if is_file else name
