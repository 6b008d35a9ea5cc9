"""The training loop: a budget of minutes, looks at dev, checkpoints that a later call goes on from."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from training.disk import write_whole
from training.papers.websplit.examples import PAD, Encoded, batches, padded
from training.papers.websplit.networks import Network, save_network
from training.papers.websplit.options import SystemRecipe

__all__ = ["Progress", "learn"]

_STATE = "state.pt"


@dataclass
class Progress:
    """How far a run is: steps, seconds spent learning, tokens seen, and the best loss on dev with its step."""

    step: int = 0
    seconds: float = 0.0
    tokens: int = 0
    best: float = float("inf")
    best_step: int = 0


def _loss(network: Network, rows: Sequence[Encoded], smoothing: float, bf16: bool) -> torch.Tensor:
    sources = [padded(side) for side in zip(*(sources for sources, _ in rows), strict=True)]
    target = padded([target for _, target in rows])
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
        logits = network.module(sources, target[:, :-1])
    return torch.nn.functional.cross_entropy(
        logits.flatten(0, 1).float(), target[:, 1:].flatten(), ignore_index=PAD, label_smoothing=smoothing
    )


def _dev_loss(network: Network, dev: Sequence[Encoded], bf16: bool) -> float:
    """Loss a token, without smoothing."""
    network.module.eval()
    total = count = 0.0
    with torch.no_grad():
        for start in range(0, len(dev), 32):
            rows = dev[start : start + 32]
            tokens = sum(len(target) - 1 for _, target in rows)
            total += float(_loss(network, rows, 0.0, bf16)) * tokens
            count += tokens
    network.module.train()
    return total / max(count, 1)


def _optimizer(network: Network, recipe: SystemRecipe) -> torch.optim.Optimizer:
    if recipe.optimizer == "sgd":
        return torch.optim.SGD(network.module.parameters(), lr=recipe.learning_rate)
    return torch.optim.AdamW(network.module.parameters(), lr=recipe.learning_rate, betas=(0.9, 0.98), weight_decay=0.01)


def _rate(recipe: SystemRecipe, progress: Progress) -> float:
    """Rises over the warm-up steps, falls to nothing as the minutes run out."""
    rising = min(1.0, (progress.step + 1) / max(1, recipe.warmup))
    return recipe.learning_rate * rising * max(0.0, 1 - progress.seconds / (60 * recipe.minutes))


def learn(
    network: Network, train: Sequence[Encoded], dev: Sequence[Encoded], recipe: SystemRecipe, folder: Path
) -> Progress:
    """Train `network` until the recipe's minutes are spent, and write the one best on `dev` to `folder/model`.

    A checkpoint in `folder` is gone on from, with its minutes counted; batches go on where they were.
    """
    optimizer = _optimizer(network, recipe)
    progress = _resumed(network, optimizer, folder)
    stream: Iterator[list[Encoded]] = batches(train, tokens=recipe.batch_tokens, seed=recipe.seed)
    stream = itertools.islice(stream, progress.step, None)
    network.module.train()
    bf16 = recipe.precision == "bf16"
    looked = progress.seconds
    while progress.seconds < 60 * recipe.minutes:
        began = time.perf_counter()
        rows = next(stream)
        for group in optimizer.param_groups:
            group["lr"] = _rate(recipe, progress)
        optimizer.zero_grad()
        loss = _loss(network, rows, recipe.smoothing, bf16)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.module.parameters(), 5.0 if recipe.optimizer == "sgd" else 1.0)
        optimizer.step()
        progress.step += 1
        progress.tokens += sum(len(target) + sum(map(len, sources)) for sources, target in rows)
        progress.seconds += time.perf_counter() - began
        if progress.seconds - looked >= 60 * recipe.dev_every or progress.seconds >= 60 * recipe.minutes:
            looked = progress.seconds
            _look(network, optimizer, dev, progress, folder, float(loss.detach()), bf16)
    return progress


def _look(
    network: Network,
    optimizer: torch.optim.Optimizer,
    dev: Sequence[Encoded],
    progress: Progress,
    folder: Path,
    loss: float,
    bf16: bool,
) -> None:
    dev_loss = _dev_loss(network, dev, bf16)
    better = dev_loss < progress.best
    if better:
        progress.best, progress.best_step = dev_loss, progress.step
        save_network(network, folder / "model")
    print(
        f"step {progress.step:,}, {progress.seconds / 60:.1f} min, {progress.tokens / 1e6:.2f} M tokens: "
        f"loss {loss:.3f}, dev {dev_loss:.3f}{' *' if better else ''}",
        flush=True,
    )
    _checkpoint(network, optimizer, folder, progress)


def _checkpoint(network: Network, optimizer: torch.optim.Optimizer, folder: Path, progress: Progress) -> None:
    state = {"network": network.module.state_dict(), "optimizer": optimizer.state_dict(), "progress": asdict(progress)}
    with write_whole(folder / _STATE) as draft:
        torch.save(state, draft)


def _resumed(network: Network, optimizer: torch.optim.Optimizer, folder: Path) -> Progress:
    if not (folder / _STATE).is_file():
        return Progress()
    state = torch.load(folder / _STATE, weights_only=True)
    network.module.load_state_dict(state["network"])
    optimizer.load_state_dict(state["optimizer"])
    return Progress(**state["progress"])
