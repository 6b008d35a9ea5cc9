"""The evaluator's network in torch: an encoder that reads two texts together, and a head for what is to be told.

`rerank.evaluator` computes the same, the head `mixed` in numpy; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from rerank.evaluator.heads import LIKELIHOOD_UNIT
from rerank.evaluator.hf import first_vectors
from rerank.evaluator.pairs import BEFORE_TEXT, KINDS
from training.evaluating.batches import NO_LABEL
from training.evaluating.examples import NO_GROUP
from training.evaluating.likelihood import UNTOLD

__all__ = ["Head", "Loss", "misranked", "new_network"]

Head = Literal["mixed", "cls"]
Loss = Literal["mse", "cross-entropy"]
_WEIGHT = 0.1
"""Of likelihood, to begin with."""


def new_network(
    encoder: Any,
    outputs: int,
    *,
    dropout: float,
    head: Head,
    loss: Loss,
    likely: Sequence[int] = (),
    ranking: float = 0.0,
) -> Any:
    """A network on `encoder`, a model of Hugging Face, that tells so many numbers of a pair of texts.

    The outputs in the columns `likely` also go by how likely the tokens of a text without a source are. The network
    learns to say that of each token, in so many nats as `LIKELIHOOD_UNIT` says. While it learns, their sum is added to
    the log-odds, times a weight; where it is packed, such a text is told by the sum alone (`likelihood_scales`).
    `ranking` is the weight of a second loss, by how far better texts of one source are above worse ones (`misranked`).
    """
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
            if likely:
                self.word_dense = nn.Linear(width, width)
                self.word_out = nn.Linear(width, 1)
                self.word_weight = nn.Parameter(torch.full((len(likely),), _WEIGHT))

        def logits(self, pieces: Any, attention: Any, kinds: Any) -> Any:
            """Log-odds `[B, outputs]` without what likelihood adds, and the vectors that the head read."""
            if head == "cls":
                return self.out(self.drop(first_vectors(self.encoder, pieces, attention, kinds))), None
            hidden = self.encoder(input_ids=pieces, attention_mask=attention, token_type_ids=kinds).last_hidden_state
            # The first token is of neither text.
            body = attention.clone()
            body[:, 0] = 0
            of_text = kinds >= KINDS // 2
            means = [_mean(hidden, body * side) for side in (~of_text, of_text)]
            inner = nn.functional.gelu(self.dense(self.drop(torch.cat([hidden[:, 0], *means], -1))))
            return self.out(self.drop(inner)), hidden

        def likelihood(self, pieces: Any, attention: Any, kinds: Any) -> Any:
            """How likely the tokens of each text without a source are together, `[B]`; 0 of one with a source."""
            hidden = self.logits(pieces, attention, kinds)[1]
            return self._together(self._of_words(hidden), attention, kinds)

        def _of_words(self, hidden: Any) -> Any:
            """How likely each token is, `[B, tokens]`, in so many nats as `LIKELIHOOD_UNIT` says."""
            return self.word_out(nn.functional.gelu(self.word_dense(hidden))).squeeze(-1).float()

        def _together(self, words: Any, attention: Any, kinds: Any) -> Any:
            of_text = (kinds >= KINDS // 2) * attention
            # The text's last token is [SEP].
            body = of_text * (torch.arange(words.shape[1], device=words.device) < attention.sum(1, keepdim=True) - 1)
            alone = (attention - of_text).sum(1) <= BEFORE_TEXT
            return (words * body).sum(1) * alone

        def forward(
            self, pieces: Any, attention: Any, kinds: Any, labels: Any, told: Any = None, groups: Any = None
        ) -> dict[str, Any]:
            """The mean loss over the labels that there are, and the log-odds.

            `told` are log-probabilities to learn, `groups` numbers of texts that are mutations of one another.
            """
            logits, hidden = self.logits(pieces, attention, kinds)
            logits, extra = logits.float(), 0
            if likely:
                words = self._of_words(hidden)
                added = torch.zeros_like(logits)
                added[:, list(likely)] = self._together(words, attention, kinds).unsqueeze(1) * self.word_weight
                logits = logits + added
                extra = 0 if told is None else _missaid(words, told)
            if ranking and groups is not None:
                extra = extra + ranking * misranked(logits, labels, groups)
            lost = _mislabelled(logits, labels, loss)
            return {"loss": lost + extra, "logits": logits}

    return EvaluatorNetwork()


def _mislabelled(logits: Any, labels: Any, loss: Loss) -> Any:
    """The mean loss over the labels that there are."""
    import torch
    from torch import nn

    there = labels != NO_LABEL
    chosen, right = logits[there], labels[there]
    if loss == "mse":
        return nn.functional.mse_loss(torch.sigmoid(chosen), right)
    return nn.functional.binary_cross_entropy_with_logits(chosen, right)


def _missaid(words: Any, told: Any) -> Any:
    """The mean squared error of what is said of tokens, in so many nats as `LIKELIHOOD_UNIT` says; 0 of none."""
    from torch import nn

    asked = told != UNTOLD
    return nn.functional.mse_loss(words[asked], told[asked] / LIKELIHOOD_UNIT) if asked.any() else 0


def misranked(logits: Any, labels: Any, groups: Any) -> Any:
    """−log σ(better − worse), the mean over all pairs of a group and output whose labels differ; 0 without any.

    Burges et al., *Learning to Rank using Gradient Descent*, 2005. What is asked of an evaluator is which of several
    texts of one source is best; labels also tell whether the source is one that is often rewritten well.
    """
    import torch

    same = (groups.unsqueeze(1) == groups) & (groups != NO_GROUP)
    better = (labels.unsqueeze(1) > labels) & (labels != NO_LABEL)
    pairs = same.unsqueeze(-1) & better
    apart = (logits.unsqueeze(1) - logits)[pairs]
    return torch.nn.functional.softplus(-apart).mean() if apart.numel() else logits.sum() * 0


def _mean(hidden: Any, there: Any) -> Any:
    weights = there.unsqueeze(-1).to(hidden.dtype)
    return (hidden * weights).sum(1) / weights.sum(1).clamp(min=1)
