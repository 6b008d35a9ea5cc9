"""The deletion search, and the generator that follows RuSimScore with it.

One search serves every compressor by deletion: candidate spans of the text come from one function, the worth of each
deletion from another. Iterative deletion (Orzhenovskii, 2021, Table 4, after Kumar et al., 2020) takes whole subtrees
while RuSimScore rises; compressors by language model are the same search with their own spans and objective.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from rerank.analysis import LAYERS, Analysis, Analyzer
from rerank.combine import Product
from rerank.rusim import RELEASED_WEIGHTS, components
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, FloatArray
from rerank.weights import Weights
from rewrite.generators.base import Sampling
from rewrite.generators.spans import Span, SpanFinder, remaining, subtrees
from rewrite.generators.tidy import cut, tidy

__all__ = [
    "DELETION_WEIGHTS",
    "DeletionGenerator",
    "DeletionSearch",
    "Objective",
    "Path",
    "ScorerObjective",
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
            self._score_ends(chunk)
        return paths

    def _score_ends(self, paths: Sequence[Path]) -> None:
        """Scores the texts that several cuts at once led to, where the search ended on them."""
        ends = [path for path in paths if path.text != path.source and path.text not in path.seen]
        if not ends:
            return
        values = self._objective([Trial(path.source, (path.text,)) for path in ends])
        for path, value in zip(ends, values, strict=True):
            path.value = float(value[0])
            path.seen[path.text] = Step(path.text, path.edits, path.value)

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
        path.seen.setdefault(path.text, Step(path.text, path.edits, path.value))
        for (text, span), value in zip(spans.items(), values[1:], strict=True):
            path.seen.setdefault(text, Step(text, (*path.edits, span.text), float(value)))
        ranked = sorted(zip(values[1:].tolist(), spans.values(), strict=True), key=lambda pair: -pair[0])
        chosen = self._chosen(ranked, path)
        if not chosen:
            path.done = True
            return
        path.removed = path.removed.union(*(span.starts for span in chosen))
        path.edits = (*path.edits, *(span.text for span in chosen))
        path.text = _without(analysis, path.removed)
        if path.text in path.seen:
            path.value = path.seen[path.text].value
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


class ScorerObjective:
    """A scorer as an objective: each text of a trial is scored as a candidate for the source."""

    def __init__(self, scorer: Scorer, *, analyzer: Analyzer) -> None:
        self._scorer = scorer
        self._context = Context(analyzer)

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        # All texts are tagged at once: the taggers are fastest in large batches.
        texts = dict.fromkeys(text for trial in trials for text in (trial.source, *trial.texts))
        self._context.analyzer.analyze(list(texts), sorted(self._scorer.needs & set(LAYERS)))
        return [self._scorer.score(t.source, [Candidate(text) for text in t.texts], self._context) for t in trials]


DELETION_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {**RELEASED_WEIGHTS, "similarity": 0.1, "length": 8.0, "entities": 0.3, "lexical": 0.5}
)
"""The released exponents with less similarity and more length, chosen by `training.tune_deletion`: with every cut the
embedded encoder's similarity falls faster than the author's LASER (`docs/similarity.md`)."""


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
        product = Product(
            components() if scorers is None else scorers,
            Weights(DELETION_WEIGHTS if weights is None else weights),
            name="rusim",
        )
        self._search = DeletionSearch(
            analyzer=analyzer,
            spans=subtrees,
            objective=ScorerObjective(product, analyzer=analyzer),
            layers=LAYERS,
            max_iterations=max_iterations,
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
