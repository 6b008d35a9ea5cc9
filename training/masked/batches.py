"""What a masked model learns from, and what is held out: texts, none of them twice, and batches with masks in them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from training.finetuning.judging import measuring
from training.heads.batches import LengthBatches
from training.masked.corpora import HeldBack
from training.packed import IGNORED

_WORD = re.compile(r"\w+")
_MOST_HELD_OUT = 3_000
_CHUNK = 5_000
_JOINED = 0.2
"""Share of sentences that the next one is joined to."""
_UNSTOPPED = 0.08
"""Share of texts without their last stop, as compressed sentences often are."""

Paragraphs = list[list[str]]


def gather(
    paragraphs: Iterable[list[str]], held_back: HeldBack, *, share: float, seed: int
) -> tuple[Paragraphs, Paragraphs]:
    """Paragraphs to learn from, in random order, and `share` of all, at most 3,000, held out.

    A sentence that equals an earlier one but for case and marks is dropped, so none that is held out is learnt from;
    and one that is `held_back`.
    """
    shuffled = list(paragraphs)
    random.Random(seed).shuffle(shuffled)
    first = min(max(1, round(share * len(shuffled))), _MOST_HELD_OUT)
    seen: set[int] = set()
    kept: Paragraphs = []
    for paragraph in shuffled:
        new = []
        for sentence in paragraph:
            key = hash(tuple(_WORD.findall(sentence.lower())))
            if key not in seen and sentence not in held_back:
                seen.add(key)
                new.append(sentence)
        kept.append(new)
    return kept[first:], kept[:first]


def texts(paragraphs: Iterable[Sequence[str]], seed: int) -> Iterator[str]:
    """A sentence, or sometimes two neighbours, at a time; some without the stop at their end."""
    rng = random.Random(seed)
    for paragraph in paragraphs:
        left = list(paragraph)
        while left:
            text = left.pop(0)
            if left and rng.random() < _JOINED:
                text = f"{text} {left.pop(0)}"
            yield text.removesuffix(".") if rng.random() < _UNSTOPPED else text


class MaskedBatches(LengthBatches):
    """Batches of texts, longer ones than the `tokenizer` allows cut off, with [MASK] in the place of some words.

    An item has `input_ids`, `attention_mask` and `labels`, each `[rows, longest]`: a label is the token that stood at a
    mask, else `IGNORED`. In the share `whole_words` of batches words are masked with all their tokens and the marks
    that touch them, in the others single tokens; `masked` is the share of them. What is masked depends on the seed and
    the number of the batch alone. `settings` are those of `LengthBatches`.
    """

    def __init__(
        self, texts: Sequence[str], tokenizer: Any, *, masked: float, whole_words: float, seed: int, **settings: Any
    ) -> None:
        from transformers import DataCollatorForLanguageModeling

        self._tokenizer, self._whole_words = tokenizer, whole_words
        self._maskers = [
            DataCollatorForLanguageModeling(
                tokenizer,
                whole_word_mask=whole,
                mlm_probability=masked,
                mask_replace_prob=1.0,
                random_replace_prob=0.0,
            )
            for whole in (False, True)
        ]
        parts = (texts[first : first + _CHUNK] for first in range(0, len(texts), _CHUNK))
        lengths = [len(row) for part in parts for row in tokenizer(part, truncation=True)["input_ids"]]
        super().__init__(texts, lengths, seed=seed, **settings)

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        rows = self._tokenizer(
            [self.examples[i] for i in self.indices(number)],
            truncation=True,
            padding=True,
            return_tensors="pt",
            return_token_type_ids=False,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        rng = np.random.default_rng([self._seed, 1, number])
        masker = self._maskers[int(rng.random() < self._whole_words)]
        masker.generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        tokens, labels = masker.torch_mask_tokens(
            rows["input_ids"],
            special_tokens_mask=rows["special_tokens_mask"],
            offset_mapping=rows["offset_mapping"],
        )
        return {"input_ids": tokens, "attention_mask": rows["attention_mask"], "labels": labels}


def measure(model: Any, batches: MaskedBatches) -> dict[str, float]:
    """On all held-out texts once, with the masks of epoch 0.

    `loss` in nats a mask, `accuracy`, the share of masks whose first guess is right, and how many `masks` there were.
    """
    loss, right, masks = 0.0, 0, 0
    with measuring(model, batches) as every:
        for batch in every:
            said, targets = model(**batch), batch["labels"][batch["labels"] != IGNORED]
            loss += float(said["loss"]) * len(targets)
            right += int((said["logits"].argmax(-1) == targets).sum())
            masks += len(targets)
    return {"loss": loss / max(masks, 1), "accuracy": right / max(masks, 1), "masks": masks}
