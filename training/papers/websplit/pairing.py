"""Pairing complex sentences with the partitions of their meanings, within and across entries (section 3.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from training.papers.websplit.benchmark import ComplexSentence, Part, Reading, WebSplit
from training.papers.websplit.partitions import partitions
from training.papers.websplit.segmentation import Segmenter
from training.papers.websplit.triples import depth_first
from training.papers.websplit.webnlg import Meaning

__all__ = ["pair", "sentence_id"]


def sentence_id(text: str) -> str:
    """Sixteen hexadecimal digits that a complex sentence is known by."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def pair(meanings: Sequence[Meaning], segmenter: Segmenter) -> tuple[WebSplit, list[ComplexSentence]]:
    """All items of the benchmark, from meanings with different sets of triples each.

    A complex sentence is a text of one sentence, single-sentence texts of several meanings being one complex sentence
    with several readings. Sentences without a rephrasing are left out.
    """
    parts = _parts(meanings, segmenter)
    known = {frozenset(part.triples): number for number, part in enumerate(parts)}
    readings: dict[str, list[Reading]] = {}
    for number, part in enumerate(parts):
        single = [text[0] for text in part.texts if len(text) == 1]
        if not single:
            continue
        several = len(single) < len(part.texts)
        found = tuple(p for p in partitions(part.triples, known) if len(p) > 1 or several)
        if found:
            for text in single:
                readings.setdefault(text, []).append(Reading(number, found))
    items = [ComplexSentence(sentence_id(text), text, tuple(found)) for text, found in readings.items()]
    return WebSplit(tuple(parts)), items


def _parts(meanings: Sequence[Meaning], segmenter: Segmenter) -> list[Part]:
    texts = [(text, meaning.triples) for meaning in meanings for text in meaning.texts]
    cut = iter(segmenter.segment(texts))
    return [
        # Two texts that differ only in a space between sentences are one.
        Part(meaning.category, depth_first(meaning.triples), tuple(dict.fromkeys(next(cut) for _ in meaning.texts)))
        for meaning in meanings
    ]
