"""Who does what to whom, the other way round: two words of one form in each other's places."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from training.negatives.forms import parse
from training.negatives.mutations import Draw, Mutated
from training.negatives.pieces import Pieces, is_russian

__all__ = ["exchange_roles"]

_SHORTEST = 4
_EVEN = frozenset(", and or nor between near with like и или да либо между с как - – — /".split())
"""What stands between words whose order says nothing: of a list, of neighbours."""
_DATES = frozenset(
    "January February March April June July August September October November December "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
)
_NAMED = "name"
_EXCHANGED = frozenset({"NOUN", "ADJF", "VERB", "INFN", "PRTF"})


def exchange_roles(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With two words of one form exchanged that no list holds together; `None` where there are no two.

    Of one form are in English two names of one word, in Russian two words of one tag by pymorphy3. The label is 0.
    """
    pairs = list(_pairs(pieces))
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    put = list(pieces.pieces)
    put[one], put[other] = (replace(put[a], text=put[b].text) for a, b in ((one, other), (other, one)))
    return Mutated(pieces.of(put).text, 0.0)


def _pairs(pieces: Pieces) -> Iterator[tuple[int, int]]:
    texts = [piece.text for piece in pieces.pieces]
    forms = {n: form for n, text in enumerate(texts) if (form := _form(texts, n, text))}
    for one, other in combinations(forms, 2):
        alike = forms[one] == forms[other] and texts[one].lower() != texts[other].lower()
        if alike and other > one + 1 and not _EVEN & set(texts[one + 1 : other]):
            yield one, other


def _form(texts: list[str], n: int, text: str) -> str:
    """What two words have to have in common; empty for a word that is not exchanged."""
    if len(text) < _SHORTEST or not text.isalpha():
        return ""
    if text[0].isupper():
        # A name of several words is not torn apart; and a sentence may begin with a capital of its own.
        around = (*texts[max(0, n - 1) : n], *texts[n + 1 : n + 2])
        if not n or not texts[n - 1][-1:].isalnum() or any(one[:1].isupper() for one in around) or text in _DATES:
            return ""
        return f"{_NAMED} {_case(text)}"
    if is_russian(text):
        tag = parse(text).tag
        return str(tag) if tag.POS in _EXCHANGED else ""
    return ""


def _case(name: str) -> str:
    tag = parse(name.lower()).tag if is_russian(name) else None
    return f"{tag.case} {tag.number}" if tag else ""
