"""Any engine on a model: how fast it draws, and whether it says what transformers says.

    python -m benchmarks.engines speed vllm:FOLDER [--rounds 3] [-e NAME=VALUE …]
    python -m benchmarks.engines speed openai:URL#MODEL --model FOLDER
    python -m benchmarks.engines greedy openai:URL#MODEL --model FOLDER

`speed`: 30 samples of 45 tokens are drawn (top-p 0.95, top-k 200) after 40 words (FOLDER: `benchmarks.shapes` makes
some) of one source and of four, after one round that warms up.

`greedy`: greedy texts in float32 for the tests' fifty sentences. FOLDER holds the model with its `prompt.yaml`, as
`rewrite models export` writes it. Fails where a text differs, and shows both; where two tokens are equally probable to
within the rounding of sums that is no fault. `scripts/check-vllm` runs both with vLLM.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.drawing import engine_draw
from benchmarks.measuring import Race, Work, command_line
from benchmarks.shapes import sources
from rewrite.controls import spread_for
from rewrite.engines.base import ModelInput, Sample
from rewrite.engines.registry import create_engine
from rewrite.errors import RewriteError
from rewrite.generators.base import Sampling
from rewrite.prompting import load_prompt

SOURCES = (1, 4)


def speed(options: argparse.Namespace) -> int:
    """Print tokens a second by the number of sources at once."""
    scheme, _, target = options.engine.partition(":")
    engine = create_engine(scheme, target, dict(setting.split("=", 1) for setting in options.setting))
    inputs = [ModelInput(source=text, text=text) for text in sources(max(SOURCES))]
    sampling = Sampling(n=options.samples, max_tokens=options.tokens)
    try:
        works = [Work(f"{n} of {len(inputs)} sources", engine_draw(engine, [inputs[:n]], sampling)) for n in SOURCES]
        Race.run("tokens", works, rounds=options.rounds, warm=1).print(f"{scheme}, {sampling.n} samples each")
    finally:
        engine.close()
    return 0


def greedy_texts(scheme: str, target: str, inputs: Sequence[ModelInput], stop: tuple[str, ...]) -> list[Sample]:
    """The greedy text of each input by the engine `scheme`."""
    engine = create_engine(scheme, target, {"hf.dtype": "float32", "vllm.dtype": "float32"})
    try:
        answers = engine.sample(inputs, Sampling(n=1, temperature=0, max_tokens=96, stop=stop))
    finally:
        engine.close()
    samples = []
    for answer in answers:
        if isinstance(answer, RewriteError):
            raise answer
        samples += answer
    return samples


def greedy(options: argparse.Namespace) -> int:
    """Print how many texts are those of transformers, and both of each pair that differs."""
    from tests.rewrite.base.sources import SOURCES as FIFTY

    scheme, _, target = options.engine.partition(":")
    folder = options.model or Path(target)
    prompt = load_prompt(str(folder / "prompt.yaml"))
    # Of the control values that a sentence is rewritten with, the first.
    inputs = [prompt.render(source, spread_for(source)[0].text) for source in FIFTY]
    others = greedy_texts(scheme, target, inputs, prompt.stop)
    expected = greedy_texts("hf", str(folder), inputs, prompt.stop)
    differing = [(one, other) for one, other in zip(expected, others, strict=True) if one.text != other.text]
    print(f"{folder.name}: greedy texts equal to transformers: {len(inputs) - len(differing)} of {len(inputs)}")
    for one, other in differing:
        print(f"  transformers: {one.text!r} ({one.logprob})\n  {scheme}: {other.text!r} ({other.logprob})")
    return 1 if differing else 0


def main() -> int:
    """Run what is asked for; returns the exit status."""
    parser = command_line(__doc__, data=False)
    parser.add_argument("what", choices=("speed", "greedy"))
    parser.add_argument("engine", metavar="ENGINE:TARGET")
    parser.add_argument("--model", type=Path, metavar="FOLDER", help="with the model, where TARGET is no folder")
    parser.add_argument("--samples", type=int, default=30, help="for each source")
    parser.add_argument("--tokens", type=int, default=45, help="of each sample")
    parser.add_argument("-e", dest="setting", action="append", default=[], metavar="NAME=VALUE", help="of the engine")
    options = parser.parse_args()
    return speed(options) if options.what == "speed" else greedy(options)


if __name__ == "__main__":
    sys.exit(main())
