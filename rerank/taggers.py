"""Slovnet's three taggers, their encoder run once per distinct window of words, with slovnet's own answers.

The encoder is three convolutions of width 3, so what it says of a token depends on the seven words around it and no
others. Candidates of one source share most of these windows. Level by level, windows are numbered, equal ones get one
number, and each convolution is computed once per number; the first is even a sum of three projections of single words.

Sums in another order differ in the last bits, and so do slovnet's own batches of different size. Where two answers
are so close that this could matter, the sequence is given to slovnet alone, in a batch of one: that is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float32]

# Forty times the largest difference from slovnet's scores seen among the two best of 16 thousand decisions.
_CLOSE = 2e-3
_ROWS = 2048
_LEVELS = 3
# Rows whose sums of three stay in the processor's cache.
_CACHED_ROWS = 512

Tags = list[tuple[str, dict[str, str]]]
Arcs = list[tuple[int, str]]


class Windows:
    """Sequences of words as numbered windows; number 0 is the edge of a sequence, whose vector is zero.

    `words` are the distinct words, numbered from 1; `triples[l][:, n - 1]` are the three numbers of level l that make
    up number n of level l + 1; `tokens[i]` is the number at the last level of the i-th token of all sequences in a row.
    """

    def __init__(self, sequences: Sequence[Sequence[str]]) -> None:
        index: dict[str, int] = {}
        numbers = [0]
        for sequence in sequences:
            numbers += [index.setdefault(word, len(index) + 1) for word in sequence]
            numbers.append(0)
        self.words = list(index)
        self.triples: list[tuple[Ids, Ids, Ids]] = []
        ids = np.array(numbers, dtype=np.int64)
        inside = ids > 0
        for _ in range(_LEVELS):
            base = int(ids.max()) + 1
            keys = ((ids[:-2] * base + ids[1:-1]) * base + ids[2:])[inside[1:-1]]
            distinct, inverse = np.unique(keys, return_inverse=True)
            self.triples.append((distinct // base**2, distinct // base % base, distinct % base))
            ids[inside] = inverse + 1
        self.tokens = ids[inside]


class _Encoder:
    """The embedding and convolutions of one slovnet tagger."""

    def __init__(self, infer: Any) -> None:
        self._vocabulary = infer.encoder
        self._embedding = infer.model.emb
        self._layers = [_Layer(layer) for layer in infer.model.encoder.layers]

    def __call__(self, windows: Windows) -> Matrix:
        """Vectors of the windows of the last level, shape `[1 + windows, 64]`; row 0 is the edge."""
        word_ids, shape_ids = self._vocabulary.item(windows.words)
        embedded = self._embedding(np.array(word_ids, dtype=np.int64), np.array(shape_ids, dtype=np.int64))
        vectors = np.vstack([np.zeros((1, embedded.shape[-1]), dtype=np.float32), embedded])
        for layer, triples in zip(self._layers, windows.triples, strict=True):
            vectors = layer(vectors, triples)
        return vectors


class _Layer:
    """Convolution, ReLU and batch norm; the convolution as three projections, for the left, own and right vector."""

    def __init__(self, layer: Any) -> None:
        weight = layer.conv.weight.array  # filters × input × 3
        self._project = [np.ascontiguousarray(weight[:, :, side].T) for side in range(3)]
        norm = layer.norm
        self._bias = layer.conv.bias.array
        self._scale = norm.weight.array / norm.std.array
        self._shift = norm.bias.array - norm.mean.array * self._scale

    def __call__(self, vectors: Matrix, triples: tuple[Ids, Ids, Ids]) -> Matrix:
        left, middle, right = (vectors @ project for project in self._project)
        middle += self._bias
        output = np.zeros((len(triples[0]) + 1, len(self._bias)), dtype=np.float32)
        for start in range(0, len(triples[0]), _CACHED_ROWS):
            rows = slice(start, start + _CACHED_ROWS)
            total = left[triples[0][rows]]
            total += middle[triples[1][rows]]
            total += right[triples[2][rows]]
            np.maximum(total, 0.0, out=total)
            total *= self._scale
            total += self._shift
            output[start + 1 : start + 1 + len(total)] = total
        return output


class MorphTagger:
    """Part of speech and features of each word of a sentence."""

    def __init__(self, slovnet: Any) -> None:
        self._slovnet = slovnet
        self._encode = _Encoder(slovnet.infer)
        self._head = slovnet.infer.model.head.proj
        self._names = slovnet.infer.decoder.tags_vocab
        self._parsed: dict[int, tuple[str, dict[str, str]]] = {}

    def __call__(self, sentences: Sequence[Sequence[str]], windows: Windows) -> list[Tags]:
        """(part of speech, features) of each word; `windows` are those of `sentences`."""
        vectors = self._encode(windows)
        best, close = _best_tags(self._head, vectors)
        tagged: list[Tags] = []
        for sentence, ids in zip(sentences, _split(sentences, windows.tokens), strict=True):
            if close[ids].any():
                tagged.append(self._alone(sentence))
            else:
                tagged.append([self._parse(tag) for tag in best[ids].tolist()])
        return tagged

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
        self._encode = _Encoder(slovnet.infer)
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
        arcs: list[Arcs] = []
        names = _split(sentences, relations)
        for i, (sentence, relation, near) in enumerate(
            zip(sentences, names, _split(sentences, close.astype(np.int64)), strict=True)
        ):
            if doubtful[i] or near.any():
                arcs.append(self._alone(sentence))
            else:
                decoded = map(self._names.decode, relation.tolist())
                arcs.append(list(zip(heads[i].tolist(), decoded, strict=True)))
        return arcs

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
            head, dependent = np.divmod(distinct[rows], len(vectors))
            heads, where = np.unique(head, return_inverse=True)
            tables = (governors[heads] @ model.kernel.array).reshape(len(heads), -1, size)
            scores = np.matmul(tables[where], dependents[dependent][..., np.newaxis])[..., 0]
            best[rows], close[rows] = _argmax(scores)
        return best[inverse], close[inverse]

    def _alone(self, sentence: Sequence[str]) -> Arcs:
        return [(int(token.head_id), token.rel) for token in self._slovnet(list(sentence)).tokens]


class EntityTagger:
    """BIO tags of the words of a text, by a linear-chain CRF."""

    def __init__(self, slovnet: Any) -> None:
        self._slovnet = slovnet
        self._encode = _Encoder(slovnet.infer)
        self._head = slovnet.infer.model.head
        self._names = slovnet.infer.decoder.tags_vocab

    def __call__(self, texts: Sequence[Sequence[str]], windows: Windows) -> list[list[str]]:
        """The tag of each word; `windows` are those of `texts`."""
        emissions = self._head.proj(self._encode(windows))
        tag_rows: list[list[str]] = [[] for _ in texts]
        for members, ids in _by_length(texts, windows):
            tags, close = _viterbi(emissions[ids], self._head.crf.transitions.array)
            for i, row, near in zip(members, tags.tolist(), close.tolist(), strict=True):
                best = self._alone(texts[i]) if near else row
                tag_rows[i] = [self._names.decode(tag) for tag in best]
        return tag_rows

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
