"""Sentences in capitals, which no parser and no rule about names knows what to do with."""

from __future__ import annotations

from dataclasses import replace

from rewrite.compression.result import CompressedSentence

__all__ = ["restored", "written_small"]

_FEWEST = 3


def written_small(sentence: str) -> str:
    """The same with small letters but the first, where it is of three words or more and all in capitals."""
    small = sentence[:1] + sentence[1:].lower()
    # What changes its length, such as İ, could not be put back.
    return small if _in_capitals(sentence) and small.upper() == sentence else sentence


def _in_capitals(sentence: str) -> bool:
    """Whether all words of a sentence, three or more, are in capitals."""
    return sentence.isupper() and len(sentence.split()) >= _FEWEST


def restored(found: CompressedSentence, source: str) -> CompressedSentence:
    """What came of `written_small(source)`, in the capitals of `source`."""
    if found.source == source:
        return found
    return replace(
        found,
        source=source,
        text=found.text.upper(),
        removals=tuple(replace(one, text=one.text.upper()) for one in found.removals),
        stages=tuple(stage.upper() for stage in found.stages),
    )
