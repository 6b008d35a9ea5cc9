"""What each row of `benchmarks.generation` does in its process: a library's own call, or an engine of this package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.shapes import int8_folder, sources

__all__ = ["Task", "draw_function", "engine_rows"]

_TOP_K, _TOP_P = 200, 0.95


@dataclass(frozen=True, slots=True)
class Task:
    """What one row does in each turn."""

    row: str
    model: str
    sources: int
    samples: int
    tokens: int
    threads: int


def draw_function(task: Task) -> Callable[[int], int]:
    """The work of a row, its library imported and its model loaded: takes a seed, returns the tokens it drew."""
    texts = sources(task.sources)
    if task.row == "transformers":
        return _transformers(task, texts)
    if task.row.startswith("ctranslate2"):
        return _ctranslate2(task, texts, halves=task.row.endswith("halves"))
    settings = {"parts": "1"} if task.row.endswith("undivided") else {}
    return engine_rows(task, texts, **settings)


def engine_rows(task: Task, texts: Sequence[str], **settings: str) -> Callable[[int], int]:
    """The work of an engine of this package, the first word of the row being its name."""
    from rewrite.engines.base import ModelInput
    from rewrite.engines.registry import create_engine
    from rewrite.errors import RewriteError
    from rewrite.generators.base import Sampling

    folder = Path(task.model)
    name = task.row.split()[0]
    options = {"threads": str(task.threads), "device": "cpu", **settings}
    engine = create_engine(name, str(int8_folder(folder) if name == "ct2" else folder), options)
    inputs = [ModelInput(source=text, text=text) for text in texts]

    def draw(seed: int) -> int:
        sampling = Sampling(n=task.samples, seed=seed, max_tokens=task.tokens, top_k=_TOP_K, top_p=_TOP_P)
        drawn = 0
        for samples in engine.sample(inputs, sampling):
            if isinstance(samples, RewriteError):
                raise samples
            drawn += sum(sample.tokens or 0 for sample in samples)
        return drawn

    return draw


def _transformers(task: Task, texts: Sequence[str]) -> Callable[[int], int]:
    import torch
    import transformers

    from rewrite.engines.checkpoint import quietly

    torch.set_num_threads(task.threads)
    with quietly():
        tokenizer: Any = transformers.AutoTokenizer.from_pretrained(task.model)
        model: Any = transformers.AutoModelForCausalLM.from_pretrained(task.model, torch_dtype=torch.float32).eval()
    (text,) = texts
    prompt = tokenizer(text, return_tensors="pt", return_token_type_ids=False)
    length = prompt["input_ids"].shape[1]

    def draw(seed: int) -> int:
        torch.manual_seed(seed)
        with torch.inference_mode():
            found = model.generate(
                **prompt,
                do_sample=True,
                top_k=_TOP_K,
                top_p=_TOP_P,
                num_return_sequences=task.samples,
                max_new_tokens=task.tokens,
                pad_token_id=tokenizer.pad_token_id,
            )
        ends = found[:, length:] == tokenizer.eos_token_id
        # Counted with its end token, as everywhere; behind it there is only padding.
        return int((ends.cumsum(dim=1) - ends.long() == 0).sum())

    return draw


def _ctranslate2(task: Task, texts: Sequence[str], *, halves: bool) -> Callable[[int], int]:
    """One call that draws all samples, or, as `ct2` does it, two at once for half of them each, freed memory kept."""
    import ctranslate2

    from rewrite.engines.allocator import keep_freed_memory
    from rewrite.engines.tokens import load_tokens

    folder = int8_folder(Path(task.model))
    tokens = load_tokens(folder)
    prompts = [tokens.encode(text) for text in texts]
    parts = 2 if halves else 1
    if halves:
        keep_freed_memory()
    generator = ctranslate2.Generator(
        str(folder), device="cpu", inter_threads=parts, intra_threads=max(1, task.threads // parts)
    )

    def part(samples: int) -> int:
        found = generator.generate_batch(
            prompts,
            num_hypotheses=samples,
            beam_size=1,
            sampling_topk=_TOP_K,
            sampling_topp=_TOP_P,
            include_prompt_in_result=False,
            max_length=task.tokens,
            return_end_token=True,
        )
        return sum(len(sequence) for result in found for sequence in result.sequences)

    def draw(seed: int) -> int:
        ctranslate2.set_random_seed(seed)
        with ThreadPoolExecutor(parts) as pool:
            return sum(pool.map(part, [(task.samples + i) // parts for i in range(parts)]))

    return draw
