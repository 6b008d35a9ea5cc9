"""Slovnet's three taggers on shared windows of words (`rerank.windows`), with slovnet's own answers.

Sums in another order differ in the last bits, and so do slovnet's own batches of different size. Where two answers
are so close that this could matter, the sequence is given to slovnet alone, in a batch of one: that is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.windows import Encoder, Ids, Matrix, Windows

__all__ = ["EntityTagger", "MorphTagger", "SyntaxParser"]

# Forty times the largest difference from slovnet's scores seen among the two best of 16 thousand decisions.
_CLOSE = 2e-3
_ROWS = 2048

Tags = list[tuple[str, dict[str, str]]]
Arcs = list[tuple[int, str]]


class MorphTagger:
    """Part of speech and features of each word of a sentence."""

    def __init__(self, slovnet: Any) -> None:
        self._slovnet = slovnet
        self._encode = Encoder(slovnet.infer)
        self._head = slovnet.infer.model.head.proj
        self._names = slovnet.infer.decoder.tags_vocab
        self._parsed: dict[int, tuple[str, dict[str, str]]] = {}

    def __call__(self, sentences: Sequence[Sequence[str]], windows: Windows) -> list[Tags]:
        """(part of speech, features) of each word; `windows` are those of `sentences`."""
        vectors = self._encode(windows)
        best, close = _best_tags(self._head, vectors)
        found: list[Tags] = []
        for sentence, ids in zip(sentences, _split(sentences, windows.tokens), strict=True):
            if close[ids].any():
                found.append(self._alone(sentence))
            else:
                found.append([self._parse(tag) for tag in best[ids].tolist()])
        return found

    def _parse(self, tag: int) -> tuple[str, dict[str, str]]:
        if tag not in self._parsed:
            from slovnet.conll import parse_conll_tag

            self._parsed[tag] = parse_conll_tag(self._names.decode(tag))
        return self._parsed[tag]

    def _alone(self, sentence: Sequence[str]) -> Tags:
        return [(token.pos, token.feats) for token in self._slovnet(list(sentence)).tokens]


def _best_tags(head: Any, vectors: Matrix) -> tuple[Ids, npt.NDArray[np.bool_]]:
    best = np.empty(len(vectors), dtype=np.int64)
    close = np.empty(len(vectors), dtype=np.bool_)
    for start in range(0, len(vectors), _ROWS):
        rows = slice(start, start + _ROWS)
        best[rows], close[rows] = _argmax(head(vectors[rows]))
    return best, close


def _argmax(scores: Matrix) -> tuple[Ids, npt.NDArray[np.bool_]]:
    """Index of the highest score along the last axis, and whether another comes close."""
    near = scores > scores.max(-1, keepdims=True) - _CLOSE
    return scores.argmax(-1), np.count_nonzero(near, axis=-1) > 1


def _split(sequences: Sequence[Sequence[str]], values: Ids) -> Iterator[Ids]:
    start = 0
    for sequence in sequences:
        yield values[start : start + len(sequence)]
        start += len(sequence)


def _by_length(sequences: Sequence[Sequence[str]], windows: Windows) -> Iterator[tuple[list[int], Ids]]:
    """Sequences of equal length: their indices, and the windows of their tokens, shape `[sequences, length]`."""
    groups: dict[int, list[int]] = {}
    for i, sequence in enumerate(sequences):
        groups.setdefault(len(sequence), []).append(i)
    starts = np.cumsum([0, *(len(sequence) for sequence in sequences)])
    for length, members in groups.items():
        if length:
            most = max(1, _ROWS * 16 // length**2)
            for first in range(0, len(members), most):
                some = members[first : first + most]
                yield some, windows.tokens[starts[some][:, np.newaxis] + np.arange(length)]


class SyntaxParser:
    """Head and relation of each word of a sentence (Universal Dependencies)."""

    def __init__(self, slovnet: Any) -> None:
        self._slovnet = slovnet
        self._encode = Encoder(slovnet.infer)
        self._model = slovnet.infer.model
        self._names = slovnet.infer.decoder.rels_vocab

    def __call__(self, sentences: Sequence[Sequence[str]], windows: Windows) -> list[Arcs]:
        """(head, relation) of each word; heads count from 1, 0 is the root. `windows` are those of `sentences`."""
        # Number 0, the edge, never occurs within a sentence; its row serves for the root.
        vectors = self._encode(windows)
        vectors[0] = self._model.head.root.array
        dependents = self._model.head.head(vectors) @ self._model.head.kernel.array
        governors = self._model.head.tail(vectors)
        heads: list[Ids] = [np.empty(0, dtype=np.int64)] * len(sentences)
        doubtful = np.zeros(len(sentences), dtype=np.bool_)
        pairs: list[Ids] = [heads[0]] * len(sentences)
        for members, ids in _by_length(sentences, windows):
            rooted = np.pad(ids, ((0, 0), (1, 0)))
            scores = dependents[ids] @ governors[rooted].swapaxes(-2, -1)
            best, close = _argmax(scores)
            doubtful[members] = close.any(-1)
            chosen = np.take_along_axis(rooted, best, -1) * len(vectors) + ids
            for row, i in enumerate(members):
                heads[i], pairs[i] = best[row], chosen[row]
        relations, close = self._relations(vectors, np.concatenate(pairs) if pairs else heads[0])
        found: list[Arcs] = []
        names = _split(sentences, relations)
        for i, (sentence, relation, near) in enumerate(
            zip(sentences, names, _split(sentences, close.astype(np.int64)), strict=True)
        ):
            if doubtful[i] or near.any():
                found.append(self._alone(sentence))
            else:
                decoded = map(self._names.decode, relation.tolist())
                found.append(list(zip(heads[i].tolist(), decoded, strict=True)))
        return found

    def _relations(self, vectors: Matrix, pairs: Ids) -> tuple[Ids, npt.NDArray[np.bool_]]:
        """Relation of each (head, dependent) pair, coded head · windows + dependent; each distinct pair once."""
        distinct, inverse = np.unique(pairs, return_inverse=True)
        model = self._model.rel
        rooted = vectors.copy()
        rooted[0] = model.root.array
        governors, dependents = model.head(rooted), model.tail(vectors)
        size = governors.shape[-1]
        best = np.empty(len(distinct), dtype=np.int64)
        close = np.empty(len(distinct), dtype=np.bool_)
        for start in range(0, len(distinct), _ROWS):
            rows = slice(start, start + _ROWS)
            head, own = np.divmod(distinct[rows], len(vectors))
            heads, where = np.unique(head, return_inverse=True)
            tables = (governors[heads] @ model.kernel.array).reshape(len(heads), -1, size)
            scores = np.matmul(tables[where], dependents[own][..., np.newaxis])[..., 0]
            best[rows], close[rows] = _argmax(scores)
        return best[inverse], close[inverse]

    def _alone(self, sentence: Sequence[str]) -> Arcs:
        return [(int(token.head_id), token.rel) for token in self._slovnet(list(sentence)).tokens]


class EntityTagger:
    """BIO tags of the words of a text, by a linear-chain CRF."""

    def __init__(self, slovnet: Any) -> None:
        self._slovnet = slovnet
        self._encode = Encoder(slovnet.infer)
        self._head = slovnet.infer.model.head
        self._names = slovnet.infer.decoder.tags_vocab

    def __call__(self, texts: Sequence[Sequence[str]], windows: Windows) -> list[list[str]]:
        """The tag of each word; `windows` are those of `texts`."""
        emissions = self._head.proj(self._encode(windows))
        found: list[list[str]] = [[] for _ in texts]
        for members, ids in _by_length(texts, windows):
            tags, close = _viterbi(emissions[ids], self._head.crf.transitions.array)
            for i, row, near in zip(members, tags.tolist(), close.tolist(), strict=True):
                best = self._alone(texts[i]) if near else row
                found[i] = [self._names.decode(tag) for tag in best]
        return found

    def _alone(self, words: Sequence[str]) -> list[int]:
        infer = self._slovnet.infer
        (tags,) = infer.process(infer.encoder([list(words)]))
        return [int(tag) for tag in tags]


def _viterbi(emissions: Matrix, transitions: Matrix) -> tuple[Ids, npt.NDArray[np.bool_]]:
    """Best tags for `emissions [texts, length, tags]`, and whether a decision on the best path was close."""
    count, length, _ = emissions.shape
    score = emissions[:, 0]
    history = []
    for step in range(1, length):
        options = score[:, :, np.newaxis] + transitions + emissions[:, step, np.newaxis]
        options = options.swapaxes(1, 2)
        score = options.max(-1)
        history.append(_argmax(options))
    tags = np.empty((count, length), dtype=np.int64)
    tags[:, -1], close = _argmax(score)
    every = np.arange(count)
    for step in range(length - 1, 0, -1):
        best, near = history[step - 1]
        close |= near[every, tags[:, step]]
        tags[:, step - 1] = best[every, tags[:, step]]
    return tags, close
