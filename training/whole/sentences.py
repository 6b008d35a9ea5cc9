"""Runs of words as sentences: which hold a clause that can stand alone, how they are written, and good ones of them.

Two sentences become one, joined as a writer would, or by a comma alone, or by nothing. Some good ones look like bad:
short ones that were cut at the right place, and ones with an opener that fits.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

from rewrite.splitting.clause_heads import finite
from rewrite.splitting.parsed_words import CLOSING, OPENING, Words

SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_QUESTIONING = frozenset("which who whom whose where when that while although though because if since until".split())
_TIGHT = frozenset(".,;:?!%)]") | {"'s", "n't"}
_LOOSE = " ,;:-–—/"
_GOOD = ((",", "and"), ("and",), (",", "but"), (";",), (",", "while"), (",", "so"), ("because",), (",", "although"))
_FRONTED = frozenset("in on during after before since until at despite because for while when although if".split())
ADVERBS = (
    "However ,|However|Then|In addition ,|Later ,|Later|Instead ,|Therefore ,|Thus ,|But|So|There|Here|Currently|Today"
    " ,|Afterwards ,|Soon|Also ,|Instead|And|As a result ,|At that time ,|For example ,|Meanwhile ,|Originally ,"
).split("|")


def subject_of(words: Words, number: int) -> int:
    """The number of the first subject of a clause; −1 without one."""
    return next((c for c in words.children[number] if words[c].rel.split(":")[0] in SUBJECTS), -1)


def clauses(words: Words, numbers: Iterable[int]) -> list[int]:
    """Heads of the clauses among some words that have a finite verb and a subject there, and no subordinating word."""
    inside = set(numbers)
    heads = []
    for n in sorted(inside):
        near = [c for c in words.children[n] if c in inside]
        subjects = [c for c in near if words[c].rel.split(":")[0] in SUBJECTS]
        if subjects and finite(words, n, inside) and not _is_dependent(words, near, subjects[0], inside):
            heads.append(n)
    return heads


def _is_dependent(words: Words, near: Sequence[int], subject: int, inside: set[int]) -> bool:
    if any(words[c].lower in ("which", "whom") for c in words.children[subject]):
        # *Two of whom died in Rome*
        return True
    for c in near:
        if c <= subject and words[c].rel == "mark":
            return True
        if c <= subject and any(
            words[n].lower in _QUESTIONING for n in words.subtree(c) if n in inside and n <= subject
        ):
            # *That is why* begins with a subject of its own; *the book that he wrote* does not stand alone.
            return not (subject == 0 and words[subject].lower == "that")
    return False


def is_contiguous(numbers: Sequence[int]) -> bool:
    """Whether ascending numbers have no gap."""
    return bool(numbers) and numbers[-1] - numbers[0] + 1 == len(numbers)


def lowered(words: Words) -> str:
    """The first word as it is written inside a sentence."""
    first = words[0]
    keeps = first.pos == "PROPN" or first.text == "I" or (len(first.text) > 1 and first.text.isupper())
    return first.text if keeps else first.text[:1].lower() + first.text[1:]


def render(words: Words, items: Sequence[int | str]) -> str:
    """Words by their numbers, and others as they are, as one sentence with a capital and a stop; spaced as the source.

    Marks at both ends are left out. Empty where no word is left.
    """
    parts: list[str] = []
    before: int | str = ""
    for place, item in enumerate(items):
        text = item if isinstance(item, str) else words[item].text
        if place and item == 0:
            text = lowered(words)
        if place:
            parts.append(_gap(words, before, item, text))
        parts.append(text)
        before = item
    ending = " ." if words.apart else "."
    body = "".join(parts).strip(_LOOSE)
    if before == words.end - 1 and words.end < len(words):
        # The last quotation mark stays where it was.
        ending = words.text[words[words.end - 1].stop :].rstrip()
    else:
        body = re.sub(r"[\s.?!]+$", "", body).strip(_LOOSE)
    return body[0].upper() + body[1:] + ending if body else ""


def _gap(words: Words, before: int | str, item: int | str, text: str) -> str:
    if isinstance(before, int) and isinstance(item, int) and item == before + 1:
        return re.sub(r"\s+", " ", words.text[words[before].stop : words[item].start])
    earlier = words[before].text if isinstance(before, int) else before
    if not words.apart and (text in _TIGHT or text in CLOSING or earlier in OPENING):
        return ""
    return " "


def joined(first: Words, second: Words, rng: random.Random) -> str | None:
    """A good sentence of two: *A , and b .*"""
    return _both(first, rng.choice(_GOOD), second, 0)


def run_on(first: Words, second: Words, rng: random.Random) -> str | None:
    """*It is made of metal , was stolen in 2008 .*, *It is made of metal it was stolen .*"""
    subject = next((subject_of(second, n) for n in clauses(second, range(second.end))), -1)
    numbers = second.subtree(subject) if subject >= 0 else []
    begins = bool(numbers) and numbers[0] == 0 and is_contiguous(numbers)
    if begins and rng.random() < 0.6:
        mark = rng.choice(((",",), (",",), (";",), ()))
        return _both(first, mark, second, numbers[-1] + 1)
    if not begins:
        return None
    return _both(first, rng.choice(((",",), (), ("which",), (",", "which"), (",", "with"), ("is",))), second, 0)


def _both(first: Words, link: tuple[str, ...], second: Words, skip: int) -> str | None:
    if first.end + second.end > 40 or first.apart != second.apart or second.end - skip < 2:
        return None
    tail = render(second, list(range(skip, second.end)))
    if not tail or second[skip].is_mark:
        return None
    # Its own spaces, but a small letter.
    small = lowered(second) if skip == 0 else second[skip].text
    tail = small + tail[len(small) :] if tail[len(small) :][:1] in " .,;:'" else tail
    head = render(first, list(range(first.end)))
    stop = " ." if first.apart else "."
    head = head.removesuffix(stop)
    marks = "".join(f" {part}" if part.isalpha() or first.apart else part for part in link)
    return f"{head}{marks} {tail}"


def opened(words: Words, rng: random.Random) -> str | None:
    """A sentence behind an adverb: *However , he left .*"""
    if words[0].pos in ("ADV", "SCONJ", "CCONJ", "INTJ") or words[0].is_mark:
        return None
    return render(words, [*rng.choice(ADVERBS).split(), lowered(words), *range(1, words.end)])


def fronted(words: Words, rng: random.Random) -> str | None:
    """A sentence with what stands at its end in front: *While he was in Rome , he met the mayor .*"""
    tails = []
    for n in range(words.end):
        if words[n].rel not in ("advcl", "obl") or words[n].head >= n or words[words[n].head].rel != "root":
            continue
        numbers = [k for k in words.subtree(n) if k < words.end]
        if not is_contiguous(numbers) or numbers[-1] != words.end - 1 or words[n].head >= numbers[0] or numbers[0] < 3:
            continue
        numbers = numbers[1:] if words[numbers[0]].text == "," else numbers
        # *He was sold by the king*: not every phrase likes to stand in front.
        begins = words[numbers[0]]
        if words[n].rel == "obl" and begins.lower not in _FRONTED:
            continue
        if begins.lower in ("that", "than", "so", "as"):
            continue
        if begins.rel in ("mark", "case") or (begins.pos == "VERB" and begins.lower.endswith("ing")) or numbers[0] == n:
            tails.append(numbers)
    if not tails or words[0].is_mark:
        return None
    tail = rng.choice(tails)
    rest = [n for n in range(tail[0]) if not (n == tail[0] - 1 and words[n].text == ",")]
    return render(words, [*tail, ",", *rest]) if clauses(words, rest) else None
