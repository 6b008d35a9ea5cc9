"""Examples for an evaluator as tensors, how well a network does on them, and what makes its log-odds comparable.

The pseudo-log-likelihood of a text, the sum of its tokens' log-probabilities, each with this token alone hidden, tells
acceptable sentences from others (Salazar et al., *Masked Language Model Scoring*, 2020), but takes a pass of the model
for each token. As in section 2.2 there, one pass learns to say it, here token by token. It has to become a chance that
can be compared (Platt, 1999); and what tells good texts from mutated ones has seen several times as many of these.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, count, islice
from typing import Any

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.special import expit

from rerank.errors import BadModel
from rerank.evaluator.pair_rows import PairRow
from rerank.masked.base import LogProbs, MaskedModel, Row
from rerank.types import FloatArray
from rewrite.errors import BadInput
from training.evaluating.examples import HUMAN_LABELLED, NO_GROUP, Taught, groups
from training.finetuning.judging import measuring
from training.heads.batches import LengthBatches, padded, piece_tables

MakeRows = Callable[[Iterable[tuple[str, str]]], Iterator[PairRow]]
"""Rows of tokens of sources with their texts."""
NO_LABEL = -1.0
UNTOLD = 1.0
"""In place of the log-probability of a token that was not asked for."""


class TaughtBatches(LengthBatches):
    """Batches of examples, of which `rows` makes rows of tokens; labels are `[B, outputs]`, or `NO_LABEL`.

    `logprobs` are those of the tokens of all rows, for a network that is to say them (`likelihoods`), one row behind
    the other. With `ranked` a good text and its mutations mostly share a batch, and a number in `groups`, `[B]`,
    `NO_GROUP` for other texts. `settings` are those of `LengthBatches`.
    """

    def __init__(
        self,
        examples: Sequence[Taught],
        rows: MakeRows,
        outputs: Sequence[str],
        *,
        pad: int = 0,
        logprobs: LogProbs | None = None,
        ranked: bool = False,
        **settings: Any,
    ) -> None:
        self.outputs = outputs
        self._rows_of, self._pad, self._logprobs, self._ranked = rows, pad, logprobs, ranked
        lengths = [len(row.tokens) for row in rows((example.source, example.text) for example in examples)]
        self._starts = list(accumulate(lengths, initial=0))
        # Of an example without a group a negative number of its own.
        numbers = [e.group if e.group != NO_GROUP else -1 - n for n, e in enumerate(examples)] if ranked else None
        super().__init__(examples, lengths, groups=numbers, **settings)

    def of(self, chosen: Sequence[int]) -> TaughtBatches:
        """Batches of some of the examples, by their numbers, each once."""
        examples = [self.examples[n] for n in chosen]
        return TaughtBatches(examples, self._rows_of, self.outputs, tokens=self._most_tokens, seed=0, pad=self._pad)

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        chosen = self.indices(number)
        examples: list[Taught] = [self.examples[i] for i in chosen]
        rows = list(self._rows_of((example.source, example.text) for example in examples))
        batch = {
            **piece_tables([row.tokens for row in rows], self._pad),
            "kinds": padded([row.kinds for row in rows]),
            "labels": torch.tensor(_labels(examples, self.outputs)),
        }
        if self._ranked:
            batch["groups"] = torch.from_numpy(np.maximum(NO_GROUP, self._groups[chosen]))
        if self._logprobs is not None:
            batch["logprobs"] = padded([self._logprobs[self._starts[i] : self._starts[i + 1]] for i in chosen], UNTOLD)
        return batch


def _labels(examples: Iterable[Taught], outputs: Sequence[str]) -> list[list[float]]:
    return [[example.labels.get(name, NO_LABEL) for name in outputs] for example in examples]


def predictions(network: Any, batches: TaughtBatches, say: Callable[..., Any] | None = None) -> FloatArray:
    """What the network says of each example, in their order, `[examples, outputs]`; or what `say` makes of a batch."""
    import torch

    by_number: dict[int, FloatArray] = {}
    with measuring(network, batches) as every:
        for number, batch in enumerate(every):
            values = say(batch) if say is not None else torch.sigmoid(network(**batch)["logits"].float())
            by_number |= zip(batches.indices(number), values.float().cpu().numpy().astype(np.float64), strict=True)
    return np.array([by_number[number] for number in range(len(batches.examples))])


def measure(network: Any, batches: TaughtBatches) -> dict[str, float]:
    """The mean squared error of all outputs, `error`, and of each, with its pairwise accuracy in all and by kind.

    The names of an output's own figures begin with its name; its error is NaN where no example has a label for it.
    """
    values = predictions(network, batches)
    labels = np.array(_labels(batches.examples, batches.outputs))
    there = labels != NO_LABEL
    figures = {"error": float(np.square(values - labels)[there].mean())}
    for column, name in enumerate(batches.outputs):
        chosen = there[:, column]
        figures[f"{name} error"] = float(np.square(values - labels)[chosen, column].mean())
        figures |= {f"{name} {kind}": share for kind, share in pairwise(batches, values[:, column], chosen).items()}
    return figures


def pairwise(batches: TaughtBatches, values: FloatArray, there: FloatArray) -> dict[str, float]:
    """The share in [0, 1] of mutations that get less than the text that they were made of, a tie being half of one.

    By kind, and `pairs` for all of them.
    """
    wins: defaultdict[str, list[float]] = defaultdict(list)
    for numbers in groups(batches.examples).values():
        labelled = [n for n in numbers if there[n] and batches.examples[n].kind != HUMAN_LABELLED]
        best = next((values[n] for n in labelled if not batches.examples[n].kind), None)
        for n in labelled:
            kind = batches.examples[n].kind
            if kind and best is not None:
                win = float(best > values[n]) + 0.5 * float(best == values[n])
                wins[kind].append(win)
                wins["pairs"].append(win)
    return {kind: float(np.mean(of_kind)) for kind, of_kind in sorted(wins.items())}


_HIDDEN = 0.15
"""Share of a text's tokens that are hidden at once; others' probabilities are not asked for."""
_AT_ONCE = 2_000
_MOST = 5_000
"""Texts of each kind that are looked at."""
_WIDE = 30.0
"""Log-odds that are as good as certain."""
_RIDGE = 1e-4
"""Keeps the scale finite where the labels could be told without a mistake, or are all alike."""


def likelihoods(rows: Iterable[PairRow], model: MaskedModel, *, seed: int) -> Iterator[LogProbs]:
    """Log-probabilities of some tokens of each text that has no source, `[tokens of the row]`, `UNTOLD` elsewhere.

    Rows are [CLS] [SEP] text [SEP], in the tokens of `model`. A text longer than the model's window has none told, so
    an evaluator with a wider one has learnt nothing of such texts.
    """
    left, numbers = iter(rows), count()
    while chosen := list(islice(left, _AT_ONCE)):
        asked = [_asked(row, model, random.Random(f"{seed} {next(numbers)}")) for row in chosen]
        answers = iter(model.predict([Row(tokens, places) for tokens, places in asked if places]))
        for row, (_, places) in zip(chosen, asked, strict=True):
            logprobs = np.full(len(row.tokens), UNTOLD, dtype=np.float32)
            if places:
                # In the row the text has a [SEP] before it that the model's has not.
                at = [place + len(model.suffix) for place in places]
                logprobs[at] = next(answers)[range(len(places)), [row.tokens[place] for place in at]]
            yield logprobs


def _asked(row: PairRow, model: MaskedModel, rng: random.Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The text in the model's own row with some of its tokens hidden, and their places; none of another row."""
    start = len(model.prefix)
    if not row.is_alone or len(row.tokens) - len(model.suffix) > model.window:
        return (), ()
    tokens = [*row.tokens[:start], *row.tokens[start + len(model.suffix) :]]
    body = range(start, len(tokens) - len(model.suffix))
    places = sorted(rng.sample(body, min(len(body), max(1, round(_HIDDEN * len(body))))))
    for place in places:
        tokens[place] = model.mask
    return tuple(tokens), tuple(places)


def require_texts(examples: Iterable[Taught], likely: Sequence[str]) -> None:
    """Raises `BadInput` where there is nothing to fit the scales of an output in `likely` to.

    It takes good and bad texts without a source, and good ones with.
    """
    known = {(name, bool(example.source), label == 1) for example in examples for name, label in example.labels.items()}
    for name in likely:
        for kind, what in (
            ((False, True), "good texts without a source"),
            ((False, False), "bad texts without a source"),
            ((True, True), "good texts with their sources"),
        ):
            if (name, *kind) not in known:
                raise BadInput(
                    f"evaluator.likelihood: {name} has no {what} to learn from.",
                    hint="Give more positives." if kind[0] else "Give `sentences`, or more of them.",
                )


def even_odds(batches: TaughtBatches, binary: Sequence[str], likely: Sequence[str] = ()) -> FloatArray:
    """What has to be added to the log-odds of each output, `[outputs]`, for good and bad texts to be as frequent.

    log(bad / good) for those in `binary`, by the texts that they learnt from: a network that has seen five mutations of
    each good text takes nobody's word for it. Those of an output in `likely` without a source, which have scales of
    their own, do not count. Others, which learn shares, keep theirs.
    """
    counts = np.zeros((len(batches.outputs), 2))
    for example in batches.examples:
        for column, name in enumerate(batches.outputs):
            if name in binary and name in example.labels and (example.source or name not in likely):
                counts[column, int(example.labels[name] == 1)] += 1
    bad, good = counts.T
    return np.where((bad > 0) & (good > 0), np.log(np.maximum(bad, 1) / np.maximum(good, 1)), 0.0)


def likelihood_scales(network: Any, batches: TaughtBatches, likely: Sequence[str], *, seed: int) -> FloatArray:
    """Weight and bias of the pseudo-log-likelihood for each output in `likely`, `[likely, 2]`.

    The weight is fitted to the labels of texts without a source. The bias is such that the good ones among them get as
    much in the mean as good texts get with their sources: a source that was left as it is stands beside its rewrites.
    Raises `BadModel` where likelier texts are not the better ones.
    """
    scales = np.zeros((len(likely), 2))
    if not likely:
        return scales
    rng = random.Random(seed)
    alone = _some(batches, rng, lambda example: not example.source)
    paired = _some(batches, rng, lambda example: bool(example.source) and not example.kind)
    values = _likelihoods(network, alone)
    levels = predictions(network, paired).mean(axis=0)
    for row, name in enumerate(likely):
        labels = np.array(_labels(alone.examples, [name])).ravel()
        weight, _ = fit(values[labels != NO_LABEL], labels[labels != NO_LABEL])
        if weight <= 0:
            raise BadModel(
                f"Of the texts without a source the likelier ones are not the better ones for {name} ({weight:.3f}).",
                hint="Train longer, with more `sentences`; or leave `likelihood` out of the recipe.",
            )
        scales[row] = weight, bias_for(levels[batches.outputs.index(name)], weight * values[labels == 1])
    return scales


def _some(batches: TaughtBatches, rng: random.Random, wanted: Callable[[Taught], bool]) -> TaughtBatches:
    numbers = [n for n, example in enumerate(batches.examples) if wanted(example)]
    return batches.of(sorted(rng.sample(numbers, min(_MOST, len(numbers)))))


def bias_for(level: float, odds: FloatArray) -> float:
    """What has to be added to log-odds so that their chances have the mean `level`, in (0, 1)."""
    low, high = -_WIDE - odds.max(), _WIDE - odds.min()
    return float(brentq(lambda bias: expit(odds + bias).mean() - level, low, high))


def fit(values: FloatArray, labels: FloatArray) -> FloatArray:
    """Weight w and bias b that make σ(w x + b) likeliest for `labels` in [0, 1]; 0, 0 of none."""

    def loss(parameters: FloatArray) -> float:
        odds = parameters[0] * values + parameters[1]
        return float((np.logaddexp(0, odds) - labels * odds).sum() + _RIDGE / 2 * parameters @ parameters)

    fitted: FloatArray = minimize(loss, np.zeros(2)).x
    return fitted


def _likelihoods(network: Any, batches: TaughtBatches) -> FloatArray:
    return predictions(
        network, batches, lambda batch: network.likelihood(batch["pieces"], batch["attention"], batch["kinds"])
    )
