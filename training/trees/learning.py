"""A parser learns from sentences with trees, is measured, and is packed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rerank.english.trees import LABELS
from training.encoders.encoder import read_tokenizer
from training.encoders.judge import DevJudge
from training.encoders.packing import head_of, pack_network
from training.encoders.run import learn
from training.masked.vocabulary import UNKNOWN
from training.trees.batches import TreeBatches
from training.trees.examples import Example, Labels
from training.trees.measure import measure, missed
from training.trees.network import new_network
from training.trees.options import TreesOptions

__all__ = ["School", "Tokens", "tokens_of"]

Tokens = Callable[[str], Sequence[int]]


@dataclass(frozen=True)
class School:
    """What all parsers of a run share: the encoder that they begin with, labels, and the sentences to look at.

    `held` has the sentences of `dev` and, where the recipe has one, of `test`.
    """

    encoder: Path
    labels: Labels
    tokens: Tokens
    held: Mapping[str, Sequence[Example]]
    options: TreesOptions

    def teach(self, examples: Sequence[Example], *, steps: int, seed: int, folder: Path) -> tuple[Any, int]:
        """A network that learnt from `examples`, with the weights that were best on dev; and how many steps it had.

        It goes on from the checkpoints in `folder`.
        """
        import torch

        options = self.options.model_copy(update={"steps": steps})
        batches = TreeBatches(
            examples, self.labels, self.tokens, size=options.batch_tokens, seed=seed, updates=options.steps
        )
        print(f"{len(examples):,} sentences, {batches.batches_in_epoch:,} batches an epoch", flush=True)
        torch.manual_seed(seed)
        network = new_network(self.encoder, self.labels, options.dropout, options.heads_rate)
        look = partial(measure, batches=self._held("dev"), labels=self.labels)
        judge = DevJudge(look, missed, options.judge_every)
        return network, learn(network, batches, options, seed=seed, folder=folder, judge=judge)

    def figures(self, network: Any) -> dict[str, float]:
        """What `measure` says of a network on all held sentences, by side and name."""
        return {
            f"{side} {key}": value
            for side in self.held
            for key, value in measure(network, self._held(side), self.labels).items()
        }

    def pack(self, network: Any, folder: Path, *, name: str) -> None:
        """Write the packed parser to a folder."""
        pack_network(network, self.encoder, head_of(network), folder, name=name)
        (folder / LABELS).write_text(json.dumps(asdict(self.labels), indent=1) + "\n", encoding="utf-8")

    def _held(self, side: str) -> TreeBatches:
        return TreeBatches(self.held[side], self.labels, self.tokens, size=self.options.batch_tokens, seed=0)


def tokens_of(encoder: Path) -> Tokens:
    """What gives the word pieces of a word; the unknown one for a word without any."""
    tokenizer: Any = read_tokenizer(encoder)

    def tokens(word: str) -> Sequence[int]:
        found: list[int] = tokenizer.encode(word, add_special_tokens=False).ids
        return found or (UNKNOWN,)

    return tokens
