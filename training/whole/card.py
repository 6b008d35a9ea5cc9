"""What the card of every judge of whole sentences says."""

from __future__ import annotations

from training.encoders.card import CardTexts

__all__ = ["JUDGE_TEXTS"]

JUDGE_TEXTS = CardTexts(
    task="telling whole English sentences from broken ones",
    what=(
        "Says of a text how likely it is one complete and well-formed English sentence. A small BERT in 8 bits with a "
        "head in numpy, taught with good sentences and with ones that were broken on purpose; `rewrite split` asks it."
    ),
    limits=(
        "It knows form alone, and encyclopedic and news text best: a sentence that makes no sense may be a good one."
    ),
    measured="""\
On sentences that it has not learnt from (`python -m training.wholeness RECIPE --out FOLDER`): the loss in nats, the
share of right answers at 0.5, and the area under the curve, for each kind of broken sentence against all good ones:""",
)
