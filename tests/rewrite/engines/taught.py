"""The tiny models after a short training, for tests that need answers like those of a real one.

A model with random weights says nearly the same whatever it reads, and never ends; a taught one has learnt an answer to
each of `SOURCES`, with its end, and still leaves some probability to other tokens.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.rewrite.engines import tiny
from tests.rewrite.engines.tiny import SOURCES

__all__ = ["ANSWERS", "FAMILIES", "asked_as", "teach"]

FAMILIES = ("gpt2", "t5", "t5_gated", "marian", "bart", "pegasus", "pegasus_padded")
# One is longer than what the tests let a model say.
ANSWERS = (
    "Филипп женился на Клеопатре.",
    "Дети нашли во дворе кошку, которая спала на старом диване. Кошка была рыжая.",
    "Лил дождь.",
    "Армия Наполеона двинулась к Москве.",
)
# Enough to learn the answers, too few to be sure of each token of them.
_MOST_STEPS = 300
_LOSS = 0.15
_RATE = 0.01
_SEED = 1


def asked_as(family: str, source: str) -> str:
    """What a model of `family` reads to answer `source`."""
    return f"<s>{source} <Simplify:>" if family == "gpt2" else source


def teach(folder: Path, family: str) -> Path:
    """The tiny model of `family`, its weights drawn narrower and trained on `ANSWERS`; written to `folder`."""
    import torch
    import transformers

    getattr(tiny, f"tiny_{family}")(folder)
    kind = transformers.AutoModelForCausalLM if family == "gpt2" else transformers.AutoModelForSeq2SeqLM
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    wide = kind.from_pretrained(folder)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(_SEED)
        model = type(wide)(_narrow(wide.config))
        forced = wide.generation_config.forced_bos_token_id
        start = [] if forced is None else [forced]
        _fit(model, _causal(tokenizer) if family == "gpt2" else _pairs(tokenizer, start))
    model.generation_config = wide.generation_config
    model.eval().save_pretrained(folder)
    return folder


def _narrow(config: Any) -> Any:
    for name, value in (("initializer_range", 0.1), ("init_std", 0.1), ("initializer_factor", 0.3), ("dropout", 0.0)):
        if hasattr(config, name):
            setattr(config, name, value)
    for name in ("resid_pdrop", "embd_pdrop", "attn_pdrop", "dropout_rate"):
        if hasattr(config, name):
            setattr(config, name, 0.0)
    return config


def _fit(model: Any, batch: dict[str, Any]) -> None:
    """Train, in one thread: for so little work others only get in the way."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        _train(model, batch)
    finally:
        torch.set_num_threads(threads)


def _train(model: Any, batch: dict[str, Any]) -> None:
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=_RATE)
    model.train()
    for _ in range(_MOST_STEPS):
        loss = model(**batch).loss
        if loss.item() < _LOSS:
            return
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    raise AssertionError(f"The tiny model did not learn: its loss is {loss.item():.2f}.")


def _causal(tokenizer: Any) -> dict[str, Any]:
    prompts = [tokenizer(asked_as("gpt2", source), add_special_tokens=False)["input_ids"] for source in SOURCES]
    answers = [tokenizer(f" {a}", add_special_tokens=False)["input_ids"] + [tokenizer.eos_token_id] for a in ANSWERS]
    rows = [prompt + answer for prompt, answer in zip(prompts, answers, strict=True)]
    labels = [[-100] * len(prompt) + answer for prompt, answer in zip(prompts, answers, strict=True)]
    return _tensors(rows, labels, tokenizer.pad_token_id)


def _pairs(tokenizer: Any, start: list[int]) -> dict[str, Any]:
    rows = [tokenizer(source)["input_ids"] for source in SOURCES]
    answers = [
        [*start, *tokenizer(text_target=answer, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]
        for answer in ANSWERS
    ]
    return _tensors(rows, answers, tokenizer.pad_token_id)


def _tensors(rows: list[list[int]], labels: list[list[int]], pad: int) -> dict[str, Any]:
    import torch

    def filled(lists: list[list[int]], value: int) -> Any:
        width = max(map(len, lists))
        return torch.tensor([[*numbers, *[value] * (width - len(numbers))] for numbers in lists])

    mask = filled([[1] * len(row) for row in rows], 0)
    return {"input_ids": filled(rows, pad), "attention_mask": mask, "labels": filled(labels, -100)}
