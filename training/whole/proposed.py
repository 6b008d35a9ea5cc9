"""Second sentences that a splitter proposes, and that are none: their parse has no subject, or no finite verb."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from rewrite.splitting.clauses import finite
from rewrite.splitting.model import SplitModel
from rewrite.splitting.openers import PAST, PRESENT
from rewrite.splitting.parsing import Parser
from rewrite.splitting.split import render
from rewrite.splitting.words import Words
from training.whole.sources import Source
from training.whole.spans import SUBJECTS

__all__ = ["proposed"]

_AT_ONCE = 100
_LONGEST = 45


def proposed(
    sources: Sequence[Source], count: int, each: int, model: SplitModel, parser: Parser, seed: int
) -> Iterator[tuple[str, str]]:
    """Texts with their origins: of `count` complex sentences, drawn by the seed, `each` at most.

    The likelier a split is to the model, the likelier it is taken.
    """
    rng = random.Random(f"{seed} proposed")
    fit = [one for one in sources if one.is_complex and 8 <= one.words.end <= _LONGEST]
    drawn = rng.sample(fit, min(count, len(fit)))
    for place in range(0, len(drawn), _AT_ONCE):
        batch = drawn[place : place + _AT_ONCE]
        for one, (splits, _) in zip(batch, model.propose([one.words for one in batch]), strict=True):
            # A verb that was put into another form is often taken for a noun: *This lists the plans*.
            kept = [split for split in splits if not {PAST, PRESENT} & set(split.opener)]
            ranks = _ranks(len(kept), 3 * each, rng)
            texts = dict.fromkeys(both[1] for n in ranks if (both := render(one.words, kept[n])) is not None)
            broken = [words.text for words in parser.parse(list(texts)) if _is_broken(words)]
            yield from ((text, one.origin) for text in broken[:each])


def _ranks(size: int, count: int, rng: random.Random) -> list[int]:
    """So many places in a list, the earlier the likelier."""
    return sorted({int(size * rng.random() ** 2) for _ in range(count)}) if size else []


def _is_broken(words: Words) -> bool:
    numbers = range(len(words))
    has_subject = any(word.rel.split(":")[0] in SUBJECTS for word in words.words)
    return len(words) > 2 and (not has_subject or not any(finite(words, n) for n in numbers))
