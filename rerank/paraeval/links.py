"""Where two texts say the same in other words: every phrase of one that is a paraphrase of a phrase of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rerank.paraeval.types import Link, Paraphrases, Phrase
from rerank.paraeval.words import Text

__all__ = ["Expanded", "expand", "find_links"]


@dataclass(frozen=True)
class Expanded:
    """A reference with all that its phrases may be said by: paraphrase → first word, end, probability."""

    text: Text
    sayings: dict[Phrase, list[tuple[int, int, float]]]
    longest: int


def expand(text: Text, table: Paraphrases, *, least: float = 0.0) -> Expanded:
    """Look up every phrase of a reference, once for all peers; `least` is the lowest probability that counts."""
    sayings: dict[Phrase, list[tuple[int, int, float]]] = {}
    for start, stop, phrase in text.phrases(table.longest):
        for saying, probability in table.of(phrase).items():
            if probability >= least and saying != phrase:
                sayings.setdefault(saying, []).append((start, stop, probability))
    return Expanded(text, sayings, max(map(len, sayings), default=0))


def find_links(reference: Expanded, peer: Text) -> Sequence[Link]:
    """All pairs of phrases that are paraphrases, overlapping ones too, in reading order of the reference."""
    found = [
        Link(start, stop, peer_start, peer_stop, probability)
        for peer_start, peer_stop, phrase in peer.phrases(reference.longest)
        for start, stop, probability in reference.sayings.get(phrase, ())
    ]
    return sorted(found)
