"""Examples for a judge of whole sentences: parsed good ones, and as many that something was done to.

Also second sentences that a splitter proposes, and that are none: their parse has no subject, or no finite verb.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from rerank.english import EnglishAnalyzer
from rewrite.splitting.clause_heads import finite
from rewrite.splitting.model import SplitModel
from rewrite.splitting.openers import PAST, PRESENT
from rewrite.splitting.parsed_words import Words, read_words
from rewrite.splitting.split import render
from training.masked.corpora import HeldBack
from training.splitting.pairs import texts
from training.whole import sentences
from training.whole.breaking import DOUBTFUL, WAYS, Way
from training.whole.sentences import SUBJECTS, clauses

GOOD = "good"
"""The kind of a sentence as it was found."""
PROPOSED = "proposed"
"""The kind of a second sentence that a splitter proposed."""
_RUN_ON = "run on"
_RUN_ONS = 18.0
"""How often it is tried; others as `WAYS` says."""
KINDS: tuple[str, ...] = (*WAYS, _RUN_ON)
"""What is done to good sentences."""
# These are of a part of a sentence, and a long one has more of them; it need not be a good one.
_OF_PARTS = ("fragment", "misfit", "subordinate", "broken off", "torn")
_AT_ONCE = 2_000
_TRIES = 6
_SHARE_JOINED, _SHARE_OPENED, _SHARE_FRONTED = 0.12, 0.06, 0.6
_SHARE_PARTS = 0.6
_PARSED_AT_ONCE = 500
_SHORTEST, _LONGEST = 4, 45
_PARSED = 60
_DEPENDENT = frozenset({"acl", "acl:relcl", "advcl", "ccomp", "xcomp", "csubj", "appos"})
_STOPS = frozenset({".", "..", "!"})
_NEVER_FIRST = frozenset("which whom whose".split())
_PROPOSED_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed sentence, which pair or paragraph it is of (`set:line`), and whether it is the complex side of one."""

    words: Words
    origin: str
    is_complex: bool

    @property
    def is_good(self) -> bool:
        """Whether it is shown as a whole sentence. Complex ones of MinWiki lack the marks between their clauses."""
        return is_whole(self.words) and not (self.is_complex and self.origin.startswith("minwiki:"))


def sources(
    pairs: Mapping[str, int],
    paragraphs: Mapping[str, int],
    data: Path,
    held_back: HeldBack,
    analyzer: EnglishAnalyzer,
    seed: int,
) -> Iterator[Source]:
    """What `training.splitting.pairs.texts` draws, parsed."""
    drawn = texts(pairs, paragraphs, data, held_back, seed)
    while batch := list(islice(drawn, _PARSED_AT_ONCE)):
        parsed = read_words([sentence.text for sentence in batch], analyzer)
        for words, sentence in zip(parsed, batch, strict=True):
            if _SHORTEST <= len(words) <= _PARSED:
                yield Source(words, sentence.origin, sentence.is_complex)


def is_whole(words: Words) -> bool:
    """Whether a sentence begins and ends as one, and its parse has a finite verb with a subject in a main clause."""
    if not (_SHORTEST <= len(words) <= _LONGEST) or words[len(words) - 1].text not in _STOPS:
        return False
    first, before = words[0].text, words[len(words) - 2]
    if not (first[:1].isupper() or first[:1].isdigit()) or first.lower() in _NEVER_FIRST or before.text in _STOPS:
        return False
    return any(words[n].rel not in _DEPENDENT for n in clauses(words, range(len(words))))


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
    origins = sorted({source.origin for source in sources}, key=lambda name: zlib.crc32(f"{seed} {name}".encode()))
    counts = Counter(source.origin for source in sources)
    chosen: set[str] = set()
    total = 0
    for origin in origins:
        if total >= dev / 2:
            break
        chosen.add(origin)
        total += counts[origin]
    kept = HeldBack(source.words.text for source in sources if source.origin in chosen)
    shared = {source.origin for source in sources if source.origin not in chosen and source.words.text in kept}
    learnt = [source for source in sources if source.origin not in chosen and source.origin not in shared]
    return learnt, [source for source in sources if source.origin in chosen]


def make_examples(sources: Iterable[Source], seed: int, analyzer: EnglishAnalyzer) -> Iterator[Example]:
    """Good sentences and bad ones of some sources, about half and half, the same for the same seed and source."""
    examples = _examples(list(sources), seed)
    while batch := list(islice(examples, _AT_ONCE)):
        doubtful = [example for example in batch if example.kind in DOUBTFUL]
        parsed = dict(zip(doubtful, read_words([example.text for example in doubtful], analyzer), strict=True))
        yield from (example for example in batch if example.kind not in DOUBTFUL or not is_whole(parsed[example]))


def _examples(sources: Sequence[Source], seed: int) -> Iterator[Example]:
    good = {source.words.text for source in sources if source.is_good}
    near: dict[bool, Source] = {}
    for source in sources:
        rng = random.Random(f"{seed} {source.origin} {source.words.text}")
        partner = near.get(source.words.apart)
        if source.words.text in good:
            near[source.words.apart] = source
            yield from _good(source, partner, rng)
            yield from _bad(source, partner, rng, good, KINDS)
        if source.is_complex and rng.random() < _SHARE_PARTS:
            yield from _bad(source, partner, rng, good, _OF_PARTS)


def _good(source: Source, partner: Source | None, rng: random.Random) -> Iterator[Example]:
    yield Example(source.words.text, True, GOOD, source.origin)
    ways: list[tuple[str, float, Way]] = [
        ("opened", _SHARE_OPENED, sentences.opened),
        ("fronted", _SHARE_FRONTED, sentences.fronted),
    ]
    if partner is not None:
        ways.append(("joined", _SHARE_JOINED, partial(sentences.joined, partner.words)))
    for name, share, way in ways:
        if rng.random() < share:
            text = way(source.words, rng)
            if text:
                yield Example(text, True, name, source.origin)


def _bad(
    source: Source, partner: Source | None, rng: random.Random, good: set[str], kinds: Sequence[str]
) -> Iterator[Example]:
    """One example at most; where a kind does not fit the sentence another is tried."""
    weights = [WAYS[kind][0] if kind in WAYS else _RUN_ONS for kind in kinds]
    for kind in rng.choices(kinds, weights, k=_TRIES):
        if kind in WAYS:
            text = WAYS[kind][1](source.words, rng)
        else:
            text = sentences.run_on(partner.words, source.words, rng) if partner is not None else None
        if text and text not in good:
            yield Example(text, False, kind, source.origin)
            return


def proposed(
    sources: Sequence[Source], count: int, each: int, model: SplitModel, analyzer: EnglishAnalyzer, seed: int
) -> Iterator[Example]:
    """Broken second sentences of `count` complex sentences, drawn by the seed, `each` of one at most.

    The likelier a split is to the model, the likelier it is taken.
    """
    rng = random.Random(f"{seed} proposed")
    fit = [source for source in sources if source.is_complex and 8 <= source.words.end <= _LONGEST]
    drawn = rng.sample(fit, min(count, len(fit)))
    for place in range(0, len(drawn), _PROPOSED_AT_ONCE):
        batch = drawn[place : place + _PROPOSED_AT_ONCE]
        for source, (splits, _) in zip(batch, model.propose([source.words for source in batch]), strict=True):
            # A verb that was put into another form is often taken for a noun: *This lists the plans*.
            kept = [split for split in splits if not {PAST, PRESENT} & set(split.opener)]
            ranks = _ranks(len(kept), 3 * each, rng)
            texts = dict.fromkeys(both[1] for n in ranks if (both := render(source.words, kept[n])) is not None)
            broken = [words.text for words in read_words(list(texts), analyzer) if _is_broken(words)]
            yield from (Example(text, False, PROPOSED, source.origin) for text in broken[:each])


def _ranks(size: int, count: int, rng: random.Random) -> list[int]:
    """So many places in a list, the earlier the likelier."""
    return sorted({int(size * rng.random() ** 2) for _ in range(count)}) if size else []


def _is_broken(words: Words) -> bool:
    numbers = range(len(words))
    has_subject = any(word.rel.split(":")[0] in SUBJECTS for word in words.tokens)
    return len(words) > 2 and (not has_subject or not any(finite(words, n) for n in numbers))
