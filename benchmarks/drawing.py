"""Drawing from a model, by an engine of this package or a library's own call: from turn to turn with other seeds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.shapes import int8_folder, sources
from rewrite.engines.base import Engine, ModelInput
from rewrite.errors import RewriteError
from rewrite.generators.base import Sampling

__all__ = ["Draw", "ctranslate2_draw", "draw_of", "engine_draw"]

Draw = Callable[[], int]
"""Draws with the next seed, returns how many tokens it drew."""


def draw_of(row: str, folder: Path, count: int, sampling: Sampling, threads: int) -> Draw:
    """What a row of `benchmarks.generation` does after `count` sources; `row` is an engine's name or a library's."""
    texts = sources(count)
    if row == "transformers":
        return _transformers_draw(folder, texts, sampling, threads)
    if row.startswith("ctranslate2"):
        if row.endswith("keeping"):
            from rewrite.engines.allocator import keep_freed_memory

            keep_freed_memory()
        return ctranslate2_draw(int8_folder(folder), [texts], sampling, threads=threads)
    from rewrite.engines.registry import create_engine

    options = {"threads": str(threads), "device": "cpu"}
    engine = create_engine(row, str(int8_folder(folder) if row == "ct2" else folder), options)
    return engine_draw(engine, [[ModelInput(source=text, text=text) for text in texts]], sampling)


def engine_draw(engine: Engine, groups: Sequence[Sequence[ModelInput]], sampling: Sampling) -> Draw:
    """The engine, in a call for each group of inputs."""
    seeds = itertools.count()

    def draw() -> int:
        drawn, seed = 0, next(seeds)
        for group in groups:
            for samples in engine.sample(group, replace(sampling, seed=seed)):
                if isinstance(samples, RewriteError):
                    raise samples
                drawn += sum(sample.tokens or 0 for sample in samples)
        return drawn

    return draw


def ctranslate2_draw(folder: Path, groups: Sequence[Sequence[str]], sampling: Sampling, *, threads: int) -> Draw:
    """The library's own call, one for each group of prompts."""
    import ctranslate2

    from rewrite.engines.tokens import load_tokens

    tokens = load_tokens(folder)
    prompts = [[tokens.encode(text) for text in group] for group in groups]
    generator = ctranslate2.Generator(str(folder), device="cpu", intra_threads=threads)
    seeds = itertools.count()

    def draw() -> int:
        ctranslate2.set_random_seed(next(seeds))
        results = [
            result
            for group in prompts
            for result in generator.generate_batch(
                group,
                num_hypotheses=sampling.n,
                beam_size=1,
                sampling_topk=sampling.top_k,
                sampling_topp=sampling.top_p,
                sampling_temperature=sampling.temperature,
                include_prompt_in_result=False,
                max_length=sampling.max_tokens,
                return_end_token=True,
            )
        ]
        return sum(len(sequence) for result in results for sequence in result.sequences)

    return draw


def _transformers_draw(folder: Path, texts: Sequence[str], sampling: Sampling, threads: int) -> Draw:
    import torch
    import transformers

    from rewrite.engines.checkpoint import quietly

    torch.set_num_threads(threads)
    with quietly():
        tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
        model: Any = transformers.AutoModelForCausalLM.from_pretrained(folder, torch_dtype=torch.float32).eval()
    (text,) = texts
    prompt = tokenizer(text, return_tensors="pt", return_token_type_ids=False)
    length = prompt["input_ids"].shape[1]

    def draw() -> int:
        with torch.inference_mode():
            drawn = model.generate(
                **prompt,
                do_sample=True,
                top_k=sampling.top_k,
                top_p=sampling.top_p,
                num_return_sequences=sampling.n,
                max_new_tokens=sampling.max_tokens,
                pad_token_id=tokenizer.pad_token_id,
            )
        ends = drawn[:, length:] == tokenizer.eos_token_id
        # Counted with its end token, as everywhere; behind it there is only padding.
        return int((ends.cumsum(dim=1) - ends.long() == 0).sum())

    return draw
