"""Searches the weights of the components for SARI.

    python -m training.weights RECIPE --out runs/weights --data DIR
    python -m training.weights --sources pairs.csv --out runs/weights

Reads the section `weights` of a recipe; flags override it, and do without one. Score tables are made once and kept in
OUT/tables. Writes OUT/preset.yaml, which `rewrite simplify --preset OUT/preset.yaml` takes, and OUT/report.json.
docs/tuning.md tells the method and how far to trust it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from rewrite.errors import BadOption
from training.disk import require_writable
from training.weighting.command import flags_parser, prepare, weights_command
from training.weighting.weight_options import WeightOptions


def _run(arguments: Sequence[str]) -> None:
    parser = flags_parser("weights", __doc__, WeightOptions)
    parser.add_argument("recipe", nargs="?", help="a YAML file, or the name of a shipped recipe")
    parser.add_argument("--data", metavar="DIR", help="what {data} stands for in paths; else REWRITE_DATA")
    given = parser.parse_args(arguments)
    run, options = prepare(given)
    require_writable(run.out)
    report = partial(print, flush=True)
    if not options.sources:
        raise BadOption("There is nothing to tune for.", hint="Give --sources FILE.")
    from training.weighting.tune import tune_sari

    tune_sari(run.path(options.sources), options, run.out, processes=given.processes, report=report)
    report(f"Written: {run.out / 'preset.yaml'}, {run.out / 'report.json'}")


main = partial(weights_command, "weights", _run)


if __name__ == "__main__":
    sys.exit(main())
