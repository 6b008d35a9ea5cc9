"""What the card of every such parser says."""

from __future__ import annotations

from training.encoders.card import CardTexts

__all__ = ["PARSER_TEXTS"]

PARSER_TEXTS = CardTexts(
    task="parsing English sentences",
    what=(
        "Says of each word of an English sentence what it hangs on, with its relation, part of speech and features in "
        "Universal Dependencies. A small BERT in 8 bits with biaffine heads in numpy; `rewrite split` runs it."
    ),
    limits="It knows news, biographies, speeches and textbooks best; long sentences are parsed worst.",
    measured="""\
On the dev and test parts of its treebanks (`python -m training.english_trees RECIPE --out FOLDER`), with the words and
sentences that these have, shares of words: the right head (UAS) and the right head and relation, subtypes left out
(LAS), both without punctuation; the right part of speech, and all features right:""",
)
