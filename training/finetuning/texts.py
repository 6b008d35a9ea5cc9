"""A pair of texts as the tokens that a model learns from: those that it would read and write when it is in use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rewrite.controls import Controls
from rewrite.engines.base import Kind, ModelInput
from rewrite.errors import BadInput, BadOption
from rewrite.layout import one_line
from rewrite.prompting import Prompt, load_prompt
from training.finetuning.base import Base
from training.finetuning.options import FinetuneOptions
from training.held_back import HeldBack

__all__ = ["PLAIN", "PairCounts", "Speller", "prompt_of", "require_kind"]

PLAIN = "seq2seq_plain"


@dataclass
class PairCounts:
    """What became of the pairs: `too_long` ones, `unusable` ones and those `held_out` for dev are left out."""

    used: int = 0
    too_long: int = 0
    unusable: int = 0
    held_out: int = 0

    def __str__(self) -> str:
        left_out = {
            "too long": self.too_long,
            "with a stop string in the target, or without the prompt's controls": self.unusable,
            "like a text of dev": self.held_out,
        }
        told = [f"{count:,} {why}" for why, count in left_out.items() if count]
        return f"{self.used:,} pairs" + (f"; left out: {', '.join(told)}" if told else "")


def prompt_of(options: FinetuneOptions, kind: Kind) -> Prompt:
    """The prompt for pairs. Raises `BadOption` where none is named, or it does not suit a model of `kind`."""
    named = options.prompt or (PLAIN if kind == "seq2seq" else None)
    return require_kind(load_prompt(named) if named is not None else None, kind)


def require_kind(prompt: Prompt | None, kind: Kind) -> Prompt:
    """The prompt, if a model of `kind` can learn by it. Raises `BadOption`; also where there is none."""
    if prompt is None:
        raise BadOption(
            "No prompt is named in finetune.prompt: a causal model has to learn where the source ends.",
            hint="For the format of the RuSimScore paper: prompt: rugpt3_simplify.",
        )
    if prompt.kind != kind:
        raise BadOption(
            f"The prompt {prompt.name!r} is of kind {prompt.kind}, the model of kind {kind}.",
            hint="Name another in finetune.prompt (rewrite prompts lists them).",
        )
    if kind == "causal":
        prompt.training_text("-", "-")
    return prompt


class Speller:
    """Makes tokens of pairs with the code that puts sources to a model in use: `Prompt.render`, `ModelText.encode`."""

    def __init__(self, base: Base, prompt: Prompt, longest: int) -> None:
        self._base = base
        self._prompt = prompt
        self._longest = min(longest, base.context)

    def spell(
        self, pairs: Iterable[tuple[str, str, str]], held_out: HeldBack, counts: PairCounts
    ) -> Iterator[tuple[list[int], list[int]]]:
        """Tokens of source and target of each pair that can be used; what is like a text of `held_out` cannot.

        A pair is source, target and controls.
        """
        for source, target, controls in pairs:
            if source in held_out or target in held_out:
                counts.held_out += 1
                continue
            try:
                spelt = self.tokens(source, target, controls)
            except (BadInput, BadOption):
                counts.unusable += 1
                continue
            if self._fits(spelt):
                counts.used += 1
                yield spelt
            else:
                counts.too_long += 1

    def tokens(self, source: str, target: str, controls: str = "") -> tuple[list[int], list[int]]:
        """What the model reads, and what it has to write with its end. Raises `BadInput` for a target with a stop."""
        if self._prompt.controlled:
            Controls.read(controls)
        read = self._prompt.render(source, controls)
        before = self._base.text.encode(read)
        if self._base.kind == "seq2seq":
            return before, [*self._base.prefix, *self._base.text.encode_answer(one_line(target))]
        whole = self._prompt.training_text(source, target, controls)
        return before, self._continuation(source, before, read.text, whole)

    def _continuation(self, source: str, before: list[int], read: str, whole: str) -> list[int]:
        """The tokens of what goes on from `read` to `whole`."""
        together = self._base.text.encode(ModelInput(source=source, text=whole))
        if together[: len(before)] == before:
            return together[len(before) :]
        # Some tokenizers join a word with what stands before it, but a model in use has read up to there already.
        alone: list[int] = self._base.tokenizer(whole[len(read) :], add_special_tokens=False)["input_ids"]
        return alone

    def _fits(self, spelt: tuple[list[int], list[int]]) -> bool:
        source, target = map(len, spelt)
        return (max(source, target) if self._base.kind == "seq2seq" else source + target) <= self._longest
