"""What the card of every splitter says."""

from __future__ import annotations

from training.encoders.card import CardTexts

__all__ = ["SPLITTER_TEXTS"]

SPLITTER_TEXTS = CardTexts(
    task="splitting of English sentences",
    what=(
        "Says of an English sentence where it may be cut in two, which words go there, and how the second sentence "
        "begins. A small BERT in 8 bits with heads in numpy; `rewrite split` runs it."
    ),
    limits="It knows encyclopedic and news text best; a pronoun it puts in may be the wrong one (he for a woman).",
    measured="""\
On the dev pairs of its recipe (`python -m training.splitter RECIPE --out FOLDER`), losses in nats, shares of right
first guesses:""",
)
