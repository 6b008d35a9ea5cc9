"""The splitter's model in one folder (an encoder, heads and a list of openers), and the splits that it finds likely."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from rerank.errors import BadModel
from rerank.masked.packed import HEAD, PackedNetwork, read_arrays, readable
from rewrite.catalogue import REINSTALL, SPLITTER
from rewrite.splitting.grammar import asides, beginnings, connected
from rewrite.splitting.network import LONGEST, Floats, Heads, Reading, features_of
from rewrite.splitting.openers import phrase_slot
from rewrite.splitting.parsed_words import PERSONAL, Words
from rewrite.splitting.split import Split

BUNDLED = SPLITTER
OPENERS = "openers.json"
# What is looked at: the likeliest cuts, of each the likeliest numbers of dropped words, openers, nouns said again.
_CUTS = 12
_DROPS = 2
_OPENERS = 8
_NOUNS = 2
_OFFERED = -0.7
"""Nats (one half) for what rules and grammar offer: as good as the network's own where that halves its openers."""


class SplitModel(PackedNetwork):
    """The model in `folder` (the bundled one without), as `training.splitter` writes it; see `PackedNetwork`.

    Raises `BadModel` where its window is too small.
    """

    kind, step, also = "splitter", "training.splitter", (OPENERS,)

    def __init__(self, folder: Path | None = None, *, threads: int = 0) -> None:
        super().__init__(folder or BUNDLED, threads=threads, reinstall="" if folder else REINSTALL)
        require_window(self.folder, self._settings.window)

    def propose(self, sentences: Sequence[Words]) -> list[tuple[list[Split], float]]:
        """For each sentence its splits by falling log-probability, and the log-probability of no split, in nats.

        Of a sentence longer than the window its beginning is read: there it is cut.
        """
        shown = [self._beginning(words) for words in sentences]
        features = [features_of(words, self.pieces) for words in shown]
        rows = [self._settings.row(itertools.chain(*sentence.pieces)) for sentence in features]
        proposed = []
        readings = map(self._heads.read, features, self.vectors(rows))
        for whole, words, reading in zip(sentences, shown, readings, strict=True):
            also = (*connected(words), *asides(words))
            splits, none = proposals(self._heads, reading, self._openers, also, partial(beginnings, words))
            settled = [split.settled(words) for split in splits]
            proposed.append((_to_the_end(settled, words, whole), none))
        return proposed

    def _beginning(self, words: Words) -> Words:
        """A sentence, or as much of its beginning as the model's window holds."""
        lengths = itertools.accumulate(len(self.pieces(word.text)) for word in words.tokens)
        return words.first(sum(length <= self._settings.room for length in lengths))

    @cached_property
    def _heads(self) -> Heads:
        with readable(self.folder / HEAD, self._hint):
            weights = {name: part.astype(np.float32) for name, part in read_arrays(self.folder).items()}
            if len(weights["opening_out.bias"]) != len(self._openers):
                raise ValueError(f"it is of other openers than {OPENERS}")
        return Heads(weights)

    @cached_property
    def _openers(self) -> list[tuple[str, ...]]:
        path = self.folder / OPENERS
        with readable(path, self._hint):
            openers = [tuple(map(str, parts)) for parts in json.loads(path.read_text(encoding="utf-8"))]
        return openers


def require_window(folder: Path, window: int) -> None:
    """`BadModel` where the encoder in `folder`, whose rows have `window` tokens at most, cannot hold a sentence."""
    if window < LONGEST + 2:
        raise BadModel(
            f"{folder}: its window holds {window} tokens, a splitter needs one of {LONGEST + 2} or more.",
            hint=f"Train the masked language model with a window of at least {LONGEST + 2}, and a splitter on it.",
        )


def _to_the_end(splits: Sequence[Split], shown: Words, whole: Words) -> list[Split]:
    """Splits of the beginning of a sentence as those of all of it: what is behind the window goes with the second."""
    if len(shown) == len(whole):
        return list(splits)
    return [replace(split, stop=whole.end) if split.stop == shown.end else split for split in splits]


def proposals(
    heads: Heads,
    reading: Reading,
    openers: Sequence[tuple[str, ...]],
    also: Sequence[Split] = (),
    begin: Callable[[int, int], Iterable[Split]] = lambda start, stop: (),
) -> tuple[list[Split], float]:
    """Splits by falling log-probability, and the log-probability of no split, both in nats.

    `begin` tells for a cut how else its part may begin. Such a beginning has the probability of the cut, times that of
    all openers that begin with the same subject, times a constant.
    `also` are splits whose opener no network need say: theirs is the probability of the cut, times a constant.
    """
    scores, none = heads.cuts(reading)
    splits: list[Split] = []
    for cell in np.argsort(-scores, axis=None)[:_CUTS]:
        start, stop = (int(place) for place in np.unravel_index(cell, scores.shape))
        if np.isfinite(scores[start, stop]):
            splits += _at(heads, reading, openers, start, stop, float(scores[start, stop]))
            splits += _by_grammar(heads, reading, openers, float(scores[start, stop]), list(begin(start, stop)))
    for split in also:
        logprob = float(scores[split.start : split.kept + 1, split.stop].max()) + _OFFERED
        if np.isfinite(logprob):
            splits.append(replace(split, logprob=logprob))
    return sorted(splits, key=lambda split: -split.logprob), none


def _at(
    heads: Heads, reading: Reading, openers: Sequence[tuple[str, ...]], start: int, stop: int, logprob: float
) -> Iterator[Split]:
    dropped = heads.dropped(reading, start)
    for count in map(int, np.argsort(-dropped)[:_DROPS]):
        kept = start + count
        if kept > stop - 2:
            continue
        beginnings, nouns = heads.openers(reading, start, kept, stop)
        for number in map(int, np.argsort(-beginnings)[:_OPENERS]):
            opener = openers[number]
            total = logprob + float(dropped[count] + beginnings[number])
            if not phrase_slot(opener):
                yield Split(start, stop, count, opener, -1, total)
                continue
            for noun in map(int, np.argsort(-nouns)[:_NOUNS]):
                if reading.nouns[noun]:
                    yield Split(start, stop, count, opener, noun, total + float(nouns[noun]))


def _by_grammar(
    heads: Heads,
    reading: Reading,
    openers: Sequence[tuple[str, ...]],
    logprob: float,
    grammatical: Sequence[Split],
) -> Iterator[Split]:
    said: dict[int, dict[str, float]] = {}
    # Where grammar knows the pronoun, it is as probable as any.
    sure = len({_subject(split.opener) for split in grammatical} & PERSONAL) == 1
    for split in grammatical:
        if split.kept not in said:
            said[split.kept] = _subjects(openers, heads.openers(reading, split.start, split.kept, split.stop)[0])
        known = said[split.kept]
        alike = PERSONAL if sure and _subject(split.opener) in PERSONAL else {_subject(split.opener)}
        total = logprob + _logsum(known[key] for key in alike if key in known) + _OFFERED
        if np.isfinite(total):
            yield replace(split, logprob=total)


def _subjects(openers: Sequence[tuple[str, ...]], logprobs: Floats) -> dict[str, float]:
    """Log-probabilities of what openers begin with; all phrases of the source are one."""
    by_subject: dict[str, float] = {}
    for opener, logprob in zip(openers, logprobs, strict=True):
        subject = _subject(opener)
        by_subject[subject] = _logsum((by_subject.get(subject, -np.inf), float(logprob)))
    return by_subject


def _logsum(logprobs: Iterable[float]) -> float:
    return float(np.logaddexp.reduce([-np.inf, *logprobs]))


def _subject(opener: Sequence[str]) -> str:
    return "<>" if phrase_slot(opener) else next(iter(opener), "")
