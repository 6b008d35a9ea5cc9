"""What the adapter draws, before anything but guard and form chooses among it, by SARI.

    python -m training.draws --data DIR [--sources 60] [-n 12] [--temperature 0.5]

Draws for sources of RuSimpleSentEval dev, which the adapter has not seen, and takes of each the text with the highest
log-probability a token less `weight` × its length beside the source's: the only choice there is. What readers said of
draws, `python -m training.readings draws` prints.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from rerank.types import Candidate
from rewrite.datasets import Example, data_folder, load_rsse
from rewrite.engines.registry import create_engine
from rewrite.evaluate.sari import corpus_sari
from rewrite.generators.base import Sampling
from rewrite.generators.language_model import LanguageModelGenerator

__all__ = ["main"]

_WEIGHTS = (0.0, 0.3, 0.6, 1.0, 2.0)


def _likeliest(example: Example, pool: Sequence[Candidate], weight: float) -> str:
    def rank(candidate: Candidate) -> float:
        likelihood = (candidate.logprob or 0.0) / max(candidate.tokens or 1, 1)
        return likelihood - weight * len(candidate.text) / len(example.source)

    kept = [candidate for candidate in pool if not candidate.dropped]
    return max(kept, key=rank).text if kept else example.source


def _tell_sari(data: Path, sources: int, sampling: Sampling) -> None:
    examples = random.Random(0).sample(load_rsse(data / "rsse" / "dev_sents.csv"), sources)
    generator = LanguageModelGenerator(create_engine("ct2", "gemma-ru", {}), prompt="gemma_ru")
    texts, references = [e.source for e in examples], [e.references for e in examples]
    pools = generator.generate(texts, sampling)
    for weight in _WEIGHTS:
        outputs = [_likeliest(example, pool, weight) for example, pool in zip(examples, pools, strict=True)]
        words = sum(len(text.split()) for text in outputs) / sum(len(text.split()) for text in texts)
        print(
            f"weight {weight:g}: SARI {corpus_sari(texts, outputs, references).sari:.2f} with {words:.0%} of the words"
        )
    print(f"the sources as they are: SARI {corpus_sari(texts, texts, references).sari:.2f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--sources", type=int, default=60)
    parser.add_argument("-n", type=int, default=12)
    parser.add_argument("--temperature", type=float, default=0.5)
    options = parser.parse_args(arguments)
    sampling = Sampling(n=options.n, seed=1, temperature=options.temperature)
    _tell_sari(data_folder(options.data), options.sources, sampling)


if __name__ == "__main__":
    main()
