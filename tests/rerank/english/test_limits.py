"""Words that bound or weaken a statement stay with what they speak of."""

from __future__ import annotations

import pytest

from rerank.english.facts import EnglishFactGuard

KEPT = [
    ("It may cause headaches.", "It can cause headaches."),
    ("It may cause headaches in children.", "It might cause headaches in children."),
    ("At least 30 people came.", "30 people or more came."),
    ("Up to 30 people came.", "At most 30 people came."),
    ("Only adults may enter.", "Just adults may enter."),
    ("Not only adults came.", "Adults came."),
    ("He came in May and left in June.", "He came and left in June."),
    ("The suggestion has been about for years.", "The suggestion has been made for years."),
    ("He won, above all, in Spain.", "He won in Spain."),
    ("He asked if they came.", "He asked whether they came."),
    ("In the event that it fails, call us.", "If it fails, call us."),
    ("Cars must stop if the light is red.", "Cars must stop when the light is red."),
    ("The house, which may be old, is large.", "The house is large."),
    ("It is usually found in forests.", "Most of the time it is found in forests."),
    ("They flew over the town.", "They flew above the town."),
    ("Some users can do it.", "Some people can do it."),
    ("You may leave unless told otherwise.", "You may leave if not told otherwise."),
    ("He likes everything except fish.", "He likes everything but fish."),
    ("He was one of the first doctors to warn.", "He was among the first doctors to warn."),
    ("She is one of the best singers.", "She is a very good singer."),
    ("Send it no later than Friday.", "Send it by Friday."),
    ("The fine is up to $50.", "The fine is at most $50."),
]
LOST = [
    ("It may cause headaches in adults.", "It causes headaches in adults.", "modality", "'may' is gone"),
    ("Drivers must stop.", "Drivers stop.", "modality", "'must' is gone"),
    ("Pay unless told otherwise.", "Pay.", "modality", "'unless' is gone"),
    ("Drivers must stop.", "Drivers should stop.", "modality", "'must' is gone"),
    ("If it is old, return it, unless it works.", "If it is old, return it.", "modality", "'unless' is gone"),
    ("All came except the mayor.", "All came.", "modality", "'except' is gone"),
    (
        "He was one of the first doctors to warn.",
        "He was the first doctor to warn.",
        "quantity",
        "'one of the' is gone",
    ),
    ("Send it no later than Friday.", "Send it on Friday.", "quantity", "'no later than' is gone"),
    ("The fine is up to $50.", "The fine is $50.", "quantity", "'up to' is gone"),
    ("If it rains, stay.", "Stay.", "modality", "'If' is gone"),
    ("In the event that it fails, call us.", "Call us.", "modality", "'In the event that' is gone"),
    ("Up to 30 people came.", "30 people came.", "quantity", "'Up to' is gone"),
    ("At least thirty people came.", "Thirty people came.", "quantity", "'At least' is gone"),
    ("About 30 people came.", "30 people came.", "quantity", "'About' is gone"),
    ("Only adults may enter.", "Adults may enter.", "quantity", "'Only' is gone"),
    ("Any user can do it.", "Every user can do it.", "quantity", "'Any' is gone"),
    ("Some users can do it.", "All users can do it.", "quantity", "the source does not say 'All'"),
    ("The users can do it.", "Only the users can do it.", "quantity", "the source does not say 'Only'"),
    ("Visitors wear masks.", "Visitors must wear masks.", "modality", "the source does not say 'must'"),
]


@pytest.mark.parametrize(("source", "candidate"), KEPT)
def test_what_says_the_same_passes(source: str, candidate: str) -> None:
    assert not EnglishFactGuard(limits=True).check(source, candidate)


@pytest.mark.parametrize(("source", "candidate", "kind", "told"), LOST)
def test_a_limit_that_is_lost_or_comes_in_is_told(source: str, candidate: str, kind: str, told: str) -> None:
    found = EnglishFactGuard(limits=True).check(source, candidate)
    assert [(one.kind, one.message) for one in found] == [(kind, told)]
    assert kind in ("modality", "quantity")
    assert not EnglishFactGuard().check(source, candidate)
