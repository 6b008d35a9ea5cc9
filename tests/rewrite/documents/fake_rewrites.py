"""Rewrites without a model: words of sentences dropped, replaced, swapped and put in, by a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rewrite.documents.marks import carried
from rewrite.documents.revision import Revision
from rewrite.documents.segments import Segment
from rewrite.layout import split

NEW = ("совсем", "другое", "слово", "quite", "other")


def revisions(segments: Sequence[Segment], seed: int = 1) -> list[list[Revision]]:
    """What becomes of the sentences of each segment; some of them stand as they are."""
    rng = random.Random(seed)
    return [_of_segment(segment, rng) for segment in segments]


def _of_segment(segment: Segment, rng: random.Random) -> list[Revision]:
    made: list[Revision] = []
    layout, place = split(segment.text), 0
    for gap, sentence in zip(layout.gaps, layout.sentences, strict=False):
        start = place + len(gap)
        place = start + len(sentence)
        text = mutated(sentence, rng)
        changes = carried(segment, start, place, text, language="ru")
        if changes is None:
            made.append(Revision(start, place, "marks", "its marks could not be kept"))
        elif changes:
            made.append(Revision(start, place, "changed", "", changes, 0.75, sentence))
        else:
            made.append(Revision(start, place, "left"))
    return made


def mutated(sentence: str, rng: random.Random) -> str:
    """The sentence with one to three of its words changed."""
    words = sentence.split(" ")
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(words))
        step = rng.choice(("drop", "replace", "replace", "put in", "swap"))
        if step == "drop" and len(words) > 3:
            del words[at]
        elif step == "replace" and words[at].isalpha():
            words[at] = rng.choice(NEW)
        elif step == "put in":
            words.insert(at, rng.choice(NEW))
        elif step == "swap" and at + 1 < len(words):
            words[at : at + 2] = reversed(words[at : at + 2])
    return " ".join(words)
