"""The parser's network in torch: a small BERT that reads word pieces, and biaffine heads (Dozat and Manning, 2017).

`rerank.english.trees.heads` computes the same heads in numpy; a test compares the scores of arcs, and the trees of a
small treebank.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from rerank.english.trees.heads import SPELLING, best_heads
from training.finetuning.judging import measuring
from training.heads.batches import gathered
from training.heads.encoder import read_encoder
from training.parsing.examples import IGNORED, Labels, TreeBatches

_ARC, _RELATION, _TAG = 384, 96, 256
_NEVER = -1e4
_MARK = "PUNCT"
_TAGS_COUNT = 0.3
"""What the loss of parts of speech and of features counts beside those of heads and relations."""


@dataclass
class Batch:
    """Tensors of a batch of B sentences, at most L pieces and T words long; see `TreeBatches`."""

    pieces: Any  # [B, L]
    attention: Any  # [B, L]
    first: Any  # [B, T] place of each word's first piece
    last: Any  # [B, T] place of its last one
    letters: Any  # [B, T, SPELLING]
    words: Any  # [B, T] 1 where there is a word
    heads: Any  # [B, T] 0 for the root, else the number of the head from 1
    relations: Any  # [B, T]
    pos: Any  # [B, T]
    features: Any  # [B, T]


class TreeNetwork(nn.Module):  # type: ignore[misc]
    """A network on the masked language model in the folder `encoder`, in the form of Hugging Face.

    Its heads learn at `heads_rate` times the rate of the encoder.
    """

    def __init__(self, encoder: Path, labels: Labels, dropout: float, heads_rate: float = 1.0) -> None:
        super().__init__()
        self.encoder = read_encoder(encoder, dropout)
        self.heads_rate = heads_rate
        width = self.encoder.config.hidden_size
        self.drop = nn.Dropout(1.5 * dropout)
        self.spelling = nn.Linear(SPELLING, width)
        self.root = nn.Parameter(torch.zeros(width))
        self.arc_dependent, self.arc_head = nn.Linear(2 * width, _ARC), nn.Linear(2 * width, _ARC)
        self.arc = nn.Parameter(torch.randn(_ARC + 1, _ARC) * 0.02)
        self.relation_dependent = nn.Linear(2 * width, _RELATION)
        self.relation_head = nn.Linear(2 * width, _RELATION)
        self.relation = nn.Parameter(torch.randn(len(labels.relations), _RELATION + 1, _RELATION + 1) * 0.05)
        self.pos, self.pos_out = nn.Linear(2 * width, _TAG), nn.Linear(_TAG, len(labels.pos))
        self.features, self.features_out = nn.Linear(2 * width, _TAG), nn.Linear(_TAG, len(labels.features))

    def vectors(self, batch: Batch) -> tuple[Any, Any]:
        """Vectors of words, `[B, T, 2 × width]`, and of what they may hang on, `[B, T + 1, 2 × width]`."""
        hidden = self.encoder(input_ids=batch.pieces, attention_mask=batch.attention).last_hidden_state
        first = gathered(hidden, batch.first) + self.spelling(batch.letters)
        words = self.drop(torch.cat([first, gathered(hidden, batch.last)], -1))
        root = torch.cat([self.root, self.root]).expand(len(words), 1, -1)
        return words, torch.cat([root.to(words.dtype), words], 1)

    def arcs(self, words: Any, above: Any, batch: Batch) -> Any:
        """Scores `[B, T, T + 1]` of each word on each head."""
        dependents = _with_one(self._hidden(self.arc_dependent, words))
        scores = dependents @ self.arc @ self._hidden(self.arc_head, above).transpose(1, 2)
        there = torch.cat([torch.ones_like(batch.words[:, :1]), batch.words], 1)
        count = words.shape[1]
        itself = torch.eye(count, count + 1, dtype=torch.bool, device=words.device).roll(1, 1)
        return scores.masked_fill((there[:, None, :] == 0) | itself, _NEVER)

    def relations(self, words: Any, above: Any, heads: Any) -> Any:
        """Scores `[B, T, relations]` of each word's relation to its head."""
        dependents = _with_one(self._hidden(self.relation_dependent, words))
        chosen = _with_one(gathered(self._hidden(self.relation_head, above), heads))
        return torch.einsum("btd,rde,bte->btr", dependents, self.relation, chosen)

    def tags(self, words: Any) -> tuple[Any, Any]:
        """Scores `[B, T, labels]` of parts of speech, and of features."""
        pos, features = self._hidden(self.pos, words), self._hidden(self.features, words)
        return self.pos_out(pos), self.features_out(features)

    def _hidden(self, layer: Any, vectors: Any) -> Any:
        return self.drop(nn.functional.gelu(layer(vectors)))

    def forward(self, **tables: Any) -> dict[str, Any]:
        """The loss in nats a word."""
        batch = Batch(**tables)
        words, above = self.vectors(batch)
        pos, features = self.tags(words)
        arcs, heads = self.arcs(words, above, batch), batch.heads.clamp(min=0)
        loss = _loss(arcs, batch.heads) + _loss(self.relations(words, above, heads), batch.relations)
        loss = loss + _TAGS_COUNT * (_loss(pos, batch.pos) + _loss(features, batch.features))
        return {"loss": loss}


def _loss(scores: Any, wanted: Any) -> Any:
    return nn.functional.cross_entropy(scores.float().flatten(0, 1), wanted.flatten(), ignore_index=IGNORED)


def _with_one(vectors: Any) -> Any:
    return torch.cat([vectors, torch.ones_like(vectors[..., :1])], -1)


def measure(network: Any, batches: TreeBatches) -> dict[str, float]:
    """Shares of words in [0, 1]: `heads` and `relations` (with their heads, subtypes left out), `pos`, `features`.

    As in the CoNLL tasks, `heads` (UAS) and `relations` (LAS) are of the words that are no punctuation. Words and
    sentences are those of the treebank.
    """
    labels = batches.labels
    right: dict[str, list[bool]] = {name: [] for name in ("heads", "relations", "pos", "features")}
    with measuring(network, batches) as every:
        for number, tables in enumerate(every):
            said = _said(network, Batch(**tables), labels)
            for row, i in enumerate(batches.indices(number)):
                example = batches.examples[i]
                heads, relations, pos, features = (part[row] for part in said)
                for place, head in enumerate(example.heads):
                    right["pos"].append(labels.pos[pos[place]] == example.pos[place])
                    right["features"].append(labels.features[features[place]] == example.features[place])
                    if example.pos[place] == _MARK:
                        continue
                    same = _plain(labels.relations[relations[place]]) == _plain(example.relations[place])
                    right["heads"].append(heads[place] == head)
                    right["relations"].append(same and heads[place] == head)
    return {name: sum(answers) / max(1, len(answers)) for name, answers in right.items()}


def _plain(relation: str) -> str:
    return relation.split(":")[0]


def _said(network: Any, batch: Batch, labels: Labels) -> tuple[Any, Any, Any, Any]:
    """Per row the heads in the best tree, and numbers of relations, parts of speech and features."""
    words, above = network.vectors(batch)
    arcs = network.arcs(words, above, batch).float().cpu().numpy().astype(np.float64)
    chosen = torch.zeros_like(batch.heads)
    heads = []
    for row, count in enumerate(batch.words.sum(1).long().tolist()):
        heads.append(best_heads(arcs[row, :count, : count + 1]))
        chosen[row, :count] = torch.tensor(heads[-1]) + 1
    relations = network.relations(words, above, chosen).float()
    root = labels.relations.index("root")
    relations[..., root] = torch.where(chosen == 0, torch.inf, -torch.inf)
    pos, features = network.tags(words)
    return heads, relations.argmax(-1), pos.argmax(-1), features.argmax(-1)
