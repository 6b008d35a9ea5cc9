"""How well a parser does on sentences that it has not learnt from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rerank.english.trees.spanning import best_heads
from training.finetuning.judging import measuring
from training.trees.batches import TreeBatches
from training.trees.examples import Labels
from training.trees.network import Batch

__all__ = ["measure", "missed"]

_MARK = "PUNCT"


def measure(network: Any, batches: TreeBatches, labels: Labels) -> dict[str, float]:
    """Shares of words in [0, 1]: `heads` and `relations` (with their heads, subtypes left out), `pos`, `features`.

    As in the CoNLL tasks, `heads` (UAS) and `relations` (LAS) are of the words that are no punctuation. Words and
    sentences are those of the treebank.
    """
    right = dict.fromkeys(("heads", "relations", "pos", "features"), 0)
    words = counted = 0
    with measuring(network, batches) as every:
        for number, tables in enumerate(every):
            found = _found(network, Batch(**tables), labels)
            for row, i in enumerate(batches.indices(number)):
                example = batches.examples[i]
                heads, relations, pos, features = (part[row] for part in found)
                for place, mark in enumerate(one == _MARK for one in example.pos):
                    words += 1
                    right["pos"] += labels.pos[pos[place]] == example.pos[place]
                    right["features"] += labels.features[features[place]] == example.features[place]
                    if mark:
                        continue
                    counted += 1
                    told = labels.relations[relations[place]].split(":")[0]
                    if heads[place] == example.heads[place]:
                        right["heads"] += 1
                        right["relations"] += told == example.relations[place].split(":")[0]
    of = {"heads": counted, "relations": counted, "pos": words, "features": words}
    return {name: count / max(1, of[name]) for name, count in right.items()}


def missed(figures: Mapping[str, float]) -> float:
    """The share of words whose relation or head is wrong, of what `measure` gives."""
    return 1 - figures["relations"]


def _found(network: Any, batch: Batch, labels: Labels) -> tuple[Any, Any, Any, Any]:
    """Per row the heads in the best tree, and numbers of relations, parts of speech and features."""
    import torch

    own, above = network.vectors(batch)
    arcs = network.arcs(own, above, batch).float().cpu().numpy().astype(np.float64)
    chosen = torch.zeros_like(batch.heads)
    heads = []
    for row, count in enumerate(batch.words.sum(1).long().tolist()):
        heads.append(best_heads(arcs[row, :count, : count + 1]))
        chosen[row, :count] = torch.tensor(heads[-1]) + 1
    relations = network.relations(own, above, chosen).float()
    root = labels.relations.index("root")
    relations[..., root] = torch.where(chosen == 0, torch.inf, -torch.inf)
    pos, features = network.tags(own)
    return heads, relations.argmax(-1), pos.argmax(-1), features.argmax(-1)
