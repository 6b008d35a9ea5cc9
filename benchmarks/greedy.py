"""Whether an engine says what transformers says: greedy texts of one model in float32 for the tests' fifty sentences.

    python -m benchmarks.greedy FOLDER openai:URL#MODEL    or vllm:FOLDER

FOLDER holds the model with its `prompt.yaml`, as `rewrite models export` writes it. Fails where a text differs, and
shows both; where two tokens are equally probable to within the rounding of sums that is no fault.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rewrite.controls import spread_for
from rewrite.engines.base import ModelInput, Sample
from rewrite.engines.registry import create_engine
from rewrite.errors import RewriteError
from rewrite.generators.base import Sampling
from rewrite.prompting import load_prompt
from tests.rewrite.base.sources import SOURCES


def greedy(scheme: str, target: str, inputs: Sequence[ModelInput], stop: tuple[str, ...]) -> list[Sample]:
    """The greedy text of each input by the engine `scheme`."""
    engine = create_engine(scheme, target, {"hf.dtype": "float32", "vllm.dtype": "float32"})
    try:
        found = engine.sample(inputs, Sampling(n=1, temperature=0, max_tokens=96, stop=stop))
    finally:
        engine.close()
    samples = []
    for one in found:
        if isinstance(one, RewriteError):
            raise one
        samples += one
    return samples


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("engine", metavar="ENGINE:TARGET")
    options = parser.parse_args()
    prompt = load_prompt(str(options.folder / "prompt.yaml"))
    # Of the control values that a sentence is rewritten with, the first.
    inputs = [prompt.render(source, spread_for(source)[0].text) for source in SOURCES]
    scheme, _, target = options.engine.partition(":")
    others = greedy(scheme, target, inputs, prompt.stop)
    expected = greedy("hf", str(options.folder), inputs, prompt.stop)
    differing = [(one, other) for one, other in zip(expected, others, strict=True) if one.text != other.text]
    print(f"{options.folder.name}: greedy texts equal to transformers: {len(inputs) - len(differing)} of {len(inputs)}")
    for one, other in differing:
        print(f"  transformers: {one.text!r} ({one.logprob})\n  {scheme}: {other.text!r} ({other.logprob})")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
