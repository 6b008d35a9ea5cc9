"""Good sentences that look like bad ones: short ones cut at the right place, and ones with an opener that fits."""

from __future__ import annotations

import random

from rewrite.splitting.words import QUOTES, Words
from training.whole.spans import clauses, is_contiguous, lowered, render, subject

__all__ = ["fronted", "opened", "shortened"]

_FREE = frozenset({"advcl", "acl", "acl:relcl", "conj", "appos", "parataxis"})
_FRONTED = frozenset("in on during after before since until at despite because for while when although if".split())
_ADVERBS = (
    "However ,|However|Then|In addition ,|Later ,|Later|Instead ,|Therefore ,|Thus ,|But|So|There|Here|Currently|Today"
    " ,|Afterwards ,|Soon|Also ,|Instead|And|As a result ,|At that time ,|For example ,|Meanwhile ,|Originally ,"
).split("|")


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
