"""Long sentences made of two neighbours: the first sentence and the next one about it, joined as a writer would."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from rewrite.splitting.words import Words

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
