"""What was done to a sentence, in words."""

from __future__ import annotations

from rewrite.splitting.openers import opening
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["told"]


def told(words: Words, split: Split) -> tuple[str, ...]:
    """The steps of a split, such as `cut at “he served …”`, `dropped “and”`, `began with “he”`."""
    place = words.join(range(split.kept, min(split.kept + 2, split.stop)))
    where = "cut at" if split.stop == words.end else "took out"
    steps = [f"{where} “{place} …”"]
    dropped = words.join([n for n in range(split.start, split.kept) if not words[n].is_mark])
    lead = words.join(range(split.lead))
    gone = words.join([n for n in split.gone if not words[n].is_mark])
    if gone:
        steps.append(f"dropped “{gone}”")
    if lead:
        steps.append(f"dropped “{lead}”")
    if dropped:
        steps.append(f"dropped “{dropped}”")
    begun = opening(words, split.opener, split.antecedent, split.verb)
    if begun is not None and begun:
        steps.append(f"began with “{' '.join(begun)}”")
    return tuple(steps)
