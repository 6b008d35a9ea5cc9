"""What limits speak of in Russian: see `rerank.limits`, and the lists `limit …` of `ru.txt`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rerank import guard
from rerank.facts.guard_words import LISTS, Word
from rerank.limits import Limit, LimitRule, Phrases

_NEXT = 5
_TIMES = LISTS.words("limiting times")
_EVERYTHING = Phrases("все|всех|всем|всеми|весь|вся|всю|всей|кажд*|любо*|любы*|ежедневно|ежегодно|всегда")

_Facts = guard.Facts[Sequence[Word]]


class _RussianLimits(LimitRule[Word]):
    def keys(self, word: Word) -> frozenset[str]:
        return word.keys

    def next(self, words: Sequence[Word], start: int) -> Iterator[int]:
        """Up to a mark or the first noun: «почти все жители», «только после консультации»."""
        for j in range(start, min(start + _NEXT, len(words))):
            if words[j].kind == "mark" and words[j].text not in {"«", '"'}:
                return
            if words[j].keys:
                yield j
            if words[j].top in {"NOUN", "VERB", "INFN"} or words[j].numeric:
                return

    def said(self, limit: Limit, text: _Facts, other: _Facts) -> bool:
        # An exception to nothing may be left out: both texts must speak of all.
        everything = _EVERYTHING.starts(text.words) and _EVERYTHING.starts(other.words)
        if (limit.name == "except" and not everything) or (limit.name == "only" and _of_time(limit, text)):
            return False
        return super().said(limit, text, other)


def _of_time(limit: Limit, text: _Facts) -> bool:
    """«лишь потом», «только в 1998 году», «всего лишь пять»: that it was so early or so few is left out, not denied."""
    for word in text.words[limit.stop : limit.stop + 4]:
        if word.numeric or word.kind == "number" or word.lemma in _TIMES:
            return True
        if word.top in {"NOUN", "VERB", "INFN"}:
            return False
    return False


changed_limits = _RussianLimits(LISTS)
