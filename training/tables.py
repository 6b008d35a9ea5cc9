"""The tables of the RuSimScore paper (4 to 8) in its layout, measured here; what it published stands apart, below each.

    python -m training.tables --sources DIR/rsse/dev_sents.csv --out runs/tables
    python -m training.tables --sources FILE --generators "[ct2:small, ct2:medium]" --presets "[paper]" --out FOLDER

Score tables are made once for each generator and kept in OUT/tables. Writes OUT/tables.md and OUT/tables.json.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rewrite.errors import BadOption
from training.command import run_to_the_end
from training.weighting.command import build_section, flags_parser, given_flags, one_thread_each
from training.weighting.options import TableOptions, WeightOptions

__all__ = ["main"]

_SAY = partial(print, flush=True)


def _run(arguments: Sequence[str]) -> None:
    given = flags_parser("tables", __doc__, TableOptions).parse_args(arguments)
    options = build_section(TableOptions, {"seed": 0, **given_flags(given, TableOptions)})
    if options.sources is None:
        raise BadOption("There is nothing to evaluate on.", hint="Give --sources FILE.")
    _make(options, given.out, given.processes)


def _make(options: TableOptions, out: Path, processes: int | None) -> None:
    from training.disk import write_json, write_text
    from training.papers.rusim import Drawn, all_tables, weights_of
    from training.weighting.draw import pipeline_options
    from training.weighting.tune import tables_of

    shared = options.model_dump(include=set(WeightOptions.model_fields))
    section = build_section(WeightOptions, shared)
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
    tables = all_tables(examples, drawn, options, report=_SAY)
    text = "\n".join(table.markdown() for table in tables)
    write_text(out / "tables.md", text)
    plain = {"tables": [table.to_json() for table in tables], "options": options.model_dump(mode="json")}
    write_json(out / "tables.json", plain)
    print(text)
    print(f"Written: {out / 'tables.md'}, {out / 'tables.json'}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    one_thread_each()
    given = sys.argv[1:] if arguments is None else arguments
    return run_to_the_end("tables", lambda: _run(given), stopped="stopped; the tables made so far are kept")


if __name__ == "__main__":
    sys.exit(main())
