"""The training loop: a budget of minutes, looks at dev, checkpoints that a later call goes on from."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from training.disk import write_whole
from training.papers.websplit.examples import PAD, Encoded, batches, padded
from training.papers.websplit.networks import Network, save_network
from training.papers.websplit.options import SystemRecipe

_STATE = "state.pt"


@dataclass
class Progress:
    """How far a run is: steps, seconds spent learning, tokens seen, and the best loss on dev with its step."""

    step: int = 0
    seconds: float = 0.0
    tokens: int = 0
    best: float = float("inf")
    best_step: int = 0


class _Trainer:
    """A network with its optimizer, and how far it is; `folder` has a checkpoint of all three."""

    def __init__(self, network: Network, recipe: SystemRecipe, folder: Path) -> None:
        self.network, self.recipe, self.folder = network, recipe, folder
        self.optimizer: torch.optim.Optimizer
        parameters, rate = network.module.parameters(), recipe.learning_rate
        if recipe.optimizer == "sgd":
            self.optimizer, self.clip = torch.optim.SGD(parameters, lr=rate), 5.0
        else:
            self.optimizer, self.clip = (
                torch.optim.AdamW(parameters, lr=rate, betas=(0.9, 0.98), weight_decay=0.01),
                1.0,
            )
        self.progress = Progress()
        if (folder / _STATE).is_file():
            state = torch.load(folder / _STATE, weights_only=True)
            network.module.load_state_dict(state["network"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.progress = Progress(**state["progress"])

    def loss(self, rows: Sequence[Encoded], smoothing: float) -> torch.Tensor:
        """Of a batch, a token."""
        sources = [padded(side) for side in zip(*(sources for sources, _ in rows), strict=True)]
        target = padded([target for _, target in rows])
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.recipe.precision == "bf16"):
            logits = self.network.module(sources, target[:, :-1])
        return torch.nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), target[:, 1:].flatten(), ignore_index=PAD, label_smoothing=smoothing
        )

    def step(self, rows: Sequence[Encoded]) -> float:
        """Learn from a batch; its loss. The rate rises over the warm-up and falls to nothing as the minutes run out."""
        began, done, recipe = time.perf_counter(), self.progress, self.recipe
        rising = min(1.0, (done.step + 1) / max(1, recipe.warmup))
        for group in self.optimizer.param_groups:
            group["lr"] = recipe.learning_rate * rising * max(0.0, 1 - done.seconds / (60 * recipe.minutes))
        self.optimizer.zero_grad()
        loss = self.loss(rows, recipe.smoothing)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.module.parameters(), self.clip)
        self.optimizer.step()
        done.step += 1
        done.tokens += sum(len(target) + sum(map(len, sources)) for sources, target in rows)
        done.seconds += time.perf_counter() - began
        return float(loss.detach())

    def look(self, dev: Sequence[Encoded], loss: float) -> None:
        """Measure the loss on dev, keep the network where it is the best so far, and write a checkpoint."""
        done, module = self.progress, self.network.module
        module.eval()
        with torch.no_grad():
            groups = [dev[start : start + 32] for start in range(0, len(dev), 32)]
            sizes = [sum(len(target) - 1 for _, target in rows) for rows in groups]
            total = sum(float(self.loss(rows, 0.0)) * size for rows, size in zip(groups, sizes, strict=True))
        module.train()
        dev_loss = total / max(sum(sizes), 1)
        better = dev_loss < done.best
        if better:
            done.best, done.best_step = dev_loss, done.step
            save_network(self.network, self.folder / "model")
        print(
            f"step {done.step:,}, {done.seconds / 60:.1f} min, {done.tokens / 1e6:.2f} M tokens: "
            f"loss {loss:.3f}, dev {dev_loss:.3f}{' *' if better else ''}",
            flush=True,
        )
        state = {"network": module.state_dict(), "optimizer": self.optimizer.state_dict(), "progress": asdict(done)}
        with write_whole(self.folder / _STATE) as draft:
            torch.save(state, draft)


def learn(
    network: Network, train: Sequence[Encoded], dev: Sequence[Encoded], recipe: SystemRecipe, folder: Path
) -> Progress:
    """Train `network` until the recipe's minutes are spent, and write the one best on `dev` to `folder/model`.

    A checkpoint in `folder` is gone on from, with its minutes counted; batches go on where they were.
    """
    trainer = _Trainer(network, recipe, folder)
    done, end = trainer.progress, 60 * recipe.minutes
    stream = itertools.islice(batches(train, tokens=recipe.batch_tokens, seed=recipe.seed), done.step, None)
    network.module.train()
    looked = done.seconds
    while done.seconds < end:
        loss = trainer.step(next(stream))
        if done.seconds - looked >= 60 * recipe.dev_every or done.seconds >= end:
            looked = done.seconds
            trainer.look(dev, loss)
    return done
