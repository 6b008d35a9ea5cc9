"""Speed and memory of the pair filter against pair-by-pair scoring, measured in the same run, with the same values.

    python -m benchmarks.filter --data FOLDER [--copies 3] [--naive 200]

The pairs are those of RSSE dev and RuAdapt's (without its identical ones) whose source has ten words or more; how long
they are is printed first. The naive loop makes a `natasha.Doc` of each text and computes all six components, pair by
pair; the second row does the same with our taggers. The others are the whole command `python -m training.filter` with
its default settings, models loaded and files written. "all scored" gives all six scores to every pair that is no
duplicate: what it costs where no rule saves work. Duplicates are looked for, so the `--copies` of the pairs are told
apart by a number in brackets at the end of both texts; no text is remembered from one copy to the next. Memory is the
largest sum of the processes' own and shared parts (PSS). The last column is the time for the 246,978 pairs of WikiLarge
at that rate.

A second table has the share of RSSE dev that reaches each threshold; then come paragraphs of Russian text that the
language check would drop. Exit code 1 where a value differs from the naive
loop's, or the filter in one process does not judge `BAR` times as many pairs in a second of processor time.
"""

from __future__ import annotations

import os

# Before numpy is imported: one thread per process, so that processes are what is compared.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import json
import lzma
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import yaml
from rich.console import Console
from rich.table import Table

from benchmarks.measuring import command_line, rsse_examples
from benchmarks.scoring import NaiveAnalyzer
from rerank.analysis import Analyzer
from rerank.foreign import foreign
from rerank.rusim import components
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.datasets import data_folder, load_ruadapt
from training.filtering.options import FilterOptions, Thresholds
from training.filtering.run import REPORT
from training.filtering.scores import Scoring, Texts
from training.pairs import PairFile
from training.sizes import duration

WIKILARGE = 246_978
BAR = 3.0
_LEAST_WORDS = 10
_SAMPLED = 0.2
_ALL_OFF = dict.fromkeys(Thresholds.model_fields, 0.0)


@dataclass(frozen=True)
class Row:
    """One row of the table: pairs, seconds on the clock and of the processors, memory in MB, share of pairs kept."""

    name: str
    processes: int
    pairs: int
    seconds: float
    cpu: float
    memory: float | None = None
    kept: float | None = None


def long_enough(pairs: Sequence[Texts]) -> list[Texts]:
    """Those whose source is no short sentence, which would make the rate look better than on an encyclopaedia."""
    return [(source, target) for source, target in pairs if len(source.split()) >= _LEAST_WORDS]


def marked(text: str, copy: int) -> str:
    """The text with the number of its copy, so that it is no duplicate; the first copy has none."""
    end = text[-1] if text[-1] in ".!?…" else ""
    return f"{text.removesuffix(end)} ({copy}){end}" if copy else text


def pair_by_pair(name: str, pairs: Sequence[Texts], analyzer: Analyzer) -> tuple[Row, np.ndarray]:
    """All six components of one pair after the other; the values, shape `[pairs, 6]`."""
    scorers, context = components(variant="paper"), Context(analyzer)
    values = []
    began, used = time.perf_counter(), time.process_time()
    for source, target in pairs:
        if isinstance(analyzer, NaiveAnalyzer):
            analyzer.start(source, target)
        values.append([scorer.score(source, [Candidate(target)], context)[0] for scorer in scorers])
    return Row(name, 1, len(pairs), time.perf_counter() - began, time.process_time() - used), np.array(values)


def whole_command(name: str, recipe: dict[str, object], pairs: int, processes: int) -> Row:
    """`python -m training.filter` on a recipe, with the memory of all its processes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recipe.yaml"
        path.write_text(yaml.safe_dump({"name": "benchmark", "filter": recipe}), encoding="utf-8")
        step = ["training.filter", str(path), "--out", f"{folder}/out", "--jobs", str(processes)]
        command = [sys.executable, "-m", *step]
        began, used = time.perf_counter(), _children_cpu()
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        most = 0.0
        while running.poll() is None:
            most = max(most, _memory(running.pid))
            time.sleep(_SAMPLED)
        seconds = time.perf_counter() - began
        if running.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: exit code {running.returncode}")
        report = json.loads((Path(folder) / "out" / REPORT).read_text(encoding="utf-8"))
    if report["pairs"] != pairs:
        raise SystemExit(f"{name}: {report['pairs']:,} pairs were read, not {pairs:,}")
    return Row(name, processes, pairs, seconds, _children_cpu() - used, most, report["kept_share"])


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _memory(process: int) -> float:
    """Megabytes of a process and its children, what they share counted once."""
    total = 0.0
    for number in [str(process), *_children(process)]:
        try:
            text = Path(f"/proc/{number}/smaps_rollup").read_text(encoding="ascii")
        except OSError:  # it has just ended
            continue
        total += next((int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")), 0) / 1024
    return total


def _children(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    except OSError:
        return []


def passing(pairs: Sequence[Texts], variant: str, similarity: float | None = None) -> dict[str, float]:
    """The share of `pairs` that reach the threshold of each component, and those of `all six`."""
    limits = Thresholds(similarity=similarity)
    options = FilterOptions.model_validate({"pairs": "-", "variant": variant, "thresholds": limits})
    scoring = Scoring(options, analyzer=Analyzer(cache_size=4 * len(pairs)))
    good = {name: np.array(scoring.values(name, pairs)) >= limit for name, limit in scoring.thresholds.items()}
    shares = {f"{name} ≥ {scoring.thresholds[name]:g}": float(mask.mean()) for name, mask in good.items()}
    return {**shares, "all six": float(np.all(list(good.values()), axis=0).mean())}


def false_alarms(data: Path, most: int = 6_000) -> tuple[int, list[str]]:
    """How many of the first paragraphs of each file of Russian text there are, and those not taken for Russian."""
    count, found = 0, []
    for path in sorted((data / "ru_mono").glob("*.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            texts = [line.strip() for line in islice(file, most) if line.strip()]
        count += len(texts)
        found += [text for text in texts if foreign(text, "ru")]
    return count, found


def compare(pairs: Sequence[Texts], naive: np.ndarray) -> int:
    """How many values differ from the naive loop's; the encoder computes in float32 and may differ by 1e-6."""
    scoring = Scoring(FilterOptions(pairs=(PairFile(path="-"),)))
    names = [scorer.name for scorer in components(variant="paper")]
    ours = np.column_stack([scoring.values(name, pairs) for name in names])
    return int((np.abs(ours - naive) > 1e-6).sum())


def main() -> int:
    parser = command_line(__doc__)
    parser.add_argument("--copies", type=int, default=3, help="of the pairs, for the whole command")
    parser.add_argument("--naive", type=int, default=200, help="pairs for the loops")
    options = parser.parse_args()
    rsse = [(example.source, target) for example in rsse_examples(options.data) for target in example.references]
    ruadapt = [(pair.source, pair.target) for pair in load_ruadapt(data_folder(options.data) / "ruadapt")]
    pairs = long_enough([*rsse, *ruadapt])
    source, target = (np.mean([len(texts[side].split()) for texts in pairs]) for side in (0, 1))
    print(f"{len(pairs):,} pairs, on average {source:.1f} words to {target:.1f}")
    few = pairs[:: max(1, len(pairs) // options.naive)]
    naive, ours = NaiveAnalyzer(), Analyzer(cache_size=2)
    for analyzer in (naive, ours):  # models are loaded before the clock starts
        pair_by_pair("", few[:20], analyzer)
    first, values = pair_by_pair("pair by pair, natasha.Doc", few, naive)
    rows = [first, pair_by_pair("pair by pair, our taggers", few, ours)[0]]
    wrong = compare(few, values)
    with tempfile.TemporaryDirectory() as folder:
        rows += _commands(Path(folder), pairs, options.copies)
    _print(rows)
    _print_shares(rsse)
    count, alarms = false_alarms(data_folder(options.data))
    print(f"language: {len(alarms)} of {count} paragraphs of ru_mono are not taken for Russian:")
    print("\n".join(f"  {text[:100]}" for text in alarms[:10]))
    print(f"{wrong} of {values.size} values differ from the naive loop's")
    ours = next(row for row in rows if row.name == "filter")
    slow = ours.pairs / ours.cpu < BAR * first.pairs / first.cpu
    return 1 if wrong or slow else 0


def _commands(folder: Path, pairs: Sequence[Texts], copies: int) -> list[Row]:
    texts = [(" ".join(source.split()), " ".join(target.split())) for source, target in pairs]
    lines = [[f"{marked(s, copy)}\t{marked(t, copy)}\n" for s, t in texts if s and t] for copy in range(copies)]
    once, several = folder / "once.tsv", folder / "several.tsv"
    once.write_text("".join(lines[0]), encoding="utf-8")
    several.write_text("".join(line for copy in lines for line in copy), encoding="utf-8")
    count = len(lines[0])
    full: dict[str, object] = {"thresholds": _ALL_OFF, "scores": True, "copy_limit": None}
    rows = [whole_command("filter, one copy", {"pairs": str(once)}, count, 2)]
    plain: dict[str, object] = {}
    kinds = [(name, recipe, n) for name, recipe in (("filter", plain), ("all scored", full)) for n in (1, 2)]
    for name, recipe, n in kinds:
        rows.append(whole_command(name, {**recipe, "pairs": str(several)}, count * copies, n))
        print(rows[-1], file=sys.stderr)  # it takes minutes
    return rows


def _print(rows: Sequence[Row]) -> None:
    heads = ("processes", "pairs", "kept", "pairs/s", "ratio", "per CPU s", "ratio", "memory, MB", "WikiLarge")
    table = Table("", *heads)
    first = rows[0]
    for row in rows:
        memory = "" if row.memory is None else f"{row.memory:.0f}"
        kept = "" if row.kept is None else f"{row.kept:.0%}"
        rate, work = row.pairs / row.seconds, row.pairs / row.cpu
        rates = [f"{rate:,.0f}", f"{rate / first.pairs * first.seconds:.1f}"]
        # Other programs on the machine change little of the pairs a second of a processor.
        works = [f"{work:,.0f}", f"{work / first.pairs * first.cpu:.1f}"]
        wiki = duration(WIKILARGE / rate)
        table.add_row(row.name, str(row.processes), f"{row.pairs:,}", kept, *rates, *works, memory, wiki)
    Console(width=130).print(table)


def _print_shares(pairs: Sequence[Texts]) -> None:
    table = Table("variant", "threshold", "RSSE dev pairs that reach it")
    for variant, similarity in (("paper", None), ("paper", 0.75), ("released", None)):
        for name, share in passing(pairs, variant, similarity).items():
            table.add_row(variant, name, f"{share:.1%}")
        table.add_section()
    Console(width=110).print(table)


if __name__ == "__main__":
    sys.exit(main())
