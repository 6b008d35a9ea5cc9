"""`rewrite simplify` in Russian: a cold start, sentences a second with all warm, and the generators beside one another.

    python -m benchmarks.simplify cold [--repeats 7]
    python -m benchmarks.simplify warm [--data DIR] [--sentences 300]
    python -m benchmarks.simplify generators [--data DIR] [--sentences 40] [--repeats 5]

`cold`: one sentence from the command line (`edits`) against loading natasha's three taggers alone: medians of fresh
processes, the kinds taking turns. Bars: ratio ≤ 2, no torch, peak memory < 1 GiB.

`warm`: `edits` at n = 30 through the whole pipeline on sources of RSSE dev. The naive baseline, on the same sources and
candidates, is one `natasha.Doc` for each candidate (segmented, tagged, parsed, entities found) and the source analysed
anew each time: the least that scoring without sharing work costs, with no score computed at all. Bar: 12 sentences a
second, all processes together.

`generators`: with the pretrained base, sentences a second one at a time, as a request comes, each row in a process of
its own with its peak of memory. Then tokens a second of the drawing alone, beside CTranslate2 called directly with the
same prompts, samples and settings, in turns. Last, seconds of a command for one sentence, the model made ready before.

Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from functools import partial

from benchmarks.drawing import ctranslate2_draw, engine_draw
from benchmarks.measuring import command_line, fresh_process, peak_mib, print_rates, rsse_examples, timed
from rerank.workers import default_processes, ordered_map
from rewrite.controls import spread_for
from rewrite.engines.ct2 import CT2Engine
from rewrite.generators import Sampling
from rewrite.pipeline import Pipeline
from rewrite.prompting import load_prompt
from rewrite.request import Options, make_options

RATE, RATIO, PEAK = 12.0, 2.0, 1024.0
ROWS = (("edits", "30"), ("edits-lm", "30"), ("edits+gemma-ru", "16"), ("edits+gemma-ru", "auto"))
_CHUNK = 32
_NAIVE_SOURCES = 10
_SENTENCE = "Положение стало угрожающим для царевича, когда Филипп женился — на знатной македонянке Клеопатре."
_TAGGERS = """
from natasha import NewsEmbedding, NewsMorphTagger, NewsNERTagger, NewsSyntaxParser
embedding = NewsEmbedding()
NewsMorphTagger(embedding), NewsSyntaxParser(embedding), NewsNERTagger(embedding)
"""
# Runs the command in this process and reports, after it, what was imported and the most memory ever held.
_PROBE = f"""
import atexit, json, sys
sys.argv = ["rewrite", "simplify", "--generator", "edits", {_SENTENCE!r}]
def report():
    torch = "torch" in sys.modules
    from benchmarks.measuring import peak_mib
    print(json.dumps({{"torch": torch, "peak": peak_mib()}}), file=sys.stderr)
atexit.register(report)
from rewrite.cli import main
main()
"""


def cold(options: argparse.Namespace) -> int:
    """Print medians in seconds of fresh processes, after one unmeasured round that warms the disk cache."""
    commands = {
        "three taggers of natasha": ("-c", _TAGGERS),
        "python -c pass": ("-c", "pass"),
        "rewrite --help": ("-m", "rewrite", "--help"),
        "rewrite simplify, one sentence": ("-m", "rewrite", "simplify", "--generator", "edits", _SENTENCE),
    }
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    turns = [
        {name: fresh_process(*command, environment=environment) for name, command in commands.items()}
        for _ in range(options.repeats + 1)
    ]
    medians = {name: statistics.median(turn[name] for turn in turns[1:]) for name in commands}
    print_rates("seconds", medians)
    done = subprocess.run([sys.executable, "-c", _PROBE], check=True, capture_output=True, env=environment)
    probe = json.loads(done.stderr.decode().splitlines()[-1])
    print(f"torch imported: {'yes' if probe['torch'] else 'no'}; peak memory: {probe['peak']:.0f} MiB")
    baseline, *_, simplify = medians.values()
    return int(simplify > RATIO * baseline or probe["torch"] or probe["peak"] >= PEAK)


def warm(options: argparse.Namespace) -> int:
    """Print sentences a second by the number of processes."""
    sources = [example.source for example in rsse_examples(options.data, options.sentences or 300)]
    rates = {"naive: analysis only, 1 process": _naive_rate(sources[:_NAIVE_SOURCES])}
    for processes in (1, default_processes()):
        name = f"tables, {processes} process{'es' * (processes > 1)}"
        rates[name] = _pipeline_rate(sources, processes)
    print_rates("sentences/s", rates)
    return int(max(list(rates.values())[1:]) < RATE)


def _pipeline_rate(sources: Sequence[str], processes: int) -> float:
    """Sentences a second with models loaded."""
    pipeline = Pipeline(Options())
    pipeline.load()

    def work(chunk: bytes) -> bytes:
        return "\n".join(result.text for result in pipeline.run(chunk.decode().split("\n"))).encode()

    chunks = ["\n".join(sources[i : i + _CHUNK]).encode() for i in range(0, len(sources), _CHUNK)]
    answers, seconds = timed(lambda: list(ordered_map(work, chunks, processes)))
    answered = sum(answer.count(b"\n") + 1 for answer in answers)
    if answered != len(sources):
        raise SystemExit(f"{answered} answers for {len(sources)} sentences")
    return answered / seconds


def _naive_rate(sources: Sequence[str]) -> float:
    """Sentences a second where every candidate and, beside it, its source is a `natasha.Doc` of its own."""
    from benchmarks.scoring import NaiveAnalyzer

    naive = NaiveAnalyzer()
    pools = Pipeline(Options()).generator.generate(sources, Sampling(n=30))

    def analyse() -> None:
        for source, candidates in zip(sources, pools, strict=True):
            for candidate in candidates:
                naive.doc(source)
                naive.doc(candidate.text)

    return len(sources) / timed(analyse)[1]


def generators(options: argparse.Namespace) -> int:
    """Print a row for each of `ROWS`, then the drawing alone, then the command."""
    sources = [example.source for example in rsse_examples(options.data, options.sentences or 40)]
    if options.row is not None:
        print(json.dumps(_generator_row(sources, *ROWS[options.row])))
        return 0
    first = 0.0
    print(f"{'':24} sentences/s   ratio   peak MiB")
    for number, (generator, n) in enumerate(ROWS):
        row = [sys.executable, "-m", "benchmarks.simplify", *sys.argv[1:], "--row", str(number)]
        done = subprocess.run(row, check=True, capture_output=True, text=True)
        rate, peak = json.loads(done.stdout.splitlines()[-1])
        first = first or rate
        print(f"{f'{generator}, n = {n}':24} {rate:11.2f} {rate / first:7.2f} {peak:10.0f}", flush=True)
    ours, theirs, ratio = _engine_ratio(sources[:10], options.repeats)
    print(f"drawing: engine {ours:.0f} tokens/s, CTranslate2 {theirs:.0f}, ratio {ratio:.2f}", flush=True)
    for generator in ("edits", "edits-lm", "edits+gemma-ru"):
        command = ("-m", "rewrite", "simplify", "--generator", generator, _SENTENCE)
        seconds = [fresh_process(*command) for _ in range(options.repeats + 1)]
        print(f"cold {generator}: {statistics.median(seconds[1:]):.1f} s", flush=True)
    return 0


def _generator_row(sources: Sequence[str], generator: str, n: str) -> tuple[float, float]:
    """Sentences a second and peak memory (MiB) of one generator."""
    pipeline = Pipeline(make_options(generator=generator, n=n if n == "auto" else int(n)))
    pipeline.load()
    list(pipeline.run(sources[:1]))
    _, seconds = timed(lambda: [list(pipeline.run([source])) for source in sources])
    return len(sources) / seconds, peak_mib()


def _engine_ratio(sources: Sequence[str], repeats: int) -> tuple[float, float, float]:
    """Tokens a second of the engine and of the library, and the median of their ratios in each turn."""
    prompt = load_prompt("gemma_ru")
    inputs = [[prompt.render(source, control.text) for control in spread_for(source)] for source in sources]
    engine = CT2Engine("gemma-ru")
    folder = engine.info.folder
    assert folder is not None
    sampling = Sampling(n=3, temperature=0.4, max_tokens=96, stop=prompt.stop)
    prompts = [[each.text for each in group] for group in inputs]
    draws = (
        engine_draw(engine, inputs, sampling),
        ctranslate2_draw(folder, prompts, sampling, threads=os.cpu_count() or 1),
    )
    turns = [[timed(partial(draw, seed)) for draw in draws] for seed in range(repeats + 1)]
    rates = [[drawn / seconds for drawn, seconds in turn] for turn in turns[1:]]
    ours, theirs = (statistics.median(column) for column in zip(*rates, strict=True))
    return ours, theirs, statistics.median(one / other for one, other in rates)


def main() -> int:
    """Measure what is asked for; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("what", choices=("cold", "warm", "generators"))
    parser.add_argument("--sentences", type=int, help="of RSSE dev")
    parser.add_argument("--repeats", type=int, help="turns that are timed")
    parser.add_argument("--row", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.repeats = options.repeats or (7 if options.what == "cold" else 5)
    return {"cold": cold, "warm": warm, "generators": generators}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
