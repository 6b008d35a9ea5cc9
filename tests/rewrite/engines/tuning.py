"""A tiny GPT-2 taught pairs by heart, with one of the library's own prompts as the training format."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewrite.prompting import load_prompt

__all__ = ["fine_tune"]

# Times that each pair is read, and steps that it takes to read all once: few pairs at a time are learnt sooner.
_EPOCHS, _PARTS = 40, 5
_RATE = 5e-3
# Characters of the next line that a model which goes on learns.
_NEXT = 24


def fine_tune(
    folder: Path, pairs: Sequence[tuple[str, str]], *, prompt: str = "rugpt3_simplify", goes_on: bool = False
) -> Path:
    """Train until the pairs are learnt; the folder holds the model, its tokenizer and its prompt.

    With `goes_on` the model learns no end: after an answer's end marker it begins the next line of its training text.
    """
    import torch
    import transformers

    form = load_prompt(prompt)
    lines = [form.training_text(source, target) for source, target in pairs]
    if goes_on:
        lines = [f"{line}\n{after[:_NEXT]}" for line, after in zip(lines, [*lines[1:], lines[0]], strict=True)]
    tokenizer = _tokenizer(lines)
    encoded = tokenizer(lines, padding=True, return_tensors="pt", add_special_tokens=False)
    labels = encoded["input_ids"].masked_fill(encoded["attention_mask"] == 0, -100)
    torch.manual_seed(0)
    model = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=256,
            n_embd=96,
            n_layer=1,
            n_head=4,
            resid_pdrop=0,
            embd_pdrop=0,
            attn_pdrop=0,
            bos_token_id=0,
            eos_token_id=1,
            pad_token_id=2,
        )
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=_RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=_EPOCHS * _PARTS)
    for _ in range(_EPOCHS):
        for part in torch.randperm(len(lines)).tensor_split(_PARTS):
            loss: Any = model(**{name: rows[part] for name, rows in encoded.items()}, labels=labels[part]).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    shutil.copy(Path(__file__).resolve().parents[3] / "prompts" / f"{prompt}.yaml", folder / "prompt.yaml")
    return folder


def _tokenizer(lines: Sequence[str]) -> Any:
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1_200,
        special_tokens=["<s>", "</s>", "<pad>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>"
    )
