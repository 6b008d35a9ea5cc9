"""Rules on contrasts: of «не X, а Y» both stay, or neither; «X» alone is the reverse, «не X» misses the point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rerank.facts.contrast import Contrast
from rerank.facts.extract import Facts
from rerank.facts.limits import Phrases
from rerank.facts.violation import Violation

__all__ = ["changed_contrast"]

_DENYING = frozenset(
    {"не", "нет", "вместо", "без", "ни", "отнюдь", "вопреки", "скорее", "больше", "меньше", "неверно", "бы", "чтобы"}
)
_TURN = frozenset({"а", "но", "—", "–", "вместо", ".", ":", ";", "только", "лишь"})
_OPPOSING = Phrases(
    "не|нет|ни|без|вместо|а|но|однако|кроме|хотя|только|лишь|исключительно|против*|отказ*|вопреки|зато|нельзя"
    "|невозможн*|неверн*|опроверг*|отлич*|разли*|скорее|иной|иначе|другой|друг*|мало|редко|трудно|отсутств*|прекра*"
    "|отриц*|нехват*|недоста*|ошиб*|замен*|никак*|никто|никогда|тогда как|раньше|прежде|больше|более|уже|перест*|сме*"
    "|избе*|дале*|сокра*|увелич*|повы*|сниз*|измен*|перен*|перев*"
)
_HALF = 0.5


def changed_contrast(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Contrasts that lost a side or exchanged sides, and contrasts where the source has nothing of the kind."""
    for contrast in () if "бы" in source.lows else source.contrasts:
        message = _lost(contrast, candidate)
        if message:
            yield Violation("negation", contrast.text, message)
    if candidate.contrasts and not source.contrasts and not _OPPOSING.starts(source.words):
        for contrast in candidate.contrasts:
            if _said(contrast.denied, source) and contrast.stated:
                yield Violation("negation", contrast.text, f"«не {contrast.text}»: the source denies nothing")


def _lost(contrast: Contrast, candidate: Facts) -> str:
    if contrast in candidate.contrasts or not contrast.stated or not _said(contrast.denied, candidate):
        return ""
    if any(_flipped(contrast, other) for other in candidate.contrasts):
        return f"the source denies «{contrast.text}», the candidate what stands against it"
    if _said(contrast.stated, candidate, share=0.01):
        both = not candidate.lows & _DENYING
        return f"the source says not «{contrast.text}», the candidate says both" if both else ""
    lows = {word.low for word in candidate.words[:-1]}
    if not lows & _DENYING:
        return f"the source says not «{contrast.text}», the candidate says it"
    return "" if lows & _TURN else f"the candidate leaves out what is true instead of «{contrast.text}»"


def _flipped(contrast: Contrast, other: Contrast) -> bool:
    return _overlap(contrast.denied, other.stated) and _overlap(contrast.stated, other.denied)


def _overlap(left: Sequence[frozenset[str]], right: Sequence[frozenset[str]]) -> bool:
    return any(keys & others for keys in left for others in right)


def _said(phrase: Sequence[frozenset[str]], text: Facts, share: float = _HALF) -> bool:
    kept = [bool(keys & text.keys.keys()) for keys in phrase]
    return any(kept) and (kept[0] or share < _HALF) and sum(kept) / len(kept) >= share
