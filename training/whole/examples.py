"""Examples for a judge of whole sentences: good sentences, and as many that something was done to."""

from __future__ import annotations

import json
import random
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from rewrite.splitting.parsing import Parser
from rewrite.splitting.words import Words
from training.encoders.examples import write_counted
from training.held_back import HeldBack
from training.whole import cutting, joining, opening, shortening, wording
from training.whole.sources import Source, is_whole

__all__ = ["GOOD", "KINDS", "PROPOSED", "Example", "apart", "make_examples", "read_examples", "write_examples"]

_Way = Callable[[Words, random.Random], str | None]
_Joint = Callable[[Words, Words, random.Random], str | None]
GOOD = "good"
"""The kind of a sentence as it was found."""
PROPOSED = "proposed"
"""The kind of a second sentence that a splitter proposed (`training.whole.proposed`)."""
_ALONE: Mapping[str, tuple[float, _Way]] = MappingProxyType(
    {
        "right part": (22, cutting.right_part),
        "left part": (6, cutting.left_part),
        "dangling": (8, cutting.dangling),
        "subordinate": (9, cutting.subordinate),
        "torn": (11, cutting.torn),
        "misfit": (17, opening.misfit),
        "misfit whole": (3, opening.misfit_whole),
        "of which": (30, opening.of_which),
        "disagreeing": (22, wording.disagreeing),
        "misnumbered": (9, wording.misnumbered),
        "misformed": (6, wording.misformed),
        "no subject": (7, wording.no_subject),
        "no verb": (8, wording.no_verb),
        "active": (12, wording.no_auxiliary),
        "doubled": (9, wording.doubled),
        "copula": (5, wording.copula),
        "no article": (12, wording.no_article),
    }
)
_OF_TWO: Mapping[str, tuple[float, _Joint]] = MappingProxyType(
    {"run on": (16, joining.run_on), "spliced": (4, joining.spliced)}
)
KINDS: tuple[str, ...] = (*_ALONE, *_OF_TWO)
"""What is done to good sentences; the numbers above are how often each is tried."""
# These are of a part of a sentence, and a long one has more of them; it need not be a good one.
_OF_PARTS = ("right part", "misfit", "of which", "subordinate", "dangling", "left part", "torn")
# Where the parse of a long sentence is wrong a part of it may be a sentence, as its own parse then says.
_DOUBTFUL = "right part"
_AT_ONCE = 2_000
_TRIES = 6
_SHARE_JOINED, _SHARE_SHORT, _SHARE_OPENED, _SHARE_FRONTED = 0.08, 0.12, 0.06, 0.6
_SHARE_PARTS = 0.6


@dataclass(frozen=True, slots=True)
class Example:
    """A text, whether it is a whole sentence, its kind (`GOOD`, one of `KINDS`, `PROPOSED`), and its origin."""

    text: str
    is_whole: bool
    kind: str
    origin: str


def apart(sources: Sequence[Source], dev: int, seed: int) -> tuple[list[Source], list[Source]]:
    """Sources to learn from, and some that give about `dev` examples to look at.

    All sentences of a pair are on one side, and none of the first has eight words in a row with one of the second.
    """
    origins = sorted({one.origin for one in sources}, key=lambda name: zlib.crc32(f"{seed} {name}".encode()))
    counts = Counter(one.origin for one in sources)
    chosen: set[str] = set()
    total = 0
    for origin in origins:
        if total >= dev / 2:
            break
        chosen.add(origin)
        total += counts[origin]
    kept = HeldBack(one.words.text for one in sources if one.origin in chosen)
    shared = {one.origin for one in sources if one.origin not in chosen and one.words.text in kept}
    learnt = [one for one in sources if one.origin not in chosen and one.origin not in shared]
    return learnt, [one for one in sources if one.origin in chosen]


def make_examples(sources: Iterable[Source], seed: int, parser: Parser) -> Iterator[Example]:
    """Good sentences and bad ones of some sources, about half and half, the same for the same seed and source."""
    found = _examples(list(sources), seed)
    while batch := list(islice(found, _AT_ONCE)):
        doubtful = [one for one in batch if one.kind == _DOUBTFUL]
        parsed = dict(zip(doubtful, parser.parse([one.text for one in doubtful]), strict=True))
        yield from (one for one in batch if one.kind != _DOUBTFUL or not is_whole(parsed[one]))


def _examples(found: Sequence[Source], seed: int) -> Iterator[Example]:
    good = {one.words.text for one in found if one.is_good}
    near: dict[bool, Source] = {}
    for one in found:
        rng = random.Random(f"{seed} {one.origin} {one.words.text}")
        partner = near.get(one.words.apart)
        if one.words.text in good:
            near[one.words.apart] = one
            yield from _good(one, partner, rng)
            yield from _bad(one, partner, rng, good, KINDS)
        if one.is_complex and rng.random() < _SHARE_PARTS:
            yield from _bad(one, partner, rng, good, _OF_PARTS)


def _good(one: Source, partner: Source | None, rng: random.Random) -> Iterator[Example]:
    yield Example(one.words.text, True, GOOD, one.origin)
    ways: list[tuple[str, float, _Way]] = [
        ("shortened", _SHARE_SHORT * (3 if one.is_complex else 1), shortening.shortened),
        ("opened", _SHARE_OPENED, shortening.opened),
        ("fronted", _SHARE_FRONTED, shortening.fronted),
    ]
    if partner is not None:
        ways.append(("joined", _SHARE_JOINED, partial(joining.joined, partner.words)))
        ways.append(("subordinated", _SHARE_JOINED, partial(joining.subordinated, partner.words)))
    for name, share, way in ways:
        if rng.random() < share:
            text = way(one.words, rng)
            if text:
                yield Example(text, True, name, one.origin)


def _bad(
    one: Source, partner: Source | None, rng: random.Random, good: set[str], kinds: Sequence[str]
) -> Iterator[Example]:
    """One example at most; where a kind does not fit the sentence another is tried."""
    weights = [(_ALONE.get(kind) or _OF_TWO[kind])[0] for kind in kinds]
    for kind in rng.choices(kinds, weights, k=_TRIES):
        if kind in _ALONE:
            text = _ALONE[kind][1](one.words, rng)
        else:
            text = _OF_TWO[kind][1](partner.words, one.words, rng) if partner is not None else None
        if text and text not in good:
            yield Example(text, False, kind, one.origin)
            return


def write_examples(examples: Iterable[Example], path: Path) -> Counter[str]:
    """Write examples as JSON lines; returns how many there are of each kind."""
    return write_counted(examples, path, lambda one: one.kind)


def read_examples(path: Path) -> Iterator[Example]:
    """The examples of a file that `write_examples` wrote."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield Example(**json.loads(line))
