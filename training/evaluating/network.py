"""The evaluator's network in torch: an encoder that reads two texts together, and a head for what is to be told.

`rerank.evaluator` computes the same, the head `mixed` in numpy; a test compares the two.
"""

from __future__ import annotations

from typing import Any, Literal

from rerank.evaluator.hf import first_vectors
from rerank.evaluator.pairs import KINDS
from training.evaluating.batches import NO_LABEL

__all__ = ["Head", "Loss", "new_network"]

Head = Literal["mixed", "cls"]
Loss = Literal["mse", "cross-entropy"]


def new_network(encoder: Any, outputs: int, *, dropout: float, head: Head, loss: Loss) -> Any:
    """A network on `encoder`, a model of Hugging Face, that tells so many numbers of a pair of texts."""
    import torch
    from torch import nn

    base: Any = nn.Module

    class EvaluatorNetwork(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.encoder = encoder
            width = encoder.config.hidden_size
            if head == "mixed":
                self.dense = nn.Linear(3 * width, width)
            self.drop = nn.Dropout(dropout)
            self.out = nn.Linear(width, outputs)

        def logits(self, pieces: Any, attention: Any, kinds: Any) -> Any:
            """Log-odds `[B, outputs]`."""
            if head == "cls":
                return self.out(self.drop(first_vectors(self.encoder, pieces, attention, kinds)))
            hidden = self.encoder(input_ids=pieces, attention_mask=attention, token_type_ids=kinds).last_hidden_state
            # The first token is of neither text.
            body = attention.clone()
            body[:, 0] = 0
            of_text = kinds >= KINDS // 2
            means = [_mean(hidden, body * side) for side in (~of_text, of_text)]
            inner = nn.functional.gelu(self.dense(self.drop(torch.cat([hidden[:, 0], *means], -1))))
            return self.out(self.drop(inner))

        def forward(self, pieces: Any, attention: Any, kinds: Any, labels: Any) -> dict[str, Any]:
            """The mean loss over the labels that there are, and the log-odds."""
            logits = self.logits(pieces, attention, kinds).float()
            there = labels != NO_LABEL
            chosen, right = logits[there], labels[there]
            if loss == "mse":
                lost = nn.functional.mse_loss(torch.sigmoid(chosen), right)
            else:
                lost = nn.functional.binary_cross_entropy_with_logits(chosen, right)
            return {"loss": lost, "logits": logits}

    return EvaluatorNetwork()


def _mean(hidden: Any, there: Any) -> Any:
    weights = there.unsqueeze(-1).to(hidden.dtype)
    return (hidden * weights).sum(1) / weights.sum(1).clamp(min=1)
