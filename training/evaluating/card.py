"""What the card of every evaluator says."""

from __future__ import annotations

from training.encoders.card import CardTexts

__all__ = ["EVALUATOR_TEXTS"]

EVALUATOR_TEXTS = CardTexts(
    task="telling how good a text is for its source, without references",
    what=(
        "Gives a text beside its source a number in [0, 1] for each thing that it was taught to tell: `quality`, and "
        "mostly `grammar` and `content`. A small BERT in 8 bits with a head in numpy, taught with good texts and with "
        "mutations of them (negative sampling): the label is the share of words that were left alone, or whether any "
        "was not, as docs/evaluator.md tells; `rewrite judge` and the components of the same names ask it."
    ),
    limits=(
        "It knows the kinds of text named below, and bad texts as mutations make them: it is no judge of truth, a "
        "fluent text that says something else may pass, and a copy gets most."
    ),
    measured="""\
On examples of good texts that it has not learnt from (`python -m training.evaluator RECIPE --out FOLDER`): the mean
squared error, and for each output the share of mutations that it gives less than the text that they were made of, by
kind (a tie is half of one). The weights that are kept are those with the least error on them; binary outputs of the
recipe then were made to tell good from bad as if both were as frequent, by which their error is larger:""",
)
