from __future__ import annotations

from training.papers.websplit.systems import most_faithful, unfaithful

LINE = "N. R. Pogson | death place | Chennai"


def test_faults_are_words_lost_and_names_made_up() -> None:
    assert unfaithful(LINE, "N. R. Pogson died in Chennai.") == 0
    assert unfaithful(LINE, "N. Pogson died in Chennai.") == 1
    assert unfaithful(LINE, "N. R. R. Pogson died in Chennai.") == 1
    assert unfaithful(LINE, "N. R. Pogson died in Chennai in 1885.") == 1
    # An accent is no fault, nor is a small letter.
    assert unfaithful("A | club | Köln", "A plays for koln.") == 0


def test_the_first_of_the_most_faithful_is_chosen() -> None:
    texts = ["N. Pogson died in Chennai.", "N. R. Pogson died in Chennai.", "Chennai is where N. R. Pogson died."]
    assert most_faithful((LINE,), texts) == texts[1]
