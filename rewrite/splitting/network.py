"""The splitter's network: what it reads of a sentence, and its heads in numpy, which tell what may be done with it.

`training.splitting.network` learns them in torch; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rerank.masked.packed import gelu
from rewrite.splitting.openers import NOUNS
from rewrite.splitting.parsed_words import QUOTES, Words

POS = tuple("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())
RELATIONS = tuple(
    """
    root nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse aux cop mark nmod appos
    nummod acl acl:relcl amod det clf case conj cc fixed flat compound list parataxis orphan goeswith reparandum punct
    dep
    """.split()
)
FLAGS = 8
"""Bits of a word's spelling: its capital, a mark, a digit, a comma, a stronger mark, in brackets, in quotes, finite."""
LONGEST = 120
"""Word pieces of a sentence at most that a network learns from; its encoder's window must hold two more."""

_POS = {name: number for number, name in enumerate(POS)}
_RELATIONS = {name: number for number, name in enumerate(RELATIONS)}
WIDTH = 256
"""Numbers in a word's vector."""
CUT = 128
"""Numbers in a vector of a place where a sentence may be cut."""
MOST_DROPPED = 4
"""Words at most that are dropped where a sentence is cut."""
Floats = npt.NDArray[np.float32]
_NOUNS = np.array([name in NOUNS for name in POS])


@dataclass(frozen=True, slots=True)
class Features:
    """Per word of a sentence: its word pieces, part of speech, relation, head (itself for a root) and flags (bits)."""

    pieces: tuple[tuple[int, ...], ...]
    pos: tuple[int, ...]
    relations: tuple[int, ...]
    heads: tuple[int, ...]
    flags: tuple[int, ...]
    end: int

    @property
    def length(self) -> int:
        """Word pieces in all."""
        return sum(map(len, self.pieces))


def features_of(words: Words, tokens: Callable[[str], Sequence[int]]) -> Features:
    """The features of a sentence; `tokens` gives the word pieces of a word's text."""
    return Features(
        pieces=tuple(tuple(tokens(word.text)) for word in words.tokens),
        pos=tuple(_POS.get(word.pos, len(POS) - 1) for word in words.tokens),
        relations=tuple(_RELATIONS.get(word.rel, len(RELATIONS) - 1) for word in words.tokens),
        heads=tuple(word.head if word.head >= 0 else number for number, word in enumerate(words.tokens)),
        flags=_flags(words),
        end=words.end,
    )


def _flags(words: Words) -> tuple[int, ...]:
    flags = []
    depth, quoted = 0, False
    for word in words.tokens:
        if word.text in "([":
            depth += 1
        quoted = quoted != (word.text in QUOTES)
        bits = (
            word.text[:1].isupper(),
            word.is_mark,
            any(c.isdigit() for c in word.text),
            word.text == ",",
            word.text in (";", ":", "--", "—", "–", "-"),
            depth > 0,
            quoted,
            word.feature("VerbForm") == "Fin",
        )
        flags.append(sum(1 << place for place, bit in enumerate(bits) if bit))
        if word.text in ")]":
            depth = max(0, depth - 1)
    return tuple(flags)


@dataclass(frozen=True)
class Reading:
    """A sentence as the network has read it: vectors of its T words and a nought behind, `[T + 1, WIDTH]`; `end`."""

    vectors: Floats
    nouns: npt.NDArray[np.bool_]
    end: int

    @property
    def before(self) -> Floats:
        return np.concatenate([np.zeros_like(self.vectors[:1]), self.vectors[:-1]])


class Heads:
    """The heads, from their weights by name as `training.splitting.network` names them."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights

    def read(self, features: Features, pieces: Floats) -> Reading:
        """A sentence from the encoder's vectors of its word pieces, `[pieces, WIDTH]`, those of marks included."""
        lengths = np.array([len(word) for word in features.pieces])
        word_vectors = pieces[1 + np.concatenate([[0], np.cumsum(lengths)[:-1]])]
        bits = np.array(features.flags)[:, None] >> np.arange(FLAGS) & 1
        pos = np.array(features.pos)
        given = [word_vectors, word_vectors[list(features.heads)], self._weights["pos.weight"][pos]]
        given += [self._weights["relation.weight"][list(features.relations)], bits.astype(np.float32)]
        vectors = self._norm(gelu(self._linear("word", np.concatenate(given, axis=1))))
        vectors = np.concatenate([vectors, np.zeros_like(vectors[:1])])
        return Reading(vectors, _NOUNS[pos], features.end)

    def cuts(self, reading: Reading) -> tuple[Floats, float]:
        """Log-probabilities `[T, T + 1]` that the words `start:stop` become a sentence, and of no split."""
        near = np.concatenate([reading.before, reading.vectors], axis=1)
        start, stop = gelu(self._linear("from_start", near[:-1])), gelu(self._linear("from_stop", near))
        scores = self._linear("both", start) @ stop.T / CUT**0.5
        scores += self._linear("start_alone", start) + self._linear("stop_alone", stop).T
        scores[:, reading.end] += self._linear("tail", start)[:, 0]
        first, last = np.indices(scores.shape)
        scores[(first < 1) | (last < first + 2) | (last > reading.end)] = -np.inf
        count = len(reading.vectors) - 1
        pooled = np.concatenate([reading.vectors.sum(axis=0) / count, reading.vectors.max(axis=0)])
        whole = float(self._linear("whole", pooled)[0])
        total = np.logaddexp(whole, _logsumexp(scores))
        return scores - total, float(whole - total)

    def dropped(self, reading: Reading, start: int) -> Floats:
        """Log-probabilities `[MOST_DROPPED + 1]` of how many words are dropped from `start` on."""
        before, vectors = reading.before, reading.vectors
        cut = gelu(self._linear("from_start", np.concatenate([before[start], vectors[start]])))
        places = np.minimum(start + np.arange(MOST_DROPPED + 1), len(vectors) - 1)
        given = np.concatenate([np.tile(cut, (len(places), 1)), before[places], vectors[places]], axis=1)
        scores = self._linear("dropping_out", gelu(self._linear("dropping", given)))[:, 0]
        return _log_softmax(scores + self._weights["dropping_count.weight"][:, 0])

    def openers(self, reading: Reading, start: int, kept: int, stop: int) -> tuple[Floats, Floats]:
        """Log-probabilities of the openers, and `[T]` of the nouns whose phrase is said again."""
        vectors, inner = reading.vectors, reading.vectors[:-1]
        query = gelu(self._linear("query", vectors[[start - 1, start, kept, stop - 1]].reshape(-1)))
        weights = np.exp(_log_softmax(self._linear("key", inner) @ query / WIDTH**0.5))
        mean = vectors.sum(axis=0) / len(inner)
        hidden = gelu(self._linear("opening", np.concatenate([query, weights @ inner, mean])))
        nouns = self._linear("noun", inner) @ query / WIDTH**0.5
        nouns = np.where(reading.nouns, nouns, np.float32(-1e4))
        return _log_softmax(self._linear("opening_out", hidden)), _log_softmax(nouns)

    def _linear(self, name: str, given: Floats) -> Floats:
        product: Floats = given @ self._weights[f"{name}.weight"].T
        bias = self._weights.get(f"{name}.bias")
        return product if bias is None else product + bias

    def _norm(self, given: Floats) -> Floats:
        centred = given - given.mean(axis=1, keepdims=True)
        centred /= np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + 1e-5)
        scaled: Floats = centred * self._weights["norm.weight"] + self._weights["norm.bias"]
        return scaled


def _logsumexp(x: Floats) -> float:
    top = x.max()
    return float(top + np.log(np.exp(x - top).sum())) if np.isfinite(top) else -np.inf


def _log_softmax(x: Floats) -> Floats:
    logprobs: Floats = x - np.float32(_logsumexp(x))
    return logprobs
