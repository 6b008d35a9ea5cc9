"""What was done to a sentence that somebody split: where it was cut, what went, and how the second part begins."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from rerank.english.forms import base, past, third_person
from rewrite.splitting.openers import FORMS, PAST, PRESENT, phrase, phrases
from rewrite.splitting.parsed_words import Words
from rewrite.splitting.split import Split

_MOST_DROPPED = 4
_LONGEST_OPENER = 14
_COMMAS = frozenset({",", ";", ":", "-", "--", "–", "—"})


def align(words: Words, first: Sequence[str], second: Sequence[str]) -> tuple[Split, float] | None:
    """How `words` became the sentences `first` and `second` (lower-case tokens); `None` where no cut explains them.

    The number is the quality in [0, 1]: the share of words that stand where the cut puts them.
    """
    source = [word.lower for word in words.tokens]
    in_first, in_second = _matched(source, first), _matched(source, second)
    end = words.end
    gain = [in_second[i] - in_first[i] for i in range(end)]
    start, stop = _best_run(gain, [not any(places) for places in zip(in_first, in_second, strict=True)])
    if stop - start < 2:
        return None
    if not any(in_first[i] and not in_second[i] for i in range(stop, end)):
        stop = end
    if not any(in_first[i] and not in_second[i] for i in range(start)):
        if stop == end:
            return None
        # What comes first in the source came second in the pair: the cut is the same.
        start, stop, first, second = stop, end, second, first
    return _opened(words, source, start, stop, second)


def _matched(source: Sequence[str], target: Sequence[str]) -> list[int]:
    matched = [0] * len(source)
    for block in SequenceMatcher(None, source, target, autojunk=False).get_matching_blocks():
        for i in range(block.a, block.a + block.size):
            matched[i] = 1
    return matched


def _best_run(gain: Sequence[int], gone: Sequence[bool]) -> tuple[int, int]:
    """The run of words with the largest sum, with the words before it that neither sentence holds."""
    best, start, stop, total, begin = 0, 0, 0, 0, 0
    for i, value in enumerate(gain):
        if total <= 0:
            total, begin = 0, i
        total += value
        if total > best:
            best, start, stop = total, begin, i + 1
    while start and gone[start - 1] and stop > start:
        start -= 1
    return start, stop


def _opened(
    words: Words, source: Sequence[str], start: int, stop: int, second: Sequence[str]
) -> tuple[Split, float] | None:
    blocks = SequenceMatcher(None, source[start:stop], second, autojunk=False).get_matching_blocks()
    # A comma stands before what follows: *, but he* became *however, he*.
    same = [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]
    while same and source[start + same[0][0]] in _COMMAS:
        same.pop(0)
    if not same:
        return None
    kept, place = same[0][0] + start, same[0][1]
    # Words that both sentences hold may stand before the cut: the subject that was said again.
    start = max(start, kept - _MOST_DROPPED)
    dropped = kept - start
    if dropped > _MOST_DROPPED or place > _LONGEST_OPENER:
        return None
    opener, antecedent = _with_slot(words, second[:place], start)
    quality = len(same) / max(stop - kept, len(second) - place, 1)
    return Split(start, stop, dropped, with_verb_slot(words, opener, start, kept), antecedent), quality


def _with_slot(words: Words, opener: Sequence[str], before: int) -> tuple[tuple[str, ...], int]:
    """The opener with its longest phrase of the source as a slot, and the noun of that phrase, −1 without one."""
    best: tuple[tuple[int, int], int, int, str] | None = None
    for head in phrases(words):
        for form in FORMS:
            noun_phrase = phrase(words, head, form)
            if noun_phrase is None:
                continue
            texts = (["the"] if noun_phrase.the else []) + [words[n].lower for n in noun_phrase.numbers]
            place, rank = _place(opener, texts), (len(texts), -abs(before - head))
            if place >= 0 and (best is None or rank > best[0]):
                best = rank, place, head, form
    if best is None:
        return tuple(opener), -1
    (length, _), place, head, form = best
    return (*opener[:place], f"<{form}>", *opener[place + length :]), head


def _place(opener: Sequence[str], texts: Sequence[str]) -> int:
    return next((i for i in range(len(opener) - len(texts) + 1) if list(opener[i : i + len(texts)]) == texts), -1)


def with_verb_slot(words: Words, opener: Sequence[str], start: int, kept: int) -> tuple[str, ...]:
    """`opener` with its last word as a slot, where that is a finite form of the last dropped word.

    `, making` became `this makes`.
    """
    if not opener or kept == start:
        return tuple(opener)
    verb = words[kept - 1]
    if verb.pos != "VERB" or verb.lower == opener[-1]:
        return tuple(opener)
    lemma = base(verb.lower, verb.lemma.lower())
    for slot, form in ((PAST, past), (PRESENT, third_person)):
        if opener[-1] == form(lemma):
            return (*opener[:-1], slot)
    return tuple(opener)
