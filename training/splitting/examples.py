"""Examples for a splitter (features of a sentence with the split that was seen of it, or none), and batches of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import Any

from rerank.english import EnglishAnalyzer
from rerank.english.detokenising import detokenised
from rewrite.splitting.network import FLAGS, LONGEST, POS, Features, features_of
from rewrite.splitting.openers import NOUNS
from rewrite.splitting.parsed_words import Words, read_words, sentence_analyzer
from training.heads.batches import LengthBatches, padded, piece_tables
from training.masked.corpora import HeldBack
from training.masked.vocabulary import CLS, SEP
from training.splitting.align import align
from training.splitting.pairs import Pair, is_drawn, read_set

_AT_ONCE = 2_000
_LEAST_QUALITY = 0.6
# What must not be dropped is not to be learnt as dropped.
_SAYING = frozenset({"NOUN", "PROPN", "NUM", "ADJ"})
# Openers are made of these words and slots alone, so none can bring in what the source does not say.
_CLOSED = frozenset(
    """
    he she it they this these that those there his her its their i we you the is was are were has have had be been
    does do did also then however , later in at on of from to for by with as after where when who one some others
    both another therefore thus so but still instead additionally furthermore addition 's such now here <full>
    <definite> <short> <last> <past> <present>
    """.split()
)
_NOUNS = frozenset(POS.index(name) for name in NOUNS)


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence's features and its split: `start` 0 says that it needs none.

    `opener` is empty where nothing was put before the second part; `None` where what was put there has no pattern.
    """

    features: Features
    start: int
    stop: int
    dropped: int
    opener: tuple[str, ...] | None
    antecedent: int
    origin: str

    @property
    def set_name(self) -> str:
        """The name of the set that it is of."""
        return self.origin.partition(":")[0]


def make_examples(
    sets: Iterable[str],
    data: Path,
    held_back: HeldBack,
    tokens: Callable[[str], Sequence[int]],
    *,
    seed: int,
    whole: Mapping[str, float],
) -> Iterator[Example]:
    """Examples of sets of split sentences, from the folder `data`.

    No pair is read that has a sentence in common with what is `held_back`, or eight words in a row. Half of the
    tokenised texts are put together as ordinary text. `whole` is the share of a set's simple sentences that stand as
    examples of what needs no split.
    """
    analyzer = sentence_analyzer(cache_size=0)
    for name in sets:
        pairs = _clean(read_set(name, data), held_back, seed)
        yield from _of_pairs(pairs, analyzer, tokens, seed, whole.get(name, 0.0))


def _clean(pairs: Iterable[Pair], held_back: HeldBack, seed: int) -> Iterator[Pair]:
    for pair in pairs:
        if any(text in held_back for text in pair.texts):
            continue
        plain = is_drawn(pair.origin, seed)
        yield Pair(detokenised(pair.complex), tuple(map(detokenised, pair.simple)), pair.origin) if plain else pair


def _of_pairs(
    pairs: Iterator[Pair], analyzer: EnglishAnalyzer, tokens: Callable[[str], Sequence[int]], seed: int, whole: float
) -> Iterator[Example]:
    rng = random.Random(seed)
    while batch := list(islice(pairs, _AT_ONCE)):
        texts = [text for pair in batch for text in pair.texts]
        parsed = dict(zip(texts, read_words(texts, analyzer), strict=True))
        for pair in batch:
            words, simple = parsed[pair.complex], [parsed[text] for text in pair.simple]
            if len(simple) > 1:
                yield from _splits(words, simple, pair.origin, tokens)
            else:
                yield from _whole(words, pair.origin, tokens)
            for sentence in simple if len(simple) > 1 else ():
                if rng.random() < whole and 3 < len(sentence) < 40:
                    yield from _whole(sentence, pair.origin, tokens)


def _whole(words: Words, origin: str, tokens: Callable[[str], Sequence[int]]) -> Iterator[Example]:
    """A sentence that needs no split, if the encoder can read it."""
    features = features_of(words, tokens)
    if features.length <= LONGEST:
        yield Example(features, 0, 0, 0, None, -1, origin)


def _splits(
    words: Words, simple: Sequence[Words], origin: str, tokens: Callable[[str], Sequence[int]]
) -> Iterator[Example]:
    """One example for each boundary between the simple sentences."""
    features = features_of(words, tokens)
    if features.length > LONGEST:
        return
    lower = [[word.lower for word in sentence.tokens] for sentence in simple]
    for place in range(1, len(simple)):
        first, second = (list(chain(*part)) for part in (lower[:place], lower[place:]))
        aligned = align(words, first, second)
        if aligned is None:
            continue
        split, quality = aligned
        drops_content = any(words[n].pos in _SAYING for n in range(split.start, split.kept))
        if quality >= _LEAST_QUALITY and split.start > 0 and not drops_content:
            yield Example(features, split.start, split.stop, split.dropped, split.opener, split.antecedent, origin)


def count_openers(examples: Sequence[Example], least: int) -> list[tuple[str, ...]]:
    """The openers that stand in at least so many examples and hold closed-class words and slots alone."""
    counts = Counter(example.opener for example in examples if example.opener is not None)
    fit = [(opener, count) for opener, count in counts.items() if count >= least and _fits(opener)]
    return [opener for opener, _ in sorted(fit, key=lambda item: (-item[1], item[0]))]


def _fits(opener: tuple[str, ...]) -> bool:
    slots = [part for part in opener if part.startswith("<")]
    return set(opener) <= _CLOSED and len(slots) == len(set(slots))


class SplitBatches(LengthBatches):
    """Batches of sentences; `styles` are the sets by name: which one an example is of is told to the network.

    `settings` are those of `LengthBatches`.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        openers: Sequence[tuple[str, ...]],
        styles: Sequence[str],
        **settings: Any,
    ) -> None:
        self._openers = {opener: number for number, opener in enumerate(openers)}
        self._styles = {style: number for number, style in enumerate(styles)}
        lengths = [example.features.length for example in examples]
        super().__init__(examples, lengths, around=len((CLS, SEP)), **settings)

    def __getitem__(self, number: int) -> dict[str, Any]:
        return tensors([self.examples[i] for i in self.indices(number)], self._openers, self._styles)


def tensors(
    examples: Sequence[Example], openers: Mapping[tuple[str, ...], int], styles: Mapping[str, int]
) -> dict[str, Any]:
    """The fields of a `training.splitting.network.Batch`."""
    import torch

    features = [row.features for row in examples]
    first = [list(accumulate(map(len, sentence.pieces[:-1]), initial=1)) for sentence in features]
    flags = [[[float(bits >> bit & 1) for bit in range(FLAGS)] for bits in sentence.flags] for sentence in features]
    openers_of = [openers.get(row.opener, -1) if row.start and row.opener is not None else -1 for row in examples]
    has_slot = [any(part.startswith("<") for part in row.opener or ()) for row in examples]
    return {
        **piece_tables([[CLS, *chain(*sentence.pieces), SEP] for sentence in features]),
        "first": padded(first),
        "heads": padded([sentence.heads for sentence in features]),
        "pos": padded([sentence.pos for sentence in features]),
        "relations": padded([sentence.relations for sentence in features]),
        "flags": padded(flags),
        "words": padded([[1.0] * len(sentence.pieces) for sentence in features]),
        "nouns": padded([[float(tag in _NOUNS) for tag in sentence.pos] for sentence in features]),
        "style": torch.tensor([styles.get(row.set_name, 0) for row in examples]),
        "end": torch.tensor([sentence.end for sentence in features]),
        "start": torch.tensor([row.start for row in examples]),
        "stop": torch.tensor([row.stop for row in examples]),
        "dropped": torch.tensor([row.dropped for row in examples]),
        "opener": torch.tensor(openers_of),
        "antecedent": torch.tensor(
            [
                row.antecedent if opener >= 0 and slot else -1
                for row, opener, slot in zip(examples, openers_of, has_slot, strict=True)
            ]
        ),
    }
