"""What was done to a sentence that somebody split: where it was cut, what went, and how the second part begins.

And the other way round: long sentences made of two neighbours, joined as a writer would.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
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


_PRONOUNS = {"he": "who", "she": "who", "they": "who", "it": "which"}
_FINITE = frozenset({"VERB", "AUX"})
_STARTS = {"but": (", but", " but"), "however": ("; however,", ", but"), "so": (", so",), "and": (", and", " and")}
_JOINTS = (", and", ", and", " and", ";", ", while", ", but")
_MOST = 24
_LEAST = 4


def fused(sentences: Iterable[tuple[Words, Words]], seed: int) -> Iterator[tuple[str, tuple[str, str]]]:
    """Fused sentences with the two they are made of, for neighbours that can be fused."""
    rng = random.Random(seed)
    for first, second in sentences:
        if not all(_LEAST <= len(words.tokens) <= _MOST and words.tokens[-1].text == "." for words in (first, second)):
            continue
        ways = [way for way in _WAYS if (way(first, second, rng)) is not None]
        if not ways:
            continue
        text = rng.choice(ways)(first, second, rng)
        if text:
            yield text, (first.text, second.text)


def _pronoun(words: Words) -> str:
    """The pronoun a sentence begins with, as the subject of the verb that follows it; empty otherwise."""
    if len(words) < 3 or words[0].lower not in _PRONOUNS or words[0].rel not in ("nsubj", "nsubj:pass"):
        return ""
    return words[0].lower if words[1].pos in _FINITE or words[1].pos == "ADV" else ""


def _subject(words: Words) -> int:
    """The number of the last word of the subject a sentence begins with, −1 where it begins otherwise."""
    for number, word in enumerate(words.tokens):
        if word.rel == "nsubj" and words[word.head].rel == "root":
            numbers = words.subtree(number)
            whole = numbers == list(range(len(numbers))) and len(numbers) <= 8
            return numbers[-1] if whole and word.pos in ("PROPN", "NOUN", "PRON") else -1
    return -1


def _body(words: Words, start: int = 0) -> str:
    text = words.text[words[start].start : words[len(words) - 1].start].strip()
    first = words[start]
    proper = first.pos == "PROPN" or first.text in ("I",) or (len(first.text) > 1 and first.text.isupper())
    return text if proper or start else text[:1].lower() + text[1:]


def _predicates_joined(first: Words, second: Words, rng: random.Random) -> str | None:
    pronoun, last = _pronoun(second), _subject(first)
    if not pronoun or last < 0 or (first[0].lower in _PRONOUNS and first[0].lower != pronoun):
        return None
    return f"{_head(first)}{rng.choice((' and', ', and', ', and', ', but'))} {_body(second, 1)}."


def _same_subject(first: Words, second: Words, rng: random.Random) -> str | None:
    end, other_end = _subject(first), _subject(second)
    if (
        end < 0
        or end != other_end
        or [w.lower for w in first.tokens[: end + 1]] != [w.lower for w in second.tokens[: end + 1]]
    ):
        return None
    return f"{_head(first)}{rng.choice((' and', ', and'))} {_body(second, other_end + 1)}."


def _clauses_joined(first: Words, second: Words, rng: random.Random) -> str | None:
    if _subject(second) < 0 and second[0].lower not in _STARTS:
        return None
    joints = _STARTS.get(second[0].lower)
    if joints is not None:
        after = 2 if second[1].text == "," else 1
        return f"{_head(first)}{rng.choice(joints)} {_body(second, after)}." if len(second) > after + 3 else None
    return f"{_head(first)}{rng.choice(_JOINTS)} {_body(second)}."


def _relative_inside(first: Words, second: Words, rng: random.Random) -> str | None:
    pronoun, last = _pronoun(second), _subject(first)
    if not pronoun or last < 0 or first[0].lower in _PRONOUNS or first[0].pos == "PRON":
        return None
    subject = first.text[: first[last].stop]
    clause = _body(second, 1)
    is_noun = second[1].lower in ("is", "was") and second[2].lower in ("a", "an", "the") and rng.random() < 0.5
    return f"{subject}, {_body(second, 2) if is_noun else f'{_PRONOUNS[pronoun]} {clause}'}, {_body(first, last + 1)}."


def _relative_after(first: Words, second: Words, rng: random.Random) -> str | None:
    """A relative clause on the last noun, which the second sentence says again."""
    last = _subject(second)
    if last < 0 or len(first) < 5:
        return None
    said = [w.lower for w in second.tokens[: last + 1]]
    end = [w.lower for w in first.tokens[: len(first) - 1]]
    if said[0] in ("the", "this", "these"):
        said = said[1:]
    if not said or end[-len(said) :] != said:
        return None
    pronoun = "who" if second[0].pos == "PROPN" and rng.random() < 0.5 else "which"
    return f"{_head(first)}, {pronoun} {_body(second, last + 1)}."


def _this(first: Words, second: Words, rng: random.Random) -> str | None:
    if (
        second[0].lower not in ("this", "that", "it")
        or len(second) < 5
        or second[0].rel != "nsubj"
        or second[1].pos not in _FINITE
    ):
        return None
    return f"{_head(first)}, which {_body(second, 1)}."


def _head(words: Words) -> str:
    return words.text[: words[len(words) - 1].start].rstrip()


_WAYS: tuple[Callable[[Words, Words, random.Random], str | None], ...] = (
    _predicates_joined,
    _predicates_joined,
    _same_subject,
    _clauses_joined,
    _relative_inside,
    _relative_after,
    _relative_after,
    _this,
)
