"""Teach an adapter of the base from verdicts on its own draws: which to prefer, and to doubt what is faulty.

    rewrite models export base-en runs/base-en
    python -m training.preferences gemma-en --base runs/base-en --data ../shared/data --out runs/gemma-en-verdicts
    python -m training.adapter runs/gemma-en-verdicts --recipe gemma-en --levels 15 --out rewrite/base/models/gemma-en

It goes on from the shipped adapter of that name. What was judged is described in `training.text_acceptance`; a text
with a key `repair` has beside it what a reader made of it, one with a key `guard` was stopped by a check of facts or
form.

The loss of a sentence is a sum of three.

- Preference (DPO; Rafailov et al., 2023): the mean of -log σ(β (Δ(passed) - Δ(faulty))) over its pairs of a text that
  passed and a faulty one, with Δ(y) = log π(y | source, controls) - log π₀(y | source, controls), π₀ the adapter that
  training starts from. A draw and its repair have the same controls; other pairs may differ in them.
- The mean negative log-probability of a token of those that passed: without that share both kinds may become less
  likely.
- The mean negative log-probability of how a text is to end: with the end token where it is harmless, with the prompt's
  token of `doubt` where it is faulty. In use the model says so of each draw as it ends it.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.checkpoint import libraries, quietly
from rerank.errors import BadInput
from rerank.workers import cores
from rewrite.base.package import ADAPTERS
from rewrite.errors import BadOption
from rewrite.evaluate.resampling import area_under_curve
from training.adapter import write_peft
from training.command import command_line, run_to_the_end
from training.disk import write_folder, write_json
from training.finetuning.base import find_base
from training.finetuning.data import Speller, prompt_of
from training.finetuning.saving import ADAPTER, ADAPTER_WEIGHTS, adapted, copy_files
from training.packed import IGNORED, batch_of_shared
from training.places import Places
from training.readings import HARMLESS
from training.recipe import Run, load_recipe
from training.text_acceptance import JUDGED_TEXTS, judged_rows

_MOST = 4
_HELD = 40
"""Sentences that only measure."""

Text = tuple[str, str]
"""A rewrite, and the controls that it was asked for with."""


@dataclass(frozen=True)
class Contrast:
    """A source and rewrites of it that passed and that did not; `doubted` are those that are not only no simpler."""

    source: str
    passed: tuple[Text, ...]
    faulty: tuple[Text, ...]
    doubted: frozenset[Text] = frozenset()


def contrasts(rows: Iterator[tuple[str, Mapping[str, Any]]], *, most: int = _MOST) -> Iterator[Contrast]:
    """What the judged rows let one learn, `most` texts of a kind.

    A text is faulty that a reader found a fault in, or that a guard stopped; no simpler than the source is one, but no
    reason to doubt a text.
    """
    for source, row in rows:
        passed: dict[Text, None] = {}
        faulty: dict[Text, bool] = {}
        for text in row["texts"]:
            controls, faults = text.get("controls", ""), text["faults"]
            if text.get("repair"):
                passed[text["repair"], controls] = None
            if faults == "":
                passed[text["text"], controls] = None
            elif faults is not None or text.get("guard"):
                faulty[text["text"], controls] = faults not in HARMLESS
        if passed or faulty:
            kept = [*faulty][:most]
            yield Contrast(source, (*passed,)[:most], tuple(kept), frozenset(text for text in kept if faulty[text]))


@dataclass(frozen=True)
class Row:
    """A contrast in tokens: how many its prompts begin with alike, prompts and targets, how many of these passed.

    `doubted`: which of the targets are to end in doubt.
    """

    common: int
    pairs: tuple[tuple[NDArray[Any], NDArray[Any]], ...]
    passed: int
    doubted: tuple[bool, ...]

    @property
    def tokens(self) -> int:
        return self.common + sum(len(a) + len(b) - self.common for a, b in self.pairs)


def _row(contrast: Contrast, speller: Speller) -> Row:
    texts = (*contrast.passed, *contrast.faulty)
    spelt = [speller.tokens(contrast.source, *text) for text in texts]
    pairs = tuple((np.asarray(a), np.asarray(b)) for a, b in spelt)
    shortest = min(len(a) for a, _ in pairs)
    heads = np.stack([a[: shortest - 1] for a, _ in pairs])
    alike = int(np.argmin([*(heads == heads[0]).all(axis=0), False]))
    return Row(alike, pairs, len(contrast.passed), tuple(text in contrast.doubted for text in texts))


@dataclass(frozen=True)
class Weights:
    """What the parts of the loss count, and β."""

    beta: float = 0.1
    likelihood: float = 1.0
    verdict: float = 1.0


@dataclass(frozen=True)
class Outcome:
    """What a row tells: its loss, the share of its pairs in the right order, and how sure the model is of each text.

    `sure` is the log-odds that a text ends without doubt, `doubted` whether it should end with it.
    """

    loss: Any
    right: float
    sure: tuple[float, ...]
    doubted: tuple[bool, ...]


class Learner:
    """The model with its adapter, and what its texts' log-probabilities were before it learnt.

    `doubt` is the token that a faulty text is to end with; `pad` fills rows up.
    """

    def __init__(self, model: Any, rows: Sequence[Row], weights: Weights, *, doubt: int, pad: int) -> None:
        self.torch, _ = libraries()
        self.model, self.rows, self._weights, self._doubt, self._pad = model, rows, weights, doubt, pad
        with self.torch.no_grad():
            self._before = [self.scores(row)[0] for row in rows]

    def scores(self, row: Row) -> tuple[Any, Any, Any]:
        """The log-probability of each target but for its end, its tokens but for that, and those of its two ends.

        The first two are (targets,), the last (targets, 2): the end token and that of doubt.
        """
        torch = self.torch
        batch = {n: torch.from_numpy(t) for n, t in batch_of_shared([(row.common, row.pairs)], self._pad).items()}
        labels = batch.pop("labels")[0, 1:]
        bare = self.model.get_base_model()
        hidden = bare.get_decoder()(**batch, use_cache=False).last_hidden_state[0, :-1]
        learnt = labels != IGNORED
        logprobs = bare.get_output_embeddings()(hidden[learnt]).float().log_softmax(-1)
        sizes = [len(target) for _, target in row.pairs]
        each = logprobs.gather(1, labels[learnt, None])[:, 0]
        content = torch.stack([part[:-1].sum() for part in each.split(sizes)])
        last = torch.tensor(np.cumsum(sizes) - 1)
        ends = torch.stack([each[last], logprobs[last, self._doubt]], dim=1)
        return content, torch.tensor(sizes) - 1, ends

    def outcome(self, k: int) -> Outcome:
        """What the k-th row tells."""
        row, weights, torch = self.rows[k], self._weights, self.torch
        content, sizes, ends = self.scores(row)
        doubted = torch.tensor(row.doubted)
        loss = -weights.verdict * torch.where(doubted, ends[:, 1], ends[:, 0]).mean()
        gained = content - self._before[k]
        margins = gained[: row.passed, None] - gained[None, row.passed :]
        if margins.numel():
            loss = loss - torch.nn.functional.logsigmoid(weights.beta * margins).mean()
        if row.passed:
            loss = loss - weights.likelihood * content[: row.passed].sum() / sizes[: row.passed].sum()
        right = float((margins > 0).float().mean()) if margins.numel() else math.nan
        sure = (ends[:, 0] - ends[:, 1]).detach().tolist()
        return Outcome(loss, right, tuple(sure), row.doubted)


def _figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Mean loss, share of pairs in order, and the area under the ROC curve of its certainty."""
    sure = np.array([value for outcome in outcomes for value in outcome.sure])
    doubted = np.array([value for outcome in outcomes for value in outcome.doubted])
    figures = {
        "loss": float(np.mean([float(outcome.loss.detach()) for outcome in outcomes])),
        "right": float(np.nanmean([outcome.right for outcome in outcomes])),
        "auc": area_under_curve(sure[~doubted], sure[doubted]),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def learn(learner: Learner, rows: Sequence[int], given: argparse.Namespace, out: Path) -> list[dict[str, float]]:
    """One row after the other, `--batch` of them an update; returns what each tenth of the way told."""
    torch = learner.torch
    weights = [part for part in learner.model.parameters() if part.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=given.rate, weight_decay=0.0, betas=(0.9, 0.99))
    order = [k for epoch in range(given.epochs) for k in random.Random(given.seed + epoch).sample(rows, len(rows))]
    updates = math.ceil(len(order) / given.batch)
    progress: list[dict[str, float]] = []
    begun = time.monotonic()
    lately: list[Outcome] = []
    for step in range(updates):
        part = order[step * given.batch : (step + 1) * given.batch]
        rate = given.rate * min(1.0, (step + 1) / 10) * (0.05 + 0.95 * (1 + math.cos(math.pi * step / updates)) / 2)
        optimizer.param_groups[0]["lr"] = rate
        for k in part:
            outcome = learner.outcome(k)
            (outcome.loss / len(part)).backward()
            lately.append(outcome)
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if (step + 1) % max(updates // 10, 1) == 0:
            progress.append({"step": step + 1, **_figures(lately)})
            lately = []
            print(f"{progress[-1]} of {updates} steps, {(time.monotonic() - begun) / 60:.0f} min", flush=True)
            learner.model.save_pretrained(out / "last")
    learner.model.save_pretrained(out / "last")
    return progress


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, learn, write; returns the exit status."""
    parser = command_line("preferences", __doc__)
    parser.add_argument("adapter", choices=sorted(ADAPTERS), help="a shipped adapter, and the recipe of its name")
    parser.add_argument("--base", type=Path, required=True, help="the base in its language, with torch's weights")
    parser.add_argument("--data", type=Path, required=True, help="data folder that the judged places are in")
    parser.add_argument("--judged", type=Path, nargs="+", help="judged texts; default: those of the recipe's language")
    parser.add_argument("--drawn-by", metavar="MODEL", help="learn from the draws of this model alone; default: of all")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--batch", type=int, default=8, help="sentences of an update")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    return run_to_the_end("preferences", lambda: _teach(given))


def _teach(given: argparse.Namespace) -> None:
    recipe = load_recipe(given.adapter)
    if recipe.finetune is None or (lora := recipe.finetune.lora) is None:
        raise BadInput(f"The recipe {given.adapter} has no finetune.lora.", hint="Name one that trains an adapter.")
    options = recipe.finetune.model_copy(update={"model": str(given.base)})
    prompt = prompt_of(options, "causal")
    if prompt.doubt is None:
        raise BadInput(f"The prompt {prompt.name!r} names no token of doubt.", hint="Add `doubt` to its file.")
    if (given.out / "adapter").exists():
        raise BadOption(f"{given.out} holds an adapter already.", hint="Give another folder.")
    torch, _ = libraries()
    torch.set_num_threads(options.threads or cores())
    with quietly():
        base = find_base(options, Run(recipe, given.out))
    rows = _rows(given, Speller(base, prompt, options.longest), recipe.language)
    start = given.out / "start"
    start.mkdir(parents=True, exist_ok=True)
    shipped = ADAPTERS[given.adapter]
    write_peft(shipped.read(), start / ADAPTER_WEIGHTS)
    with quietly():
        model = adapted(base.load(), lora, kind=base.kind, seed=given.seed, start=start)
    model.eval()
    weights = Weights()
    doubt = base.tokenizer.convert_tokens_to_ids(prompt.doubt)
    learner = Learner(model, rows, weights, doubt=doubt, pad=base.pad)
    shuffled = random.Random(given.seed).sample(range(len(rows)), len(rows))
    held, learnt = shuffled[:_HELD], shuffled[_HELD:]
    print(f"{len(learnt)} sentences, {sum(rows[k].tokens for k in learnt):,} tokens an epoch", flush=True)
    progress = learn(learner, learnt, given, given.out)
    with torch.no_grad():
        after = _figures([learner.outcome(k) for k in held])
    print(f"held out: {after}")
    write_folder(given.out / "adapter", lambda folder: copy_files(given.out / "last", folder, ADAPTER))
    settings = asdict(weights) | {name: getattr(given, name) for name in ("rate", "batch", "epochs", "seed")}
    figures = json.loads((shipped.folder / "card.json").read_text(encoding="utf-8"))["figures"]
    learning = {
        **settings,
        "drawn_by": given.drawn_by,
        "sentences": len(learnt),
        "progress": progress,
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
