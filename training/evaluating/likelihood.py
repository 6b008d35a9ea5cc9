"""How likely each token of a text is, as the masked model has it that an evaluator begins with: what it also learns.

The pseudo-log-likelihood of a text, the sum of its tokens' log-probabilities, each with this token alone hidden, tells
acceptable sentences from others (Salazar et al., *Masked Language Model Scoring*, 2020), but takes a pass of the model
for each token. As in section 2.2 there, one pass learns to say it, here token by token.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import count, islice

import numpy as np

from rerank.evaluator.pairs import PairRow
from rerank.masked.base import LogProbs, MaskedModel, Row

__all__ = ["UNTOLD", "likelihoods"]

UNTOLD = 1.0
"""In place of the log-probability of a token that was not asked for."""
_HIDDEN = 0.15
"""Share of a text's tokens that are hidden at once; others' probabilities are not asked for."""
_AT_ONCE = 2_000


def likelihoods(rows: Iterable[PairRow], model: MaskedModel, *, seed: int) -> Iterator[LogProbs]:
    """Log-probabilities of some tokens of each text that has no source, `[tokens of the row]`, `UNTOLD` elsewhere.

    Rows are [CLS] [SEP] text [SEP], in the tokens of `model`. A text longer than the model's window has none told, so
    an evaluator with a wider one has learnt nothing of such texts.
    """
    left, numbers = iter(rows), count()
    while chosen := list(islice(left, _AT_ONCE)):
        asked = [_asked(row, model, random.Random(f"{seed} {next(numbers)}")) for row in chosen]
        told = iter(model.predict([Row(*one) for one in asked if one[1]]))
        for row, (_, places) in zip(chosen, asked, strict=True):
            found = np.full(len(row.tokens), UNTOLD, dtype=np.float32)
            if places:
                # In the row the text has a [SEP] before it that the model's has not.
                at = [place + len(model.suffix) for place in places]
                found[at] = next(told)[range(len(places)), [row.tokens[place] for place in at]]
            yield found


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
