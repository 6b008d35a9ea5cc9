"""Evaluation on RuSimpleSentEval, or on any sources with references.

SARI alone proves little (dropping every third word scores 32.5 on RSSE dev), so each system is shown with the share of
outputs that are well formed and that change no fact, beside four baselines that need no model. The n-curve and the
ablation choose again from the score tables of one run: nothing is generated or scored twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from rerank.analysis import Analyzer
from rerank.errors import BadInput
from rerank.facts import FactGuard
from rerank.morphology import Morphology
from rerank.types import FloatArray, ScoreTable
from rerank.wellformed import LAYERS, WellFormedness
from rewrite.datasets import Example, load_rsse
from rewrite.evaluate.report import Report, SystemFigures, TableRow
from rewrite.evaluate.sari import SariScore, SariSource, bootstrap
from rewrite.request import DrawingOptions
from rewrite.result import Result, SentenceResult, choose

__all__ = [
    "BASELINES",
    "COUNTS",
    "Evaluation",
    "System",
    "ablation",
    "choose_again",
    "drop_every_third",
    "evaluate_rsse",
    "first_half",
    "n_curve",
]

System = Callable[[Sequence[str]], Sequence[str]]

COUNTS = (100, 30, 10, 3, 1)
# The names of the paper's Table 7.
_PAPER_NAMES = {
    "similarity": "SimS",
    "entities": "NS",
    "lexical": "LS",
    "length": "LeS",
    "depth": "DS",
    "readability": "RS",
}


def first_half(source: str) -> str:
    """The first half of the words, rounded down (the paper's Table 4)."""
    words = source.split()
    return " ".join(words[: len(words) // 2])


def drop_every_third(source: str) -> str:
    """Without the 3rd, 6th, 9th … word: senseless, and yet hard to beat on SARI."""
    return " ".join(word for place, word in enumerate(source.split(), 1) if place % 3)


BASELINES: Mapping[str, Callable[[Example], str]] = {
    "source": lambda example: example.source,
    "first half": lambda example: first_half(example.source),
    "drop every third": lambda example: drop_every_third(example.source),
    "reference 0": lambda example: example.references[0],
}


class Evaluation:
    """Examples prepared once (n-grams counted, models shared), to judge any number of outputs."""

    def __init__(
        self, examples: Sequence[Example], *, analyzer: Analyzer | None = None, samples: int = 1000, seed: int = 0
    ) -> None:
        if not examples:
            raise BadInput("There is nothing to evaluate on.", hint="Give a file with at least one source.")
        self.examples = tuple(examples)
        self.samples = samples
        self.seed = seed
        self._analyzer = analyzer or Analyzer()
        self._counted = [SariSource(example.source, example.references) for example in self.examples]

    @cached_property
    def _checks(self) -> tuple[WellFormedness, FactGuard]:
        morphology = Morphology()
        return WellFormedness(morphology), FactGuard(self._analyzer, morphology=morphology)

    @property
    def sources(self) -> list[str]:
        return [example.source for example in self.examples]

    def statistics(self, outputs: Sequence[str]) -> FloatArray:
        """SARI statistics of one output per source, shape `[n_sources, 3, 4, 3]`."""
        if len(outputs) != len(self.examples):
            raise BadInput(
                f"{len(outputs)} outputs for {len(self.examples)} sources.",
                hint="A system must return exactly one output for each source, in order.",
            )
        return np.array([one.statistics(output) for one, output in zip(self._counted, outputs, strict=True)])

    def row(self, label: str, outputs: Sequence[str]) -> TableRow:
        """SARI of `outputs` with its interval."""
        statistics = self.statistics(outputs)
        interval = bootstrap(statistics, samples=self.samples, seed=self.seed)
        return TableRow(label, SariScore.of(statistics).sari, interval)

    def figures(self, name: str, outputs: Sequence[str]) -> SystemFigures:
        """Everything the report says of one system."""
        statistics = self.statistics(outputs)
        sources, n = self.sources, len(self.examples)
        form, guard = self._checks
        analyses = zip(self._analyzer.analyze(sources, LAYERS), self._analyzer.analyze(outputs, LAYERS), strict=True)
        problems = [{problem.kind for problem in form.check(*pair)} for pair in analyses]
        pairs = zip(sources, outputs, strict=True)
        violations = [{violation.kind for violation in guard.check(*pair)} for pair in pairs]
        words = [len(output.split()) for output in outputs]
        sentences = [len(one.sentences) for one in self._analyzer.analyze(outputs)]
        return SystemFigures(
            name=name,
            sari=SariScore.of(statistics),
            interval=bootstrap(statistics, samples=self.samples, seed=self.seed),
            changed_facts=sum(map(bool, violations)) / n,
            well_formed=sum(not found for found in problems) / n,
            words=sum(words) / max(1, sum(len(source.split()) for source in sources)),
            characters=sum(map(len, outputs)) / max(1, sum(map(len, sources))),
            unchanged=sum(map(str.__eq__, sources, outputs)) / n,
            output_words=sum(words) / n,
            output_sentences=sum(sentences) / n,
            violations=_tally(violations),
            problems=_tally(problems),
        )


def _tally(found: Sequence[set[str]]) -> dict[str, int]:
    return dict(Counter(name for names in found for name in sorted(names)).most_common())


def choose_again(
    results: Sequence[Result], *, n: int | None = None, weights: Mapping[str, float] | None = None
) -> list[str]:
    """The texts of `results` under other `weights` and with the first `n` candidates only; no model is called."""
    return [(_cut(result, n) if n is not None else result).reweight(weights or {}).text for result in results]


def _cut(result: Result, n: int) -> Result:
    def cut(sentence: SentenceResult) -> SentenceResult:
        if sentence.table is None:
            return sentence
        draws = _draws(sentence.table)
        table = sentence.table.select([i for i, draw in enumerate(draws) if draw < n])
        return replace(sentence, table=table, choices=choose(table, result.weights, options=result.options))

    return replace(result, sentences=tuple(cut(sentence) for sentence in result.sentences))


def _draws(table: ScoreTable) -> list[int]:
    """The number of the draw, from 0, that brought each candidate."""
    return [i if candidate.first is None else candidate.first for i, candidate in enumerate(table.candidates)]


def n_curve(evaluation: Evaluation, results: Sequence[Result], counts: Sequence[int] = COUNTS) -> tuple[TableRow, ...]:
    """SARI by number of candidates (the paper's Table 5), the first `n` draws of each sentence.

    A count above what the results hold would repeat the largest one, so it is left out.
    """
    tables = [s.table for r in results for s in r.sentences if s.table is not None]
    most = max((draw + 1 for table in tables for draw in _draws(table)), default=0)
    options = [result.options for result in results]
    asked = max((o.n for o in options if isinstance(o, DrawingOptions) and isinstance(o.n, int)), default=0)
    usable = [count for count in counts if count <= max(most, asked)]
    return tuple(evaluation.row(str(count), choose_again(results, n=count)) for count in usable)


def ablation(evaluation: Evaluation, results: Sequence[Result]) -> tuple[TableRow, ...]:
    """SARI with the weight of one component set to 0 (the paper's Table 7), for each component that has a weight."""
    rows = [evaluation.row("all components", choose_again(results))]
    weights = results[0].weights if results else {}
    for component in (name for name, value in weights.items() if value > 0):
        label = f"all components - {_PAPER_NAMES.get(component, component)}"
        rows.append(evaluation.row(label, choose_again(results, weights={component: 0.0})))
    return tuple(rows)


def evaluate_rsse(
    data: str | Path | Sequence[Example],
    *,
    systems: Mapping[str, System] | None = None,
    reranker: Callable[[Sequence[str]], Sequence[Result]] | None = None,
    name: str = "rewrite",
    counts: Sequence[int] = (),
    ablate: bool = False,
    limit: int | None = None,
    analyzer: Analyzer | None = None,
) -> Report:
    """Evaluate systems on an RSSE file or on examples.

    `systems` map all sources to one output each. `reranker` is a pipeline's `run`: it is called once, shown under
    `name`, and its tables serve the n-curve (for `counts`) and the ablation (with `ablate`). `limit` takes the first
    sources only. `BadInput` for a broken file, a system that returns another number of outputs, or nothing to do.
    """
    examples = load_rsse(data) if isinstance(data, str | Path) else list(data)
    evaluation = Evaluation(examples[:limit], analyzer=analyzer)
    if reranker is None and (counts or ablate):
        raise BadInput("The n-curve and the ablation need a reranker.", hint="Give `reranker`, such as Pipeline.run.")
    results = list(reranker(evaluation.sources)) if reranker is not None else []
    outputs = {name: [result.text for result in results]} if reranker is not None else {}
    outputs.update({label: list(system(evaluation.sources)) for label, system in (systems or {}).items()})
    outputs.update({label: [make(e) for e in evaluation.examples] for label, make in BASELINES.items()})
    return Report(
        sources=len(evaluation.examples),
        references=sum(len(example.references) for example in evaluation.examples),
        systems=tuple(evaluation.figures(label, texts) for label, texts in outputs.items()),
        curve=n_curve(evaluation, results, counts) if counts else (),
        ablation=ablation(evaluation, results) if ablate else (),
        signature=results[0].signature if results else "",
    )
