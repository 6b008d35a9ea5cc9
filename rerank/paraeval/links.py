"""Where two texts say the same in other words: every phrase of one that is a paraphrase of a phrase of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rerank.paraeval.types import Link, Paraphrases, Phrase
from rerank.paraeval.words import Text

__all__ = ["Expanded", "expand", "find_links"]


@dataclass(frozen=True)
class Expanded:
    """A reference with its phrases that have paraphrases: first word, end, paraphrases.

    `longest` is how many words of a paraphrase may be looked for, `least` the lowest probability that counts.
    """

    text: Text
    phrases: tuple[tuple[int, int, Mapping[Phrase, float]], ...]
    longest: int
    least: float


def expand(text: Text, table: Paraphrases, *, least: float = 0.0) -> Expanded:
    """Look up every phrase of a reference, once for all peers."""
    found = ((start, stop, table.of(phrase)) for start, stop, phrase in text.phrases(table.longest))
    return Expanded(text, tuple(entry for entry in found if entry[2]), table.longest, least)


def find_links(reference: Expanded, peer: Text) -> Sequence[Link]:
    """All pairs of phrases that are paraphrases, overlapping ones too, in reading order of the reference."""
    places: dict[Phrase, list[tuple[int, int]]] = {}
    if reference.phrases:
        for start, stop, phrase in peer.phrases(reference.longest):
            places.setdefault(phrase, []).append((start, stop))
    said = places.keys()
    found = [
        Link(start, stop, *place, paraphrases[phrase])
        for start, stop, paraphrases in reference.phrases
        if not said.isdisjoint(paraphrases)
        for phrase in said & paraphrases.keys()
        if paraphrases[phrase] >= reference.least and phrase != reference.text.words[start:stop]
        for place in places[phrase]
    ]
    return sorted(found)
