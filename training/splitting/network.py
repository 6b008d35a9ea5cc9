"""The splitter's network in torch: a small BERT that reads word pieces, and heads that say what to do with its words.

`rewrite.splitting.network` computes the same heads in numpy; a test compares the two. This module needs torch.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from rewrite.splitting.network import CUT, FLAGS, MOST_DROPPED, POS, RELATIONS, WIDTH
from training.finetuning.judging import measuring
from training.heads.batches import gathered
from training.heads.encoder import read_encoder
from training.splitting.examples import SplitBatches

_EMBEDDED = 32
_NEVER = -1e4


@dataclass
class Batch:
    """Tensors of a batch of B sentences, at most L pieces and T words long; see `training.splitting.examples`."""

    pieces: Any  # [B, L]
    attention: Any  # [B, L]
    first: Any  # [B, T] place of each word's first piece
    heads: Any  # [B, T]
    pos: Any  # [B, T]
    relations: Any  # [B, T]
    flags: Any  # [B, T, FLAGS]
    words: Any  # [B, T] 1 where there is a word
    nouns: Any  # [B, T] 1 where a phrase may be said again
    style: Any  # [B] the set an example is of
    end: Any  # [B]
    start: Any  # [B] 0 for no split
    stop: Any  # [B]
    dropped: Any  # [B]
    opener: Any  # [B] −1 where unknown
    antecedent: Any  # [B] −1 where there is none


class SplitNetwork(nn.Module):  # type: ignore[misc]
    """A network on the masked language model in the folder `encoder`, in the form of Hugging Face."""

    def __init__(self, encoder: Path, openers: int, styles: int, dropout: float) -> None:
        super().__init__()
        self.encoder = read_encoder(encoder, dropout)
        self.pos = nn.Embedding(len(POS), _EMBEDDED)
        self.relation = nn.Embedding(len(RELATIONS), _EMBEDDED)
        self.word = nn.Linear(2 * WIDTH + 2 * _EMBEDDED + FLAGS, WIDTH)
        # Sets differ in what they repeat and where they cut; of the packed model the first set's style is left.
        self.style = nn.Embedding(styles, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.drop = nn.Dropout(dropout)
        self.from_start = nn.Linear(2 * WIDTH, CUT)
        self.from_stop = nn.Linear(2 * WIDTH, CUT)
        self.both = nn.Linear(CUT, CUT, bias=False)
        self.start_alone = nn.Linear(CUT, 1)
        self.stop_alone = nn.Linear(CUT, 1)
        self.tail = nn.Linear(CUT, 1)
        self.whole = nn.Linear(2 * WIDTH, 1)
        self.dropping = nn.Linear(CUT + 2 * WIDTH, CUT)
        self.dropping_out = nn.Linear(CUT, 1)
        self.dropping_count = nn.Embedding(MOST_DROPPED + 1, 1)
        self.query = nn.Linear(4 * WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.opening = nn.Linear(3 * WIDTH, WIDTH)
        self.opening_out = nn.Linear(WIDTH, openers)
        self.noun = nn.Linear(WIDTH, WIDTH, bias=False)

    def words(self, batch: Batch) -> Any:
        """Vectors of words, `[B, T + 1, WIDTH]`; the last is nought and stands behind the sentence."""
        hidden = self.encoder(input_ids=batch.pieces, attention_mask=batch.attention).last_hidden_state
        vectors = gathered(hidden, batch.first)
        head = gathered(vectors, batch.heads)
        given = torch.cat([vectors, head, self.pos(batch.pos), self.relation(batch.relations), batch.flags], -1)
        vectors = self.word(given) + self.style(batch.style).unsqueeze(1)
        mixed = self.drop(self.norm(nn.functional.gelu(vectors))) * batch.words.unsqueeze(-1)
        return torch.cat([mixed, torch.zeros_like(mixed[:, :1])], 1)

    def cuts(self, vectors: Any, batch: Batch) -> tuple[Any, Any]:
        """Scores `[B, T, T + 1]` of the spans that become sentences, and `[B]` of none."""
        before = torch.cat([torch.zeros_like(vectors[:, :1]), vectors[:, :-1]], 1)
        near = torch.cat([before, vectors], -1)
        start, stop = nn.functional.gelu(self.from_start(near[:, :-1])), nn.functional.gelu(self.from_stop(near))
        scores = self.both(start) @ stop.transpose(1, 2) / CUT**0.5
        scores = scores + self.start_alone(start) + self.stop_alone(stop).transpose(1, 2)
        at = torch.arange(vectors.shape[1])
        is_end = at[None, :] == batch.end[:, None]
        scores = scores + is_end[:, None, :] * self.tail(start)
        allowed = (at[None, :-1, None] >= 1) & (at[None, None, :] >= at[None, :-1, None] + 2)
        allowed = allowed & (at[None, None, :] <= batch.end[:, None, None])
        count = batch.words.sum(1, keepdim=True)
        pooled = torch.cat([vectors.sum(1) / count, vectors.max(1).values], -1)
        return scores.masked_fill(~allowed, _NEVER), self.whole(pooled).squeeze(-1)

    def kept(self, vectors: Any, batch: Batch, start: Any) -> Any:
        """Scores `[B, MOST_DROPPED + 1]` of how many words are dropped behind `start`."""
        before = torch.cat([torch.zeros_like(vectors[:, :1]), vectors[:, :-1]], 1)
        at_start = nn.functional.gelu(self.from_start(torch.cat([_at(before, start), _at(vectors, start)], -1)))
        scores = []
        # A sentence's own end, whatever it shares its batch with.
        ends = batch.words.sum(1).long()
        for count in range(MOST_DROPPED + 1):
            place = torch.minimum(start + count, ends)
            given = torch.cat([at_start, _at(before, place), _at(vectors, place)], -1)
            score = self.dropping_out(nn.functional.gelu(self.dropping(given))).squeeze(-1)
            scores.append(score + self.dropping_count.weight[count])
        return torch.stack(scores, 1)

    def openers(self, vectors: Any, batch: Batch, start: Any, kept: Any, stop: Any) -> tuple[Any, Any]:
        """Scores `[B, openers]` of what comes first, and `[B, T]` of the nouns whose phrase is said again."""
        places = (start - 1, start, kept, stop - 1)
        near = torch.cat([_at(vectors, place.clamp(min=0, max=vectors.shape[1] - 1)) for place in places], -1)
        query = nn.functional.gelu(self.query(near))
        inner = vectors[:, :-1]
        weights = (self.key(inner) @ query.unsqueeze(-1)).squeeze(-1) / WIDTH**0.5
        weights = weights.masked_fill(batch.words == 0, _NEVER).softmax(-1)
        context = (weights.unsqueeze(-1) * inner).sum(1)
        mean = vectors.sum(1) / batch.words.sum(1, keepdim=True)
        hidden = nn.functional.gelu(self.opening(torch.cat([query, context, mean], -1)))
        nouns = (self.noun(inner) @ query.unsqueeze(-1)).squeeze(-1) / WIDTH**0.5
        return self.opening_out(self.drop(hidden)), nouns.masked_fill(batch.nouns == 0, _NEVER)

    def forward(self, **tables: Any) -> dict[str, Any]:
        """Losses of the parts, in nats an example, and how often each head's first guess was right."""
        batch = Batch(**tables)
        vectors = self.words(batch)
        scores, whole = self.cuts(vectors, batch)
        table = torch.cat([whole.unsqueeze(1), scores.flatten(1)], 1)
        cell = torch.where(batch.start > 0, 1 + batch.start * vectors.shape[1] + batch.stop, 0)
        losses = {"cut": nn.functional.cross_entropy(table.float(), cell)}
        right = {"cut": (table.argmax(1) == cell).float().mean()}
        split = batch.start > 0
        if split.any():
            drop = self.kept(vectors, batch, batch.start)[split]
            losses["drop"] = nn.functional.cross_entropy(drop.float(), batch.dropped[split])
            right["drop"] = (drop.argmax(1) == batch.dropped[split]).float().mean()
            opener, noun = self.openers(vectors, batch, batch.start, batch.start + batch.dropped, batch.stop)
            for name, logits, wanted in (("opener", opener, batch.opener), ("noun", noun, batch.antecedent)):
                known = wanted >= 0
                if known.any():
                    losses[name] = nn.functional.cross_entropy(logits[known].float(), wanted[known])
                    right[name] = (logits[known].argmax(1) == wanted[known]).float().mean()
        return {"loss": sum(losses.values()), "losses": losses, "right": right}


def _at(vectors: Any, places: Any) -> Any:
    return vectors[torch.arange(len(vectors)), places]


def measure(network: Any, batches: SplitBatches) -> dict[str, float]:
    """Losses of the heads in nats (`loss cut`, …) and shares of right first guesses (`right cut`, …)."""
    totals: defaultdict[str, float] = defaultdict(float)
    weights: defaultdict[str, int] = defaultdict(int)
    with measuring(network, batches) as every:
        for batch in every:
            said, size = network(**batch), len(batch["start"])
            for figure, by_head in (("loss", said["losses"]), ("right", said["right"])):
                for head, value in by_head.items():
                    totals[f"{figure} {head}"] += float(value) * size
                    weights[f"{figure} {head}"] += size
    return {name: totals[name] / weights[name] for name in sorted(totals)}
