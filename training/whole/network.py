"""The judge's network in torch: a small BERT that reads word pieces, and a head that says yes or no.

`rewrite.splitting.wholeness` computes the same head in numpy; a test compares the two.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from training.encoders.encoder import read_encoder

__all__ = ["new_network"]


def new_network(encoder: Path, dropout: float) -> Any:
    """A network on the masked language model in the folder `encoder`, in the form of Hugging Face."""
    import torch
    from torch import nn

    base: Any = nn.Module

    class WholeNetwork(base):  # type: ignore[misc]
        def __init__(self) -> None:
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

    return WholeNetwork()
