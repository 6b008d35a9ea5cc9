"""Speed and memory of the engines on a model with random weights, beside the library that `ct2` calls.

    python -m benchmarks.generation [--rounds 3] [--threads 2] [--sources 1] [--models DIR]

The model has the sizes of ruGPT3-small. 30 samples of 45 tokens are drawn (top-p 0.95, top-k 200)
after 40 tokens. With weights so random every next token is nearly as probable as any other, so hardly a text ends
early; and tokens are counted as they were really drawn, so that an early end flatters nobody. Rows: `hf` and `ct2` are
the engines of this package, in float32 and int8; `ctranslate2` is the library's own call, with the same settings and
without probabilities of the samples, which the engines add. `ctranslate2 keeping` calls it in a process that keeps
freed memory, as `ct2` makes its own do.

Each row is a process of its own and takes turns with the others, after one round that warms up. Bars, on medians of
ratios within a round: `ct2` ≥ 4 × `hf`, and ≥ 0.9 × the library called directly. Exit code 1 where one is missed.
"""

from __future__ import annotations

import itertools
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.measuring import Apart, Race, command_line
from rerank.checkpoint import quietly
from rewrite.engines.base import ModelInput
from rewrite.engines.convert import convert
from rewrite.errors import RewriteError
from rewrite.generators.base import Sampling

_SEED = 1
_STD = 0.02
_SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")
_TOKENS = 50_257
_WORDS = (
    "в городе который стоит на берегу большой реки много лет жили люди они строили дома сажали сады ловили рыбу и "
    "торговали с соседями но однажды весной вода поднялась выше обычного затопила улицы площадь рынок старый мост "
    "тогда жители решили уйти далеко туда где земля суха"
).split()


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a GPT-2, under the names of its configuration."""

    n_layer: int
    n_embd: int
    n_head: int
    n_positions: int = 2_048
    vocab_size: int = 50_264


RUGPT3_SMALL = Shape(12, 768, 12)


def sources(count: int, words: int = 40) -> list[str]:
    """`count` different texts of `words` words, each of which is one token."""
    return [" ".join(random.Random(seed).choices(_WORDS, k=words)) for seed in range(count)]


def make(shape: Shape, folder: Path) -> tuple[Path, Path]:
    """The model in a folder within `folder` as of Hugging Face, and as CTranslate2's in 8-bit numbers; made once."""
    plain, packed = folder / "float32", folder / "int8"
    if not packed.exists():
        _write(shape, plain)
        packed.mkdir()
        convert(plain, packed, quantization="int8")
    return plain, packed


def _write(shape: Shape, folder: Path) -> None:
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    with torch.random.fork_rng(devices=[]), torch.no_grad():
        config = transformers.GPT2Config(**asdict(shape), pad_token_id=0, bos_token_id=1, eos_token_id=2)
        model: Any = transformers.GPT2LMHeadModel(config)
        torch.manual_seed(_SEED)
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0, _STD)
    known = [*_SPECIAL, *dict.fromkeys(_WORDS)]
    entries = [*known, *(f"~{number}" for number in range(_TOKENS - len(known)))]
    pad, begin, end, unknown = _SPECIAL
    tokenizer = Tokenizer(models.WordLevel({entry: n for n, entry in enumerate(entries)}, unk_token=unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    names = {"pad_token": pad, "bos_token": begin, "eos_token": end, "unk_token": unknown}
    with quietly():
        model.save_pretrained(folder)
        transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)


_BARS = {("ct2", "hf"): 4.0, ("ct2", "ctranslate2"): 0.9}
Draw = Callable[[], int]
"""Draws with the next seed, returns how many tokens it drew."""


def draw_of(row: str, folder: Path, texts: Sequence[str], sampling: Sampling, threads: int) -> Draw:
    """What a row does in each turn after these texts, all in one call; `row` is an engine's name or the library's."""
    if row == "ctranslate2 keeping":
        from rewrite.engines.allocator import keep_freed_memory

        keep_freed_memory()
    return (_library if row.startswith("ctranslate2") else _engine)(row, folder, texts, sampling, threads)


def _engine(row: str, folder: Path, texts: Sequence[str], sampling: Sampling, threads: int) -> Draw:
    from rewrite.engines.registry import create_engine

    engine = create_engine(row, str(folder), {"threads": str(threads), "device": "cpu"})
    inputs = [ModelInput(source=text, text=text) for text in texts]
    seeds = itertools.count()

    def draw() -> int:
        drawn = 0
        for samples in engine.sample(inputs, replace(sampling, seed=next(seeds))):
            if isinstance(samples, RewriteError):
                raise samples
            drawn += sum(sample.tokens or 0 for sample in samples)
        return drawn

    return draw


def _library(row: str, folder: Path, texts: Sequence[str], sampling: Sampling, threads: int) -> Draw:
    import ctranslate2

    from rewrite.engines.tokens import load_tokens

    tokens = load_tokens(folder)
    prompts = [tokens.encode(text) for text in texts]
    generator = ctranslate2.Generator(str(folder), device="cpu", intra_threads=threads)
    seeds = itertools.count()

    def draw() -> int:
        ctranslate2.set_random_seed(next(seeds))
        results = generator.generate_batch(
            prompts,
            num_hypotheses=sampling.n,
            beam_size=1,
            sampling_topk=sampling.top_k,
            sampling_topp=sampling.top_p,
            sampling_temperature=sampling.temperature,
            include_prompt_in_result=False,
            max_length=sampling.max_tokens,
            return_end_token=True,
        )
        return sum(len(sequence) for result in results for sequence in result.sequences)

    return draw


def compare(shape: Shape, models: Path, count: int, sampling: Sampling, *, rounds: int, threads: int) -> bool:
    """Print the rows on a model with their peaks of memory, then the bars; whether one was missed."""
    plain, packed = make(shape, models)
    arguments = (sources(count), sampling, threads)
    folders = {"hf": plain, "ctranslate2": packed, "ctranslate2 keeping": packed, "ct2": packed}
    with Apart() as apart:
        works = [apart.work(row, draw_of, row, folder, *arguments) for row, folder in folders.items()]
        race = Race.run("tokens", works, rounds=rounds, warm=1)
        race.print(f"{count} source{'s' * (count > 1)}", apart.peaks())
    return race.missed(_BARS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the comparison; returns the exit status."""
    parser = command_line(__doc__, data=False)
    parser.add_argument("--threads", type=int, default=2, help="of each row")
    parser.add_argument("--sources", type=int, default=1, help="in one call")
    parser.add_argument("--samples", type=int, default=30, help="for each source")
    parser.add_argument("--tokens", type=int, default=45, help="of each sample")
    parser.add_argument("--models", type=Path, help="folder that keeps the models for the next time")
    options = parser.parse_args(arguments)
    sampling = Sampling(n=options.samples, max_tokens=options.tokens)
    with tempfile.TemporaryDirectory(prefix="rewrite-models-") as scratch:
        models = options.models or Path(scratch)
        count, rounds, threads = options.sources, options.rounds, options.threads
        return int(compare(RUGPT3_SMALL, models, count, sampling, rounds=rounds, threads=threads))


if __name__ == "__main__":
    sys.exit(main())
