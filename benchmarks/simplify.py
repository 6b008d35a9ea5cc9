"""`rewrite simplify` in Russian: a cold start, sentences a second with all warm, and the generators beside one another.

    python -m benchmarks.simplify cold [--rounds 7]
    python -m benchmarks.simplify warm [--data DIR] [--sentences 300]
    python -m benchmarks.simplify generators [--data DIR] [--sentences 40] [--rounds 3]

`cold`: one sentence from the command line (`edits`) against loading natasha's three taggers alone: fresh processes that
take turns. Bars: twice the time of the taggers, no torch, peak memory < 1 GiB.

`warm`: `edits` at n = 30 through the whole pipeline on sources of RSSE dev; `benchmarks.scoring` has the naive loop
beside it. Bar: 12 sentences a second, all processes together.

`generators`: with the pretrained base, sentences a second one at a time, as a request comes, each row in a process of
its own with its peak of memory; then a command for one sentence, the model made ready before.

Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence

from benchmarks.measuring import Apart, Race, Work, command_line, fresh_process, rsse_examples
from rerank.workers import default_processes, ordered_map
from rewrite.pipeline import Pipeline
from rewrite.request import Options, make_options

RATE, RATIO, PEAK = 12.0, 2.0, 1024.0
ROWS = (("edits", 30), ("edits-lm", 30), ("edits+gemma-ru", 16))
_CHUNK = 32
_SENTENCE = "Положение стало угрожающим для царевича, когда Филипп женился — на знатной македонянке Клеопатре."
_TAGGERS = """
from natasha import NewsEmbedding, NewsMorphTagger, NewsNERTagger, NewsSyntaxParser
embedding = NewsEmbedding()
NewsMorphTagger(embedding), NewsSyntaxParser(embedding), NewsNERTagger(embedding)
"""
# Runs the command in this process and reports, after it, what was imported and the most memory ever held.
_PROBE = f"""
import json, sys
sys.argv = ["rewrite", "simplify", "--generator", "edits", {_SENTENCE!r}]
from rewrite.cli import main
try:
    main()
except SystemExit:
    pass
torch = "torch" in sys.modules
from benchmarks.measuring import peak_mib
print(json.dumps({{"torch": torch, "peak": peak_mib()}}), file=sys.stderr)
"""


def _command(generator: str, environment: dict[str, str] | None = None) -> Work:
    """A row of commands for one sentence."""
    words = ("-m", "rewrite", "simplify", "--generator", generator, _SENTENCE)
    return fresh_process(f"rewrite simplify, {generator}", *words, environment=environment)


def cold(options: argparse.Namespace) -> int:
    """Print how often a fresh process starts, after one round that warms the disk cache."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    taggers = fresh_process("three taggers of natasha", "-c", _TAGGERS, environment=environment)
    help_text = fresh_process("rewrite --help", "-m", "rewrite", "--help", environment=environment)
    simplify = _command("edits", environment)
    race = Race.run("starts", [taggers, help_text, simplify], rounds=options.rounds, warm=1)
    race.print()
    done = subprocess.run([sys.executable, "-c", _PROBE], check=True, capture_output=True, env=environment)
    probe = json.loads(done.stderr.decode().splitlines()[-1])
    print(f"torch imported: {'yes' if probe['torch'] else 'no'}; peak memory: {probe['peak']:.0f} MiB")
    slow = race.missed({(simplify.name, taggers.name): 1 / RATIO})
    return int(slow or probe["torch"] or probe["peak"] >= PEAK)


def warm(options: argparse.Namespace) -> int:
    """Print sentences a second by the number of processes."""
    sources = [example.source for example in rsse_examples(options.data, options.sentences or 300)]
    chunks = ["\n".join(sources[i : i + _CHUNK]).encode() for i in range(0, len(sources), _CHUNK)]

    def loaded() -> Pipeline:
        pipeline = Pipeline(Options())
        pipeline.load()
        return pipeline

    def run_in(processes: int) -> Callable[[Pipeline], int]:
        def run(pipeline: Pipeline) -> int:
            def work(chunk: bytes) -> bytes:
                return "\n".join(result.text for result in pipeline.run(chunk.decode().split("\n"))).encode()

            return sum(answer.count(b"\n") + 1 for answer in ordered_map(work, chunks, processes))

        return run

    works = [Work(f"processes: {n}", run_in(n), prepare=loaded) for n in (1, default_processes())]
    race = Race.run("sentences", works, rounds=options.rounds)
    race.print()
    if set(race.answers.values()) != {len(sources)}:
        raise SystemExit(f"{race.answers} answers for {len(sources)} sentences")
    return int(max(map(race.rate, race.answers)) < RATE)


def _one_at_a_time(sources: Sequence[str], generator: str, n: int) -> Callable[[], int]:
    pipeline = Pipeline(make_options(generator=generator, n=n))
    pipeline.load()
    list(pipeline.run(sources[:1]))
    return lambda: sum(len(list(pipeline.run([source]))) for source in sources)


def generators(options: argparse.Namespace) -> int:
    """Print a row for each of `ROWS`, then the command."""
    sources = [example.source for example in rsse_examples(options.data, options.sentences or 40)]
    with Apart() as apart:
        works = [apart.work(f"{generator}, n = {n}", _one_at_a_time, sources, generator, n) for generator, n in ROWS]
        Race.run("sentences", works, rounds=options.rounds).print("", apart.peaks())
    commands = [_command(generator) for generator in ("edits", "edits-lm", "edits+gemma-ru")]
    Race.run("starts", commands, rounds=options.rounds, warm=1).print("cold")
    return 0


def main() -> int:
    """Measure what is asked for; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("what", choices=("cold", "warm", "generators"))
    parser.add_argument("--sentences", type=int, help="of RSSE dev")
    options = parser.parse_args()
    return {"cold": cold, "warm": warm, "generators": generators}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
