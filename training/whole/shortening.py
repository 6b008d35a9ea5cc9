"""Good sentences that look like bad ones: short ones cut at the right place, and ones with an opener that fits."""

from __future__ import annotations

import random

from rewrite.splitting.words import Words
from training.whole.spans import clauses, is_contiguous, lowered, render

__all__ = ["opened", "shortened"]

_FREE = frozenset({"advcl", "acl", "acl:relcl", "conj", "appos", "parataxis"})
_ADVERBS = (
    "However ,",
    "However",
    "Then",
    "In addition ,",
    "Later ,",
    "Instead ,",
    "Therefore ,",
    "Thus ,",
    "But",
    "So",
)


def shortened(words: Words, rng: random.Random) -> str | None:
    """A sentence without the clause at its end: *He was born in Rome , where he lived .* → *He was born in Rome .*"""
    ends = []
    for n in range(words.end):
        if words[n].rel not in _FREE or words[n].head >= n:
            continue
        numbers = words.subtree(n)
        numbers = [k for k in numbers if k < words.end]
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
