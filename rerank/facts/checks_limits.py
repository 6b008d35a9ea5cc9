"""Rules on limits: «почти», «как правило», «лишь», «даже если», «вряд ли» stay with what they speak of."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.facts.extract import Facts
from rerank.facts.limit_words import LIMITS
from rerank.facts.limits import Limit, Phrases
from rerank.facts.violation import Violation

__all__ = ["changed_limits"]

_CUES = {name: Phrases(entry.cues) for name, entry in LIMITS.items()}
_KEPT = {name: Phrases(f"{entry.cues}|{entry.added}|{entry.kin}") for name, entry in LIMITS.items()}
_ALL = Phrases("все|всех|всем|всеми|весь|вся|всю|всей|кажд*|любо*|любы*|ежедневно|ежегодно|всегда")
_TIMES = frozenset(
    "потом затем тогда когда недавно теперь сейчас сегодня через спустя позже позднее однажды дважды раз начало конец"
    " год век день месяц неделя час лето осень зима весна рассвет утро вечер ночь время минута десятилетие столетие"
    " период".split()
)
# Classes that speak of what comes after them first of all: «главным образом, в долине».
_FORWARD = frozenset({"usual", "partly"})
# How much of a clause must be said for the clause to be said.
_SHARE = 0.5


def changed_limits(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Limits that the candidate leaves out while it still says what they limit, and limits that are new."""
    for limit in source.limits:
        cue = _CUES[limit.name].length(source.words, limit.start)
        if cue and not _fresh(limit.name, candidate, source) and _said(limit, source, candidate):
            message = f"the source says «{limit.text}», the candidate does not"
            yield Violation(LIMITS[limit.name].kind, limit.text, message)
    for limit in candidate.limits:
        added = LIMITS[limit.name].added
        if added and not _KEPT[limit.name].starts(source.words) and _said(limit, candidate, source):
            yield Violation(LIMITS[limit.name].kind, limit.text, f"«{limit.text}» is not in the source")


def _fresh(name: str, text: Facts, other: Facts) -> bool:
    """Whether `text` has a word of this class that is no mere kin in `other` too."""
    if _CUES[name].starts(text.words):
        return True
    outside = [w for i, w in enumerate(other.words) if not any(x.start <= i < x.stop for x in other.limits)]
    kept = _KEPT[name].starts(outside)
    return bool(_KEPT[name].starts(text.words) - kept)


def _said(limit: Limit, own: Facts, other: Facts) -> bool:
    """Whether `other` says what the limit of `own` speaks of: the words right after it, or much of its clause."""
    if limit.name == "except" and not _all_of_same(own, other):
        return False
    if limit.name == "only" and _of_time(limit, own):
        return False
    kept = [bool(keys & other.keys.keys()) for keys in limit.keys]
    scope = LIMITS[limit.name].scope
    if scope == "after":
        return any(kept)
    if scope == "next":
        return bool(kept) and (kept[0] or (kept[-1] and limit.name != "nearly"))
    ahead = any(kept[: limit.ahead]) or not limit.ahead or limit.name not in _FORWARD
    return ahead and sum(kept) > 1 and sum(kept) / len(kept) >= _SHARE


def _all_of_same(own: Facts, other: Facts) -> bool:
    """Whether both texts speak of all: an exception to nothing may be left out."""
    return bool(_ALL.starts(own.words) and _ALL.starts(other.words))


def _of_time(limit: Limit, text: Facts) -> bool:
    """«лишь потом», «только в 1998 году», «всего лишь пять»: that it was so early or so few is left out, not denied."""
    for word in text.words[limit.stop : limit.stop + 4]:
        if word.numeric or word.kind == "number" or word.lemma in _TIMES:
            return True
        if word.top in {"NOUN", "VERB", "INFN"}:
            return False
    return False
