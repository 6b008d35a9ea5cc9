"""Tables 4 to 8 of the RuSimScore paper (Orzhenovskii, Dialogue 2021), from score tables made once for each generator.

Our SARI is of the sources that are given (RSSE dev, as a rule); docs/tuning.md has what was published, on other texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rerank.weights import Weights
from rewrite.datasets import Example
from rewrite.evaluate.metric import Measured
from rewrite.evaluate.resampling import Bootstrap
from rewrite.evaluate.rsse import RsseScoring, ablation, choose_again, drop_every_third, first_half, n_curve
from rewrite.evaluate.sets import EvaluationSet
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result
from training.card import table
from training.weighting.tune import FLATTERED
from training.weighting.weight_options import TableOptions

Cells = tuple[str, ...]


@dataclass(frozen=True)
class PaperTable:
    """A table as in the paper: `number` there, `title`, `head`, `rows` of cells, and a `note` on what it shows."""

    number: int
    title: str
    head: Cells
    rows: tuple[Cells, ...]
    note: str = ""

    def markdown(self) -> str:
        """The table for a Markdown document."""
        lines = [f"## Table {self.number}: {self.title}", "", table(self.head, self.rows)]
        lines += ["", self.note] if self.note else []
        return "\n".join(lines) + "\n"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def scored(label: str, measured: Measured) -> Cells:
    """A line with our SARI and its interval."""
    return label, f"{measured.figures['sari']:.2f}", measured.interval("sari").text()


# How much the weights of Table 8 are raised.
_RAISED = 4.0
_HEAD = ("SARI", "95 %")
_BASELINES: Mapping[str, Callable[[str], str]] = {
    "First half of source text": first_half,
    "Every third word dropped": drop_every_third,
    "Source text unchanged": str,
}


@dataclass(frozen=True)
class Drawn:
    """A generator, its results, and the weights of each preset asked for, by its name; the first is the main one."""

    generator: str
    results: tuple[Result, ...]
    presets: Mapping[str, Weights]

    def under(self, preset: str) -> list[Result]:
        """The results with the choice that `preset` makes."""
        return [result.reweight(self.presets[preset]) for result in self.results]

    @property
    def main(self) -> str:
        """The preset that the other tables use."""
        return next(iter(self.presets))


def weights_of(options: Options, presets: Sequence[str]) -> dict[str, Weights]:
    """The weights of `presets` for what `options` score; of the default preset where there are none."""
    names = list(presets) or [options.chosen_preset]
    return {name: Pipeline(options.model_copy(update={"preset": name})).weights for name in names}


def all_tables(
    examples: Sequence[Example],
    drawn: Sequence[Drawn],
    options: TableOptions,
    *,
    report: Callable[[str], None] = print,
) -> tuple[PaperTable, ...]:
    """Tables 4 to 8. `drawn` holds at least one generator; the first serves tables 5, 7 and 8."""
    scoring = RsseScoring(EvaluationSet("sources", tuple(examples), "ru"))
    bootstrap = Bootstrap(options.samples, options.seed or 0)

    def line(label: str, texts: Sequence[str]) -> Cells:
        return scored(label, scoring.measured(texts, bootstrap))

    main = drawn[0]
    results = main.under(main.main)
    note = _note(examples, options)
    counts = sorted({*options.counts}, reverse=True)
    systems = _systems(line, drawn, [example.source for example in examples])
    report("table 4 done")
    curve = [line(*row) for row in n_curve(results, counts).items()]
    report("table 5 done")
    sizes = [line(f"{d.generator} + {d.main}", choose_again(d.under(d.main))) for d in drawn]
    without = [line(*row) for row in ablation(results).items()]
    report("tables 6 and 7 done")
    which = f"{main.generator}, {main.main}. {note}"
    return (
        PaperTable(4, "systems", ("Model", *_HEAD), tuple(systems), note),
        PaperTable(5, "number of candidates", ("Count", *_HEAD), tuple(curve), which),
        PaperTable(6, "model size", ("Model", *_HEAD), tuple(sizes), note),
        PaperTable(7, "each component left out", ("Model", *_HEAD), tuple(without), which),
        _examples(main, options),
    )


def _note(examples: Sequence[Example], options: TableOptions) -> str:
    references = sum(len(example.references) for example in examples)
    fairness = f"not cross-validated: {FLATTERED}."
    if options.cross_fit:
        fairness = f"cross-validated: edits drew each of {options.folds} folds with a model trained on the others."
    return (
        f"Ours: {Path(str(options.sources)).name}, {len(examples):,} sources, {references:,} references, "
        f"n = {options.n}, seed {options.seed or 0}; {fairness}"
    )


def _systems(
    line: Callable[[str, Sequence[str]], Cells], drawn: Sequence[Drawn], sources: Sequence[str]
) -> list[Cells]:
    rows: list[Cells] = []
    for draws in drawn:
        for preset in draws.presets:
            texts = [result.text for result in draws.under(preset)]
            rows.append(line(f"{draws.generator} + {preset}", texts))
    for draws in drawn:
        first = [_first(result) for result in draws.results]
        rows.append(line(f"{draws.generator} alone, its first candidate", first))
    for name, make in _BASELINES.items():
        rows.append(line(name, [make(source) for source in sources]))
    return rows


def _first(result: Result) -> str:
    """What the generator drew first, neither checked nor chosen; the source where it drew nothing."""
    firsts = [s.table.candidates[0].text if s.table and s.table.candidates else s.source for s in result.sentences]
    return result.layout.join(tuple(firsts))


def _examples(main: Drawn, options: TableOptions) -> PaperTable:
    """One source under several settings of weights (Table 8), from one draw."""
    source = options.example
    asked = main.results[0].options
    assert isinstance(asked, Options)
    (result,) = Pipeline(asked).run([source])
    weights = main.presets[main.main]
    settings = {
        main.main: {},
        "more accurate (similarity, entities raised)": _raised(weights, ("similarity", "entities")),
        "simpler (readability, lexical, length, depth raised)": _raised(
            weights, ("readability", "lexical", "length", "depth")
        ),
        **{f"preset {name}": new for name, new in weights_of(asked, ("accurate", "simple")).items()},
    }
    chosen = result.reweight(weights)
    rows: list[Cells] = [("source", source)]
    rows += [(name, chosen.reweight(new).text) for name, new in settings.items()]
    note = f"Raised: {_RAISED:g} × the weight, at least {_RAISED:g}. {main.generator}, n = {asked.n}."
    return PaperTable(8, "controllable simplification", ("Weights", "Text"), tuple(rows), note)


def _raised(weights: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    return {name: _RAISED * max(1.0, weights[name]) for name in names if name in weights}
