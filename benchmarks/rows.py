"""What each row of `benchmarks.generation` does in its process: a library's own call, or an engine of this package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
        return _ctranslate2(task, texts, keep=task.row.endswith("keeping"))
    return engine_rows(task, texts)


def engine_rows(task: Task, texts: Sequence[str], **settings: str) -> Callable[[int], int]:
    """The work of an engine of this package, the row being its name."""
    from rewrite.engines.base import ModelInput
    from rewrite.engines.registry import create_engine
    from rewrite.errors import RewriteError
    from rewrite.generators.base import Sampling

    folder = Path(task.model)
    options = {"threads": str(task.threads), "device": "cpu", **settings}
    engine = create_engine(task.row, str(int8_folder(folder) if task.row == "ct2" else folder), options)
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


def _ctranslate2(task: Task, texts: Sequence[str], *, keep: bool) -> Callable[[int], int]:
    """The library's own call, with `keep` on the allocator that `ct2` sets up."""
    import ctranslate2

    from rewrite.engines.allocator import keep_freed_memory
    from rewrite.engines.tokens import load_tokens

    if keep:
        keep_freed_memory()
    folder = int8_folder(Path(task.model))
    tokens = load_tokens(folder)
    prompts = [tokens.encode(text) for text in texts]
    generator = ctranslate2.Generator(str(folder), device="cpu", intra_threads=task.threads)

    def draw(seed: int) -> int:
        ctranslate2.set_random_seed(seed)
        found = generator.generate_batch(
            prompts,
            num_hypotheses=task.samples,
            beam_size=1,
            sampling_topk=_TOP_K,
            sampling_topp=_TOP_P,
            include_prompt_in_result=False,
            max_length=task.tokens,
            return_end_token=True,
        )
        return sum(len(sequence) for result in found for sequence in result.sequences)

    return draw
