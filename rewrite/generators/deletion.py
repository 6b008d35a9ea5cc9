"""The deletion search, and the generator that follows RuSimScore with it.

One search serves every compressor by deletion: candidate spans of the text come from one function, the worth of each
deletion from another, and a rule chooses among them. Iterative deletion (Orzhenovskii, 2021, Table 4, after Kumar et
al., 2020) takes whole subtrees while RuSimScore rises; compressors by language model (`rewrite.compression`) are the
same search with their own spans, objective and rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from rerank.analysis import LAYERS, Analysis, Analyzer
from rerank.combine import log_totals, weight_vector
from rerank.rusim import components
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, FloatArray
from rerank.weights import PRESETS, Weights
from rewrite.generators.base import Sampling
from rewrite.generators.spans import Span, SpanFinder, text_without
from rewrite.generators.tidy import tidy

_CHUNK = 64
# Chance that a reader passes a cut, of those on offer.
_LEAST = 0.1


@dataclass(frozen=True, slots=True)
class Trial:
    """Texts to be scored against each other: `texts[0]` is the text as it stands, the others have a span less.

    For objectives that look at words rather than texts: `removed[i]` are the offsets of the tokens of `analysis` that
    `texts[i]` is without. Values below `floor` are of no interest: in place of one, an objective may give any number
    from the true value up to `floor`, that excluded. `memory` is the objective's own, to keep what it knows of this
    source until its search ends.
    """

    source: str
    texts: tuple[str, ...]
    removed: tuple[frozenset[int], ...] = ()
    analysis: Analysis | None = None
    floor: float = -math.inf
    memory: dict[object, Any] = field(default_factory=dict)


Objective = Callable[[Sequence[Trial]], list[FloatArray]]
"""One array per trial, a value per text, shape `[len(trial.texts)]`; the higher, the better the text."""

Renderer = Callable[[Analysis, frozenset[int]], str]
"""The text of a source without the tokens that start at these offsets."""


def cut_and_tidy(analysis: Analysis, removed: frozenset[int]) -> str:
    """The text without the tokens that start at `removed`, mended as `tidy` does."""
    return tidy(text_without(analysis, removed), like=analysis.text)


@dataclass(frozen=True, slots=True)
class Step:
    """A text the search looked at, what was cut to reach it, and its value."""

    text: str
    edits: tuple[str, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Cut:
    """A span that was cut in the round `round`, from 1; `value` is that of the text without this span alone."""

    span: Span
    round: int
    value: float


@dataclass(slots=True)
class Path:
    """The search on one source: the text it has reached, its value, and every text it looked at.

    `stages` are the texts after each iteration that cut something, and `cuts` what was cut in all of them.
    """

    source: str
    text: str
    value: float = float("-inf")
    edits: tuple[str, ...] = ()
    removed: frozenset[int] = frozenset()
    seen: dict[str, Step] = field(default_factory=dict)
    done: bool = False
    cuts: tuple[Cut, ...] = ()
    stages: tuple[str, ...] = ()
    memory: dict[object, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """A span and the value of the text without it; where `exact` is false, the value is at most that."""

    span: Span
    value: float
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Pending:
    """What a choice hangs on: offers of these spans, which are not exact; values below `floor` still need not be."""

    spans: Sequence[Span]
    floor: float


class Choice(Protocol):
    """Which of the deletions on offer a search makes, given what all of them lead to."""

    @property
    def floor(self) -> float:
        """Values below it need not be known exactly at first; −∞ where all do."""
        ...

    def __call__(self, path: Path, offers: Sequence[Offer]) -> Sequence[Span] | Pending:
        """Spans that do not overlap, none to end the search; or what has to be found out first.

        Where all offers are exact, the answer is never `Pending`.
        """
        ...


class BestGain:
    """The deletion that raises the value most; none where none does."""

    floor = -math.inf

    def __call__(self, path: Path, offers: Sequence[Offer]) -> Sequence[Span]:
        gaining = [offer for offer in offers if offer.value > path.value]
        return [max(gaining, key=lambda offer: offer.value).span] if gaining else []


class _Turn:
    """One path in one iteration: the spans by the texts they lead to, and what is known of their values."""

    def __init__(self, path: Path, analysis: Analysis, spans: dict[str, Span], floor: float) -> None:
        self.path = path
        self.analysis = analysis
        self.spans = spans
        self.values: FloatArray = np.full(len(spans), np.inf)
        self._exact = np.zeros(len(spans), dtype=bool)
        self._asked = list(range(len(spans)))
        self._floor = floor

    def trial(self) -> Trial:
        """The text as it stands, and those whose values are asked for."""
        path = self.path
        items = list(self.spans.items())
        asked = [items[place] for place in self._asked]
        texts = (path.text, *(text for text, _ in asked))
        removed = (path.removed, *(path.removed | span.starts for _, span in asked))
        return Trial(path.source, texts, removed, self.analysis, self._floor, path.memory)

    def learn(self, values: FloatArray) -> None:
        """Take the values of `trial`."""
        self.path.value = float(values[0])
        self.values[self._asked] = values[1:]
        self._exact[self._asked] = values[1:] >= self._floor

    def ask(self, pending: Pending) -> None:
        """Have the next trial ask for these."""
        wanted = {span.starts for span in pending.spans}
        self._asked = [place for place, span in enumerate(self.spans.values()) if span.starts in wanted]
        self._floor = pending.floor

    def offers(self) -> list[Offer]:
        known = zip(self.spans.values(), self.values.tolist(), self._exact.tolist(), strict=True)
        return [Offer(span, value, exact) for span, value, exact in known]


class DeletionSearch:
    """Cuts spans out of texts as long as a rule finds some worth it.

    Each iteration offers every span of `spans`, scores the text without it, and makes the deletions that `choose`
    picks: by default the one that gains most. The search of a text ends when nothing is chosen, or after
    `max_iterations`.
    All texts of a chunk of sources are scored in one call of the objective per iteration, or in a few where the rule
    leaves it to the objective to be exact on what matters alone (`Choice.floor`).
    """

    def __init__(
        self,
        *,
        analyzer: Analyzer,
        spans: SpanFinder,
        objective: Objective,
        layers: Sequence[str] = (),
        max_iterations: int = 20,
        choose: Choice | None = None,
        render: Renderer = cut_and_tidy,
    ) -> None:
        self._analyzer = analyzer
        self._spans = spans
        self._objective = objective
        self._layers = tuple(layers)
        self._max_iterations = max_iterations
        self._choose: Choice = choose or BestGain()
        self._render = render

    def run(self, sources: Sequence[str]) -> list[Path]:
        """One finished path per source, in order."""
        return self.resume([Path(source=source, text=source) for source in sources])

    def resume(self, paths: Sequence[Path]) -> list[Path]:
        """The search taken up where each path stands, perhaps by another search; the same paths, finished."""
        for path in paths:
            path.done = False
        for start in range(0, len(paths), _CHUNK):
            chunk = paths[start : start + _CHUNK]
            for _ in range(self._max_iterations):
                waiting = [path for path in chunk if not path.done]
                if not waiting:
                    break
                self._iterate(waiting)
            self._score_ends(chunk)
            for path in chunk:
                path.memory.clear()
        return list(paths)

    def _score_ends(self, paths: Sequence[Path]) -> None:
        """Scores the texts that several cuts at once led to, where the search ended on them."""
        ends = [path for path in paths if path.text != path.source and path.text not in path.seen]
        if not ends:
            return
        analyses = self._analyzer.analyze([path.source for path in ends], self._layers)
        trials = [
            Trial(path.source, (path.text,), (path.removed,), analysis, memory=path.memory)
            for path, analysis in zip(ends, analyses, strict=True)
        ]
        for path, value in zip(ends, self._objective(trials), strict=True):
            path.value = float(value[0])
            path.seen[path.text] = Step(path.text, path.edits, path.value)

    def _iterate(self, paths: Sequence[Path]) -> None:
        analyses = self._analyzer.analyze([path.source for path in paths], self._layers)
        floor = self._choose.floor
        turns = [_Turn(path, a, self._texts(path, a), floor) for path, a in zip(paths, analyses, strict=True)]
        for turn in turns:
            turn.path.done = not turn.spans
        for turn, chosen in self._chosen([turn for turn in turns if turn.spans]):
            self._advance(turn, chosen)

    def _texts(self, path: Path, analysis: Analysis) -> dict[str, Span]:
        """The texts that a single deletion leads to; of spans that lead to the same text one stays."""
        spans = self._spans(analysis, path.removed)
        texts = {self._render(analysis, path.removed | span.starts): span for span in reversed(spans)}
        return {text: span for text, span in texts.items() if text and text != path.text}

    def _chosen(self, turns: Sequence[_Turn]) -> list[tuple[_Turn, Sequence[Span]]]:
        decided: list[tuple[_Turn, Sequence[Span]]] = []
        waiting = list(turns)
        while waiting:
            values = self._objective([turn.trial() for turn in waiting])
            undecided = []
            for turn, row in zip(waiting, values, strict=True):
                turn.learn(row)
                chosen = self._choose(turn.path, turn.offers())
                if isinstance(chosen, Pending):
                    turn.ask(chosen)
                    undecided.append(turn)
                else:
                    decided.append((turn, chosen))
            waiting = undecided
        return decided

    def _advance(self, turn: _Turn, chosen: Sequence[Span]) -> None:
        path = turn.path
        path.seen.setdefault(path.text, Step(path.text, path.edits, path.value))
        values = {}
        for (text, span), value in zip(turn.spans.items(), turn.values.tolist(), strict=True):
            path.seen.setdefault(text, Step(text, (*path.edits, span.text), value))
            values[span.starts] = value
        if not chosen:
            path.done = True
            return
        number = len(path.stages) + 1
        path.cuts = (*path.cuts, *(Cut(span, number, values[span.starts]) for span in chosen))
        path.removed = path.removed.union(*(span.starts for span in chosen))
        path.edits = (*path.edits, *(span.text for span in chosen))
        path.text = self._render(turn.analysis, path.removed)
        path.stages = (*path.stages, path.text)
        if path.text in path.seen:
            path.value = path.seen[path.text].value


class ProductObjective:
    """The weighted product of scorers: each text of a trial is scored as a candidate for the source.

    Scorers with zero weight are left out, with what they need. Raises `BadWeights` for a weight without a scorer.
    """

    def __init__(self, scorers: Sequence[Scorer], weights: Weights, *, analyzer: Analyzer) -> None:
        vector = weight_vector(weights, [scorer.name for scorer in scorers])
        self._scorers = [scorer for scorer, weight in zip(scorers, vector, strict=True) if weight > 0]
        self._weights = vector[vector > 0]
        self._layers = sorted({need for scorer in self._scorers for need in scorer.needs} & set(LAYERS))
        self._context = Context(analyzer)

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        # All texts are tagged at once: the taggers are fastest in large batches.
        texts = dict.fromkeys(text for trial in trials for text in (trial.source, *trial.texts))
        self._context.analyzer.analyze(list(texts), self._layers)
        return [self._score(trial.source, [Candidate(text) for text in trial.texts]) for trial in trials]

    def _score(self, source: str, candidates: Sequence[Candidate]) -> FloatArray:
        values = [scorer.score(source, candidates, self._context) for scorer in self._scorers]
        columns = np.array(values).reshape(len(values), len(candidates)).T
        totals: FloatArray = np.exp(log_totals(columns, self._weights))
        return totals


DELETION_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {**PRESETS["paper"], "similarity": 0.1, "length": 8.0, "entities": 0.3, "lexical": 0.5}
)
"""The released exponents with less similarity and more length, chosen by SARI on RSSE dev in
folds: with every cut the embedded encoder's similarity falls faster than the author's LASER (`docs/similarity.md`)."""


class DeletionGenerator:
    """Iterative deletion: subtrees go as long as RuSimScore rises (Orzhenovskii, 2021, Table 4).

    Candidates are all the texts met on the way, best first by the score the search followed.
    """

    name = "deletion"

    def __init__(
        self,
        *,
        analyzer: Analyzer,
        scorers: Sequence[Scorer] | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        # The search serves English too, this generator Russian alone.
        from rewrite.generators.spans_ru import LikelyCuts

        objective = ProductObjective(
            components() if scorers is None else scorers,
            Weights(DELETION_WEIGHTS if weights is None else weights),
            analyzer=analyzer,
        )
        self._search = DeletionSearch(
            analyzer=analyzer, spans=LikelyCuts(analyzer, least=_LEAST), objective=objective, layers=LAYERS
        )

    def describe(self) -> Mapping[str, object]:
        """Nothing: the models are part of the package."""
        return {}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """At most `sampling.n` candidates for each source; the search is deterministic, so no seed counts."""
        return [self._candidates(path)[: sampling.n] for path in self._search.run(sources)]

    def _candidates(self, path: Path) -> list[Candidate]:
        steps = sorted(path.seen.values(), key=lambda step: -step.value)
        return [
            Candidate(step.text, generator=self.name, edits=tuple(f"− {edit}" for edit in step.edits))
            for step in steps
            if step.text != path.source
        ]
