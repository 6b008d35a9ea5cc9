"""The judge's network in torch: a small BERT that reads word pieces, and a head that says yes or no; and its figures.

`rewrite.splitting.wholeness` computes the same head in numpy; a test compares the two. This module needs torch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from rewrite.evaluate.resampling import area_under_curve
from training.finetuning.judging import measuring
from training.heads.batches import LengthBatches, piece_tables
from training.heads.encoder import read_encoder, read_tokenizer, window_of
from training.masked.vocabulary import CLS, SEP
from training.whole.examples import GOOD, Example

Floats = npt.NDArray[np.float64]


class WholeBatches(LengthBatches):
    """Batches of texts as the model in the folder `encoder` reads them, each cut at its window."""

    def __init__(self, examples: Sequence[Example], encoder: Path, **settings: Any) -> None:
        texts = [example.text for example in examples]
        encodings = read_tokenizer(encoder).encode_batch(texts, add_special_tokens=False)
        room = window_of(encoder) - len((CLS, SEP))
        self._texts = [(CLS, *encoding.ids[:room], SEP) for encoding in encodings]
        super().__init__(examples, [len(row) for row in self._texts], **settings)

    def __getitem__(self, number: int) -> dict[str, Any]:
        chosen = self.indices(number)
        labels = torch.tensor([float(self.examples[i].is_whole) for i in chosen])
        return {**piece_tables([self._texts[i] for i in chosen]), "labels": labels}


class WholeNetwork(nn.Module):  # type: ignore[misc]
    """A network on the masked language model in the folder `encoder`, in the form of Hugging Face."""

    def __init__(self, encoder: Path, dropout: float) -> None:
        super().__init__()
        self.encoder = read_encoder(encoder, dropout)
        width = self.encoder.config.hidden_size
        self.dense = nn.Linear(2 * width, width)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(width, 1)

    def logits(self, pieces: Any, attention: Any) -> Any:
        """Log-odds `[B]` that a row is a whole sentence, of its first vector and the mean of all."""
        hidden = self.encoder(input_ids=pieces, attention_mask=attention).last_hidden_state
        there = attention.unsqueeze(-1)
        mean = (hidden * there).sum(1) / there.sum(1)
        inner = nn.functional.gelu(self.dense(self.drop(torch.cat([hidden[:, 0], mean], -1))))
        return self.out(self.drop(inner)).squeeze(-1)

    def forward(self, pieces: Any, attention: Any, labels: Any) -> dict[str, Any]:
        """The mean loss in nats, and the log-odds."""
        logits = self.logits(pieces, attention).float()
        return {"loss": nn.functional.binary_cross_entropy_with_logits(logits, labels), "logits": logits}


def probabilities(network: Any, batches: WholeBatches) -> Floats:
    """What the network says of each example, in their order."""
    chances = np.zeros(len(batches.examples))
    with measuring(network, batches) as every:
        for number, batch in enumerate(every):
            chances[batches.indices(number)] = torch.sigmoid(network(**batch)["logits"]).cpu().numpy()
    return chances


def measure(network: Any, batches: WholeBatches) -> dict[str, float]:
    """The loss in nats, the share of right answers, the area under the curve, and both by kind of what is wrong.

    For a kind of bad sentence `auc KIND` tells it from all good ones; `right KIND` is the share that is told at 0.5.
    """
    said = probabilities(network, batches)
    labels = np.array([example.is_whole for example in batches.examples])
    chances = np.clip(np.where(labels, said, 1 - said), 1e-7, 1)
    figures = {"loss": float(-np.log(chances).mean()), "right": float((chances > 0.5).mean())}
    figures["auc"] = area_under_curve(said[labels], said[~labels])
    kinds: defaultdict[str, list[int]] = defaultdict(list)
    for number, example in enumerate(batches.examples):
        kinds[example.kind].append(number)
    for kind, numbers in sorted(kinds.items()):
        figures[f"right {kind}"] = float((chances[numbers] > 0.5).mean())
        if kind != GOOD and not labels[numbers].any():
            figures[f"auc {kind}"] = area_under_curve(said[labels], said[numbers])
    return figures
