"""How fast the commands are: for one sentence from nothing, and with models loaded.

    python -m benchmarks.commands cold [--rounds 7]
    python -m benchmarks.commands simplify|split|compress|judge|generators --data FOLDER [--sentences N] [--rounds 3]

`cold`: one sentence from the command line, fresh processes that take turns, against loading natasha's three taggers
alone. Bars: `simplify` (`edits`) twice the time of the taggers, no torch, less than 1 GiB; `split` 3 seconds.

The others have their models loaded. `simplify`: `edits` at n = 30 on sources of RSSE dev, in one process and in all;
`benchmarks.scoring` has the naive loop beside it. Bar: 12 sentences a second. `split`: the first sentences of
WikiSplit's validation part at n = 10, beside parsing alone. Bar: 3 a second. `compress`: sentences of the broadcast set
with 28 to 32 words, each in a call of its own, by both distances. Bar: every one in less than 2 seconds. `judge`:
sources of RSSE dev with their references, by the learned evaluator, one pair after the other and together, and by
paraeval. Bar: 300 pairs a second by the evaluator. `generators`: with the pretrained base, sentences one at a time, as
a request comes, each row in a process of its own with its peak of memory; then a command for one sentence, the model
made ready before.

Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from benchmarks.measuring import Apart, Race, Work, command_line, fresh_process, rsse_examples, spread
from rerank.english import EnglishAnalyzer
from rerank.workers import default_processes, ordered_map
from rewrite import Compressor, SplitOptions, Splitter
from rewrite.compression.compression_options import CompressOptions
from rewrite.datasets import data_folder, text_lines
from rewrite.evaluate.compression_corpora import load_sentcomp
from rewrite.judging.registry import create_metric
from rewrite.judging.row_metric import Judged, Row, RowMetric
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.splitting.parsed_words import read_words, sentence_analyzer

COLD_RATIO, COLD_SPLIT, PEAK = 2.0, 3.0, 1024.0
RATES: Mapping[str, float] = {"simplify": 12.0, "split": 3.0, "judge": 300.0}
LONGEST = 2.0
ROWS = (("edits", 30), ("edits-lm", 30), ("edits+gemma-ru", 16))
_CHUNK = 32
_RUSSIAN = "Положение стало угрожающим для царевича, когда Филипп женился — на знатной македонянке Клеопатре."
_ENGLISH = "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office."
FIRST = "This sentence has the models loaded, and it is not one of those that are timed."
_TAGGERS = """
from natasha import NewsEmbedding, NewsMorphTagger, NewsNERTagger, NewsSyntaxParser
embedding = NewsEmbedding()
NewsMorphTagger(embedding), NewsSyntaxParser(embedding), NewsNERTagger(embedding)
"""
# Runs the command in this process and reports, after it, what was imported and the most memory ever held.
_PROBE = f"""
import json, sys
sys.argv = ["rewrite", "simplify", "--generator", "edits", {_RUSSIAN!r}]
from rewrite.cli import main
try:
    main()
except SystemExit:
    pass
torch = "torch" in sys.modules
from benchmarks.measuring import peak_mib
print(json.dumps({{"torch": torch, "peak": peak_mib()}}), file=sys.stderr)
"""


def _simplify_command(generator: str, environment: dict[str, str] | None = None) -> Work:
    """A row of commands for one sentence."""
    words = ("-m", "rewrite", "simplify", "--generator", generator, _RUSSIAN)
    return fresh_process(f"rewrite simplify, {generator}", *words, environment=environment)


def cold(options: argparse.Namespace) -> int:
    """Print how often a fresh process starts, after one round that warms the disk cache."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    taggers = fresh_process("three taggers of natasha", "-c", _TAGGERS, environment=environment)
    help_text = fresh_process("rewrite --help", "-m", "rewrite", "--help", environment=environment)
    simplify = _simplify_command("edits", environment)
    split = fresh_process(
        "rewrite split", "-m", "rewrite", "split", "--generator", "splitter", _ENGLISH, environment=environment
    )
    race = Race.run("starts", [taggers, help_text, simplify, split], rounds=options.rounds, warm=1)
    race.print()
    done = subprocess.run([sys.executable, "-c", _PROBE], check=True, capture_output=True, env=environment)
    probe = json.loads(done.stderr.decode().splitlines()[-1])
    print(f"torch imported: {'yes' if probe['torch'] else 'no'}; peak memory: {probe['peak']:.0f} MiB")
    slow = race.missed({(simplify.name, taggers.name): 1 / COLD_RATIO}) or 1 / race.rate(split.name) > COLD_SPLIT
    return int(slow or probe["torch"] or probe["peak"] >= PEAK)


def simplify(options: argparse.Namespace) -> int:
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
    return int(max(map(race.rate, race.answers)) < RATES["simplify"])


# Made anew for each turn: they remember what they have parsed, and would parse nothing in the next.
def _parser_loaded() -> EnglishAnalyzer:
    analyzer = sentence_analyzer()
    read_words([FIRST], analyzer)
    return analyzer


def _splitter_loaded() -> Splitter:
    splitter = Splitter(SplitOptions(n=10))
    splitter.run([FIRST])
    return splitter


def split(options: argparse.Namespace) -> int:
    """Print sentences a second that are parsed, and that are split; in each turn both parse all of them."""
    rows = text_lines(data_folder(options.data) / "wikisplit" / "validation.tsv")[: options.sentences or 100]
    texts = [row.partition("\t")[0] for row in rows]
    names = ("parsing alone", "rewrite split, n = 10")
    works = [
        Work(names[0], partial(read_words, texts), len(texts), _parser_loaded),
        Work(names[1], lambda splitter: splitter.run(texts), len(texts), _splitter_loaded),
    ]
    race = Race.run("sentences", works, rounds=options.rounds)
    race.print(f"{len(texts)} sentences")
    return int(race.rate(names[1]) < RATES["split"])


def broadcast_sentences(data: str | None, count: int, lengths: range) -> list[str]:
    """The first different sentences of the broadcast set with so many words."""
    sources = (each.source for each in load_sentcomp(data_folder(data) / "sentcomp" / "broadcast.jsonl"))
    return list(dict.fromkeys(source for source in sources if len(source.split()) in lengths))[:count]


def compress(options: argparse.Namespace) -> int:
    """Print the median and the longest time of a sentence by each distance."""
    sentences = broadcast_sentences(options.data, options.sentences or 20, range(28, 33))
    print(f"Seconds for a sentence of 28 to 32 words ({len(sentences)} of them; bar {LONGEST:g})")
    missed = False
    for method in ("fast-ndd", "ndd"):
        compressor = Compressor(CompressOptions(ratio=0.5, method=method, lang="en"))
        compressor.run([FIRST])
        works = [Work(text, partial(compressor.run, [text]), 1) for text in sentences]
        seconds = [1 / rate for (rate,) in Race.run("sentences", works, rounds=1).rates.values()]
        missed |= max(seconds) >= LONGEST
        print(f"{method:10} {spread(seconds)}")
    return int(missed)


def judge(options: argparse.Namespace) -> int:
    """Print pairs a second of each metric."""
    examples = rsse_examples(options.data, options.sentences)
    # No pair twice: the evaluator remembers what it has judged.
    pairs = dict.fromkeys(
        (example.source, text, example.references) for example in examples for text in example.references
    )
    rows = [Row(*pair) for pair in pairs][:1000]
    few = rows[::5]

    def opened(name: str, **settings: bool) -> RowMetric:
        metric = create_metric(name, language="ru", **settings)
        metric.score([Row("Он ушёл домой.", "Он ушёл.", ("Он ушёл.",))])
        return metric

    def alone(metric: RowMetric) -> list[Judged]:
        return [judged for row in few for judged in metric.score([row])]

    learned = partial(opened, "learned", facts=False)
    works = [
        Work("learned, one after the other", alone, len(few), learned),
        Work("learned", lambda metric: metric.score(rows), len(rows), learned),
        Work("paraeval", lambda metric: metric.score(rows), len(rows), partial(opened, "paraeval")),
    ]
    race = Race.run("pairs", works, rounds=options.rounds)
    race.print(f"{len(rows)} pairs")
    return int(race.rate("learned") < RATES["judge"])


def _one_at_a_time(sources: Sequence[str], generator: str, n: int) -> Callable[[], int]:
    pipeline = Pipeline(Options(generator=generator, n=n))
    pipeline.load()
    list(pipeline.run(sources[:1]))
    return lambda: sum(len(list(pipeline.run([source]))) for source in sources)


def generators(options: argparse.Namespace) -> int:
    """Print a row for each of `ROWS`, then the command."""
    sources = [example.source for example in rsse_examples(options.data, options.sentences or 40)]
    with Apart() as apart:
        works = [apart.work(f"{generator}, n = {n}", _one_at_a_time, sources, generator, n) for generator, n in ROWS]
        Race.run("sentences", works, rounds=options.rounds).print("", apart.peaks())
    commands = [_simplify_command(generator) for generator in ("edits", "edits-lm", "edits+gemma-ru")]
    Race.run("starts", commands, rounds=options.rounds, warm=1).print("cold")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for; returns the exit status."""
    parser = command_line(__doc__)
    questions = {each.__name__: each for each in (cold, simplify, split, compress, judge, generators)}
    parser.add_argument("what", choices=questions)
    parser.add_argument("--sentences", type=int, help="of the set; 300, 100, 20, all and 40")
    options = parser.parse_args(arguments)
    return questions[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
