"""Reads natasha's word vectors and slovnet's taggers, in a third of the time that they take to load themselves.

The vectors and all three taggers number the same 250 thousand words: the list is read once and shared. What navec
computes ahead for its own `sim` is left out.
"""

from __future__ import annotations

import gzip
import struct
import tarfile
import zlib
from functools import cached_property
from pathlib import Path
from typing import Any

import navec.meta
import navec.navec
import navec.pq
import navec.vocab
import numpy as np
import slovnet.vocab
from slovnet import NER, Morph, Syntax
from slovnet.const import REL, SHAPE, TAG, WORD
from slovnet.exec import encoders, infer, model
from slovnet.exec.pack import Pack, vocab_name

_VECTORS = "emb/navec_news_v1_1B_250K_300d_100q.tar"
_COUNT = np.dtype(np.uint32)
# As in slovnet's own `load`.
_BATCH = 8


class Models:
    """Word vectors and taggers of natasha's data `folder`; the vectors are read on first use, a tagger when asked for.

    A tagger is the same as `slovnet.Morph.load(path).navec(navec)` makes it, and so for the others.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Vocabularies by checksum of their text: whoever has the same words has the same numbers.
        self._known: dict[bytes, Any] = {}

    @cached_property
    def navec(self) -> Any:
        """`navec.Navec`, with its counts as an array."""
        with tarfile.open(self._folder / _VECTORS) as tar:
            meta = navec.meta.Meta.from_file(tar.extractfile("meta.json"))
            words = self._read_words(gzip.decompress(tar.extractfile("vocab.bin").read()))  # type: ignore[union-attr]
            vectors = _Vectors.from_file(tar.extractfile("pq.bin"))
        return navec.navec.Navec(meta, words, vectors)

    def morph(self) -> Any:
        """`slovnet.Morph`."""
        arrays, vocabularies = self._read("slovnet_morph_news_v1.tar", model.Morph, TAG)
        encoder = encoders.TagEncoder(*vocabularies[:2], _BATCH)
        return Morph(infer.MorphInfer(arrays, encoder, infer.TagDecoder(vocabularies[2])), _BATCH)

    def syntax(self) -> Any:
        """`slovnet.Syntax`."""
        arrays, vocabularies = self._read("slovnet_syntax_news_v1.tar", model.Syntax, REL)
        encoder = encoders.SyntaxEncoder(*vocabularies[:2], _BATCH)
        return Syntax(infer.SyntaxInfer(arrays, encoder, infer.SyntaxDecoder(vocabularies[2])), _BATCH)

    def ner(self) -> Any:
        """`slovnet.NER`."""
        arrays, vocabularies = self._read("slovnet_ner_news_v1.tar", model.NER, TAG)
        encoder = encoders.TagEncoder(*vocabularies[:2], _BATCH)
        return NER(infer.NERInfer(arrays, encoder, infer.TagDecoder(vocabularies[2])), _BATCH)

    def _read(self, file: str, kind: Any, target: str) -> tuple[Any, list[Any]]:
        """The network of a tagger, and the vocabularies of words, shapes and `target`."""
        vectors = self.navec
        with Pack(str(self._folder / "model" / file)) as pack:
            pack.load_meta().check_protocol()
            network = pack.load_model(kind)
            arrays = dict(pack.load_arrays(network.weights))
            vocabularies = [self._vocabulary(pack.read(vocab_name(name))) for name in (WORD, SHAPE, target)]
        return network.inject_arrays(arrays).inject_navec(vectors), vocabularies

    def _vocabulary(self, data: bytes) -> Any:
        # A gzip file ends in the checksum and the length of what it holds.
        key = data[-8:]
        if key not in self._known:
            self._known[key] = slovnet.vocab.Vocab(gzip.decompress(data).decode().splitlines())
        return self._known[key]

    def _read_words(self, data: bytes) -> Any:
        (size,) = np.frombuffer(data, _COUNT, count=1).tolist()
        counts = np.frombuffer(data, _COUNT, count=size, offset=_COUNT.itemsize)
        text = data[_COUNT.itemsize * (1 + size) :]
        words = navec.vocab.Vocab(text.decode().splitlines(), counts)
        self._known[struct.pack("<II", zlib.crc32(text), len(text))] = _same_words(words)
        return words


def _same_words(words: Any) -> Any:
    """The vocabulary of navec as one of slovnet, without numbering the words again."""
    vocabulary = slovnet.vocab.Vocab([])
    vocabulary.items, vocabulary.item_ids = words.words, words.word_ids
    vocabulary.unk_id, vocabulary.pad_id = words.unk_id, words.pad_id
    return vocabulary


class _Vectors(navec.pq.PQ):  # type: ignore[misc]
    """Quantised vectors without the norms and products that `sim` alone needs, which nobody asks for."""

    def precompute(self) -> None:
        self.qdims = np.arange(self.qdim)
