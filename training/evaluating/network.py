"""The evaluator's network in torch: an encoder that reads two texts together, and a head for what is to be told.

`rerank.evaluator` computes the same, the head `mixed` in numpy; a test compares the two. This module needs torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import torch
from torch import nn

from rerank.evaluator.hf import first_vectors
from rerank.evaluator.packed import LIKELIHOOD_UNIT
from rerank.evaluator.pair_rows import BEFORE_TEXT, TEXT
from training.evaluating.examples import NO_GROUP
from training.evaluating.likelihood import NO_LABEL, UNTOLD

Head = Literal["mixed", "cls"]
Loss = Literal["mse", "cross-entropy"]
_WEIGHT = 0.1
"""Of likelihood, to begin with."""


class EvaluatorNetwork(nn.Module):  # type: ignore[misc]
    """A network on `encoder`, a model of Hugging Face, that tells so many numbers, `outputs`, of a pair of texts.

    The outputs in the columns `likely` also go by how likely the tokens of a text without a source are. The network
    learns to say that of each token, in so many nats as `LIKELIHOOD_UNIT` says. While it learns, their sum is added to
    the log-odds, times a weight; where it is packed, such a text is told by the sum alone (`likelihood_scales`).
    `ranking` is the weight of a second loss, by how far better texts of one source are above worse ones (`misranked`).

    Batches are those of `TaughtBatches`: B rows of at most L tokens, `pieces`, `attention` (1 where there is a token)
    and `kinds`, each `[B, L]`. The head `mixed` is for an encoder that knows the kinds of `row_of`, and `likely` goes
    with it alone; options see to both, nothing is checked here.
    """

    def __init__(
        self,
        encoder: Any,
        outputs: int,
        *,
        dropout: float,
        head: Head,
        loss: Loss,
        likely: Sequence[int] = (),
        ranking: float = 0.0,
    ) -> None:
        super().__init__()
        self._head, self._loss, self._likely, self._ranking = head, loss, list(likely), ranking
        self.encoder = encoder
        width = encoder.config.hidden_size
        # Weights are drawn in this order: another one would be another network for the same seed.
        if head == "mixed":
            self.dense = nn.Linear(3 * width, width)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(width, outputs)
        if likely:
            self.word_dense = nn.Linear(width, width)
            self.word_out = nn.Linear(width, 1)
            self.word_weight = nn.Parameter(torch.full((len(likely),), _WEIGHT))

    def forward(
        self, pieces: Any, attention: Any, kinds: Any, labels: Any, logprobs: Any = None, groups: Any = None
    ) -> dict[str, Any]:
        """`loss`, the mean over the `labels` that there are and what else is learnt, and the log-odds `logits`.

        `labels` and log-odds are `[B, outputs]`; `logprobs` are those to learn, `[B, L]`, `groups` numbers of texts
        that are mutations of one another, `[B]`. Without any label the loss is NaN.
        """
        logits, hidden = self._read(pieces, attention, kinds)
        logits, extra = logits.float(), 0
        if self._likely:
            words = self._of_words(hidden)
            logits = self._with_likelihood(logits, _of_text_alone(words, attention, kinds))
            extra = 0 if logprobs is None else _missaid(words, logprobs)
        if self._ranking and groups is not None:
            extra = extra + self._ranking * misranked(logits, labels, groups)
        return {"loss": _mislabelled(logits, labels, self._loss) + extra, "logits": logits}

    def likelihood(self, pieces: Any, attention: Any, kinds: Any) -> Any:
        """How likely the tokens of each text without a source are together, `[B]`; 0 of one with a source.

        In so many nats as `LIKELIHOOD_UNIT` says. Raises `AttributeError` for a network without `likely`.
        """
        _, hidden = self._read(pieces, attention, kinds)
        return _of_text_alone(self._of_words(hidden), attention, kinds)

    def _read(self, pieces: Any, attention: Any, kinds: Any) -> tuple[Any, Any]:
        """Log-odds `[B, outputs]` without what likelihood adds, and the encoder's vectors `[B, L, width]`.

        With the head `cls`, which has no use for them, there are no vectors.
        """
        if self._head == "cls":
            return self.out(self.drop(first_vectors(self.encoder, pieces, attention, kinds))), None
        hidden = self.encoder(input_ids=pieces, attention_mask=attention, token_type_ids=kinds).last_hidden_state
        mixed = nn.functional.gelu(self.dense(self.drop(_pooled(hidden, attention, kinds))))
        return self.out(self.drop(mixed)), hidden

    def _of_words(self, hidden: Any) -> Any:
        """How likely each token is, `[B, L]`, in so many nats as `LIKELIHOOD_UNIT` says."""
        return self.word_out(nn.functional.gelu(self.word_dense(hidden))).squeeze(-1).float()

    def _with_likelihood(self, logits: Any, together: Any) -> Any:
        """Log-odds with what likelihood adds in the columns `likely`; `together` is how likely each text is, `[B]`."""
        added = torch.zeros_like(logits)
        added[:, self._likely] = together.unsqueeze(1) * self.word_weight
        return logits + added


def _pooled(hidden: Any, attention: Any, kinds: Any) -> Any:
    """What the head `mixed` reads, `[B, 3 × width]`: the first vector, and the means of source and text without it."""
    # The first token is of neither text.
    body = attention.clone()
    body[:, 0] = 0
    of_text = kinds >= TEXT
    means = [_mean(hidden, body * side) for side in (~of_text, of_text)]
    return torch.cat([hidden[:, 0], *means], -1)


def _mean(hidden: Any, there: Any) -> Any:
    """The mean of the vectors `[B, L, width]` that are `there`, `[B, L]`: `[B, width]`; 0 of none."""
    weights = there.unsqueeze(-1).to(hidden.dtype)
    return (hidden * weights).sum(1) / weights.sum(1).clamp(min=1)


def _of_text_alone(words: Any, attention: Any, kinds: Any) -> Any:
    """The sum over a text's tokens of what is said of each in `words`, `[B]`; 0 for a row with a source."""
    of_text = (kinds >= TEXT) * attention
    # The text's last token is [SEP].
    body = of_text * (torch.arange(words.shape[1], device=words.device) < attention.sum(1, keepdim=True) - 1)
    alone = (attention - of_text).sum(1) <= BEFORE_TEXT
    return (words * body).sum(1) * alone


def _mislabelled(logits: Any, labels: Any, loss: Loss) -> Any:
    """The mean loss over the labels that there are, both `[B, outputs]`; NaN without any."""
    there = labels != NO_LABEL
    chosen, right = logits[there], labels[there]
    if loss == "mse":
        return nn.functional.mse_loss(torch.sigmoid(chosen), right)
    return nn.functional.binary_cross_entropy_with_logits(chosen, right)


def _missaid(words: Any, logprobs: Any) -> Any:
    """The mean squared error of what is said of tokens, in so many nats as `LIKELIHOOD_UNIT` says; 0 of none.

    `words` is what is said, `logprobs` the log-probabilities in nats, `UNTOLD` where there is none, both `[B, L]`.
    """
    asked = logprobs != UNTOLD
    return nn.functional.mse_loss(words[asked], logprobs[asked] / LIKELIHOOD_UNIT) if asked.any() else 0


def misranked(logits: Any, labels: Any, groups: Any) -> Any:
    """−log σ(better − worse), the mean over all pairs of a group and output whose labels differ; 0 without any.

    `logits` and `labels` are `[B, outputs]`, `NO_LABEL` where there is none, `groups` `[B]`, `NO_GROUP` for a text
    that is compared with no other. Burges et al., *Learning to Rank using Gradient Descent*, 2005. What is asked of an
    evaluator is which of several texts of one source is best; labels also tell whether the source is one that is often
    rewritten well.
    """
    same = (groups.unsqueeze(1) == groups) & (groups != NO_GROUP)
    better = (labels.unsqueeze(1) > labels) & (labels != NO_LABEL)
    pairs = same.unsqueeze(-1) & better
    apart = (logits.unsqueeze(1) - logits)[pairs]
    return nn.functional.softplus(-apart).mean() if apart.numel() else logits.sum() * 0
