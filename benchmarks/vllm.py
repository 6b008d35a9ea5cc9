"""Speed of vLLM through both engines that reach it: `openai`, which asks a server, and `vllm`, in the same process.

    python -m benchmarks.vllm vllm:FOLDER [--rounds 3]
    python -m benchmarks.vllm openai:URL#MODEL --model FOLDER

FOLDER holds a model (`benchmarks.shapes` makes some). 30 samples of 45 tokens are drawn (top-p 0.95, top-k 200) after
40 words. The first token comes after the model is loaded, where the engine does that. Given for the rest are median,
least and greatest of the rounds, after one that warms up. `scripts/check-vllm` runs both.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.shapes import sources
from rewrite.engines.base import Engine, ModelInput
from rewrite.engines.registry import create_engine
from rewrite.errors import RewriteError
from rewrite.generators.base import Sampling

SOURCES = (1, 4)


def shape(folder: Path) -> str:
    """The sizes of a model, in words."""
    config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    layers = config.get("n_layer") or config["num_hidden_layers"]
    width = config.get("n_embd") or config["hidden_size"]
    heads = config.get("n_head") or config["num_attention_heads"]
    vocabulary = config["vocab_size"]
    return f"{config['model_type']}, {layers} layers of {width} in {heads} heads, {vocabulary:,} words"


def draw(engine: Engine, texts: Sequence[str], sampling: Sampling) -> tuple[int, float]:
    """Tokens drawn, and the seconds that it took."""
    started = time.perf_counter()
    found = engine.sample([ModelInput(source=text, text=text) for text in texts], sampling)
    seconds = time.perf_counter() - started
    tokens = 0
    for samples in found:
        if isinstance(samples, RewriteError):
            raise samples
        tokens += sum(sample.tokens or 0 for sample in samples)
    return tokens, seconds


def rates(engine: Engine, count: int, *, rounds: int, samples: int, tokens: int) -> list[float]:
    """Tokens a second with `count` sources at once, by round."""
    found = []
    for seed in range(rounds + 1):
        drawn, seconds = draw(engine, sources(count), Sampling(n=samples, seed=seed, max_tokens=tokens))
        found.append(drawn / seconds)
    return found[1:]


def main() -> int:
    options = _options()
    scheme, _, target = options.engine.partition(":")
    folder = options.model or Path(target)
    engine = create_engine(scheme, target, dict(setting.split("=", 1) for setting in options.setting))
    try:
        _, seconds = draw(engine, sources(1), Sampling(n=1, max_tokens=1))
        print(f"{scheme}: {shape(folder)}; first token after {seconds:.1f} s", flush=True)
        for count in SOURCES:
            found = rates(engine, count, rounds=options.rounds, samples=options.samples, tokens=options.tokens)
            print(
                f"{scheme}: {count} source{'s' * (count > 1)} × {options.samples} samples × {options.tokens} tokens: "
                f"{statistics.median(found):,.0f} tokens/s ({min(found):,.0f}–{max(found):,.0f})",
                flush=True,
            )
    finally:
        engine.close()
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", metavar="ENGINE:TARGET")
    parser.add_argument("--model", type=Path, metavar="FOLDER", help="whose sizes to name, where TARGET is no folder")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samples", type=int, default=30, help="for each source")
    parser.add_argument("--tokens", type=int, default=45, help="of each sample")
    parser.add_argument("-e", dest="setting", action="append", default=[], metavar="NAME=VALUE", help="of the engine")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
