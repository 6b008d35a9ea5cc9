"""What tests of the engine hf share: inputs, and the same model as transformers itself runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rewrite.engines.base import ModelInput, Sample
from rewrite.engines.hf import HFEngine, create
from rewrite.generators.base import Sampling
from tests.rewrite.engines.tiny import SOURCES

__all__ = ["GREEDY", "SAMPLED", "ModelFolder", "Theirs", "inputs", "new", "numbers", "samples", "texts"]

GREEDY = Sampling(n=1, temperature=0, max_tokens=24)
SAMPLED = Sampling(n=6, seed=3, temperature=1.2, top_p=0.9, top_k=50, max_tokens=16)
ModelFolder = Callable[[str], Path]


@dataclass
class Theirs:
    """A model and tokenizer as transformers loads them; every computation alone, without padding."""

    folder: Path
    seq2seq: bool

    @cached_property
    def tokenizer(self) -> Any:
        import transformers

        return transformers.AutoTokenizer.from_pretrained(self.folder)

    @cached_property
    def model(self) -> Any:
        import transformers

        kind = transformers.AutoModelForSeq2SeqLM if self.seq2seq else transformers.AutoModelForCausalLM
        model = kind.from_pretrained(self.folder)
        model.generation_config.forced_eos_token_id = None
        return model

    def greedy(self, text: str, tokens: int) -> list[int]:
        """New tokens that greedy search writes, the end token included."""
        inputs = self.tokenizer(text, return_tensors="pt")
        inputs.pop("token_type_ids", None)
        found = self.model.generate(
            **inputs,
            max_new_tokens=tokens + self.forced,
            do_sample=False,
            num_beams=1,
            suppress_tokens=self.never or None,
        )
        skipped = 1 + self.forced if self.seq2seq else inputs["input_ids"].shape[1]
        new: list[int] = found[0, skipped:].tolist()
        return new

    @property
    def forced(self) -> int:
        return int(self.model.generation_config.forced_bos_token_id is not None)

    @cached_property
    def never(self) -> list[int]:
        """Entries of the vocabulary that no sample has: those without a token, and what the checkpoint bans."""
        banned = [number for word in self.model.generation_config.bad_words_ids or [] for number in word]
        return [*range(len(self.tokenizer), self.model.config.vocab_size), *banned]

    def logprob(self, text: str, tokens: list[int], *, among_all: bool = False) -> float:
        return sum(self.logprobs(text, tokens, among_all=among_all))

    def logprobs(self, text: str, tokens: list[int], *, among_all: bool = False) -> list[float]:
        """Of each token as the answer to `text`; `among_all`, entries that no sample has take their share too."""
        import torch

        prompt = self.tokenizer(text, return_tensors="pt")["input_ids"]
        if self.seq2seq:
            start = [self.model.generation_config.decoder_start_token_id]
            start += [self.model.generation_config.forced_bos_token_id] * self.forced
            asked = {"input_ids": prompt, "decoder_input_ids": torch.tensor([start + tokens])}
            first = len(start) - 1
        else:
            asked = {"input_ids": torch.cat([prompt, torch.tensor([tokens])], dim=1)}
            first = prompt.shape[1] - 1
        with torch.no_grad():
            logits = self.model(**asked).logits[0]
        steps = logits[first : first + len(tokens)]
        if not among_all:
            steps = steps.index_fill(1, torch.tensor(self.never, dtype=torch.long), -torch.inf)
        steps = steps.log_softmax(dim=-1)
        return [float(steps[place, token].item()) for place, token in enumerate(tokens)]

    def decode(self, tokens: list[int]) -> str:
        text: str = self.tokenizer.decode(tokens, skip_special_tokens=True)
        return text


def new(folder: Path, **options: str) -> HFEngine:
    return create(str(folder), {"device": "cpu", "threads": "1", **options})


def inputs(*texts: str) -> list[ModelInput]:
    return [ModelInput(source=text, text=text) for text in texts or SOURCES]


def samples(engine: HFEngine, given: list[ModelInput], sampling: Sampling) -> list[list[Sample]]:
    found = engine.sample(given, sampling)
    assert all(isinstance(drawn, list) and len(drawn) == sampling.n for drawn in found)
    return [drawn for drawn in found if isinstance(drawn, list)]


def texts(engine: HFEngine, given: list[ModelInput], sampling: Sampling) -> list[list[str]]:
    """Without figures: these may differ in their last digits by where in memory the weights lie."""
    return [[sample.text for sample in drawn] for drawn in samples(engine, given, sampling)]


def numbers(sample: Sample) -> list[int]:
    return [int(number) for number in sample.text.split()]
