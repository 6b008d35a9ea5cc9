"""Pairs as the tokens that a model learns from, those that it would read and write in use; what it is judged on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from rerank.checkpoint import quietly
from rewrite.controls import Controls
from rewrite.datasets import Example
from rewrite.engines.base import Kind, ModelInput
from rewrite.errors import BadInput, BadOption
from rewrite.layout import one_line
from rewrite.prompting import Prompt, load_prompt
from training.disk import make_once, write_text
from training.finetuning.base import Base
from training.finetuning.learning import FinetuneOptions
from training.masked.corpora import HeldBack
from training.packed import Pack, write_pack
from training.pairs import PlacedPair, RowCount, read_examples, read_pairs
from training.recipe import Run
from training.records import drawn

_COUNTS = "counts.json"


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
        reasons = [f"{count:,} {why}" for why, count in left_out.items() if count]
        return f"{self.used:,} pairs" + (f"; left out: {', '.join(reasons)}" if reasons else "")


def prompt_of(options: FinetuneOptions, kind: Kind) -> Prompt:
    """The prompt for pairs. Raises `BadOption` where none is named, or it does not suit a model of `kind`."""
    named = options.prompt or ("seq2seq_plain" if kind == "seq2seq" else None)
    if named is None:
        raise BadOption(
            "No prompt is named in finetune.prompt: a causal model has to learn where the source ends.",
            hint="For the format of the RuSimScore paper: prompt: rugpt3_simplify.",
        )
    prompt = load_prompt(named)
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
        self, pairs: Iterable[PlacedPair], held_out: HeldBack, counts: PairCounts
    ) -> Iterator[tuple[list[int], list[int]]]:
        """Tokens of source and target of each pair that can be used; what is like a text of `held_out` cannot."""
        for pair in pairs:
            if pair.source in held_out or pair.target in held_out:
                counts.held_out += 1
                continue
            try:
                spelt = self.tokens(pair.source, pair.target, pair.controls)
            except (BadInput, BadOption):
                counts.unusable += 1
                continue
            sizes = [len(side) for side in spelt]
            if (max(sizes) if self._base.kind == "seq2seq" else sum(sizes)) > self._longest:
                counts.too_long += 1
                continue
            counts.used += 1
            yield spelt

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


def training_packs(
    options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, held_out: HeldBack, folder: Path
) -> tuple[list[Pack], PairCounts]:
    """The packs to learn from, one for each file of pairs, and what became of the pairs.

    They are made in `folder` unless they are there. Raises `BadInput` for too many malformed rows or no pair at all.
    """
    with quietly():
        make_once(folder, partial(_make, options, run, base, prompt, held_out))
    packs = [Pack(folder / str(i)) for i in range(len(options.files))]
    return packs, PairCounts(**json.loads((folder / _COUNTS).read_text(encoding="utf-8")))


def _make(options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, held_out: HeldBack, folder: Path) -> None:
    rows, counts = RowCount(), PairCounts()
    speller = Speller(base, prompt, options.longest)
    for i, file in enumerate(options.files):
        pairs = read_pairs(run.path(file.path), file, rows)
        written = write_pack(folder / str(i), speller.spell(pairs, held_out, counts))
        print(f"{file.path}: {written:,} pairs", flush=True)
    rows.settle(options.bad_rows, print)
    print(f"altogether {counts}", flush=True)
    if not counts.used:
        raise BadInput(f"No pair can be used: {rows.rows:,} rows read, {counts}.", hint="See docs/finetune.md, Pairs.")
    write_text(folder / _COUNTS, json.dumps(asdict(counts)))


def dev_examples(options: FinetuneOptions, run: Run) -> list[Example]:
    """The sources to judge on, drawn from the recipe's dev file; none where there is no file.

    Raises `BadInput` for a file that cannot be read.
    """
    dev = options.dev
    if dev is None:
        return []
    return drawn(read_examples(run.path(dev.path), bad_rows=options.bad_rows), dev.sources, run.recipe.seed)
