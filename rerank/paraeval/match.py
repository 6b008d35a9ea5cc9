"""What of a reference a peer says, and by which tier of ParaEval (section 5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rerank.paraeval.search import Link, choose
from rerank.paraeval.table import PairTable
from rerank.paraeval.word_keys import Keys, Phrase, Text

PHRASE, SYNONYM, WORD = TIERS = ("phrase", "synonym", "word")
"""Tier 1: phrases of several words for phrases of several; tier 2: one word on either side or both; tier 3: the same
word."""


@dataclass(frozen=True)
class Expanded:
    """A reference with its phrases that have paraphrases: first word, end, paraphrases.

    `longest` is how many words of a paraphrase may be looked for.
    """

    text: Text
    phrases: tuple[tuple[int, int, Mapping[Phrase, float]], ...]
    longest: int


def expand(text: Text, table: PairTable) -> Expanded:
    """Look up every phrase of a reference, once for all peers."""
    entries = ((start, stop, table.of(phrase)) for start, stop, phrase in text.phrases(table.longest))
    return Expanded(text, tuple(entry for entry in entries if entry[2]), table.longest)


def find_links(reference: Expanded, peer: Text) -> Sequence[Link]:
    """All pairs of phrases that are paraphrases, overlapping ones too, in reading order of the reference."""
    places: dict[Phrase, list[tuple[int, int]]] = {}
    if reference.phrases:
        for start, stop, phrase in peer.phrases(reference.longest):
            places.setdefault(phrase, []).append((start, stop))
    said = places.keys()
    links = [
        Link(start, stop, *place, paraphrases[phrase])
        for start, stop, paraphrases in reference.phrases
        if not said.isdisjoint(paraphrases)
        for phrase in said & paraphrases.keys()
        if phrase != reference.text.words[start:stop]
        for place in places[phrase]
    ]
    return sorted(links)


@dataclass(frozen=True, slots=True)
class Part:
    """A link between the two texts, and the tier that found it."""

    tier: str
    link: Link


@dataclass(frozen=True, slots=True)
class Match:
    """All that was linked, in reading order of the reference. No word of either text is in two parts.

    `optimal` is false where tier 1 had so many paraphrases to choose from that a better choice may exist.
    """

    reference: Text
    peer: Text
    parts: tuple[Part, ...]
    optimal: bool

    def words(self, *tiers: str) -> int:
        """Words of the reference that `tiers` matched, all of them without a name."""
        return sum(part.link.words for part in self.parts if not tiers or part.tier in tiers)

    def peer_words(self, *tiers: str) -> int:
        """Words of the peer that `tiers` matched, all of them without a name."""
        return sum(part.link.peer_words for part in self.parts if not tiers or part.tier in tiers)


class _Free:
    """The words of both texts that nothing has matched yet."""

    def __init__(self, reference: Text, peer: Text) -> None:
        self._reference = [True] * len(reference.words)
        self._peer = [True] * len(peer.words)

    def has(self, link: Link) -> bool:
        return all(self._reference[link.start : link.stop]) and all(self._peer[link.peer_start : link.peer_stop])

    def take(self, links: Sequence[Link]) -> None:
        for link in links:
            self._reference[link.start : link.stop] = [False] * link.words
            self._peer[link.peer_start : link.peer_stop] = [False] * link.peer_words

    def reference(self) -> Iterator[int]:
        return (i for i, free in enumerate(self._reference) if free)

    def peer(self) -> Iterator[int]:
        return (j for j, free in enumerate(self._peer) if free)


def match(reference: Expanded, peer: Text, keys: Keys) -> Match:
    """Match `peer` with a reference: phrases, then synonyms, then the same words by `keys`."""
    free = _Free(reference.text, peer)
    links = find_links(reference, peer)
    phrases = choose([link for link in links if min(link.words, link.peer_words) > 1])
    free.take(phrases.links)
    synonyms = _greedy([link for link in links if min(link.words, link.peer_words) == 1], free)
    same = _same_words(reference.text, peer, keys, free)
    tiers = zip(TIERS, (phrases.links, synonyms, same), strict=True)
    parts = [Part(tier, link) for tier, tier_links in tiers for link in tier_links]
    return Match(reference.text, peer, tuple(sorted(parts, key=lambda part: part.link)), phrases.optimal)


def _greedy(links: Sequence[Link], free: _Free) -> list[Link]:
    """Tier 2 (section 5.3): what matches most of the reference first, with fewest words of the peer, the likeliest."""
    taken = []
    for link in sorted(links, key=lambda link: (-link.words, link.peer_words, -link.probability, link)):
        if free.has(link):
            free.take([link])
            taken.append(link)
    return taken


def _same_words(reference: Text, peer: Text, keys: Keys, free: _Free) -> list[Link]:
    """Tier 3 (section 5.4): each free word with the first free one of the peer that has its key."""
    places: dict[str, list[int]] = {}
    for j, key in enumerate(keys(peer.words)):
        places.setdefault(key, []).append(j)
    open_places = set(free.peer())
    waiting = {key: iter([j for j in key_places if j in open_places]) for key, key_places in places.items()}
    reference_keys = keys(reference.words)
    pairs = ((i, next(waiting.get(reference_keys[i], iter(())), None)) for i in free.reference())
    return [Link(i, i + 1, j, j + 1) for i, j in pairs if j is not None]
