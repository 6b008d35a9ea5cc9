"""Teach an adapter of the base which of its own draws readers passed (DPO; Rafailov et al., 2023).

    rewrite models export base-en runs/base-en
    python -m training.preferences gemma-en --base runs/base-en --data ../shared/data --out runs/gemma-en
    python -m training.adapter runs/gemma-en --recipe gemma-en --levels 31 --out rewrite/base/models/gemma-en

It goes on from the shipped adapter of that name. What was judged is described in `training.text_acceptance`; a text
with a key `repair` has beside it what a reader made of it, one with a key `guard` was stopped by a check of facts or
form.

With Δ(y) = log π(y | source, controls) - log π₀(y | source, controls), π₀ the adapter that training starts from, the
loss of a sentence is the mean of -log σ(β (Δ(passed) - Δ(faulty))) over its pairs of a text that passed and a faulty
one, plus `--likelihood` times the mean negative log-probability of a token of those that passed: without that share
both kinds may become less likely. A draw and its repair have the same controls; other pairs may differ in them.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.errors import BadInput
from rerank.workers import cores
from rewrite.base.package import ADAPTERS
from rewrite.engines.checkpoint import libraries, quietly
from training.adapter import write_peft
from training.disk import write_folder, write_json
from training.en_pairs import EnglishPlaces
from training.finetuning.base import find_base
from training.finetuning.data import Speller, prompt_of
from training.finetuning.options import FinetuneOptions
from training.finetuning.saving import ADAPTER_WEIGHTS, adapted, copy_adapter
from training.packed import IGNORED, batch_of_shared
from training.recipe import Run, load_recipe
from training.ru_pairs import Places
from training.text_acceptance import JUDGED_TEXTS, judged_rows

__all__ = ["Contrast", "Learner", "Row", "contrasts", "learn", "main"]

_PASSED = frozenset({""})
_MOST = 8


@dataclass(frozen=True)
class Contrast:
    """A source and rewrites of it, as (text, controls), that passed and that did not."""

    source: str
    passed: tuple[tuple[str, str], ...]
    faulty: tuple[tuple[str, str], ...]


def contrasts(rows: Iterator[tuple[str, Mapping[str, Any]]], *, most: int = _MOST) -> Iterator[Contrast]:
    """What the judged rows let one learn: sentences with texts of both kinds, `most` of a kind.

    A text is faulty that a reader found a fault in, or that a guard stopped; no simpler than the source is one.
    """
    for source, row in rows:
        passed, faulty = {}, {}
        for text in row["texts"]:
            controls = text["controls"]
            if text.get("repair"):
                passed[text["repair"], controls] = None
            if text["faults"] in _PASSED:
                passed[text["text"], controls] = None
            elif text["faults"] is not None or text.get("guard"):
                faulty[text["text"], controls] = None
        if passed and faulty:
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
    spelt = [speller.tokens(contrast.source, *text) for text in (*contrast.passed, *contrast.faulty)]
    pairs = tuple((np.asarray(a), np.asarray(b)) for a, b in spelt)
    shortest = min(len(a) for a, _ in pairs)
    heads = np.stack([a[: shortest - 1] for a, _ in pairs])
    alike = int(np.argmin([*(heads == heads[0]).all(axis=0), False]))
    return Row(alike, pairs, len(contrast.passed))


class Learner:
    """The model with its adapter, and what its texts' log-probabilities were before it learnt."""

    def __init__(self, model: Any, rows: Sequence[Row], pad: int, *, beta: float, likelihood: float) -> None:
        self.torch, _ = libraries()
        self.model, self.rows, self._pad, self._beta, self._likelihood = model, rows, pad, beta, likelihood
        with self.torch.no_grad():
            self._before = [self.logprobs(row)[0] for row in rows]

    def logprobs(self, row: Row) -> tuple[Any, Any]:
        """The log-probability of each target, and its tokens, both (targets,)."""
        torch = self.torch
        batch = {n: torch.from_numpy(t) for n, t in batch_of_shared([(row.common, row.pairs)], self._pad).items()}
        labels = batch.pop("labels")[0, 1:]
        bare = self.model.get_base_model()
        hidden = bare.get_decoder()(**batch, use_cache=False).last_hidden_state[0, :-1]
        learnt = labels != IGNORED
        logits = bare.get_output_embeddings()(hidden[learnt]).float()
        each = -torch.nn.functional.cross_entropy(logits, labels[learnt], reduction="none")
        sizes = [len(target) for _, target in row.pairs]
        return torch.stack([part.sum() for part in each.split(sizes)]), torch.tensor(sizes)

    def loss(self, k: int) -> tuple[Any, float]:
        """The loss of a row, and the share of its pairs that are in the right order."""
        row = self.rows[k]
        logprobs, sizes = self.logprobs(row)
        gained = logprobs - self._before[k]
        margins = gained[: row.passed, None] - gained[None, row.passed :]
        loss = -self.torch.nn.functional.logsigmoid(self._beta * margins).mean()
        loss = loss - self._likelihood * (logprobs[: row.passed].sum() / sizes[: row.passed].sum())
        return loss, float((margins > 0).float().mean())


def learn(learner: Learner, rows: Sequence[int], given: argparse.Namespace, out: Path) -> list[dict[str, float]]:
    """One row after the other, `--batch` of them an update; returns what each tenth of the way told."""
    torch = learner.torch
    weights = [part for part in learner.model.parameters() if part.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=given.rate, weight_decay=0.0, betas=(0.9, 0.99))
    order = [k for epoch in range(given.epochs) for k in random.Random(given.seed + epoch).sample(rows, len(rows))]
    updates = math.ceil(len(order) / given.batch)
    told: list[dict[str, float]] = []
    begun, lately = time.monotonic(), []
    for step in range(updates):
        part = order[step * given.batch : (step + 1) * given.batch]
        rate = given.rate * min(1.0, (step + 1) / 10) * (0.05 + 0.95 * (1 + math.cos(math.pi * step / updates)) / 2)
        optimizer.param_groups[0]["lr"] = rate
        for k in part:
            loss, right = learner.loss(k)
            (loss / len(part)).backward()
            lately.append((float(loss.detach()), right))
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if (step + 1) % max(updates // 10, 1) == 0:
            loss, right = np.mean(lately, axis=0)
            lately = []
            told.append({"step": step + 1, "loss": round(float(loss), 4), "right": round(float(right), 4)})
            minutes = (time.monotonic() - begun) / 60
            print(f"step {step + 1}/{updates}: loss {loss:.4f}, {right:.1%} in order, {minutes:.0f} min", flush=True)
            learner.model.save_pretrained(out / "last")
    return told


def _judge(learner: Learner, rows: Sequence[int]) -> dict[str, float]:
    """The mean loss and order of rows that are not learnt from."""
    with learner.torch.no_grad():
        figures = [learner.loss(k) for k in rows]
    loss, right = np.mean([(float(a), b) for a, b in figures], axis=0)
    return {"loss": round(float(loss), 4), "right": round(float(right), 4)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter", choices=sorted(ADAPTERS), help="a shipped adapter, and the recipe of its name")
    parser.add_argument("--base", type=Path, required=True, help="the base in its language, with torch's weights")
    parser.add_argument("--data", type=Path, required=True, help="data folder that the judged places are in")
    parser.add_argument("--judged", type=Path, nargs="+", help="judged texts; default: those of the recipe's language")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--beta", type=float, default=0.1)
    parser.add_argument("--likelihood", type=float, default=0.2)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--batch", type=int, default=8, help="sentences of an update")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--held", type=int, default=40, help="sentences that only measure")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    recipe = load_recipe(given.adapter)
    if recipe.finetune is None or recipe.finetune.lora is None:
        raise BadInput(f"The recipe {given.adapter} has no finetune.lora.", hint="Name one that trains an adapter.")
    options = recipe.finetune.model_copy(update={"model": str(given.base)})
    torch, _ = libraries()
    torch.set_num_threads(options.threads or cores())
    start = given.out / "start"
    start.mkdir(parents=True, exist_ok=True)
    shipped = ADAPTERS[given.adapter]
    write_peft(shipped.read(), start / ADAPTER_WEIGHTS)
    with quietly():
        base = find_base(options, Run(recipe, given.out))
        model = adapted(base.load(), options.lora, kind=base.kind, seed=given.seed, start=start)
    model.eval()
    learner = Learner(
        model,
        rows := _rows(given, options, base, recipe.language),
        base.pad,
        beta=given.beta,
        likelihood=given.likelihood,
    )
    shuffled = random.Random(given.seed).sample(range(len(rows)), len(rows))
    held, learnt = shuffled[: given.held], shuffled[given.held :]
    print(f"{len(learnt)} sentences, {sum(rows[k].tokens for k in learnt):,} tokens an epoch", flush=True)
    before = _judge(learner, held)
    told = learn(learner, learnt, given, given.out)
    settings = {n: getattr(given, n) for n in ("beta", "likelihood", "rate", "batch", "epochs", "seed")}
    after = _judge(learner, held)
    print(f"held out: {before} before, {after} after")
    write_folder(given.out / "adapter", copy_adapter(given.out / "last"))
    write_json(
        given.out / "figures.json",
        {
            **json.loads((shipped.folder / "card.json").read_text(encoding="utf-8"))["figures"],
            "preferences": {
                **settings,
                "sentences": len(learnt),
                "told": told,
                "held out": {"before": before, "after": after},
            },
        },
    )


def _rows(given: argparse.Namespace, options: FinetuneOptions, base: Any, language: str) -> list[Row]:
    places = EnglishPlaces(given.data) if language == "en" else Places(given.data)
    speller = Speller(base, prompt_of(options, base.kind), options.longest)
    rows = (row for file in given.judged or [JUDGED_TEXTS[language]] for row in judged_rows(file, places))
    return [_row(contrast, speller) for contrast in contrasts(rows)]


if __name__ == "__main__":
    main()
