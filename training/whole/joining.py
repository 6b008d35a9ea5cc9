"""Two sentences in one: joined as a writer would, or by a comma alone, or by nothing."""

from __future__ import annotations

import random

from rewrite.splitting.words import Words
from training.whole.spans import clauses, is_contiguous, lowered, render, subject

__all__ = ["joined", "run_on", "spliced", "subordinated"]

_GOOD = ((",", "and"), ("and",), (",", "but"), (";",), (",", "while"), (",", "so"), ("because",), (",", "although"))
_FRONT = (
    "While|While|When|When|Because|Although|Where|Until|Since|If|As|After|Before|Even though|Whereas|As soon as|Once"
).split("|")


def joined(first: Words, second: Words, rng: random.Random) -> str | None:
    """A good sentence of two: *A , and b .*"""
    return _both(first, rng.choice(_GOOD), second, 0)


def subordinated(first: Words, second: Words, rng: random.Random) -> str | None:
    """A good sentence of two, the first behind a conjunction in front: *While a , b .*"""
    if first[0].rel in ("mark", "cc") or first[0].is_mark:
        return None
    text = _both(first, (",",), second, 0)
    if text is None:
        return None
    small = lowered(first)
    return f"{rng.choice(_FRONT)} {small}{text[len(small) :]}"


def run_on(first: Words, second: Words, rng: random.Random) -> str | None:
    """*It is made of metal , was stolen in 2008 .*, *It is made of metal it was stolen .*"""
    own = next((subject(second, n) for n in clauses(second, range(second.end))), -1)
    numbers = second.subtree(own) if own >= 0 else []
    begins = bool(numbers) and numbers[0] == 0 and is_contiguous(numbers)
    if begins and rng.random() < 0.6:
        mark = rng.choice(((",",), (",",), (";",), ()))
        return _both(first, mark, second, numbers[-1] + 1)
    if not begins:
        return None
    return _both(first, rng.choice(((",",), (), ("which",), (",", "which"), (",", "with"), ("is",))), second, 0)


def spliced(first: Words, second: Words, rng: random.Random) -> str | None:
    """The beginning of one and the end of another, cut where a phrase has only begun: *He was the in Rome .*"""
    ends = [n for n in range(2, first.end) if first[n - 1].pos in ("DET", "AUX", "ADP", "PRON", "PROPN", "VERB")]
    starts = [n for n in range(1, second.end - 1) if second[n].pos in ("VERB", "AUX", "ADP", "CCONJ", "PROPN", "PRON")]
    if not ends or not starts:
        return None
    end, start = rng.choice(ends), rng.choice(starts)
    last, next_ = first[end - 1], second[start]
    # These pairs would often go together.
    fits = {("VERB", "ADP"), ("PROPN", "ADP"), ("PRON", "VERB"), ("PRON", "AUX"), ("PROPN", "VERB"), ("PROPN", "AUX")}
    fits |= {("DET", "PROPN"), ("ADP", "PROPN"), ("ADP", "PRON"), ("AUX", "VERB"), ("AUX", "ADP"), ("VERB", "PROPN")}
    fits |= {
        ("VERB", "PRON"),
        ("PROPN", "CCONJ"),
        ("AUX", "PROPN"),
        ("PROPN", "PROPN"),
        ("PRON", "ADP"),
        ("VERB", "CCONJ"),
    }
    if (last.pos, next_.pos) in fits:
        return None
    return render(first, [*range(end), *(word.text for word in second.words[start : second.end])])


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
