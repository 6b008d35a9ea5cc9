"""The deletion search, and the generator that follows RuSimScore with it.

One search serves every compressor by deletion: candidate spans of the text come from one function, the worth of each
deletion from another. Iterative deletion (Orzhenovskii, 2021, Table 4, after Kumar et al., 2020) takes whole subtrees
while RuSimScore rises; compressors by language model are the same search with their own spans and objective.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from rerank.analysis import LAYERS, Analysis, Analyzer
from rerank.errors import BadWeights
from rerank.rusim import RELEASED_WEIGHTS, components
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, FloatArray
from rewrite.generators.base import Sampling
from rewrite.generators.spans import Span, SpanFinder, remaining, subtrees
from rewrite.generators.tidy import cut, tidy

__all__ = [
    "DELETION_WEIGHTS",
    "DeletionGenerator",
    "DeletionSearch",
    "Objective",
    "Path",
    "RuSimObjective",
    "Step",
    "Trial",
]

_CHUNK = 64


@dataclass(frozen=True, slots=True)
class Trial:
    """Texts to be scored against each other: `texts[0]` is the text as it stands, the others have a span less."""

    source: str
    texts: tuple[str, ...]


Objective = Callable[[Sequence[Trial]], list[FloatArray]]
"""One array per trial, a value per text, shape `[len(trial.texts)]`; the higher, the better the text."""


@dataclass(frozen=True, slots=True)
class Step:
    """A text the search looked at, what was cut to reach it, and its value."""

    text: str
    edits: tuple[str, ...]
    value: float


@dataclass(slots=True)
class Path:
    """The search on one source: the text it has reached, its value, and every text it looked at."""

    source: str
    text: str
    value: float = float("-inf")
    edits: tuple[str, ...] = ()
    removed: frozenset[int] = frozenset()
    seen: dict[str, Step] = field(default_factory=dict)
    done: bool = False


class DeletionSearch:
    """Cuts spans out of texts as long as the objective gains by it.

    Each iteration offers every span of `spans`, scores the text without it, and keeps the deletions that gain more than
    `min_gain`: the best one, or with `together` all of them, where of two that overlap the one of higher value stays.
    The search of a text ends when no deletion gains enough, after `max_iterations`, or when `stop(path)` says so. All
    texts of a chunk of sources are scored in one call of the objective per iteration.
    """

    def __init__(
        self,
        *,
        analyzer: Analyzer,
        spans: SpanFinder,
        objective: Objective,
        layers: Sequence[str] = (),
        max_iterations: int = 20,
        min_gain: float = 0.0,
        together: bool = False,
        stop: Callable[[Path], bool] | None = None,
    ) -> None:
        self._analyzer = analyzer
        self._spans = spans
        self._objective = objective
        self._layers = tuple(layers)
        self._max_iterations = max_iterations
        self._min_gain = min_gain
        self._together = together
        self._stop = stop

    def run(self, sources: Sequence[str]) -> list[Path]:
        """One finished path per source, in order."""
        paths = [Path(source=source, text=source) for source in sources]
        for start in range(0, len(paths), _CHUNK):
            chunk = paths[start : start + _CHUNK]
            for _ in range(self._max_iterations):
                waiting = [path for path in chunk if not path.done]
                if not waiting:
                    break
                self._iterate(waiting)
        return paths

    def _iterate(self, paths: Sequence[Path]) -> None:
        analyses = self._analyzer.analyze([path.source for path in paths], self._layers)
        found = [self._texts(path, analysis) for path, analysis in zip(paths, analyses, strict=True)]
        active = [(path, spans, a) for path, spans, a in zip(paths, found, analyses, strict=True) if spans]
        for path, spans in zip(paths, found, strict=True):
            path.done = not spans
        if not active:
            return
        values = self._objective([Trial(path.source, (path.text, *spans)) for path, spans, _ in active])
        for (path, spans, analysis), row in zip(active, values, strict=True):
            self._advance(path, analysis, spans, row)

    def _texts(self, path: Path, analysis: Analysis) -> dict[str, Span]:
        """The texts that a single deletion leads to; of spans that lead to the same text one stays."""
        spans = self._spans(analysis, path.removed)
        texts = {_without(analysis, path.removed | span.starts): span for span in reversed(spans)}
        return {text: span for text, span in texts.items() if text and text != path.text}

    def _advance(self, path: Path, analysis: Analysis, spans: Mapping[str, Span], values: FloatArray) -> None:
        path.value = float(values[0])
        for (text, span), value in zip(spans.items(), values[1:], strict=True):
            path.seen.setdefault(text, Step(text, (*path.edits, span.text), float(value)))
        chosen = self._chosen(sorted(zip(values[1:].tolist(), spans.values(), strict=True), key=lambda p: -p[0]), path)
        if not chosen:
            path.done = True
            return
        path.removed = path.removed.union(*(span.starts for span in chosen))
        path.edits = (*path.edits, *(span.text for span in chosen))
        path.text = _without(analysis, path.removed)
        path.done = self._stop is not None and self._stop(path)

    def _chosen(self, ranked: Sequence[tuple[float, Span]], path: Path) -> list[Span]:
        chosen: list[Span] = []
        for value, span in ranked:
            if value - path.value <= self._min_gain or (chosen and not self._together):
                break
            if all(span.starts.isdisjoint(other.starts) for other in chosen):
                chosen.append(span)
        return chosen


def _without(analysis: Analysis, removed: frozenset[int]) -> str:
    return tidy(cut(analysis.text, remaining(analysis, removed)), like=analysis.text)


class RuSimObjective:
    """The logarithm of the weighted product of scorers, Σ wⱼ log vⱼ, each text as a candidate for the source."""

    def __init__(self, *, analyzer: Analyzer, scorers: Sequence[Scorer], weights: Mapping[str, float]) -> None:
        unknown = sorted(weights.keys() - {scorer.name for scorer in scorers})
        if unknown:
            known = ", ".join(scorer.name for scorer in scorers)
            raise BadWeights(f"No scorer is named {unknown[0]!r}.", hint=f"Known: {known}.")
        self._context = Context(analyzer)
        self._scorers = [scorer for scorer in scorers if weights.get(scorer.name, 0.0) > 0.0]
        self._weights = dict(weights)
        self._layers = sorted(set().union(*(scorer.needs for scorer in self._scorers)) & set(LAYERS))

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        texts = dict.fromkeys(text for trial in trials for text in (trial.source, *trial.texts))
        self._context.analyzer.analyze(list(texts), self._layers)
        return [self._value(trial) for trial in trials]

    def _value(self, trial: Trial) -> FloatArray:
        candidates = [Candidate(text) for text in trial.texts]
        total = np.zeros(len(candidates))
        for scorer in self._scorers:
            values = scorer.score(trial.source, candidates, self._context)
            total += self._weights[scorer.name] * np.log(np.maximum(values, 1e-12))
        return total


DELETION_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {**RELEASED_WEIGHTS, "similarity": 0.1, "length": 5.0, "entities": 0.3}
)
"""The released exponents with less similarity and more length, chosen by `training.tune_deletion`: the embedded encoder's
similarity falls faster with every cut than the author's LASER (`docs/similarity.md`)."""


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
        max_iterations: int = 20,
    ) -> None:
        self._search = DeletionSearch(
            analyzer=analyzer,
            spans=subtrees,
            objective=RuSimObjective(
                analyzer=analyzer,
                scorers=components() if scorers is None else scorers,
                weights=DELETION_WEIGHTS if weights is None else weights,
            ),
            layers=LAYERS,
            max_iterations=max_iterations,
        )

    def generate(self, sources: Sequence[str], n: int, sampling: Sampling) -> list[list[Candidate]]:
        """At most `n` candidates for each source; the search is deterministic, `sampling` changes nothing."""
        return [self._candidates(path)[:n] for path in self._search.run(sources)]

    def _candidates(self, path: Path) -> list[Candidate]:
        steps = sorted(path.seen.values(), key=lambda step: -step.value)
        return [
            Candidate(step.text, generator=self.name, edits=tuple(f"− {edit}" for edit in step.edits))
            for step in steps
            if step.text != path.source
        ]
