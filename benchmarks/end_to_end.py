"""Warm, end to end: sentences a second through the whole pipeline, `edits` at n = 30.

    python -m benchmarks.end_to_end [--data DIR] [--sentences 300]

Sources are those of RSSE dev. The naive baseline, in the same run on the same sources and candidates, is one
`natasha.Doc` per candidate (segmented, tagged, parsed, entities found) and the source analysed anew each time: the
least that scoring without sharing work costs, with no score computed at all. Bar: 12 sentences a second, all
processes together.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from rerank.workers import default_processes, ordered_map
from rewrite.datasets import load_rsse
from rewrite.generators import Sampling
from rewrite.pipeline import Pipeline
from rewrite.request import Options

CHUNK = 32
NAIVE_SOURCES = 10
BAR = 12.0


def pipeline_rate(sources: Sequence[str], *, processes: int) -> float:
    """Sentences a second with models loaded."""
    pipeline = Pipeline(Options())
    pipeline.load()

    def work(chunk: bytes) -> bytes:
        return "\n".join(result.text for result in pipeline.run(chunk.decode().split("\n"))).encode()

    chunks = ["\n".join(sources[i : i + CHUNK]).encode() for i in range(0, len(sources), CHUNK)]
    started = time.perf_counter()
    answered = sum(answer.count(b"\n") + 1 for answer in ordered_map(work, chunks, processes))
    seconds = time.perf_counter() - started
    if answered != len(sources):
        raise SystemExit(f"{answered} answers for {len(sources)} sentences")
    return answered / seconds


def naive_rate(sources: Sequence[str]) -> float:
    """Sentences a second where every candidate and, beside it, its source is a `natasha.Doc` of its own."""
    from natasha import Doc, NewsEmbedding, NewsMorphTagger, NewsNERTagger, NewsSyntaxParser, Segmenter

    embedding = NewsEmbedding()
    segmenter = Segmenter()
    taggers = NewsMorphTagger(embedding), NewsSyntaxParser(embedding), NewsNERTagger(embedding)
    pools = Pipeline(Options()).generator.generate(sources, Sampling(n=30))

    def analyse(text: str) -> None:
        doc = Doc(text)
        doc.segment(segmenter)
        doc.tag_morph(taggers[0])
        doc.parse_syntax(taggers[1])
        doc.tag_ner(taggers[2])

    started = time.perf_counter()
    for source, candidates in zip(sources, pools, strict=True):
        for candidate in candidates:
            analyse(source)
            analyse(candidate.text)
    return len(sources) / (time.perf_counter() - started)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("REWRITE_DATA", "../shared/data")))
    parser.add_argument("--sentences", type=int, default=300)
    arguments = parser.parse_args()
    sources = [pair.source for pair in load_rsse(arguments.data / "rsse" / "dev_sents.csv")][: arguments.sentences]
    naive = naive_rate(sources[:NAIVE_SOURCES])
    cores = default_processes()
    print(f"{'edits, n = 30':34} sentences/s   ratio")
    print(f"{'naive: analysis only, 1 process':34} {naive:11.2f}    1.00")
    best = 0.0
    for processes in (1, cores):
        rate = pipeline_rate(sources, processes=processes)
        best = max(best, rate)
        name = f"tables, {processes} process{'es' * (processes > 1)}"
        print(f"{name:34} {rate:11.2f} {rate / naive:7.2f}")
    return 0 if best >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
