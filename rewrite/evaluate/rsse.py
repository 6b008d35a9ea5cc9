"""Evaluation on RuSimpleSentEval, or on any sources with references.

SARI alone proves little (dropping every third word scores 32.5 on RSSE dev), so each system is shown with the share of
outputs that are well formed and that change no fact, beside four baselines that need no model. The n-curve and the
ablation choose again from the score tables of one run: nothing is generated or scored twice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from rerank.analysis import Analyzer
from rerank.errors import BadInput
from rerank.facts import FactGuard
from rerank.morphology import Morphology
from rerank.types import FloatArray, ScoreTable
from rerank.wellformed.russian import LAYERS, WellFormedness
from rewrite.datasets import Example, load_rsse
from rewrite.evaluate.harness import Entry, HarnessReport, OutputScoring, SystemRow, evaluate, text_table
from rewrite.evaluate.sari import SARI, SariSource, sari_of_totals
from rewrite.evaluate.sets import EvaluationSet
from rewrite.result import Result, SentenceResult, choose
from rewrite.task_options import DrawingOptions

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

# Columns of the statistics: 1, SARI counts, then the summands of the other figures, the last three by analysis.
_COUNTS = slice(1, 1 + SARI.COLUMNS)

_HEAD = (
    *("system", "SARI", "95 %", "add", "keep", "delete"),
    *("formed", "facts", "words", "chars", "same", "w/out", "s/out"),
)
_LEGEND = """formed: outputs on which no well-formedness rule fired, in %; facts: outputs that change a fact, in %;
words, chars: output over source, in %; same: outputs equal to the source, in %; w/out, s/out: words and sentences
per output; 95 %: bootstrap interval of SARI"""
# Rows of the paper's Tables 5 and 7: the kind, a title, the head of the names.
_AGAIN = (("curve", "Number of candidates", "Count"), ("ablation", "Ablation", "Model"))


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


class RsseScoring(OutputScoring):
    """Sources with references, n-grams counted once and models shared, to judge any number of outputs.

    Of the tables of `results` come the n-curve for `counts` and, with `ablate`, the ablation.
    """

    FIGURES = (
        *SARI.FIGURES,
        *("sentence", "words", "characters", "unchanged"),
        *("output_words", "output_sentences", "well_formed", "changed_facts"),
    )
    COMPARED = ("sari",)

    def __init__(
        self,
        data: EvaluationSet,
        *,
        analyzer: Analyzer | None = None,
        results: Sequence[Result] = (),
        counts: Sequence[int] = (),
        ablate: bool = False,
    ) -> None:
        super().__init__(data)
        self._analyzer = analyzer or Analyzer()
        self._results = results
        self._again = {"curve": n_curve(results, counts), "ablation": ablation(results) if ablate else {}}
        self._counted = [SariSource(example.source, example.references) for example in data.examples]
        self._reasons: dict[str, dict[str, dict[str, int]]] = {}

    @cached_property
    def _checks(self) -> tuple[WellFormedness, FactGuard]:
        morphology = Morphology()
        return WellFormedness(morphology), FactGuard(self._analyzer, morphology=morphology)

    def entries(self, systems: Mapping[str, Sequence[str]], seed: int) -> Iterator[Entry]:
        for name, outputs in systems.items():
            yield Entry(name, "system", partial(self._analysed, name, outputs))
        for name, make in BASELINES.items():
            outputs = [make(example) for example in self.data.examples]
            kind = "control" if name.startswith("reference") else "baseline"
            yield Entry(name, kind, partial(self._analysed, name, outputs))
        for kind, rows in self._again.items():
            for label, outputs in rows.items():
                yield Entry(label, kind, partial(self.statistics, outputs))

    def statistics(self, outputs: Sequence[str]) -> FloatArray:
        """What `figures` needs of one output for each source, a row each; nothing that takes an analysis."""
        return np.array([self._row(*row) for row in zip(self.data.examples, self._counted, outputs, strict=True)])

    def _row(self, example: Example, counted: SariSource, output: str) -> list[float]:
        sari, source = counted.statistics(output), example.source
        sizes = (len(output.split()), len(source.split()), len(output), len(source))
        return [1.0, *sari.ravel(), float(sari_of_totals(sari)), *sizes, output == source, *[math.nan] * 3]

    def _analysed(self, name: str, outputs: Sequence[str]) -> FloatArray:
        """`statistics` with sentences, form and facts; rules that fired are kept under `name`."""
        statistics, sources = self.statistics(outputs), [example.source for example in self.data.examples]
        form, guard = self._checks
        analyses = self._analyzer.analyze(outputs, LAYERS)
        pairs = zip(self._analyzer.analyze(sources, LAYERS), analyses, strict=True)
        problems = [{problem.kind for problem in form.check(*pair)} for pair in pairs]
        violations = [
            {violation.kind for violation in guard.check(*pair)} for pair in zip(sources, outputs, strict=True)
        ]
        statistics[:, -3] = [len(analysis.sentences) for analysis in analyses]
        statistics[:, -2] = [not kinds for kinds in problems]
        statistics[:, -1] = list(map(bool, violations))
        self._reasons[name] = {"problems": _tally(problems), "violations": _tally(violations)}
        return statistics

    def figures(self, totals: FloatArray) -> FloatArray:
        """SARI and its parts in [0, 100], `sentence` the mean of each sentence's own; shares of outputs in [0, 1];
        `words` and `characters` of outputs over sources; `output_words` and `output_sentences` per output.
        """
        per_output = totals[:, _COUNTS.stop :] / totals[:, :1]
        sentence, words, source_words, characters, source_characters, unchanged, *analysed = per_output.T
        ratios = [words / source_words, characters / source_characters]
        columns = [*SARI.figures(totals[:, _COUNTS]).T, sentence, *ratios, unchanged, words, *analysed]
        figures: FloatArray = np.column_stack(columns)
        return figures

    def settings(self, bootstrap: Mapping[str, object]) -> Mapping[str, object]:
        results = {"results": f"({self._results[0].signature})"} if self._results else {}
        return {"sari": SARI.signature(), **bootstrap, **results}

    def reasons(self, system: str) -> Mapping[str, object]:
        """Which rules of form and of facts fired on how many outputs of `system`."""
        return self._reasons.get(system, {})

    def row(self, row: SystemRow) -> dict[str, Any]:
        return {**super().row(row), **self.reasons(row.system)}

    def table(self, rows: Sequence[SystemRow]) -> str:
        kinds = [kind for kind, _, _ in _AGAIN]
        parts = [f"{text_table(_HEAD, [_cells(row) for row in rows if row.kind not in kinds])}\n\n{_LEGEND}"]
        parts.append("\n".join(line for name, counts in self._reasons.items() for line in _listed(name, counts)))
        for kind, title, head in _AGAIN:
            if again := [_cells(row)[:3] for row in rows if row.kind == kind]:
                parts.append(f"{title}\n{text_table([head, *_HEAD[1:3]], again)}")
        return "\n\n".join(filter(None, parts))


def _tally(fired: Sequence[set[str]]) -> dict[str, int]:
    return dict(Counter(name for names in fired for name in sorted(names)).most_common())


def _listed(name: str, reasons: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Which rules fired how often, the most frequent first."""
    for title, counts in zip(("problems", "facts"), reasons.values(), strict=True):
        if counts:
            yield f"{name}, {title}: {', '.join(f'{rule} {count}' for rule, count in list(counts.items())[:8])}"


def _cells(row: SystemRow) -> list[str]:
    """The first three of all rows; the others have all."""
    figures, shares = row.figures, ("well_formed", "changed_facts", "words", "characters", "unchanged")
    return [
        row.system,
        f"{figures['sari']:.2f}",
        row.measured.interval("sari").text(),
        *(f"{figures[name]:.2f}" for name in SARI.FIGURES[1:]),
        *(f"{100 * figures.get(name, math.nan):.1f}" for name in shares),
        f"{figures['output_words']:.1f}",
        f"{figures.get('output_sentences', math.nan):.2f}",
    ]


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


def n_curve(results: Sequence[Result], counts: Sequence[int] = COUNTS) -> dict[str, list[str]]:
    """What is chosen of the first `n` draws of each sentence, by the number `n` (the paper's Table 5).

    A count above what the results hold would repeat the largest one, so it is left out.
    """
    tables = [s.table for r in results for s in r.sentences if s.table is not None]
    most = max((draw + 1 for table in tables for draw in _draws(table)), default=0)
    options = [result.options for result in results]
    asked = max((o.n for o in options if isinstance(o, DrawingOptions)), default=0)
    return {str(count): choose_again(results, n=count) for count in counts if count <= max(most, asked)}


def ablation(results: Sequence[Result]) -> dict[str, list[str]]:
    """What is chosen with the weight of one component set to 0 (the paper's Table 7), for each that has a weight."""
    rows = {"all components": choose_again(results)}
    weights = results[0].weights if results else {}
    for component in (name for name, value in weights.items() if value > 0):
        label = f"all components - {_PAPER_NAMES.get(component, component)}"
        rows[label] = choose_again(results, weights={component: 0.0})
    return rows


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
) -> HarnessReport:
    """Evaluate systems on an RSSE file or on examples.

    `systems` map all sources to one output each. `reranker` is a pipeline's `run`: it is called once, shown under
    `name`, and its tables serve the n-curve (for `counts`) and the ablation (with `ablate`). `limit` takes the first
    sources only. `BadInput` for a broken file, a system that returns another number of outputs, or nothing to do.
    """
    examples = load_rsse(data) if isinstance(data, str | Path) else list(data)
    chosen = EvaluationSet("rsse", tuple(examples[:limit]), "ru")
    if reranker is None and (counts or ablate):
        raise BadInput("The n-curve and the ablation need a reranker.", hint="Give `reranker`, such as Pipeline.run.")
    sources = [example.source for example in chosen.examples]
    results = list(reranker(sources)) if reranker is not None else []
    outputs = {name: [result.text for result in results]} if reranker is not None else {}
    outputs |= {label: list(system(sources)) for label, system in (systems or {}).items()}
    prepare = partial(RsseScoring, analyzer=analyzer, results=results, counts=counts, ablate=ablate)
    return evaluate(chosen, prepare, outputs)
