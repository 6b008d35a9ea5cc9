"""Teach an adapter of the base from verdicts on its own draws: which of them to prefer.

    rewrite models export base-en runs/base-en
    python -m training.preferences gemma-en --base runs/base-en --data ../shared/data --out runs/gemma-en-verdicts
    python -m training.adapter runs/gemma-en-verdicts --recipe gemma-en --levels 15 --out rewrite/base/models/gemma-en

It goes on from the shipped adapter of that name. What was judged is described in `training.text_acceptance`; a text
with a key `repair` has beside it what a reader made of it, one with a key `guard` was stopped by a check of facts or
form. A run that was stopped goes on with the same command.

The loss of a sentence is a sum of two.

- Preference (DPO; Rafailov et al., 2023): the mean of -log σ(β (Δ(passed) - Δ(faulty))) over its pairs of a text that
  passed and a faulty one, with Δ(y) = log π(y | source, controls) - log π₀(y | source, controls), π₀ the adapter that
  training starts from. A draw and its repair have the same controls; other pairs may differ in them.
- The mean negative log-probability of a token of those that passed: without that share both kinds may become less
  likely.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.checkpoint import quietly
from rerank.errors import BadInput
from rewrite.base.package import ADAPTERS
from training.adapter import write_peft
from training.command import command_line, run_to_the_end
from training.disk import DIGITS, claim, file_sha256, folder_lock, options_told, write_folder, write_json
from training.finetuning.base import FREE, find_base
from training.finetuning.data import Speller, prompt_of
from training.finetuning.judging import measuring
from training.finetuning.saving import ADAPTER, ADAPTER_WEIGHTS, adapted, copy_files, load_adapter
from training.finetuning.targets import targets_and_logits
from training.finetuning.trainer import losses, train
from training.heads.batches import LengthBatches
from training.packed import alike, batch_of_shared
from training.places import Places
from training.recipe import Run, load_recipe
from training.text_acceptance import JUDGED_TEXTS, judged_rows

_MOST = 4
_BETA = 0.1
_LEARNING = {"learning_rate": 1e-4, "accumulate": 8, "warmup": 10}
"""In the place of what the recipe says; a batch is a sentence."""
_HELD = 40
"""Sentences that only measure."""

Text = tuple[str, str]
"""A rewrite, and the controls that it was asked for with."""


@dataclass(frozen=True)
class Contrast:
    """A source and rewrites of it that passed and that did not."""

    source: str
    passed: tuple[Text, ...]
    faulty: tuple[Text, ...]


def contrasts(rows: Iterator[tuple[str, Mapping[str, Any]]], *, most: int = _MOST) -> Iterator[Contrast]:
    """What the judged rows let one learn, `most` texts of a kind; sentences of which none passed are left out.

    A text is faulty that a reader found a fault in, no simpler than the source being one, or that a guard stopped.
    """
    for source, row in rows:
        passed: dict[Text, None] = {}
        faulty: dict[Text, None] = {}
        for text in row["texts"]:
            controls, faults = text.get("controls", ""), text["faults"]
            if text.get("repair"):
                passed[text["repair"], controls] = None
            if faults == "":
                passed[text["text"], controls] = None
            elif faults is not None or text.get("guard"):
                faulty[text["text"], controls] = None
        if passed:
            yield Contrast(source, (*passed,)[:most], (*faulty,)[:most])


@dataclass(frozen=True)
class Row:
    """A contrast in tokens: how many its prompts begin with alike, prompts and targets, how many of these passed."""

    common: int
    pairs: tuple[tuple[NDArray[Any], NDArray[Any]], ...]
    passed: int

    @property
    def tokens(self) -> int:
        return self.common + sum(len(a) + len(b) - self.common for a, b in self.pairs)


def _row(contrast: Contrast, speller: Speller) -> Row:
    texts = (*contrast.passed, *contrast.faulty)
    spelt = [speller.tokens(contrast.source, *text) for text in texts]
    pairs = tuple((np.asarray(a), np.asarray(b)) for a, b in spelt)
    common = min(alike(pairs[0][0], prompt) for prompt, _ in pairs)
    return Row(common, pairs, len(contrast.passed))


class RowBatches(LengthBatches):
    """A row is a batch. `before` are the log-probabilities of all rows' targets before the model learnt, by row."""

    def __init__(self, rows: Sequence[Row], before: Sequence[Any], pad: int, **settings: Any) -> None:
        super().__init__(rows, [row.tokens for row in rows], tokens=1, **settings)
        self._before, self._pad = before, pad

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        (place,) = self.indices(number)
        row: Row = self.examples[place]
        more = {"before": self._before[place], "passed": torch.arange(len(row.pairs)) < row.passed}
        return {**tables_of(row, self._pad), **more}


def tables_of(row: Row, pad: int) -> dict[str, Any]:
    """What the model reads of a row, what it has to write, `learnt`, and how many tokens each target has, `sizes`."""
    import torch

    tables = batch_of_shared([(row.common, row.pairs)], pad)
    # Of `labels` the Trainer would count the tokens, and take the loss for a sum over these.
    tables["learnt"] = tables.pop("labels")
    return {**tables, "sizes": torch.tensor([len(target) for _, target in row.pairs])}


def scores(model: Any, tables: Mapping[str, Any]) -> Any:
    """The log-probability of each target, `[targets]`."""
    import torch

    inputs = {name: tables[name] for name in ("input_ids", "position_ids", "attention_mask")}
    targets, logits = targets_and_logits(model, {**inputs, "labels": tables["learnt"]})
    each = logits.log_softmax(-1).gather(1, targets[:, None])[:, 0]
    return torch.stack([part.sum() for part in each.split(tables["sizes"].tolist())])


def reference(model: Any, rows: Sequence[Row], pad: int) -> list[Any]:
    """The log-probabilities of the targets of each row, as long as the model has not learnt from them."""
    import torch

    model.eval()
    with torch.no_grad():
        return [scores(model, tables_of(row, pad)) for row in rows]


def outcome(model: Any, tables: Mapping[str, Any]) -> tuple[Any, float]:
    """The loss of a row, and the share of its pairs in the right order, NaN without any."""
    import torch

    logprobs, passed = scores(model, tables), tables["passed"]
    loss = -logprobs[passed].sum() / tables["sizes"][passed].sum()
    gained = logprobs - tables["before"]
    margins = gained[passed, None] - gained[None, ~passed]
    if not margins.numel():
        return loss, math.nan
    return loss - torch.nn.functional.logsigmoid(_BETA * margins).mean(), float((margins > 0).float().mean())


def measure(model: Any, batches: RowBatches) -> dict[str, float]:
    """Mean loss, and share of pairs in order."""
    with measuring(model, batches) as every:
        losses, shares = zip(*((float(loss), right) for loss, right in (outcome(model, b) for b in every)), strict=True)
    return {"loss": round(float(np.mean(losses)), 4), "right": round(float(np.nanmean(shares)), 4)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, learn, write; returns the exit status."""
    parser = command_line("preferences", __doc__)
    parser.add_argument("adapter", choices=sorted(ADAPTERS), help="a shipped adapter, and the recipe of its name")
    parser.add_argument("--base", type=Path, required=True, help="the base in its language, with torch's weights")
    parser.add_argument("--data", type=Path, required=True, help="data folder that the judged places are in")
    parser.add_argument("--judged", type=Path, nargs="+", help="judged texts; default: those of the recipe's language")
    parser.add_argument("--drawn-by", metavar="MODEL", help="learn from the draws of this model alone; default: of all")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--restart", action="store_true", help="remove what an earlier run has left in OUT")
    given = parser.parse_args(arguments)

    def work() -> None:
        with folder_lock(given.out, ".preferences.lock"):
            _teach(given)

    return run_to_the_end("preferences", work)


def _teach(given: argparse.Namespace) -> None:
    recipe = load_recipe(given.adapter)
    if recipe.finetune is None or (lora := recipe.finetune.lora) is None:
        raise BadInput(f"The recipe {given.adapter} has no finetune.lora.", hint="Name one that trains an adapter.")
    options = recipe.finetune.model_copy(update={"model": str(given.base), **_LEARNING})
    with quietly():
        base = find_base(options, Run(recipe, given.out))
    rows = _rows(given, Speller(base, prompt_of(options, "causal"), options.longest), recipe.language)
    work = given.out / "preferences"
    flags = {"epochs": str(given.epochs), "drawn_by": str(given.drawn_by), "seed": str(recipe.seed)}
    counts = {"sentences": str(len(rows)), "tokens": str(sum(row.tokens for row in rows))}
    shipped = ADAPTERS[given.adapter]
    read = [*(given.judged or [JUDGED_TEXTS[recipe.language]]), *shipped.files]
    made_of = {f"file {path.name}": file_sha256(path)[:DIGITS] for path in read}
    made_of |= options_told("finetune", options, free=FREE | {"model"})
    claim(work, {"adapter": given.adapter, **flags, **counts, **made_of}, restart=given.restart)
    write_peft(shipped.read(), work / ADAPTER_WEIGHTS)
    with quietly():
        model = adapted(base.load(), lora, kind=base.kind, seed=recipe.seed, start=work)
    before = reference(model, rows, base.pad)
    shuffled = random.Random(recipe.seed).sample(range(len(rows)), len(rows))

    def batches(chosen: Sequence[int], **settings: int) -> RowBatches:
        return RowBatches(
            [rows[k] for k in chosen], [before[k] for k in chosen], base.pad, seed=recipe.seed, **settings
        )

    held = batches(shuffled[:_HELD])
    learnt = batches(shuffled[_HELD:], epochs=given.epochs, accumulate=options.accumulate)
    print(
        f"{len(learnt.examples)} sentences, {sum(row.tokens for row in learnt.examples):,} tokens an epoch", flush=True
    )
    best, state = train(
        model, learnt, options, seed=recipe.seed, folder=work / "checkpoints", loss=lambda m, b, _: outcome(m, b)[0]
    )
    load_adapter(model, best)
    after = measure(model, held)
    print(f"held out: {after}")
    write_folder(given.out / "adapter", lambda folder: copy_files(best, folder, ADAPTER))
    figures = json.loads((shipped.folder / "card.json").read_text(encoding="utf-8"))["figures"]
    learning = {
        "beta": _BETA,
        **_LEARNING,
        "epochs": given.epochs,
        "drawn_by": given.drawn_by,
        "seed": recipe.seed,
        "sentences": len(learnt.examples),
        "progress": losses(state),
        "held_out": after,
    }
    figures["preferences"] = [*figures.get("preferences", ()), learning]
    write_json(given.out / "figures.json", figures)


def _rows(given: argparse.Namespace, speller: Speller, language: str) -> list[Row]:
    places = Places(given.data)
    rows = (row for file in given.judged or [JUDGED_TEXTS[language]] for row in judged_rows(file, places))
    drawn = ((source, row) for source, row in rows if given.drawn_by in (None, row["model"]))
    return [_row(contrast, speller) for contrast in contrasts(drawn)]


if __name__ == "__main__":
    sys.exit(main())
