"""Two sentences in one, joined as a writer would, or by a comma alone, or by nothing; and good ones that look like bad.

Such are short ones that were cut at the right place, and ones with an opener that fits.
"""

from __future__ import annotations

import random

from rewrite.splitting.words import QUOTES, Words
from training.whole.spans import clauses, is_contiguous, lowered, render, subject

__all__ = ["fronted", "joined", "opened", "run_on", "shortened", "spliced", "subordinated"]

_GOOD = ((",", "and"), ("and",), (",", "but"), (";",), (",", "while"), (",", "so"), ("because",), (",", "although"))
_FITTING = frozenset(
    (
        "VERB ADP|PROPN ADP|PRON VERB|PRON AUX|PROPN VERB|PROPN AUX|DET PROPN|ADP PROPN|ADP PRON|AUX VERB|AUX ADP"
        "|VERB PROPN|VERB PRON|PROPN CCONJ|AUX PROPN|PROPN PROPN|PRON ADP|VERB CCONJ"
    ).split("|")
)
"""Parts of speech of words that would often go together."""
_FRONT = (
    "While|While|When|When|Because|Although|Where|Until|Since|If|As|After|Before|Even though|Whereas|As soon as|Once"
).split("|")

_FREE = frozenset({"advcl", "acl", "acl:relcl", "conj", "appos", "parataxis"})
_FRONTED = frozenset("in on during after before since until at despite because for while when although if".split())
_ADVERBS = (
    "However ,|However|Then|In addition ,|Later ,|Later|Instead ,|Therefore ,|Thus ,|But|So|There|Here|Currently|Today"
    " ,|Afterwards ,|Soon|Also ,|Instead|And|As a result ,|At that time ,|For example ,|Meanwhile ,|Originally ,"
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
    if f"{last.pos} {next_.pos}" in _FITTING:
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


def shortened(words: Words, rng: random.Random) -> str | None:
    """A sentence without the clause at its end: *He was born in Rome , where he lived .* → *He was born in Rome .*"""
    ends = []
    for n in range(words.end):
        if words[n].rel not in _FREE or words[n].head >= n:
            continue
        numbers = words.subtree(n)
        numbers = [k for k in numbers if k < words.end]
        if words[n].rel == "conj" and subject(words, n) < 0:
            # The last of a list: *many cultural, political and social problems*.
            continue
        if sum(words[k].text in QUOTES for k in range(numbers[0])) % 2:
            continue
        if is_contiguous(numbers) and numbers[-1] == words.end - 1 and numbers[0] > 3 and words[n].head < numbers[0]:
            left = range(numbers[0])
            # What follows no comma may be what the verb needs: *accidents are attributed to them*.
            if words[n].rel != "acl:relcl" and words[numbers[0]].text != "," and words[numbers[0] - 1].text != ",":
                continue
            if any(words[k].rel == "root" for k in clauses(words, left)) and words[numbers[0] - 1].pos not in (
                "CCONJ",
                "ADP",
                "SCONJ",
            ):
                ends.append(numbers[0])
    return render(words, list(range(rng.choice(ends)))) if ends else None


def opened(words: Words, rng: random.Random) -> str | None:
    """A sentence behind an adverb: *However , he left .*"""
    if words[0].pos in ("ADV", "SCONJ", "CCONJ", "INTJ") or words[0].is_mark:
        return None
    return render(words, [*rng.choice(_ADVERBS).split(), lowered(words), *range(1, words.end)])


def fronted(words: Words, rng: random.Random) -> str | None:
    """A sentence with what stands at its end in front: *While he was in Rome , he met the mayor .*"""
    found = []
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
            found.append(numbers)
    if not found or words[0].is_mark:
        return None
    tail = rng.choice(found)
    rest = [n for n in range(tail[0]) if not (n == tail[0] - 1 and words[n].text == ",")]
    return render(words, [*tail, ",", *rest]) if clauses(words, rest) else None
