"""The tables of the RuSimScore paper (4 to 8) in its layout, measured here.

    python -m training.tables --sources DIR/rsse/dev_sents.csv --out runs/tables
    python -m training.tables --sources FILE --generators "[ct2:small, ct2:medium]" --presets "[paper]" --out FOLDER

Score tables are made once for each generator and kept in OUT/tables. Writes OUT/tables.md and OUT/tables.json. With
`--cross-fit`, `edits` draws each fold with a model that has not seen it; with `--report`, the presets of the first
generator are told as by `rewrite evaluate rsse`, too, and their texts written to OUT/outputs.jsonl.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rerank.analysis import Analyzer
from rewrite.datasets import Example
from rewrite.declaration import declared
from rewrite.errors import BadOption
from rewrite.evaluate.rsse import evaluate_rsse
from training.disk import write_json, write_json_lines, write_text
from training.papers.rusim import Drawn, all_tables, weights_of
from training.weighting.command import flags_parser, given_flags, weights_command
from training.weighting.draw import pipeline_options
from training.weighting.tune import tables_of
from training.weighting.weight_options import TableOptions, WeightOptions

_SAY = partial(print, flush=True)


def _run(arguments: Sequence[str]) -> None:
    given = flags_parser("tables", __doc__, TableOptions).parse_args(arguments)
    options = declared(TableOptions, {"seed": 0, **given_flags(given, TableOptions)})
    if options.sources is None:
        raise BadOption("There is nothing to evaluate on.", hint="Give --sources FILE.")
    _make(options, given.out, given.processes)


def _make(options: TableOptions, out: Path, processes: int | None) -> None:
    shared = options.model_dump(include=set(WeightOptions.model_fields))
    section = declared(WeightOptions, shared)
    out.mkdir(parents=True, exist_ok=True)
    # Every preset is looked at first: a wrong name must not cost the time of a draw.
    presets = {
        name: weights_of(pipeline_options(section, generator=name), options.presets) for name in options.generators
    }
    drawn = []
    for name in options.generators:
        print(f"generator {name}", flush=True)
        path = Path(str(options.sources))
        examples, results = tables_of(path, section, out, generator=name, processes=processes, report=_SAY)
        drawn.append(Drawn(name, tuple(results), presets[name]))
    if options.report:
        _report(examples, drawn[0], out)
    tables = all_tables(examples, drawn, options, report=_SAY)
    text = "\n".join(table.markdown() for table in tables)
    write_text(out / "tables.md", text)
    plain = {"tables": [table.to_json() for table in tables], "options": options.model_dump(mode="json")}
    write_json(out / "tables.json", plain)
    print(text)
    print(f"Written: {out / 'tables.md'}, {out / 'tables.json'}")


def _report(examples: Sequence[Example], drawn: Drawn, out: Path) -> None:
    """Print what `rewrite evaluate rsse` says of each preset, and write the texts for reading."""
    outputs = {preset: [result.text for result in drawn.under(preset)] for preset in drawn.presets}
    rows = [
        {"source": example.source, **{name: texts[i] for name, texts in outputs.items()}}
        for i, example in enumerate(examples)
    ]
    write_json_lines(out / "outputs.jsonl", rows)

    def recall(texts: Sequence[str], _: Sequence[str]) -> Sequence[str]:
        return texts

    systems = {name: partial(recall, texts) for name, texts in outputs.items()}
    print(evaluate_rsse(examples, systems=systems, analyzer=Analyzer()).text(), flush=True)


main = partial(weights_command, "tables", _run)


if __name__ == "__main__":
    sys.exit(main())
