"""A rewriter that knows no language: it drops, replaces and moves words, so that documents meet every change."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from rewrite.documents.marks import carried
from rewrite.documents.segments import Change, Document, Segment
from rewrite.layout import split

_OTHERS = ("быстро", "который", "небольшой", "however", "simple")


def revised(document: Document, seed: int, share: float = 0.5) -> list[tuple[Change, ...]]:
    """Changes to about a `share` of the sentences, those of which the marks can be kept."""
    chance = random.Random(seed)
    return [tuple(_revised(segment, chance, share)) for segment in document.segments]


def replaced(document: Document, old: str, new: str) -> list[tuple[Change, ...]]:
    """The changes that put a word in another's place wherever it stands."""
    return [
        carried(segment, 0, len(segment.text), segment.text.replace(old, new), language="ru") or ()
        for segment in document.segments
    ]


def unchanged(document: Document) -> Sequence[Sequence[Change]]:
    return [()] * len(document.segments)


def _revised(segment: Segment, chance: random.Random, share: float) -> list[Change]:
    changes: list[Change] = []
    layout, start = split(segment.text), 0
    for gap, sentence in zip(layout.gaps, layout.sentences, strict=False):
        start += len(gap)
        if chance.random() < share:
            text = _mangled(sentence, chance)
            language = "ru" if re.search("[а-я]", sentence) else "en"
            changes += carried(segment, start, start + len(sentence), text, language=language) or ()
        start += len(sentence)
    return changes


def _mangled(sentence: str, chance: random.Random) -> str:
    words = sentence.split(" ")
    for _ in range(chance.randint(1, 3)):
        i, what = chance.randrange(len(words)), chance.random()
        if what < 0.4 and len(words) > 2:
            del words[i]
        elif what < 0.8:
            words[i] = chance.choice(_OTHERS) + "".join(re.findall(r"[.,!?:;]$", words[i]))
        elif i + 1 < len(words):
            words[i : i + 2] = reversed(words[i : i + 2])
    return " ".join(words)
