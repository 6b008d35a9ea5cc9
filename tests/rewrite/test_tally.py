"""What became of sentences, in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from rewrite.tally import Tally


def _tally(*reasons: str) -> Tally:
    tally = Tally()
    tally.add("changed")
    sentence = SimpleNamespace(blocked=dict(enumerate(reasons)))
    tally.add_blocked([cast(Any, SimpleNamespace(sentences=[sentence]))])
    return tally


def test_a_reason_that_begins_with_its_words_is_told_without_them() -> None:
    told = "Candidates blocked: whose, the candidate does not say 2, drops …, which it defines 1."
    reasons = [f"«{name}»: whose, the candidate does not say" for name in ("по мнению", "по словам")]
    assert _tally(*reasons, "drops «Банк», which it defines").in_words()[1] == told


def test_of_many_reasons_the_commonest_are_told_and_the_others_counted() -> None:
    line = _tally("a", "a", *"bcdef").in_words()[1]
    assert line == "Candidates blocked: a 2, b 1, c 1, d 1, and 2 other reasons."
