"""Speed of the pair filter against pair-by-pair scoring, measured in the same run, with the same values.

    python -m benchmarks.filter --data FOLDER [--naive 40]

The pairs are those of RSSE dev and RuAdapt's (without its identical ones) whose source has ten words or more; how long
they are is printed first. The naive loop makes a `natasha.Doc` of each text and computes all six components, pair by
pair; the second row does the same with our taggers. The others are the whole command `python -m training.filter`,
models loaded and files written: with its default settings, and with all six scores for every pair that is no duplicate,
which is what it costs where no rule saves work. Exit code 1 where a value differs from the naive loop's, or the filter
in one process is not `BAR` times as fast.
"""

from __future__ import annotations

import os

# Before numpy is imported: one thread per process, so that processes are what is compared.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import yaml

from benchmarks.measuring import Race, Work, command_line, rsse_examples
from benchmarks.scoring import NaiveAnalyzer
from rerank.analysis import Analyzer
from rerank.rusim import components
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.datasets import data_folder, load_ruadapt
from training.filtering.options import FilterOptions, Thresholds
from training.filtering.scores import Scoring, Texts
from training.pairs import PairFile

BAR = 3.0
_LEAST_WORDS = 10
_SETTINGS: dict[str, dict[str, object]] = {
    "filter": {},
    "all scored": {"thresholds": dict.fromkeys(Thresholds.model_fields, 0.0), "scores": True, "copy_limit": None},
}


def pair_by_pair(pairs: Sequence[Texts], analyzer: Analyzer) -> np.ndarray:
    """All six components of one pair after the other, shape `[pairs, 6]`."""
    scorers, context = components(variant="paper"), Context(analyzer)
    values = []
    for source, target in pairs:
        if isinstance(analyzer, NaiveAnalyzer):
            analyzer.start(source, target)
        values.append([scorer.score(source, [Candidate(target)], context)[0] for scorer in scorers])
    return np.array(values)


def whole_command(file: Path, settings: dict[str, object], processes: int) -> None:
    """`python -m training.filter` on a file of pairs, from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recipe.yaml"
        path.write_text(yaml.safe_dump({"name": "benchmark", "filter": {"pairs": str(file), **settings}}), "utf-8")
        command = ["training.filter", str(path), "--out", f"{folder}/out", "--jobs", str(processes)]
        subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True)


def differing(pairs: Sequence[Texts], naive: np.ndarray) -> int:
    """How many values are not the naive loop's; the encoder computes in float32 and may differ by 1e-6."""
    scoring = Scoring(FilterOptions(pairs=(PairFile(path="-"),)))
    names = [scorer.name for scorer in components(variant="paper")]
    ours = np.column_stack([scoring.values(name, pairs) for name in names])
    return int((np.abs(ours - naive) > 1e-6).sum())


def main() -> int:
    """Print pairs a second; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("--naive", type=int, default=40, help="pairs for the loops")
    options = parser.parse_args()
    rsse = [(example.source, target) for example in rsse_examples(options.data) for target in example.references]
    ruadapt = [(pair.source, pair.target) for pair in load_ruadapt(data_folder(options.data) / "ruadapt")]
    lines = ((" ".join(source.split()), " ".join(target.split())) for source, target in [*rsse, *ruadapt])
    pairs = [(source, target) for source, target in lines if len(source.split()) >= _LEAST_WORDS and target]
    source, target = (np.mean([len(texts[side].split()) for texts in pairs]) for side in (0, 1))
    print(f"{len(pairs):,} pairs, on average {source:.1f} words to {target:.1f}")
    few = pairs[:: max(1, len(pairs) // options.naive)]
    loops = {"pair by pair, natasha.Doc": NaiveAnalyzer(), "pair by pair, our taggers": Analyzer(cache_size=2)}
    for analyzer in loops.values():  # models are loaded before the clock starts
        pair_by_pair(few[:20], analyzer)
    works = [Work(name, partial(pair_by_pair, few, analyzer), len(few)) for name, analyzer in loops.items()]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pairs.tsv"
        file.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), encoding="utf-8")
        for name, settings in _SETTINGS.items():
            for processes in (1, 2):
                run = partial(whole_command, file, settings, processes)
                works.append(Work(f"{name}, {processes} process{'es' * (processes > 1)}", run, len(pairs)))
        race = Race.run("pairs", works, rounds=options.rounds)
    race.print()
    first = next(iter(loops))
    wrong = differing(few, race.answers[first])
    print(f"{wrong} of {race.answers[first].size} values differ from the naive loop's")
    return int(race.missed({("filter, 1 process", first): BAR}) or wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
