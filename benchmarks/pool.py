"""Russian generators with the pretrained base, warm and cold, beside `edits` alone and beside bare CTranslate2.

    python -m benchmarks.pool [--data DIR] [--sentences 40] [--repeats 5]

Sentences a second through the whole pipeline (RSSE dev, one at a time as a request comes, models loaded), each row in a
process of its own with its peak of memory; ratios are to the first row. Then tokens a second of the drawing alone: the
engine beside CTranslate2 called directly with the same prompts, samples and settings, in turns in one process, the
median of the turns. Last, seconds of a command for one sentence, the model having been made ready before.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.cold_start import SENTENCE
from rewrite.controls import spread_for
from rewrite.datasets import load_rsse
from rewrite.engines.base import ModelInput
from rewrite.engines.ct2 import CT2Engine
from rewrite.errors import RewriteError
from rewrite.generators.base import Sampling
from rewrite.pipeline import Pipeline
from rewrite.prompting import load_prompt
from rewrite.request import make_options

ROWS = (("edits", "30"), ("edits-lm", "30"), ("edits+gemma-ru", "16"), ("edits+gemma-ru", "auto"))
_SAMPLES, _TOKENS, _TOP_K, _TOP_P = 3, 96, 200, 0.95


def rate(sources: Sequence[str], generator: str, n: str) -> dict[str, float]:
    """Sentences a second and peak memory (MiB) of one generator."""
    pipeline = Pipeline(make_options(generator=generator, n=n if n == "auto" else int(n)))
    pipeline.load()
    next(iter(pipeline.run(sources[:1])))
    started = time.perf_counter()
    for source in sources:
        for _ in pipeline.run([source]):
            pass
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"rate": len(sources) / seconds, "peak": peak / 2**20}


def engine_ratio(sources: Sequence[str], repeats: int) -> tuple[float, float, float]:
    """Tokens a second of the engine and of the library, and the median of their ratios in each turn."""
    prompt = load_prompt("gemma_ru")
    inputs = [[prompt.render(source, asked.text) for asked in spread_for(source)] for source in sources]
    engine = CT2Engine("gemma-ru")
    draw, bare = _engine(engine, inputs, prompt.stop), _library(engine, inputs)
    for warm in (draw, bare):
        warm(0)
    rates = [(draw(seed), bare(seed)) for seed in range(1, repeats + 1)]
    ours, theirs = (statistics.median(column) for column in zip(*rates, strict=True))
    return ours, theirs, statistics.median(one / other for one, other in rates)


def _engine(engine: CT2Engine, inputs: Sequence[Sequence[ModelInput]], stop: tuple[str, ...]) -> Callable[[int], float]:
    def draw(seed: int) -> float:
        sampling = Sampling(
            n=_SAMPLES, seed=seed, temperature=0.4, max_tokens=_TOKENS, top_k=_TOP_K, top_p=_TOP_P, stop=stop
        )
        started, tokens = time.perf_counter(), 0
        for group in inputs:
            for samples in engine.sample(group, sampling):
                if isinstance(samples, RewriteError):
                    raise samples
                tokens += sum(sample.tokens or 0 for sample in samples)
        return tokens / (time.perf_counter() - started)

    return draw


def _library(engine: CT2Engine, inputs: Sequence[Sequence[ModelInput]]) -> Callable[[int], float]:
    import ctranslate2

    from rewrite.engines.tokens import load_tokens

    folder = engine.info.folder
    assert folder is not None
    tokens = load_tokens(folder)
    generator: Any = ctranslate2.Generator(str(folder), device="cpu", intra_threads=os.cpu_count() or 1)

    def draw(seed: int) -> float:
        ctranslate2.set_random_seed(seed)
        started, drawn = time.perf_counter(), 0
        for group in inputs:
            found = generator.generate_batch(
                [tokens.encode(one.text) for one in group],
                num_hypotheses=_SAMPLES,
                beam_size=1,
                sampling_topk=_TOP_K,
                sampling_topp=_TOP_P,
                sampling_temperature=0.4,
                include_prompt_in_result=False,
                max_length=_TOKENS,
                return_end_token=True,
            )
            drawn += sum(len(sequence) for one in found for sequence in one.sequences)
        return drawn / (time.perf_counter() - started)

    return draw


def cold(generator: str, repeats: int) -> float:
    """Median seconds of `rewrite simplify` for one sentence, after one unmeasured."""
    command = [sys.executable, "-m", "rewrite", "simplify", "--generator", generator, SENTENCE]
    seconds = []
    for _ in range(repeats + 1):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds[1:])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("REWRITE_DATA", "../shared/data")))
    parser.add_argument("--sentences", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--row", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sources = [pair.source for pair in load_rsse(options.data / "rsse" / "dev_sents.csv")][: options.sentences]
    if options.row:
        print(json.dumps(rate(sources, *ROWS[int(options.row)])))
        return
    first = 0.0
    print(f"{'':24} sentences/s   ratio   peak MiB")
    for k, (generator, n) in enumerate(ROWS):
        row = [sys.executable, "-m", "benchmarks.pool", "--row", str(k), "--sentences", str(options.sentences)]
        done = subprocess.run([*row, "--data", str(options.data)], check=True, capture_output=True, text=True)
        found = json.loads(done.stdout.splitlines()[-1])
        first = first or found["rate"]
        name = f"{generator}, n = {n}"
        print(f"{name:24} {found['rate']:11.2f} {found['rate'] / first:7.2f} {found['peak']:10.0f}", flush=True)
    ours, theirs, ratio = engine_ratio(sources[:10], options.repeats)
    print(f"drawing: engine {ours:.0f} tokens/s, CTranslate2 {theirs:.0f}, ratio {ratio:.2f}", flush=True)
    print(", ".join(f"cold {g}: {cold(g, options.repeats):.1f} s" for g in ("edits", "edits-lm", "edits+gemma-ru")))


if __name__ == "__main__":
    main()
